"""Boards as SVG: `gammon.svg.board`, see docs/files.md."""

from gammon.view.svg.drawing import Svg, board, png
from gammon.view.svg.layout import COLOURS

__all__ = ["COLOURS", "Svg", "board", "png"]
