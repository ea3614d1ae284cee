"""Boards as SVG, drawn by code of our own: `gammon.svg.board`, see docs/drawings.md."""

from gammon.svg.colours import COLOURS
from gammon.svg.drawing import board
from gammon.svg.elements import Svg
from gammon.svg.png import png

__all__ = ["COLOURS", "Svg", "board", "png"]
