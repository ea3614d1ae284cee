"""Boards as SVG: `gammon.svg.board`, see docs/files.md."""

from gammon.view.svg.drawing import board, png
from gammon.view.svg.layout import COLOURS
from gammon.view.svg.pieces import Svg

__all__ = ["COLOURS", "Svg", "board", "png"]
