"""Boards as SVG, drawn by code of our own: `gammon.svg.board`, see docs/drawings.md."""

from gammon.svg.colours import COLOURS
from gammon.svg.drawing import board, png
from gammon.svg.pieces import Svg

__all__ = ["COLOURS", "Svg", "board", "png"]
