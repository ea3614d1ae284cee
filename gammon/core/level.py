"""Levels with rollouts: a search picks the close plays, and games settle them.

Nothing here imports numpy, because the help texts use it and must not wait for numpy.
"""

from typing import NamedTuple

#: A block of trials has each of the 36 throws of two dice once in every turn.
BLOCK = 36


class Level(NamedTuple):
    """A level with rollouts.

    Attributes:
        depth: plies of the search that picks the plays to roll out.
        reach: plays that lose more equity than this by that search are not rolled out. Neither
            is a double, or the answer to it, if the other choice loses more.
        most: the most plays that are rolled out; plays named by the user come on top.
        rounds: the total trials of a candidate after each round, multiples of 36. After a
            round, the worse half of the plays is dropped.
        turns: a game ends after this many turns, with the static value of its position.
        plies: the plies of each play in a game, 1, 3 or 5, and of each cube decision.
        move_filter: the move filter of these plays, a name of `FILTERS`; empty for none.
    """

    depth: int
    reach: float
    most: int
    rounds: tuple[int, ...]
    turns: int
    plies: int
    move_filter: str


#: The levels by name, in ascending strength.
ROLLERS = {
    "roller": Level(5, 0.04, 5, (36, 72), 7, 3, "tiny"),
    "roller+": Level(5, 0.06, 6, (36, 72, 144, 288), 7, 3, "tiny"),
}
