"""Plans of a game: they decide which part of a network judges a position.

A checker is *back* if it is in the opponent's home or on the bar. If both sides have checkers
back, each may be attacked or primed. If only one side has, it waits for a shot while the other
side runs home. A network may have one part for each of these three plans, and two more for
positions that are rare in ordinary games and unlike them: a *back game*, in which a side holds
two or more points of the opponent's home; and a *caught* checker, if a side that has borne off
four or more has a checker back. Only one part judges a position, so a network of five parts has
five times the weights at the same cost.
"""

from gammon.compiled.kernel import kernel
from gammon.compiled.records import UInt32Vector
from gammon.compiled.vector import bits, load
from gammon.eval.planes import AT_ONCE, checkers, places
from gammon.rules.board import CHECKERS, SIZE, State

N_PLANS = 5
#: The plans: both sides have checkers back; only the player on roll has; the player on roll has
#: none; and the two that only a network with five parts distinguishes.
BOTH, OWN, NOT_OWN, BACK_GAME, CAUGHT = range(N_PLANS)
#: The number of plans, the first ones, for a network with three parts.
N_USUAL = 3
#: Possible numbers of parts of a network.
PARTS = (1, N_USUAL, N_PLANS)
#: Fewest checkers that a side with a caught checker has borne off.
N_OFF = 4
#: The opponent's bar and the player's home among the first 16 of the 26 places, and the
#: opponent's home and the player's bar among the last 16.
_FIRST, _LAST = 0b1111111, 0b1111111 << 9
#: The homes alone, among all places.
_HOME, _THEIR_HOME = 0b111111 << 1, 0b111111 << 19


@kernel(inner=True)
def plan_of(state: State, parts: int) -> int:
    """Return the part of a network that judges a position int8 [26], seen from the player on roll.

    Args:
        state: the position.
        parts: number of parts of the network, one of `PARTS`.

    Returns:
        0 to `parts` - 1: a plan, or 0 if one part judges all positions.
    """
    if parts == 1:
        return 0
    first, last = load(state, 0, 16), load(state, 10, 16)
    own, their = bits(last > 0) & _LAST, bits(first < 0) & _FIRST
    if parts == N_PLANS:
        own_points = bits(last > 1) & (_THEIR_HOME >> 10)
        their_points = bits(first < -1) & _HOME
        if own_points & (own_points - 1) or their_points & (their_points - 1):
            return BACK_GAME
        of_own = of_them = 0
        for place in range(SIZE):
            of_own += max(int(state[place]), 0)
            of_them += max(-int(state[place]), 0)
        few = CHECKERS - N_OFF
        if (own and of_own <= few) or (their and of_them <= few):
            return CAUGHT
    if not own:
        return NOT_OWN
    return BOTH if their else OWN


@kernel(inner=True)
def plans_of(planes: UInt32Vector, parts: int) -> tuple[int, int, int, int, int]:
    """Return, for each part of a network, the set of positions that it judges, among sixteen.

    Args:
        planes: see `gammon.eval.planes`. A lane without a position may be in any set.
        parts: number of parts of the network, one of `PARTS`.

    Returns:
        Sets of lanes in the order of the parts; empty for parts that the network does not have.
    """
    if parts == 1:
        return -1, 0, 0, 0, 0
    own, their = places(planes)
    own_back, their_back = bits((own & (_LAST << 10)) != 0), bits((their & _FIRST) != 0)
    back_game = caught = 0
    if parts == N_PLANS:
        points = load(planes, AT_ONCE, 16) | load(planes, 2 * AT_ONCE, 16)
        points = points | load(planes, 3 * AT_ONCE, 16)
        own_points, their_points = points & own & _THEIR_HOME, points & their & _HOME
        several = (own_points & (own_points - 1)) | (their_points & (their_points - 1))
        back_game = bits(several != 0)
        of_own, of_them = checkers(planes)
        few = CHECKERS - N_OFF + 1
        caught = (bits(of_own < few) & own_back) | (bits(of_them < few) & their_back)
        caught &= ~back_game
    usual = ~(back_game | caught)
    return (
        usual & own_back & their_back,
        usual & own_back & ~their_back,
        usual & ~own_back,
        back_game,
        caught,
    )
