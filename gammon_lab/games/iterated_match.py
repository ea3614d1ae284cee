"""The iterated game of E. Melko and B. Nagy (2007, section 4): a fair game, won by patience.

In each of four games player A can play safe, which draws (A1 in the paper), or gamble, which
wins or loses with probability 1/2 (A3). The third choice, A2, is worse than both for A and
is left out. The player who has won more games at the end wins the match. B has no choice: B's
turns are passes, and the dice are rolled before them.

State, int8 [5]: 0 the games to come; 1 the lead of the player on roll in games; 2 whether the
current game is a gamble; 3 whether A is on roll; 4 whether the match is over. Parameter: A's strategy.
"""

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float64Vector
from gammon.search.game import NOT_OVER, Game, Params, Rows, State

#: Strategies: A's decisions have all successors, or only the strategy's choice.
FREE, ALWAYS_GAMBLE, SAFE_WHEN_AHEAD = 0, 1, 2

WIDTH = 5
_TO_COME, _LEAD, _GAMBLE, _IS_A, _OVER = range(WIDTH)


@kernel()
def outcomes(state: State, params: Params, weight: Float64Vector) -> int:
    """Fill the probabilities of a gamble's outcomes: A wins the game, or loses it."""
    if state[_GAMBLE] == 0:
        weight[0] = 1.0
        return 1
    weight[0] = weight[1] = 0.5
    return 2


@kernel()
def successors(state: State, outcome: int, params: Params, rows: Rows) -> int:
    """Write A's choices, gamble first; or the match after B's pass."""
    for j in range(2):
        for byte in range(WIDTH):
            rows[j, byte] = state[byte]
        rows[j, _LEAD] = -state[_LEAD]
        rows[j, _IS_A] = 1 - state[_IS_A]
        rows[j, _GAMBLE] = 0
    if state[_IS_A]:
        rows[0, _GAMBLE] = 1
        if params[0] == FREE:
            return 2
        if params[0] == SAFE_WHEN_AHEAD and state[_LEAD] > 0:
            rows[0, _GAMBLE] = 0
        return 1
    if state[_GAMBLE]:
        rows[0, _LEAD] += 1 - 2 * outcome
    rows[0, _TO_COME] -= 1
    rows[0, _OVER] = rows[0, _TO_COME] == 0
    return 1


@kernel()
def terminal(state: State, stake: int, params: Params) -> float:
    """Return 1, 0 or -1 at the end of the match."""
    if state[_OVER] == 0:
        return NOT_OVER
    lead = int(state[_LEAD])
    return float((lead > 0) - (lead < 0))


def game(strategy: int = FREE) -> Game:
    """Return the game in which A plays by a strategy: one of the three above."""
    return Game(
        "iterated game", WIDTH, 2, 2, -1.0, 1.0, outcomes, successors, terminal,
        params=np.array([strategy], np.float64),
    )  # fmt: skip


def root(games: int = 4) -> State:
    """Return the start of a match, with A on roll; it ends after 2 * `games` decisions."""
    return np.array([games, 0, 0, 1, 0], np.int8)
