"""When a game is over, and what it pays: 1, 2 for a gammon, 3 for a backgammon."""

import numpy as np
import numpy.typing as npt
from numba import types

from gammon.kernel import kernel
from gammon.rules.board import State

__all__ = ["MAX_PAYOFF", "NOT_OVER", "narrow", "payoff"]

#: What `payoff` returns while the game goes on; the search knows it by the same value.
NOT_OVER = float("inf")

#: A backgammon: the loser has borne off nothing, and has a checker on the bar or in the
#: winner's home board.
MAX_PAYOFF = 3.0


@kernel(types.float64(types.int8[::1]))
def payoff(state: State) -> float:
    """Return what a finished game pays the player on roll, or `NOT_OVER`.

    Args:
        state: int8 [26], seen from the player on roll. In play it is always the player
            on roll who has lost, since the other has just borne off the last checker;
            the mirror case is answered all the same.

    Returns:
        -3, -2 or -1 (lost), 1, 2 or 3 (won), in points of the cube.
    """
    own = 0
    their = 0
    for point in range(26):
        if state[point] > 0:
            own += state[point]
        else:
            their -= state[point]
    if own > 0 and their > 0:
        return NOT_OVER
    if their == 0:
        if own < 15:
            return -1.0
        for point in range(19, 26):  # the winner's home board, and the bar
            if state[point] > 0:
                return -3.0
        return -2.0
    if their < 15:
        return 1.0
    for point in range(7):
        if state[point] < 0:
            return 3.0
    return 2.0


@kernel(types.void(types.int8[::1], types.float64[::1]))
def narrow(state: State, limits: npt.NDArray[np.float64]) -> None:
    """Narrow the limits of what the player on roll can still get.

    Who has borne off a checker cannot lose a gammon.

    Args:
        state: int8 [26], seen from the player on roll; the game is not over.
        limits: float64 [2], a lower and an upper bound of the payoff.
    """
    own = 0
    their = 0
    for point in range(26):
        if state[point] > 0:
            own += state[point]
        else:
            their -= state[point]
    if own < 15:
        limits[0] = max(limits[0], -1.0)
    if their < 15:
        limits[1] = min(limits[1], 1.0)
