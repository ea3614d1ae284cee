"""Which part of a network judges a position: the plan of the game tells.

A checker is *back* if it is in the opponent's home or on the bar. If both sides have checkers
back, each may be attacked or primed. If only one side has, it waits for a shot, and the other
one runs home. A network may have one part for each of these three plans. A position is judged
by one part alone, so that a network with three has three times the weights at the same price.
"""

from gammon.kernel import kernel
from gammon.rules.board import OWN_BAR, THEIR_BAR
from gammon.rules.state import State

__all__ = ["BOTH", "NOT_OWN", "N_PLANS", "OWN", "plan_of"]

N_PLANS = 3
#: The plans: both sides have checkers back; only the player on roll has; that player has not.
BOTH, OWN, NOT_OWN = range(N_PLANS)
_HOME = 6


@kernel(inner=True)
def plan_of(state: State) -> int:
    """Return the plan of a position int8 [26], seen from the player on roll.

    It is 0 to `N_PLANS` - 1, and one of `BOTH`, `OWN` and `NOT_OWN`.
    """
    own, their = False, False
    for k in range(_HOME + 1):
        own |= state[OWN_BAR - k] > 0
        their |= state[THEIR_BAR + k] < 0
    if not own:
        return NOT_OWN
    return BOTH if their else OWN
