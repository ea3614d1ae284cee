"""The efficiency of the cube, compiled: the twin of `efficiency.py`."""

from gammon.compiled.kernel import kernel
from gammon.compiled.vector import bits, filled, load, lowest, select
from gammon.compiled.vector_rows import EIGHT, Float64x8
from gammon.eval.bearoff import HOME
from gammon.eval.efficiency import (
    BEAROFF,
    CONTACT,
    RACE,
    RACE_LEAST,
    RACE_MOST,
    RACE_PIP,
    SMALL,
)
from gammon.rules.board import SIZE
from gammon.rules.state import State

__all__ = ["efficiency_of", "exact_efficiency_of"]

#: Where the second of two overlapping vectors of a position begins.
_SECOND = SIZE - 16
#: The points outside of the home of the player on roll, and outside of the opponent's.
_OUTSIDE = (1 << SIZE) - (2 << HOME)
_OUTSIDE_THEIR = (1 << (25 - HOME)) - 1


@kernel(inner=True)
def _mean_pips(state: State) -> float:
    """Return the mean pips of both sides."""
    pips = 0
    for point in range(SIZE):
        count = int(state[point])
        pips += point * count if count > 0 else (point - 25) * count
    return 0.5 * pips


@kernel(inner=True)
def _own_pips(state: State) -> float:
    """Return the pips of the player on roll."""
    pips = 0
    for point in range(SIZE):
        pips += point * max(int(state[point]), 0)
    return float(pips)


@kernel(inner=True)
def efficiency_of(state: State, mean_pips: bool) -> float:
    """Return the efficiency of the cube in a position.

    Args:
        state: int8 [26], seen from the player on roll; the game is not over.
        mean_pips: whether the mean pips of both sides count in a race; those of the player on
            roll otherwise.
    """
    first, second = load(state, 0, 16), load(state, _SECOND, 16)
    own = bits(first > 0) | bits(second > 0) << _SECOND
    their = bits(first < 0) | bits(second < 0) << _SECOND
    if their and own >> lowest(their):
        return CONTACT
    if not own & _OUTSIDE and not their & _OUTSIDE_THEIR:
        return BEAROFF
    counted = _mean_pips(state) if mean_pips else _own_pips(state)
    return min(max(RACE + RACE_PIP * counted, RACE_LEAST), RACE_MOST)


@kernel(inline=True)
def exact_efficiency_of(win: Float64x8, owner: int, exact: Float64x8) -> Float64x8:
    """Return the efficiency in eight bearoffs whose values for money are known.

    Args as for `exact_efficiency`.
    """
    cubeless = win * 2.0 - 1.0
    live = win * 2.0 / 0.8 - 1.0
    if owner == 0:
        live = (win - 0.5) / 0.3
    elif owner < 0:
        one = filled(1.0, EIGHT)
        live = one - (one - win) * 2.0 / 0.8
    live = select(live > -1.0, live, -1.0)
    live = select(live < 1.0, live, 1.0)
    apart = live - cubeless
    far = ~((apart < SMALL) & (apart > -SMALL))
    found = (exact - cubeless) / select(far, apart, 1.0)
    found = select(found > 0.0, found, 0.0)
    return select(far & (found < BEAROFF), found, BEAROFF)
