"""Tic-tac-toe with swaps against its paper, and against its rules written a second time."""

from fractions import Fraction
from functools import cache

import pytest

from gammon import search
from gammon.games.nothing import NOTHING
from gammon.search import Table
from gammon_lab.games import chance_tictactoe
from tests.engine.games.solve import AS_WRITTEN

LINES = ["123", "456", "789", "147", "258", "369", "159", "357"]


def average(scores):
    """Return the mean of what the three swaps lead to."""
    return sum(score / chance for score, chance in zip(scores, (2, 3, 6), strict=True))


@cache
def x_scores(board, played, chance=average):
    """Return what X gets; `board` is nine characters, ' ', 'X' or 'O'.

    `chance` makes one score of those after the swaps.
    """
    if played == 8:
        lines = [{board[int(cell) - 1] for cell in line} for line in LINES]
        x, o = {"X"} in lines, {"O"} in lines
        return Fraction(1, 2) if x == o else Fraction(int(x))
    values = []
    for cell in range(9):
        if board[cell] == " ":
            mark = "X" if played % 2 == 0 else "O"
            after = board[:cell] + mark + board[cell + 1 :]
            if mark == "X":
                values.append(x_scores(after, played + 1, chance))
                continue
            scores = []
            for a, b in ((1, 4), (2, 6), (5, 9)):
                cells = list(after)
                cells[a - 1], cells[b - 1] = cells[b - 1], cells[a - 1]
                scores.append(x_scores("".join(cells), played + 1, chance))
            values.append(chance(scores))
    return max(values) if played % 2 == 0 else min(values)


def test_if_chance_takes_sides():
    assert (x_scores(" " * 9, 0, min), x_scores(" " * 9, 0, max)) == (0, 1)


def test_every_first_cell_of_tic_tac_toe():
    assert x_scores(" " * 9, 0) == Fraction(509, 864)
    found = search.Setup(chance_tictactoe.GAME, NOTHING, "star2", options=AS_WRITTEN).decide(
        chance_tictactoe.ROOT, 0, 17, top=9, table=Table.allocate(chance_tictactoe.GAME, 16)
    )
    for row, value in zip(found.rows, found.values, strict=True):
        board = " " * (chance_tictactoe.cell(row) - 1) + "X"
        assert (1 + value) / 2 == pytest.approx(float(x_scores(board.ljust(9), 1)), abs=1e-12)
