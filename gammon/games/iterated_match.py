"""The iterated game of E. Melko and B. Nagy (2007, section 4): a fair game, won by patience.

In each of four games player A can be safe, which draws (A1 in the paper), or gamble, which
wins or loses with probability 1/2 (A3). The third choice, A2, is worse than both for A and
is left out. Who has won more games at the end wins the match. B has no choice: B's turns
are passes, and the dice fall before them.

State, int8 [6]: 0 the games to come; 1 the games that the player on roll is ahead; 2 whether
a gamble is on; 3 A's strategy; 4 whether A is on roll; 5 whether the match is over.
"""

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

__all__ = ["ALWAYS_GAMBLE", "FREE", "GAME", "SAFE_WHEN_AHEAD", "root"]

#: Strategies: A's decisions have all successors, or only the one that the strategy takes.
FREE, ALWAYS_GAMBLE, SAFE_WHEN_AHEAD = 0, 1, 2

WIDTH = 6
_TO_COME, _LEAD, _GAMBLE, _STRATEGY, _IS_A, _OVER = range(WIDTH)

State = npt.NDArray[np.int8]


@kernel(OUTCOMES_SIGNATURE)
def outcomes(state: State, weight: npt.NDArray[np.float64]) -> int:
    """Fill what a gamble can bring: A wins the game, or loses it."""
    if state[_GAMBLE] == 0:
        weight[0] = 1.0
        return 1
    weight[0] = weight[1] = 0.5
    return 2


@kernel(SUCCESSORS_SIGNATURE)
def successors(state: State, outcome: int, rows: State) -> int:
    """Write A's choices, gamble first; or the match after B's pass."""
    for j in range(2):
        for byte in range(WIDTH):
            rows[j, byte] = state[byte]
        rows[j, _LEAD] = -state[_LEAD]
        rows[j, _IS_A] = 1 - state[_IS_A]
        rows[j, _GAMBLE] = 0
    if state[_IS_A]:
        rows[0, _GAMBLE] = 1
        if state[_STRATEGY] == FREE:
            return 2
        if state[_STRATEGY] == SAFE_WHEN_AHEAD and state[_LEAD] > 0:
            rows[0, _GAMBLE] = 0
        return 1
    if state[_GAMBLE]:
        rows[0, _LEAD] += 1 - 2 * outcome
    rows[0, _TO_COME] -= 1
    rows[0, _OVER] = rows[0, _TO_COME] == 0
    return 1


@kernel(TERMINAL_SIGNATURE)
def terminal(state: State) -> float:
    """Return 1, 0 or -1 at the end of the match."""
    if state[_OVER] == 0:
        return NOT_OVER
    lead = int(state[_LEAD])
    return float((lead > 0) - (lead < 0))


GAME = Game("iterated game", WIDTH, 2, 2, -1.0, 1.0, outcomes, successors, terminal)


def root(games: int = 4, strategy: int = FREE) -> State:
    """Return the start of a match, with A on roll; it ends after 2 * `games` decisions."""
    return np.array([games, 0, 0, strategy, 1, 0], np.int8)
