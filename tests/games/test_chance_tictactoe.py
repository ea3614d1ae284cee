"""Tic-tac-toe with swaps against its paper, and against its rules written a second time."""

from fractions import Fraction
from functools import cache

import pytest

from gammon import search
from gammon.games import chance_tictactoe
from gammon.games.nothing import NOTHING
from gammon.search import Table
from tests.games.solve import AS_WRITTEN, solve

LINES = ["123", "456", "789", "147", "258", "369", "159", "357"]


@cache
def x_scores(board, played):
    """Return what X gets on average; `board` is nine characters, ' ', 'X' or 'O'."""
    if played == 8:
        lines = [{board[int(cell) - 1] for cell in line} for line in LINES]
        x, o = {"X"} in lines, {"O"} in lines
        return Fraction(1, 2) if x == o else Fraction(int(x))
    values = []
    for cell in range(9):
        if board[cell] == " ":
            mark = "X" if played % 2 == 0 else "O"
            after = board[:cell] + mark + board[cell + 1 :]
            value = Fraction(0)
            if mark == "X":
                value = x_scores(after, played + 1)
            else:
                for (a, b), chance in (((1, 4), 2), ((2, 6), 3), ((5, 9), 6)):
                    cells = list(after)
                    cells[a - 1], cells[b - 1] = cells[b - 1], cells[a - 1]
                    value += x_scores("".join(cells), played + 1) / chance
            values.append(value)
    return max(values) if played % 2 == 0 else min(values)


def test_tic_tac_toe_of_the_paper():
    assert x_scores(" " * 9, 0) == Fraction(509, 864)
    game, root = chance_tictactoe.GAME, chance_tictactoe.ROOT
    for algorithm in ("star1", "star2"):
        found, value = solve(game, root, 17, algorithm)
        assert (1 + value) / 2 == pytest.approx(509 / 864, abs=1e-12)
        assert chance_tictactoe.cell(found.rows[found.order[0]]) == 9


def test_every_first_cell_of_tic_tac_toe():
    found = search.decide(
        chance_tictactoe.GAME, NOTHING, chance_tictactoe.ROOT, 0, 17, "star2", top=9,
        options=AS_WRITTEN, table=Table.allocate(chance_tictactoe.GAME, 16),
    )  # fmt: skip
    for row, value in zip(found.rows, found.values, strict=True):
        board = " " * (chance_tictactoe.cell(row) - 1) + "X"
        assert (1 + value) / 2 == pytest.approx(float(x_scores(board.ljust(9), 1)), abs=1e-12)
