"""Sides with all checkers at home, and their ranks in the bearoff tables.

A *side* is the checkers of one player: their numbers on the six home points; the other checkers
are off. The sides of up to 15 checkers have the ranks below 54,264, and the sides of up to m
checkers have the first C(m + 6, 6) ranks. Bearoff tables are ordered by rank.
"""

import numpy as np
import numpy.typing as npt

from gammon.compiled.kernel import kernel
from gammon.rules.board import CHECKERS, SIZE, State

#: Points of a home board.
HOME = 6
#: Sides of up to 15 checkers: C(21, 6).
N_SIDES = 54_264
#: The rank of the first side of 15 checkers: C(20, 6).
FIRST_WHOLE = 38_760
#: The most checkers of a side in the two-sided table.
MOST_CHECKERS = 6
#: The number of such sides: C(12, 6).
N_TWO_SIDED = 924


def _binomials() -> npt.NDArray[np.int64]:
    """Return C(n, k) for n up to 20 and k up to 6."""
    table = np.zeros((CHECKERS + HOME, HOME + 1), np.int64)
    table[:, 0] = 1
    for n in range(1, len(table)):
        table[n, 1:] = table[n - 1, 1:] + table[n - 1, :-1]
    return table


_CHOOSE = _binomials()


@kernel(inner=True)
def rank_from(state: State, opponent: bool, point: int) -> int:
    """Return the rank of a side's checkers on six points, as if these were its home.

    Take the partial sums of the counts, and add k to the k-th: the results are six different
    numbers below 21. The rank of the side is the rank of this set in colexicographic order,
    which compares the largest numbers first.

    Args:
        state: int8 [26].
        opponent: whether it is the opponent's side.
        point: the first of the six, in that side's numbering.
    """
    rank = 0
    total = 0
    for p in range(HOME):
        count = -int(state[25 - point - p]) if opponent else int(state[point + p])
        total += max(count, 0)
        rank += _CHOOSE[total + p, p + 1]
    return rank


@kernel()
def rank_of(state: State, opponent: bool) -> int:
    """Return the rank of a side of a position; checkers that are not at home count as off.

    Args:
        state: int8 [26].
        opponent: whether it is the opponent's side.
    """
    return rank_from(state, opponent, 1)


@kernel()
def at_home(state: State, opponent: bool) -> bool:
    """Return whether all of a side's checkers are at home or off.

    Args:
        state: int8 [26].
        opponent: whether it is the opponent's side.
    """
    outside = 0
    for p in range(HOME + 1, SIZE):
        outside += max(-int(state[25 - p]) if opponent else int(state[p]), 0)
    return outside == 0
