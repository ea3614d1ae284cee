"""Random NIM (E. Melko and B. Nagy, 2007): NIM with three heaps, and beans that move.

Who takes the last bean wins. After each move, before the opponent's, a bean goes from the
first heap to the second with probability P(w1), or else from the second to the third;
nothing happens if there is none to go.

State, int8 [6]: the three heaps; the parts that P(w1) and P(w2) are of their sum; whether
nothing has been moved yet, so that no bean goes.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from gammon.kernel import kernel
from gammon.search.game import (
    NOT_OVER,
    OUTCOMES_SIGNATURE,
    SUCCESSORS_SIGNATURE,
    TERMINAL_SIGNATURE,
    Game,
)

__all__ = ["game", "root"]

WIDTH = 6
_HEAPS, _W1, _W2, _FIRST = 3, 3, 4, 5

State = npt.NDArray[np.int8]


@kernel(OUTCOMES_SIGNATURE)
def outcomes(state: State, weight: npt.NDArray[np.float64]) -> int:
    """Fill P(w1) and P(w2), or one outcome before the first move."""
    if state[_FIRST]:
        weight[0] = 1.0
        return 1
    parts = float(state[_W1]) + float(state[_W2])
    weight[0] = state[_W1] / parts
    weight[1] = state[_W2] / parts
    return 2


@kernel(SUCCESSORS_SIGNATURE)
def successors(state: State, outcome: int, rows: State) -> int:
    """Write what is left after the outcome and each way to take beans."""
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


@kernel(TERMINAL_SIGNATURE)
def terminal(state: State) -> float:
    """Return a loss for the player on roll if the opponent has taken the last bean."""
    for heap in range(_HEAPS):
        if state[heap] > 0:
            return NOT_OVER
    return -1.0


def game(heaps: Sequence[int]) -> Game:
    """Return random NIM with at most as many beans."""
    return Game("random NIM", WIDTH, 2, sum(heaps), -1.0, 1.0, outcomes, successors, terminal)


def root(heaps: Sequence[int], parts: tuple[int, int] = (1, 1)) -> State:
    """Return the state of the player who moves first.

    Args:
        heaps: beans of the three heaps. The game ends within their sum of moves.
        parts: P(w1) and P(w2), as parts of their sum.
    """
    return np.array([*heaps, *parts, 1], np.int8)
