"""The Game of Dice of T. Hauk, M. Buro and J. Schaeffer, from a lecture on their work.

Players mark the cells of an N x N board in turn; M marks in a line (across, down or
diagonal) win. An N-sided die gives the column in which the first player marks a cell, and the
row for the second player. A player whose line is full passes; a full board is a draw.

State, int8 [N * N]: the cells, row by row, 1 for a mark of the player on roll and -1 for the
opponent's. The board is reflected at its diagonal for the second player, so that the die always
gives the column of the player on roll. Parameters: N, M.

The static value counts windows, the places where M in a line are still possible for only one side,
weighted by the number of their marks; the slides give no more detail.
"""

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float32Matrix, Float32Vector, Float64Vector, UInt64Vector
from gammon.search.game import NOT_OVER, Evaluator, Game, Params, Rows, State, first_false

_N, _M = 0, 1  # indices of the parameters, and of the first weights
_WINDOWS = 2
#: The weight of a window relative to a window with one mark more.
_BASE = 0.25

#: Steps down and across: a window goes right, down, or diagonally down.
_DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


@kernel()
def outcomes(state: State, params: Params, weight: Float64Vector) -> int:
    """Fill the N equal chances of the die."""
    n = int(params[_N])
    for i in range(n):
        weight[i] = 1.0 / n
    return n


@kernel()
def successors(state: State, outcome: int, params: Params, rows: Rows) -> int:
    """Write the boards after a mark in each empty cell of a column, or after a pass."""
    n = int(params[_N])
    count = 0
    for mark in range(n):
        row = rows[count]
        if state[mark * n + outcome] != 0 and (mark < n - 1 or count > 0):
            continue
        for i in range(n):
            for j in range(n):
                row[j * n + i] = -state[i * n + j]
        if state[mark * n + outcome] == 0:
            row[outcome * n + mark] = -1
        count += 1
    return count


@kernel()
def terminal(state: State, stake: int, params: Params) -> float:
    """Return 1 or -1 where a side has M in a line, and 0 for a full board."""
    n, m = int(params[_N]), int(params[_M])
    full = True
    for i in range(n):
        for j in range(n):
            side = state[i * n + j]
            if side == 0:
                full = False
                continue
            for down, across in _DIRECTIONS:
                length = 1
                while length < m:
                    y, x = i + length * down, j + length * across
                    if y >= n or x < 0 or x >= n or state[y * n + x] != side:
                        break
                    length += 1
                if length == m:
                    return float(side)
    return 0.0 if full else NOT_OVER


@kernel(inline=True)
def _window(state: State, i: int, j: int, down: int, across: int, weights: Float32Vector) -> float:
    """Return the value of the window from row i, column j; 0 if it leaves the board."""
    n, m = int(weights[_N]), int(weights[_M])
    y, x = i + (m - 1) * down, j + (m - 1) * across
    if i < 0 or y >= n or min(j, x) < 0 or max(j, x) >= n:
        return 0.0
    own = 0
    their = 0
    for k in range(m):
        mark = state[(i + k * down) * n + j + k * across]
        own += mark > 0
        their += mark < 0
    if their == 0:
        return float(weights[_WINDOWS + own])
    return float(-weights[_WINDOWS + their]) if own == 0 else 0.0


@kernel(inner=True)
def _total(state: State, weights: Float32Vector) -> float:
    """Return the sum of the values of all windows of a board."""
    n = int(weights[_N])
    total = 0.0
    for i in range(n):
        for j in range(n):
            for down, across in _DIRECTIONS:
                total += _window(state, i, j, down, across, weights)
    return total


@kernel(inner=True)
def _through(state: State, i: int, j: int, weights: Float32Vector) -> float:
    """Return the sum of the values of the windows through one cell."""
    m = int(weights[_M])
    total = 0.0
    for down, across in _DIRECTIONS:
        for k in range(m):
            total += _window(state, i - k * down, j - k * across, down, across, weights)
    return total


@kernel()
def evaluate(
    parent: State, rows: Rows, n: int, weights: Float32Vector, out: Float32Matrix, scratch: UInt64Vector
) -> None:
    """Write the difference of the sides' windows, squeezed into (-1, 1).

    A successor usually differs from its reflected parent by one mark; then only the windows
    through that cell are counted. All weights are powers of 2, so that sums are exact and
    both methods give the same value.
    """
    size = int(weights[_N])
    before = _total(parent, weights)
    for row in range(n):
        state = rows[row]
        changed = 0
        i = j = 0
        for y in range(size):
            for x in range(size):
                if state[y * size + x] != -parent[x * size + y]:
                    changed += 1
                    i, j = y, x
        cell = i * size + j
        if changed == 0:
            total = -before
        elif changed == 1 and parent[j * size + i] == 0:
            mark = state[cell]
            after = _through(state, i, j, weights)
            state[cell] = 0
            total = after - _through(state, i, j, weights) - before
            state[cell] = mark
        else:
            total = _total(state, weights)
        out[row, 0] = total / (1.0 + abs(total))


def leaf(n: int, m: int) -> Evaluator:
    """Return the evaluator for M in a line on a board of N x N."""
    windows = [_BASE ** (m - k) for k in range(m + 1)]
    windows[0] = 0.0  # an empty window belongs to neither side
    return Evaluator(evaluate, np.array([n, m, *windows], np.float32))


def fits(game: Game, states: Rows) -> int:
    """Count the boards before the first one with other values than marks."""
    return first_false(np.all((states >= -1) & (states <= 1), axis=1))


def game(n: int, m: int) -> Game:
    """Return the Game of Dice on a board of N x N, N up to 11, with M in a line to win."""
    return Game(
        f"Game of Dice, {n} x {n}", n * n, n, n, -1.0, 1.0,
        outcomes, successors, terminal, params=np.array([n, m], np.float64), fits=fits,
    )  # fmt: skip


def root(n: int) -> State:
    """Return the empty board, with the first player on roll."""
    return np.zeros(n * n, np.int8)
