"""A game for hand-made trees: the whole tree of one chance node is written in its state.

State, int8 [18]: n outcomes, m replies, n probabilities as integer weights, then the n * m payoffs
to the player on roll. A reply is a finished game: no outcomes, and its payoff at [2]. So the state
holds at most 3 outcomes with 4 replies, or 4 outcomes with 3 replies.
"""

from collections.abc import Sequence

import numpy as np

from gammon.base.checks import shown
from gammon.base.errors import SearchError
from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float64Vector
from gammon.games.nothing import NOTHING
from gammon.search.game import NOT_OVER, Game, Params, Rows, State, first_false

WIDTH = 18
#: The most outcomes, and the most replies to an outcome.
_MOST = 4


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


#: With this evaluator, replies are searched and probed in the order in which they are written.
EQUAL = NOTHING


def _is_tree(state: State) -> bool:
    """Return whether a state is a tree that fits into the array, or a reply."""
    n, m = int(state[0]), int(state[1])
    fitting = 0 <= n <= _MOST and 0 <= m <= _MOST and 2 + n + n * m <= WIDTH
    parts = state[2 : 2 + n] if fitting else state[:0]
    return fitting and (n == 0 or (m > 0 and min(parts) >= 0 and max(parts) > 0))


def fits(game: Game, states: Rows) -> int:
    """Count the states before the first one that is not a tree."""
    return first_false(np.array([_is_tree(state) for state in states], np.bool_))


def game(low: float, high: float) -> Game:
    """Return the game of trees with at most 4 outcomes and 4 replies, with these bounds."""
    return Game("written tree", WIDTH, _MOST, _MOST, low, high, outcomes, successors, terminal, fits=fits)


def tree(payoffs: Sequence[Sequence[int]], parts: Sequence[int] | None = None) -> State:
    """Write a tree: payoffs[i][j] of reply j to outcome i, and the weights of the probabilities.

    Raises:
        SearchError: the tree does not fit, or the outcomes have different numbers of replies.
    """
    n, m = len(payoffs), len(payoffs[0]) if payoffs else 0
    row = [n, m, *(parts or [1] * n), *(payoff for replies in payoffs for payoff in replies)]
    if len(row) > WIDTH or len(row) != 2 + n + n * m or {len(replies) for replies in payoffs} != {m}:
        raise SearchError(
            f"a tree of {shown(payoffs)}, {shown(parts)}: expected as many replies to each "
            f"outcome, a part for each, and at most {WIDTH - 2} parts and payoffs"
        )
    state = np.zeros(WIDTH, np.int8)
    state[: len(row)] = row
    return state
