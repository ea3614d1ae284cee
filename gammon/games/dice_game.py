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

State = npt.NDArray[np.int8]


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
            for direction in range(4):
                down = 0 if direction == 0 else 1
                across = 0 if direction == 1 else (-1 if direction == 3 else 1)
                length = 1
                while length < m:
                    y, x = i + length * down, j + length * across
                    if y >= n or x < 0 or x >= n or state[_CELLS + y * n + x] != side:
                        break
                    length += 1
                if length == m:
                    return float(side)
    return 0.0 if full else NOT_OVER


@kernel(VALUES_SIGNATURE)
def values(
    parent: State,
    rows: State,
    n: int,
    weights: npt.NDArray[np.float32],
    out: npt.NDArray[np.float32],
) -> None:
    """Write the difference of the sides' windows, squeezed into (-1, 1)."""
    for row in range(n):
        state = rows[row]
        size, m = int(state[_N]), int(state[_M])
        total = 0.0
        for i in range(size):
            for j in range(size):
                for direction in range(4):
                    down = 0 if direction == 0 else 1
                    across = 0 if direction == 1 else (-1 if direction == 3 else 1)
                    y, x = i + (m - 1) * down, j + (m - 1) * across
                    if y >= size or x < 0 or x >= size:
                        continue
                    own = 0
                    their = 0
                    for k in range(m):
                        mark = state[_CELLS + (i + k * down) * size + j + k * across]
                        own += mark > 0
                        their += mark < 0
                    if own > 0 and their == 0:
                        total += weights[own]
                    if their > 0 and own == 0:
                        total -= weights[their]
        out[row] = total / (1.0 + abs(total))


def leaf(m: int) -> Evaluator:
    """Return the evaluator for M in a line."""
    return Evaluator(values, np.array([_BASE ** (m - k) for k in range(m + 1)], np.float32))


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
