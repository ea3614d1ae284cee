"""A game for hand-made trees: the whole tree of one chance node is written in its state.

State, int8 [18]: n outcomes, m replies, n probabilities in parts, then the n * m payoffs
to the player on roll. A reply is a finished game: no outcomes, and its payoff at [2].
"""

from collections.abc import Sequence

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float64Vector
from gammon.games.nothing import NOTHING
from gammon.search.game import NOT_OVER, Game, Params, Rows, State

WIDTH = 18


@kernel()
def outcomes(state: State, params: Params, weight: Float64Vector) -> int:
    """Fill the written probabilities."""
    n = int(state[0])
    parts = 0
    for i in range(n):
        parts += state[2 + i]
    for i in range(n):
        weight[i] = state[2 + i] / parts
    return n


@kernel()
def successors(state: State, outcome: int, params: Params, rows: Rows) -> int:
    """Write the replies to an outcome, each of them a finished game."""
    n, m = int(state[0]), int(state[1])
    for j in range(m):
        for byte in range(rows.shape[1]):
            rows[j, byte] = 0
        rows[j, 2] = -state[2 + n + m * outcome + j]
    return m


@kernel()
def terminal(state: State, stake: int, params: Params) -> float:
    """Return a reply's payoff."""
    return NOT_OVER if state[0] > 0 else float(state[2])


#: Replies are looked at, and probed, as they are written.
EQUAL = NOTHING


def game(low: float, high: float) -> Game:
    """Return the game of trees of at most 4 outcomes and 4 replies, with these bounds."""
    return Game("written tree", WIDTH, 4, 4, low, high, outcomes, successors, terminal)


def tree(payoffs: Sequence[Sequence[int]], parts: Sequence[int] | None = None) -> State:
    """Write a tree: payoffs[i][j] of reply j to outcome i, and P_i in parts of their sum."""
    flat = [payoff for replies in payoffs for payoff in replies]
    state = np.zeros(WIDTH, np.int8)
    row = [len(payoffs), len(payoffs[0]), *(parts or [1] * len(payoffs)), *flat]
    state[: len(row)] = row
    return state
