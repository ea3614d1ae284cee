"""Analyses that came in a match file: what another program said of each action.

They are shown beside ours and never mixed with it. Equities are points of the cube before the
action or, in a match, EMG, as ours are.
"""

from collections.abc import Sequence
from typing import NamedTuple

#: A chance may be so far below 0 or above 1, as programs round.
_ROUNDED = 0.001
#: No equity, and no luck of a roll, is larger, whatever the cube.
_LARGEST = 100.0

#: Five: the chances to win, to win a gammon, a backgammon, to lose a gammon, a backgammon.
Chances = tuple[float, ...]


def _are_possible(equities: Sequence[float], chances: Chances = ()) -> bool:
    """Tell whether numbers may be what they stand for; those that are none are not."""
    return all(abs(equity) <= _LARGEST for equity in equities) and all(
        -_ROUNDED <= chance <= 1.0 + _ROUNDED for chance in chances
    )


class StoredPlay(NamedTuple):
    """A play of a roll.

    Attributes:
        play: its notation.
        equity: to the player who makes it.
        level: how the program looked at it, in its own words, such as `2-ply`.
        probabilities: the chances of that player.
    """

    play: str
    equity: float
    level: str
    probabilities: Chances


class StoredCube(NamedTuple):
    """A decision about the cube; both equities are those of the player who may double.

    Attributes:
        no_double: the equity of no double.
        double_take: that of double and take. Double and pass is 1.
        level: as in `StoredPlay`.
        probabilities: of that player, without the cube.
    """

    no_double: float
    double_take: float
    level: str
    probabilities: Chances


class StoredAnalysis(NamedTuple):
    """The analysis of an action that a file holds.

    Attributes:
        plays: of a roll, the best ones first; none where the file has none.
        cube: the decision about the cube before a roll, or the one that the action is part of.
        luck: of a roll, as an equity.
    """

    plays: tuple[StoredPlay, ...] = ()
    cube: StoredCube | None = None
    luck: float | None = None

    def possible(self) -> "StoredAnalysis":
        """Return the same without plays, cube and luck whose numbers cannot be."""
        plays, cube, luck = self
        if cube and not _are_possible((cube.no_double, cube.double_take), cube.probabilities):
            cube = None
        return StoredAnalysis(
            tuple(each for each in plays if _are_possible([each.equity], each.probabilities)),
            cube,
            luck if luck is not None and _are_possible([luck]) else None,
        )
