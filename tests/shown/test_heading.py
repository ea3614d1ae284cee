"""The heading of an answer."""

from gammon.formats.position import Position
from gammon.shown.board import board_text
from gammon.shown.heading import heading
from gammon.shown.plain import plain_text
from tests.commands.program import OPENING_31


def lines_of(xgid: str, width: int, turned: bool = False) -> list[str]:
    views = heading(Position.parse(xgid), "X to play 31", ["A note."], turned)
    return [line for view in views for line in plain_text(view, width).splitlines()]


def test_board_ids_and_notes() -> None:
    position = Position.parse(OPENING_31)
    lines = lines_of(OPENING_31, 120)
    assert lines[:13] == board_text(position).plain.splitlines()
    assert lines[13:] == [
        f"  Position ID: {position.position_id}   Match ID: {position.match_id}",
        f"  {OPENING_31}",
        "  X to play 31",
        "  A note.",
    ]


def test_ids_stand_below_each_other_where_there_is_no_room() -> None:
    lines = lines_of(OPENING_31, 45)
    assert f"  {OPENING_31}" in lines
    assert "  Position ID: 4HPwATDgc/ABMA" in lines


def test_o_on_roll_is_said() -> None:
    said = "  O is on roll: the board and the plays are seen from O's side."
    assert said in lines_of(OPENING_31.replace(":1:31", ":-1:31"), 120)
    assert said not in lines_of(OPENING_31, 120)


def test_a_turned_board_keeps_the_numbers_of_its_points() -> None:
    lines = lines_of(OPENING_31.replace(":1:31", ":-1:31"), 120, turned=True)
    assert lines[0].startswith("  +12-11-10--9")
    assert "  O is on roll: points are numbered from O's side." in lines
