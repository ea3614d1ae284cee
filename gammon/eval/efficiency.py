"""The efficiency of the cube: how close it is to a live one, by the kind of position.

The numbers are GNU Backgammon's (version 1.07, figures of its source). In a race they grow with
the pips. By the pips of the player on roll, as there, they differ between a position and the
next one, seen from the other side; by the mean of both sides' pips, as in bgsage, they do not.
"""

from gammon.checks import one_of
from gammon.rules.board import Points, has_contact, pip_counts

__all__ = ["PIPS", "cube_efficiency"]

#: Whose pips count in a race.
PIPS = ("roller", "mean")

CONTACT, BEAROFF = 0.68, 0.60
#: In a race, of the pips: the efficiency at none, that of a pip, the least and the most.
RACE, RACE_PIP, RACE_LEAST, RACE_MOST = 0.55, 0.00125, 0.60, 0.70
_HOME = 6


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
