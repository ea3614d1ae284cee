"""The efficiency of the cube, compiled: the twin of `efficiency.py`."""

from gammon.eval.bearoff import at_home
from gammon.eval.efficiency import (
    BEAROFF,
    CONTACT,
    RACE,
    RACE_LEAST,
    RACE_MOST,
    RACE_PIP,
    SMALL,
)
from gammon.kernel import kernel
from gammon.rules.board import SIZE
from gammon.rules.state import State

__all__ = ["efficiency_of", "exact_efficiency_of"]


@kernel(inner=True)
def efficiency_of(state: State, mean_pips: bool) -> float:
    """Return the efficiency of the cube in a position.

    Args:
        state: int8 [26], seen from the player on roll; the game is not over.
        mean_pips: whether the mean pips of both sides count in a race; those of the player on
            roll otherwise.
    """
    own, their, last, first = 0, 0, 0, SIZE
    for point in range(SIZE):
        count = int(state[point])
        if count > 0:
            own += point * count
            last = point
        elif count < 0:
            their -= (25 - point) * count
            first = min(first, point)
    if last > first:
        return CONTACT
    if at_home(state, False) and at_home(state, True):
        return BEAROFF
    counted = 0.5 * (own + their) if mean_pips else float(own)
    return min(max(RACE + RACE_PIP * counted, RACE_LEAST), RACE_MOST)


@kernel(inner=True)
def exact_efficiency_of(win: float, owner: int, exact: float) -> float:
    """Return the efficiency in a bearoff whose value for money is known.

    Args as for `exact_efficiency`.
    """
    cubeless = 2.0 * win - 1.0
    live = 2.0 * win / 0.8 - 1.0
    if owner == 0:
        live = (win - 0.5) / 0.3
    elif owner < 0:
        live = 1.0 - 2.0 * (1.0 - win) / 0.8
    live = min(max(live, -1.0), 1.0)
    if abs(live - cubeless) < SMALL:
        return BEAROFF
    return min(max((exact - cubeless) / (live - cubeless), 0.0), BEAROFF)
