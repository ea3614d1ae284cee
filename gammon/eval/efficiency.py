"""The efficiency of the cube: how close it is to a live one, by the kind of position.

The numbers are GNU Backgammon's (version 1.07, figures of its source). In a race they grow with
the pips. By the pips of the player on roll, as there, they differ between a position and the
next one, seen from the other side; by the mean of both sides' pips, as in bgsage, they do not.
"""

from gammon.base.checks import one_of
from gammon.rules.board import Points, has_contact, pip_counts

__all__ = ["PIPS", "cube_efficiency", "exact_efficiency"]

#: Whose pips count in a race.
PIPS = ("roller", "mean")

CONTACT, BEAROFF = 0.68, 0.60
#: In a race, of the pips: the efficiency at none, that of a pip, the least and the most.
RACE, RACE_PIP, RACE_LEAST, RACE_MOST = 0.55, 0.00125, 0.60, 0.70
_HOME = 6
#: A difference of live and cubeless value that is too small to divide by.
SMALL = 1e-4


def cube_efficiency(points: Points, pips: str = "roller") -> float:
    """Return the efficiency of the cube in a position, from .6 to .7.

    Args:
        points: 26 counts, seen from the player on roll; the game is not over.
        pips: "roller" for the pips of the player on roll, or "mean" for those of both sides.

    Raises:
        SettingError: `pips` is something else.
    """
    one_of("pips", pips, PIPS)
    if has_contact(points):
        return CONTACT
    own_out, their_out = points[_HOME + 1 :], points[: 25 - _HOME]
    if max(own_out) <= 0 and min(their_out) >= 0:
        return BEAROFF
    own, their = pip_counts(points)
    counted = own if pips == "roller" else 0.5 * (own + their)
    return min(max(RACE + RACE_PIP * counted, RACE_LEAST), RACE_MOST)


def exact_efficiency(win: float, owner: int, exact: float) -> float:
    """Return the efficiency in a bearoff whose value for money is known, from 0 to .6.

    It is the one at which Janowski's mixture has that value for money. Matches take it over, as
    in GNU Backgammon.

    Args:
        win: the chance of the player on roll to win. There are no gammons.
        owner: of the cube: 1 the player on roll, 0 nobody, -1 the opponent.
        exact: what rolling now is worth for money with that owner.
    """
    cubeless = 2.0 * win - 1.0
    live = 2.0 * win / 0.8 - 1.0  # the line from a certain loss to the cash point, .8
    if owner == 0:
        live = (win - 0.5) / 0.3  # from the take point, .2, to the cash point
    elif owner < 0:
        live = 1.0 - 2.0 * (1.0 - win) / 0.8  # from the take point to a certain win
    live = min(max(live, -1.0), 1.0)
    if abs(live - cubeless) < SMALL:
        return BEAROFF
    return min(max((exact - cubeless) / (live - cubeless), 0.0), BEAROFF)
