"""Random NIM (E. Melko and B. Nagy, 2007): NIM with three heaps, and beans that move.

The player who takes the last bean wins. After each move, before the opponent's, a bean goes
from the first heap to the second with probability P(w1), or else from the second to the third;
nothing happens if the source heap is empty.

State, int8 [4]: the three heaps; whether nothing has been moved yet, so that no bean goes.
Parameters: P(w1) and P(w2).
"""

from collections.abc import Sequence

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float64Vector
from gammon.search.game import NOT_OVER, Game, Params, Rows, State, first_false

WIDTH = 4
_HEAPS, _FIRST = 3, 3


@kernel()
def outcomes(state: State, params: Params, weight: Float64Vector) -> int:
    """Fill P(w1) and P(w2), or one outcome before the first move."""
    if state[_FIRST]:
        weight[0] = 1.0
        return 1
    weight[0] = params[0]
    weight[1] = params[1]
    return 2


@kernel()
def successors(state: State, outcome: int, params: Params, rows: Rows) -> int:
    """Write the heaps after the outcome and each possible move."""
    n = 0
    moves = state[_FIRST] == 0 and state[outcome] > 0
    for heap in range(_HEAPS):
        beans = int(state[heap])
        if moves and heap == outcome:
            beans -= 1
        if moves and heap == outcome + 1:
            beans += 1
        for left in range(beans):
            row = rows[n]
            for byte in range(WIDTH):
                row[byte] = state[byte]
            if moves:
                row[outcome] -= 1
                row[outcome + 1] += 1
            row[heap] = left
            row[_FIRST] = 0
            n += 1
    return n


@kernel()
def terminal(state: State, stake: int, params: Params) -> float:
    """Return a loss for the player on roll if the opponent has taken the last bean."""
    for heap in range(_HEAPS):
        if state[heap] > 0:
            return NOT_OVER
    return -1.0


def fits(game: Game, states: Rows) -> int:
    """Count the states before the first one with more beans than the game allows."""
    numbers = states.astype(np.int64)
    beans = numbers[:, :_HEAPS].sum(axis=1)
    first = numbers[:, _FIRST] <= 1
    return first_false((numbers >= 0).all(axis=1) & first & (beans <= game.max_successors))


def game(heaps: Sequence[int], parts: tuple[int, int] = (1, 1)) -> Game:
    """Return random NIM with at most this many beans.

    Args:
        heaps: beans of the three heaps.
        parts: P(w1) and P(w2), as shares of their sum.
    """
    return Game(
        "random NIM", WIDTH, 2, sum(heaps), -1.0, 1.0, outcomes, successors, terminal,
        params=np.array(parts, np.float64) / sum(parts), fits=fits,
    )  # fmt: skip


def root(heaps: Sequence[int]) -> State:
    """Return the state of the player who moves first. The game ends within sum(heaps) moves."""
    return np.array([*heaps, 1], np.int8)
