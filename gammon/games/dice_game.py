"""The Game of Dice of T. Hauk, M. Buro and J. Schaeffer (2004).

Players mark the cells of an N x N board in turn; M marks in a line (across, down or
diagonal) win. An N-sided die says in which column the first player marks a cell, and in
which row the second. Who finds the line full passes; a full board is a draw.

State, int8 [2 + N * N]: N, M, then the cells, row by row, 1 for a mark of the player on roll
and -1 for the other's. The board is turned over at its diagonal for the second player, so
that the die always says the column of the player on roll.

The static value counts windows, the places where M in a line are still possible for one
side alone, by how many marks they have; the papers say no more than that.
"""

import numpy as np
import numpy.typing as npt
from numba import types

from gammon.kernel import kernel
from gammon.search.game import (
    NOT_OVER,
    OUTCOMES_SIGNATURE,
    SUCCESSORS_SIGNATURE,
    TERMINAL_SIGNATURE,
    VALUES_SIGNATURE,
    Evaluator,
    Game,
)

__all__ = ["game", "leaf", "root"]

_N, _M, _CELLS = 0, 1, 2
#: What a mark more multiplies a window's weight by, the other way round.
_BASE = 0.25

#: Down and across: a window goes to the right, down, or down to either side.
_DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))

State = npt.NDArray[np.int8]

_STATE = types.int8[::1]
_INT = types.int64
_WEIGHTS = types.float32[::1]


@kernel(OUTCOMES_SIGNATURE)
def outcomes(state: State, weight: npt.NDArray[np.float64]) -> int:
    """Fill the N equal chances of the die."""
    n = int(state[_N])
    for i in range(n):
        weight[i] = 1.0 / n
    return n


@kernel(SUCCESSORS_SIGNATURE)
def successors(state: State, outcome: int, rows: State) -> int:
    """Write the boards after a mark in each empty cell of a column, or after a pass."""
    n = int(state[_N])
    count = 0
    for mark in range(n):
        row = rows[count]
        if state[_CELLS + mark * n + outcome] != 0 and (mark < n - 1 or count > 0):
            continue
        row[_N], row[_M] = state[_N], state[_M]
        for i in range(n):
            for j in range(n):
                row[_CELLS + j * n + i] = -state[_CELLS + i * n + j]
        if state[_CELLS + mark * n + outcome] == 0:
            row[_CELLS + outcome * n + mark] = -1
        count += 1
    return count


@kernel(TERMINAL_SIGNATURE)
def terminal(state: State) -> float:
    """Return 1 or -1 where a side has M in a line, and 0 for a full board."""
    n, m = int(state[_N]), int(state[_M])
    full = True
    for i in range(n):
        for j in range(n):
            side = state[_CELLS + i * n + j]
            if side == 0:
                full = False
                continue
            for down, across in _DIRECTIONS:
                length = 1
                while length < m:
                    y, x = i + length * down, j + length * across
                    if y >= n or x < 0 or x >= n or state[_CELLS + y * n + x] != side:
                        break
                    length += 1
                if length == m:
                    return float(side)
    return 0.0 if full else NOT_OVER


@kernel(types.float64(_STATE, _INT, _INT, _INT, _INT, _WEIGHTS), inline=True)
def _window(
    state: State, i: int, j: int, down: int, across: int, weights: npt.NDArray[np.float32]
) -> float:
    """Return what the window from row i, column j is worth, 0 where it leaves the board."""
    n, m = int(state[_N]), int(state[_M])
    y, x = i + (m - 1) * down, j + (m - 1) * across
    if i < 0 or y >= n or min(j, x) < 0 or max(j, x) >= n:
        return 0.0
    own = 0
    their = 0
    for k in range(m):
        mark = state[_CELLS + (i + k * down) * n + j + k * across]
        own += mark > 0
        their += mark < 0
    if their == 0:
        return float(weights[own])
    return float(-weights[their]) if own == 0 else 0.0


@kernel(types.float64(_STATE, _WEIGHTS), inner=True)
def _total(state: State, weights: npt.NDArray[np.float32]) -> float:
    """Return the sum over all windows of a board."""
    n = int(state[_N])
    total = 0.0
    for i in range(n):
        for j in range(n):
            for down, across in _DIRECTIONS:
                total += _window(state, i, j, down, across, weights)
    return total


@kernel(types.float64(_STATE, _INT, _INT, _WEIGHTS), inner=True)
def _through(state: State, i: int, j: int, weights: npt.NDArray[np.float32]) -> float:
    """Return the sum over the windows through one cell."""
    m = int(state[_M])
    total = 0.0
    for down, across in _DIRECTIONS:
        for k in range(m):
            total += _window(state, i - k * down, j - k * across, down, across, weights)
    return total


@kernel(VALUES_SIGNATURE)
def values(
    parent: State,
    rows: State,
    n: int,
    weights: npt.NDArray[np.float32],
    out: npt.NDArray[np.float32],
) -> None:
    """Write the difference of the sides' windows, squeezed into (-1, 1).

    A successor differs from its parent, turned over, by one mark; then only the windows
    through that cell are counted. All weights are powers of 2, so that sums are exact and
    both ways give the same value.
    """
    size = int(parent[_N])
    before = _total(parent, weights)
    for row in range(n):
        state = rows[row]
        changed = 0
        i = j = 0
        for y in range(size):
            for x in range(size):
                if state[_CELLS + y * size + x] != -parent[_CELLS + x * size + y]:
                    changed += 1
                    i, j = y, x
        cell = _CELLS + i * size + j
        if changed == 0:
            total = -before
        elif changed == 1 and parent[_CELLS + j * size + i] == 0:
            mark = state[cell]
            after = _through(state, i, j, weights)
            state[cell] = 0
            total = after - _through(state, i, j, weights) - before
            state[cell] = mark
        else:
            total = _total(state, weights)
        out[row] = total / (1.0 + abs(total))


def leaf(m: int) -> Evaluator:
    """Return the evaluator for M in a line."""
    weights = np.array([_BASE ** (m - k) for k in range(m + 1)], np.float32)
    weights[0] = 0.0  # an empty window is nobody's
    return Evaluator(values, weights)


def game(n: int) -> Game:
    """Return the Game of Dice on a board of N x N, N up to 11."""
    return Game(
        f"Game of Dice, {n} x {n}", _CELLS + n * n, n, n, -1.0, 1.0,
        outcomes, successors, terminal,
    )  # fmt: skip


def root(n: int, m: int) -> State:
    """Return the empty board, with the first player on roll."""
    state = np.zeros(_CELLS + n * n, np.int8)
    state[_N], state[_M] = n, m
    return state
