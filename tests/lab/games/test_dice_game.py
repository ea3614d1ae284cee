"""Dice against its rules written a second time, and positions worked out by hand."""

import numpy as np
import pytest

from gammon import search
from gammon.games.nothing import NOTHING
from gammon_lab.games import dice_game
from tests.twins import payoff, replies, static_values


def dice_twin(cells, n, m, column, depth):
    """Return the value to the player on roll, 0 at depth 0; `cells` is by (row, column)."""

    def line(side):
        steps = ((0, 1), (1, 0), (1, 1), (1, -1))
        return any(
            all(cells.get((r + k * dr, c + k * dc)) == side for k in range(m))
            for r, c in cells
            for dr, dc in steps
        )

    if line(-1):
        return -1.0
    if len(cells) == n * n or depth == 0:
        return 0.0
    total = 0.0
    for die in range(n):
        free = [
            (k, die) if column else (die, k)
            for k in range(n)
            if ((k, die) if column else (die, k)) not in cells
        ]
        boards = [{**cells, cell: 1} for cell in free] or [cells]
        total += max(
            -dice_twin(
                {cell: -mark for cell, mark in board.items()}, n, m, not column, depth - 2
            )
            for board in boards
        )
    return total / n


def test_dice_against_the_twin():
    n = m = 3
    game = dice_game.game(n, m)
    random = np.random.default_rng(5)
    values = []
    for _ in range(30):
        marks = random.permutation([0] * 4 + [1, 1, -1, -1, 1 - 2 * random.integers(2)])
        state = np.array(marks, np.int8)
        cells = {(k // n, k % n): int(mark) for k, mark in enumerate(marks) if mark}
        if payoff(game, state) != search.NOT_OVER:
            continue
        twin = dice_twin(cells, n, m, True, 6)
        found = search.Setup(game, NOTHING).value(state, 6)
        assert found.value == pytest.approx(twin, abs=1e-9)
        values.append(twin)
    assert len(set(values)) > 5


def test_the_player_of_the_rows_sees_columns():
    rows = replies(dice_game.game(3, 3), dice_game.root(3), 1)
    # Column 1 of the first player is row 1 of the second one's board.
    assert rows.reshape(3, 3, 3)[:, 1].tolist() == [[-1, 0, 0], [0, -1, 0], [0, 0, -1]]


def test_a_full_line_is_a_pass_and_a_full_board_a_draw():
    game = dice_game.game(3, 3)
    full_column = np.array([1, 0, 0, -1, 0, 0, 1, 0, 0], np.int8)
    assert replies(game, full_column, 0).tolist() == [[-1, 1, -1, 0, 0, 0, 0, 0, 0]]
    draw = np.array([1, -1, 1, 1, -1, -1, -1, 1, 1], np.int8)
    assert payoff(game, draw) == 0


def test_windows_of_dice():
    game = dice_game.game(3, 3)
    boards = np.array([[1, 1, 0, 0, -1, 0, 0, 0, 0], [-1, -1, 0, 0, 1, 0, 0, 0, 0]], np.int8)
    out = static_values(game, dice_game.leaf(3, 3), boards[0], boards)
    # Own: two marks across, one down at the left. Theirs: one across, one on a diagonal.
    total = 1 / 4 + 1 / 16 - 2 / 16
    assert out[0] == pytest.approx(total / (1 + total))
    assert out[1] == -out[0]
    assert game.high == 1
