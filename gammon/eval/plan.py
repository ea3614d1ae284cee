"""Which part of a network judges a position: the plan of the game tells.

A checker is *back* if it is in the opponent's home or on the bar. If both sides have checkers
back, each may be attacked or primed. If only one side has, it waits for a shot, and the other
one runs home. A network may have one part for each of these three plans. A position is judged
by one part alone, so that a network with three has three times the weights at the same price.
"""

from gammon.compiled.kernel import kernel
from gammon.compiled.records import UInt32Vector
from gammon.compiled.vector import bits, load
from gammon.eval.planes import places
from gammon.rules.state import State

N_PLANS = 3
#: The plans: both sides have checkers back; only the player on roll has; that player has not.
BOTH, OWN, NOT_OWN = range(N_PLANS)
#: The opponent's bar and the player's home among the first 16 of the 26 places, and the
#: opponent's home and the player's bar among the last 16.
_FIRST, _LAST = 0b1111111, 0b1111111 << 9


@kernel(inner=True)
def plan_of(state: State) -> int:
    """Return the plan of a position int8 [26], seen from the player on roll.

    It is 0 to `N_PLANS` - 1, and one of `BOTH`, `OWN` and `NOT_OWN`.
    """
    their = bits(load(state, 0, 16) < 0) & _FIRST
    own = bits(load(state, 10, 16) > 0) & _LAST
    if not own:
        return NOT_OWN
    return BOTH if their else OWN


@kernel(inner=True)
def with_checkers_back(planes: UInt32Vector) -> tuple[int, int]:
    """Return in which of sixteen positions a side has checkers back.

    Args:
        planes: see `gammon.eval.planes`.

    Returns:
        The set of the positions in which the player on roll has, and the opponent's.
    """
    own, their = places(planes)
    return bits((own & (_LAST << 10)) != 0), bits((their & _FIRST) != 0)
