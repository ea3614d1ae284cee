"""Analyses that came in a match file: what another program said of each action.

They are shown beside ours and never mixed with it. Equities are points of the cube before the
action or, in a match, EMG, as ours are.
"""

from typing import NamedTuple

#: Five: the chances to win, to win a gammon, a backgammon, to lose a gammon, a backgammon.
Chances = tuple[float, ...]


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
