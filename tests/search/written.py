"""A game for hand-made trees: the whole tree of one chance node is written in its state.

State, int8 [18]: n outcomes, m replies, n probabilities in parts, then the n * m payoffs
to the player on roll. A reply is a finished game: no outcomes, and its payoff at [2].
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from gammon.kernel import kernel
from gammon.search import NOT_OVER, Evaluator, Game
from gammon.search.game import (
    OUTCOMES_SIGNATURE,
    SUCCESSORS_SIGNATURE,
    TERMINAL_SIGNATURE,
    VALUES_SIGNATURE,
)

WIDTH = 18
State = npt.NDArray[np.int8]


@kernel(OUTCOMES_SIGNATURE)
def _outcomes(state: State, weight: npt.NDArray[np.float64]) -> int:
    n = state[0]
    parts = 0
    for i in range(n):
        parts += state[2 + i]
    for i in range(n):
        weight[i] = state[2 + i] / parts
    return n


@kernel(SUCCESSORS_SIGNATURE)
def _successors(state: State, outcome: int, rows: State) -> int:
    n, m = state[0], state[1]
    for j in range(m):
        for byte in range(rows.shape[1]):
            rows[j, byte] = 0
        rows[j, 2] = -state[2 + n + m * outcome + j]
    return m


@kernel(TERMINAL_SIGNATURE)
def _terminal(state: State) -> float:
    return NOT_OVER if state[0] > 0 else float(state[2])


@kernel(VALUES_SIGNATURE)
def _values(
    parent: State,
    rows: State,
    n: int,
    weights: npt.NDArray[np.float32],
    out: npt.NDArray[np.float32],
) -> None:
    for j in range(n):
        out[j] = 0.0


#: An evaluator that knows nothing: replies are looked at, and probed, as they are written.
EQUAL = Evaluator(_values, np.zeros(1, np.float32))


def game(low: float, high: float) -> Game:
    return Game("written tree", WIDTH, 4, 4, low, high, _outcomes, _successors, _terminal)


def tree(payoffs: Sequence[Sequence[int]], parts: Sequence[int] | None = None) -> State:
    """Write a tree: payoffs[i][j] of reply j to outcome i, and P_i in parts of their sum."""
    flat = [payoff for replies in payoffs for payoff in replies]
    state = np.zeros(WIDTH, np.int8)
    row = [len(payoffs), len(payoffs[0]), *(parts or [1] * len(payoffs)), *flat]
    state[: len(row)] = row
    return state
