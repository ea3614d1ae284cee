"""Exact chances of bearing off, for positions in which all checkers are at home.

A *side* is how many of its checkers stand on each of its six home points; the others are
off. All sides of up to 15 checkers have a rank below 54,264, and those of up to m
checkers the first C(m + 6, 6) ranks. Two tables are made, from small sides to large ones:

    one-sided   [54,264, 32, 2]  chances to bear off all checkers, or the first one, with
                exactly 1, 2, ... 32 rolls. Of the plays of a roll that one is taken after
                which fewest rolls are expected to be needed, for either purpose.
    two-sided   [924, 924]  chance to win for the player on roll, by ranks of both sides
                of up to 6 checkers. This is exact play; nobody can win a gammon.

With more checkers than that on a side, the chances are put together from the one-sided
ones, as if both sides only raced.
"""

import numpy as np
import numpy.typing as npt
from numba import types

from gammon.kernel import kernel
from gammon.rules.board import CHECKERS, SIZE, State

__all__ = ["HOME", "N_SIDES", "N_TWO_SIDED", "ROLLS_KEPT", "at_home", "chances", "rank_of"]

Floats = npt.NDArray[np.float32]

#: Points of a home board.
HOME = 6
#: Sides of up to 15 checkers: C(21, 6).
N_SIDES = 54_264
#: No side needs more: each roll takes at least three pips, or bears off.
ROLLS_KEPT = 32
#: Sides of up to 6 checkers, which the two-sided table is for.
N_TWO_SIDED = 924
#: Where the tables lie in the vector that `chances` reads.
_AT_TWO_SIDED = N_SIDES * ROLLS_KEPT * 2


def _binomials() -> npt.NDArray[np.int64]:
    """Return C(n, k) for n up to 20 and k up to 6."""
    found = np.zeros((CHECKERS + HOME, HOME + 1), np.int64)
    found[:, 0] = 1
    for n in range(1, len(found)):
        found[n, 1:] = found[n - 1, 1:] + found[n - 1, :-1]
    return found


_CHOOSE = _binomials()
_INT = types.int64
_BOARD = types.int8[::1]


@kernel(_INT(_BOARD, types.boolean), inner=True)
def rank_of(state: State, opponent: bool) -> int:
    """Return the rank of a side of a position; its other checkers count as off.

    The partial sums of the counts, made distinct, are a set of six of 21 numbers, and the
    rank is that of the set in the order of its largest elements.
    """
    rank = 0
    total = 0
    for p in range(HOME):
        count = -int(state[24 - p]) if opponent else int(state[1 + p])
        total += max(count, 0)
        rank += _CHOOSE[total + p, p + 1]
    return rank


@kernel(types.boolean(_BOARD, types.boolean), inner=True)
def at_home(state: State, opponent: bool) -> bool:
    """Tell whether all of a side's checkers are at home, or off."""
    outside = 0
    for p in range(HOME + 1, SIZE):
        outside += max(-int(state[25 - p]) if opponent else int(state[p]), 0)
    return outside == 0


@kernel(types.void(_BOARD, types.float32[::1], _INT, types.float32[::1]), inner=True)
def chances(state: State, tables: Floats, at: int, out: Floats) -> None:
    """Write the chances of the six results, losses first, to the player on roll.

    Args:
        state: int8 [26], seen from the player on roll; all checkers are at home, and
            neither side is done.
        tables: both tables, flat: the one-sided one begins at `at`.
        at: see `tables`.
        out: float32 [6].
    """
    own, their = rank_of(state, False), rank_of(state, True)
    out[:] = 0.0
    if own < N_TWO_SIDED and their < N_TWO_SIDED:
        win = tables[at + _AT_TWO_SIDED + own * N_TWO_SIDED + their]
        out[2], out[3] = np.float32(1.0) - win, win
        return
    own_at, their_at = at + own * ROLLS_KEPT * 2, at + their * ROLLS_KEPT * 2
    own_left, their_left = 1.0, 1.0  # chances not to be done by now
    own_first, their_first = 0.0, 0.0  # chances to have borne off none by now
    own_checkers, their_checkers = 0, 0
    for p in range(1, HOME + 1):
        own_checkers += int(state[p])
        their_checkers -= int(state[25 - p])
    if own_checkers == CHECKERS:
        own_first = 1.0
    if their_checkers == CHECKERS:
        their_first = 1.0
    for k in range(ROLLS_KEPT):
        done = np.float64(tables[own_at + 2 * k])
        out[3] += done * their_left
        out[4] += done * their_first
        own_left -= done
        own_first = max(own_first - np.float64(tables[own_at + 2 * k + 1]), 0.0)
        theirs = np.float64(tables[their_at + 2 * k])
        out[2] += theirs * own_left
        out[1] += theirs * own_first
        their_left -= theirs
        their_first = max(their_first - np.float64(tables[their_at + 2 * k + 1]), 0.0)
    out[3] -= out[4]
    out[2] -= out[1]
