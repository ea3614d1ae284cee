"""The cells of match files: which column, and whether that is certain."""

import pytest

from gammon_study.match_files.mat_sheet import MatSheet

HEAD = [" 5 point match", "Game 1", " A:B (x) : 0       Bob : 2"]


def sheet_of(*lines: str) -> MatSheet:
    sheet = MatSheet()
    for number, line in enumerate([*HEAD, *lines], 1):
        sheet.take(number, line)
    return sheet


def test_headings() -> None:
    sheet = sheet_of()
    assert sheet.length == 5
    assert (sheet.blocks[0].names, sheet.blocks[0].points) == (("A:B (x)", "Bob"), (0, 2))
    money = MatSheet()
    money.take(1, '; [Player 1 Elo "1500/3"]')
    money.take(2, "; a remark")
    money.take(3, "Unlimited game")
    assert (money.length, money.details) == (0, [("Player 1 Elo", "1500/3")])


@pytest.mark.parametrize(
    ("lines", "cells"),
    [  # each cell's text, side, and whether the side is sure
        (["1) 31: 8/5 6/5"], [("31: 8/5 6/5", 0, False)]),
        (["1)                      31: 8/5"], [("31: 8/5", 1, False)]),
        (["1) 31: 8/5 42: 8/4"], [("31: 8/5", 0, True), ("42: 8/4", 1, True)]),
        (
            ["1) 31: pass 42: cannot move"],
            [("31: pass", 0, True), ("42: cannot move", 1, True)],
        ),
        (["1) Redoubles => 4 Takes"], [("Redoubles => 4", 0, True), ("Takes", 1, True)]),
        (["1) x 31:"], [("x", 0, True), ("31:", 1, True)]),
        (["1)"], []),
        (["1)", "2) Drops"], [("Drops", 0, True)]),
    ],
)
def test_cells(lines: list[str], cells: list[tuple[str, int, bool]]) -> None:
    found = sheet_of(*lines).blocks[0].cells
    assert [(cell.text, cell.side, cell.sure) for cell in found] == cells


def test_the_end_of_a_game_stands_apart() -> None:
    block = sheet_of("1) Drops            Wins 2 points").blocks[0]
    assert [cell.text for cell in block.cells] == ["Drops"]
    assert block.wins
    assert (block.wins.text, block.wins.side) == ("Wins 2 points", 1)
    twice = sheet_of("    Wins 1 point", " " * 30 + "Wins 2 points and the match")
    assert twice.warnings == [(5, "a second end of the game is left out")]


def test_headings_without_a_game_are_left_out() -> None:
    sheet = sheet_of("1) 31:", "Game 2", "Game 2", " A:B (x) : 0       Bob : 3", "Game 3")
    sheet.leave_out_empty()
    empty = "a game without players and points is left out"
    assert sheet.warnings == [(5, empty), (8, empty)]
    assert [block.points for block in sheet.blocks] == [(0, 2), (0, 3)]
