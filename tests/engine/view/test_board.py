"""The board in letters."""

from gammon.formats.position import Position
from gammon.view.board import board_text, board_view
from gammon.view.plain import plain_text
from tests.boards import points_of


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
    position = Position(points_of({25: 2, 6: 11}, {0: 1, 19: 6}))
    lines = board_text(position).plain.splitlines()
    assert [line[22:25] for line in lines[1:6]] == [" X ", " X ", "   ", "   ", "   "]
    assert [line[22:25] for line in lines[7:12]] == ["   ", "   ", "   ", "   ", " O "]
    assert lines[7][26:29] == "11 "
    assert lines[5][26:29] == " 6 "
    assert lines[0].endswith("O: pips 61, off 8")
    assert lines[-1].endswith("X, to play: pips 116, off 2")


def test_nobody_is_to_play_where_the_game_is_over_or_a_double_waits() -> None:
    over = Position.parse("XGID=-A------------------------:0:0:1:00:0:0:0:0:10")
    for position in (over, Position.opening().with_offer(True)):
        assert "to play" not in board_text(position).plain


def test_o_on_roll_is_o() -> None:
    position = Position.parse("XGID=-b----E-C---eE---c-e----B-:0:0:-1:31:0:0:0:0:10")
    lines = board_text(position).plain.splitlines()
    assert lines[0].endswith("+  X: pips 167, off 0")
    assert lines[1] == "  | O           X    |   | X              O |"
    assert lines[-1].endswith("+  O, to play: pips 167, off 0")


def test_a_narrow_board_has_its_notes_above_and_below() -> None:
    lines = plain_text(board_view(Position.opening()), 60).splitlines()
    assert lines[0] == "  O: pips 167, off 0"
    assert lines[1:-1] == [
        line[:45] for line in board_text(Position.opening()).plain.splitlines()
    ]
    assert lines[-1] == "  X, to play: pips 167, off 0"


def test_a_board_that_does_not_fit_is_left_out() -> None:
    assert plain_text(board_view(Position.opening()), 40).splitlines() == [
        "  O: pips 167, off 0",
        "  X, to play: pips 167, off 0",
    ]


def test_a_turned_board_is_upside_down() -> None:
    position = Position.parse("XGID=-a-B-BC-A---bC---c-db-A--A:1:-1:1:52:3:5:0:7:10")
    plain = board_text(position).plain.splitlines()
    turned = board_text(position, turned=True).plain.splitlines()
    assert [line[:45] for line in turned] == [line[:45] for line in plain[::-1]]
    assert turned[0].endswith("X, to play: pips 128, off 2")
    assert turned[-1].endswith("O: pips 108, off 3")
    narrow = board_text(position, 60, turned=True).plain.splitlines()
    assert (narrow[0], narrow[-1]) == (
        "  X, to play: pips 128, off 2", "  O: pips 108, off 3",
    )  # fmt: skip
