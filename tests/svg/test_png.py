"""A drawing as PNG."""

import struct
import sys

import pytest

from gammon.base.errors import MissingExtraError, SettingError
from gammon.formats.position import Position
from gammon.svg.drawing import board
from gammon.svg.png import png

DRAWING = board(Position.opening())


def test_it_has_the_width_and_the_words() -> None:
    pytest.importorskip("resvg_py")
    found = png(DRAWING, 300)
    assert found[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", found[16:24]) == (300, 272)
    assert found == png(DRAWING, 300)
    assert found != png(DRAWING.replace("pips 167", ""), 300), "a font was found"


def test_a_missing_library_gets_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(MissingExtraError) as caught:
        png(DRAWING)
    assert str(caught.value) == (
        'a PNG file needs resvg_py: in the clone of gammon, pip install -e ".[png]"'
    )


def test_a_width_that_no_picture_has() -> None:
    with pytest.raises(SettingError, match="width 0: expected a whole number from 1 to 10000"):
        png(DRAWING, 0)
