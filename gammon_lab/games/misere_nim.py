"""Misere NIM: take any number of beans from one heap; the player who takes the last bean loses.

There is no chance. State, int8 [H]: the beans of each heap.
"""

from collections.abc import Sequence

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.search.game import NOT_OVER, Game, Params, Rows, State, first_false, one_outcome


@kernel()
def successors(state: State, outcome: int, params: Params, rows: Rows) -> int:
    """Write the heaps after each possible move."""
    n = 0
    for heap in range(state.shape[0]):
        for left in range(state[heap]):
            for other in range(state.shape[0]):
                rows[n, other] = state[other]
            rows[n, heap] = left
            n += 1
    return n


@kernel()
def terminal(state: State, stake: int, params: Params) -> float:
    """Return a win for the player on roll if the opponent has taken the last bean."""
    for heap in range(state.shape[0]):
        if state[heap] > 0:
            return NOT_OVER
    return 1.0


def fits(game: Game, states: Rows) -> int:
    """Count the states before the first one with more beans than the game allows."""
    beans = states.astype(np.int64)
    return first_false((beans >= 0).all(axis=1) & (beans.sum(axis=1) <= game.max_successors))


def game(heaps: Sequence[int]) -> Game:
    """Return misere NIM with this many heaps and at most this many beans."""
    return Game(
        "misere NIM", len(heaps), 1, sum(heaps), -1.0, 1.0, one_outcome, successors, terminal, fits=fits
    )


def root(heaps: Sequence[int]) -> State:
    """Return the state of the player who moves first. The game ends within sum(heaps) moves."""
    return np.array(heaps, np.int8)
