"""EinStein würfelt nicht! (I. Althöfer, 2004): the die says which stone moves.

Each player has numbered stones in a corner of a square board, and moves them towards the opposite
corner, one step along a side or diagonally. The stone with the number of the die moves; if it is
captured, the next one with a higher or a lower number. A stone captures what stands on its target,
also a stone of its own player. Whoever reaches the opposite corner wins, or captures all stones.

State, int8 [2 K]: how far each stone of the player on roll has gone from its start, and each stone
of the opponent, in cells of its player's board row by row; -1 for a captured stone. The state of
zeros is the start. Parameters: the side of the board, the number of stones K, and their starts.
"""

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float32Matrix, Float32Vector, Float64Vector, UInt64Vector
from gammon.search.game import NOT_OVER, Evaluator, Game, Params, Rows, State, first_false

_GONE = -1
_SIDE, _STONES, _STARTS = 0, 1, 2


@kernel()
def outcomes(state: State, params: Params, weight: Float64Vector) -> int:
    """Fill equal chances of all stones."""
    stones = int(params[_STONES])
    for stone in range(stones):
        weight[stone] = 1.0 / stones
    return stones


@kernel(inner=True)
def _moved(state: State, stone: int, step: int, params: Params, row: State) -> None:
    """Write the state after a move, seen from the opponent."""
    stones, last = int(params[_STONES]), int(params[_SIDE]) * int(params[_SIDE]) - 1
    target = int(params[_STARTS + stone]) + state[stone] + step
    for k in range(stones):
        start = int(params[_STARTS + k])
        row[stones + k], row[k] = state[k], state[stones + k]
        if state[k] != _GONE and start + state[k] == target:
            row[stones + k] = _GONE
        if state[stones + k] != _GONE and last - start - state[stones + k] == target:
            row[k] = _GONE
    row[stones + stone] = state[stone] + step


@kernel()
def successors(state: State, outcome: int, params: Params, rows: Rows) -> int:
    """Write the boards after all steps of the stones that may move."""
    side, stones = int(params[_SIDE]), int(params[_STONES])
    n = 0
    below, above = outcome, outcome
    while below >= 0 and state[below] == _GONE:
        below -= 1
    while above < stones and state[above] == _GONE:
        above += 1
    for turn in range(1 if below == above else 2):
        stone = below if turn == 0 else above
        if stone < 0 or stone == stones:
            continue
        cell = int(params[_STARTS + stone]) + state[stone]
        right, down = cell % side < side - 1, cell < side * (side - 1)
        for step in (1, side, side + 1):
            if (right or step == side) and (down or step == 1):
                _moved(state, stone, step, params, rows[n])
                n += 1
    return n


@kernel()
def terminal(state: State, stake: int, params: Params) -> float:
    """Return a loss for the player on roll: the opponent is in the corner, or captured all stones."""
    side, stones = int(params[_SIDE]), int(params[_STONES])
    some = False
    for k in range(stones):
        some = some or state[k] != _GONE
        if state[stones + k] != _GONE and int(params[_STARTS + k]) + state[stones + k] == side * side - 1:
            return -1.0
    return NOT_OVER if some else -1.0


@kernel()
def evaluate(
    parent: State, rows: Rows, n: int, weights: Float32Vector, out: Float32Matrix, scratch: UInt64Vector
) -> None:
    """Write the difference of the sides' best stones, by the steps they still need.

    Weights: the side, the number of stones, the worth of a step, and the starts.
    """
    side, stones = int(weights[0]), int(weights[1])
    for j in range(n):
        own, their = side, side
        for k in range(stones):
            start = int(weights[3 + k])
            for player in range(2):
                gone = int(rows[j, k + player * stones])
                if gone != _GONE:
                    cell = start + gone
                    steps = side - 1 - min(cell % side, cell // side)
                    if player == 0:
                        own = min(own, steps)
                    else:
                        their = min(their, steps)
        out[j, 0] = np.float32(their - own) * weights[2]


def _starts(side: int, corner: int) -> list[int]:
    """Return the starts of stones: the triangle of a corner, row by row."""
    return [row * side + column for row in range(corner) for column in range(corner - row)]


def fits(game: Game, states: Rows) -> int:
    """Count the states before the first one whose stones are not on the board, or on one cell."""
    side, stones, numbers = int(game.params[_SIDE]), int(game.params[_STONES]), states.astype(np.int64)
    starts = game.params[_STARTS : _STARTS + stones].astype(np.int64)
    own, their = starts + numbers[:, :stones], side * side - 1 - starts - numbers[:, stones:]
    on_board = numbers != _GONE
    cells = np.where(on_board, np.concatenate([own, their], axis=1), -1 - np.arange(2 * stones))
    inside = (numbers >= _GONE).all(axis=1) & (cells < side * side).all(axis=1)
    inside &= np.where(on_board, cells >= 0, True).all(axis=1)
    apart = (np.diff(np.sort(cells, axis=1), axis=1) > 0).all(axis=1)
    return first_false(inside & apart & on_board[:, stones:].any(axis=1))


def game(side: int = 5, corner: int = 3) -> Game:
    """Return the game on a square board.

    Args:
        side: cells of a side, 3 to 11.
        corner: stones on a side of each player's triangle, below 2/3 of the side of the board.
    """
    starts = _starts(side, corner)
    params = np.array([side, len(starts), *starts], np.float64)
    return Game(
        "EinStein würfelt nicht!", 2 * len(starts), len(starts), 6, -1.0, 1.0, outcomes, successors,
        terminal, params=params, fits=fits,
    )  # fmt: skip


def leaf(side: int = 5, corner: int = 3) -> Evaluator:
    """Return a simple evaluator: the difference of the steps that the best stones need."""
    starts = _starts(side, corner)
    return Evaluator(evaluate, np.array([side, len(starts), 0.8 / side, *starts], np.float32))


GAME, LEAF = game(), leaf()
