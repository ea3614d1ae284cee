"""Analyses that other programs stored in a match file.

They are shown beside our analysis and never mixed with it. As in our analysis, equities are points
of the cube before the action or, in a match, EMG.
"""

from collections.abc import Sequence
from typing import NamedTuple

#: Programs round, so a chance may be this far below 0 or above 1.
_ROUNDED = 0.001
#: The largest equity or luck of a roll, whatever the cube.
_LARGEST = 100.0

#: Five chances: to win, to win a gammon or a backgammon, to lose a gammon or a backgammon.
Chances = tuple[float, ...]


def _are_possible(equities: Sequence[float], chances: Chances = ()) -> bool:
    """Return whether equities and chances are in their ranges; NaN is not."""
    return all(abs(equity) <= _LARGEST for equity in equities) and all(
        -_ROUNDED <= chance <= 1.0 + _ROUNDED for chance in chances
    )


class StoredPlay(NamedTuple):
    """A play of a roll.

    Attributes:
        play: the play in our notation.
        equity: the equity to the player who makes the play.
        level: the program's level of analysis, in its own words, such as `2-ply`.
        probabilities: the chances of that player.
    """

    play: str
    equity: float
    level: str
    probabilities: Chances


class StoredCube(NamedTuple):
    """A decision about the cube; both equities are to the player who may double.

    Attributes:
        no_double: the equity of no double.
        double_take: the equity of double and take. Double and pass is 1.
        level: as in `StoredPlay`.
        probabilities: the chances of that player, without the cube.
    """

    no_double: float
    double_take: float
    level: str
    probabilities: Chances


class StoredAnalysis(NamedTuple):
    """The analysis of an action that a file holds.

    Attributes:
        plays: the plays of a roll, the best first; empty if the file has none.
        cube: the decision about the cube before a roll, or the decision that the action belongs to.
        luck: the luck of a roll, as an equity.
    """

    plays: tuple[StoredPlay, ...] = ()
    cube: StoredCube | None = None
    luck: float | None = None

    def possible(self) -> "StoredAnalysis":
        """Return the analysis without plays, cube and luck whose numbers are impossible."""
        plays, cube, luck = self
        if cube and not _are_possible((cube.no_double, cube.double_take), cube.probabilities):
            cube = None
        return StoredAnalysis(
            tuple(play for play in plays if _are_possible([play.equity], play.probabilities)),
            cube,
            luck if luck is not None and _are_possible([luck]) else None,
        )
