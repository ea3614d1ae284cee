"""The board in letters."""

from gammon.formats.position import Position
from gammon.text.board import board_text


def test_the_opening() -> None:
    assert board_text(Position.opening()).plain.splitlines() == [
        "  +13-14-15-16-17-18------19-20-21-22-23-24-+  O: pips 167, off 0",
        "  | X           O    |   | O              X |",
        "  | X           O    |   | O              X |",
        "  | X           O    |   | O                |",
        "  | X                |   | O                |",
        "  | X                |   | O                |",
        "  |                  |BAR|                  |",
        "  | O                |   | X                |",
        "  | O                |   | X                |",
        "  | O           X    |   | X                |",
        "  | O           X    |   | X              O |",
        "  | O           X    |   | X              O |",
        "  +12-11-10--9--8--7-------6--5--4--3--2--1-+  X, to play: pips 167, off 0",
    ]


def test_the_bar_and_points_with_more_checkers_than_rows() -> None:
    points = [0] * 26
    points[25], points[6], points[0], points[19] = 2, 11, -1, -6
    lines = board_text(Position(tuple(points))).plain.splitlines()
    assert [line[22:25] for line in lines[1:6]] == [" X ", " X ", "   ", "   ", "   "]
    assert [line[22:25] for line in lines[7:12]] == ["   ", "   ", "   ", "   ", " O "]
    assert lines[7][26:29] == "11 "
    assert lines[5][26:29] == " 6 "
    assert lines[0].endswith("O: pips 61, off 8")
    assert lines[-1].endswith("X, to play: pips 116, off 2")
