"""Which part of a network judges a position: by who has checkers back.

What matters changes with the plan of a game. While both sides have checkers in the other's
home, or on the bar, each may be attacked or primed; who alone has some there waits for a
shot; who has none runs home. A network may have a part for each of these three, of which
one judges a position: three times the weights, at the price of one.
"""

from numba import types

from gammon.kernel import kernel
from gammon.rules.board import OWN_BAR, THEIR_BAR, State

__all__ = ["BOTH", "NOT_OWN", "N_PLANS", "OWN", "plan_of"]

N_PLANS = 3
#: Both sides have checkers back; only the player on roll; not the player on roll.
BOTH, OWN, NOT_OWN = range(N_PLANS)
_HOME = 6


@kernel(types.int64(types.int8[::1]), inner=True)
def plan_of(state: State) -> int:
    """Return the plan of a position int8 [26], seen from the player on roll."""
    own, their = False, False
    for k in range(_HOME + 1):
        own |= state[OWN_BAR - k] > 0
        their |= state[THEIR_BAR + k] < 0
    if not own:
        return NOT_OWN
    return BOTH if their else OWN
