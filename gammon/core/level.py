"""Levels that roll: a search picks what is close, and games settle it.

Help must not wait for numpy, which nothing here imports.
"""

from typing import NamedTuple

#: The trials that have each of the 36 throws of two dice once a turn.
BLOCK = 36


class Level(NamedTuple):
    """A level that rolls.

    Attributes:
        depth: plies of the exact search that picks.
        reach: plays that lose more by that search, in equity, get no games; nor does a double,
            or the answer to it, if the other choice loses more.
        most: the plays that get games, at most; those that are named come on top.
        rounds: the trials that a candidate has had after each round, multiples of 36. After a
            round, half of the plays are given up.
        turns: a game ends after so many, with the static value of its position.
        plies: of each play in a game, 1, 3 or 5, and of each decision about the cube there.
        move_filter: of these plays, a name of `FILTERS`; empty for none.
    """

    depth: int
    reach: float
    most: int
    rounds: tuple[int, ...]
    turns: int
    plies: int
    move_filter: str


#: The levels by their names, each stronger than the one before.
ROLLERS = {
    "roller": Level(5, 0.04, 5, (36, 72, 144, 288), 7, 1, ""),
    "roller+": Level(5, 0.06, 6, (144, 288, 576, 1152), 7, 1, ""),
    "roller++": Level(5, 0.06, 6, (72, 144, 288, 576), 11, 3, "tiny"),
}
