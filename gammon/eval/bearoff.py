"""Exact chances of bearing off, for positions in which all checkers are at home.

A *side* and its rank are defined in `gammon.rules.home`. There are three tables, each filled
from small sides to large ones:

    all off     [54,264, 32]  by a side's rank: the chances that its last checker is off after
                exactly 1, 2, ... 32 rolls
    one off     [15,504, 32]  by the rank among the sides of 15 checkers, which are ranked last:
                the chances that its first checker is off after as many rolls
    two-sided   [924, 924]  by the ranks of the player on roll and of the opponent, for sides of
                up to 6 checkers: the chance that the player on roll wins; gammons are impossible

The first two are one-sided: each roll is played for the smallest expected number of further
rolls. The third is exact play.

A fourth table is separate, as only games with the cube need it:

    with the cube  [924 * 924, 3]  by the same ranks, own * 924 + their: the value of rolling now
                   to the player on roll for money, in points per unit of the cube, if
                   that player owns the cube, if it is centred, and if the opponent owns it;
                   both sides play and use the cube perfectly

If a side has more than 6 checkers, the chances of both sides' one-sided rows are combined, as if
each side only raced.
"""

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float32Vector, UInt32Vector
from gammon.compiled.vector import bits
from gammon.eval.planes import places
from gammon.rules.board import SIZE, State
from gammon.rules.home import FIRST_WHOLE, HOME, N_SIDES, N_TWO_SIDED, at_home, rank_of

#: Rolls in a row of a one-sided table. No side needs more, since each roll takes at least three
#: pips or bears off a checker.
ROLLS_KEPT = 32
#: Offsets of the tables in the vector that `chances` reads.
_AT_ONE_OFF = N_SIDES * ROLLS_KEPT
_AT_TWO_SIDED = _AT_ONE_OFF + (N_SIDES - FIRST_WHOLE) * ROLLS_KEPT
#: The places outside the home of the player on roll, bit p for board index p, and outside the
#: opponent's home.
OUTSIDE = (1 << SIZE) - (1 << (HOME + 1))
OUTSIDE_THEIR = (1 << (SIZE - 1 - HOME)) - 1
#: Numbers in the first three tables.
N_NUMBERS = _AT_TWO_SIDED + N_TWO_SIDED * N_TWO_SIDED
#: Possible owners of the cube: the player on roll, nobody, the opponent.
N_OWNERS = 3
#: Numbers in the fourth table.
N_WITH_CUBE = N_TWO_SIDED * N_TWO_SIDED * N_OWNERS


@kernel(inner=True)
def both_at_home(planes: UInt32Vector) -> int:
    """Return the set of positions, among sixteen, in which both sides are at home (`at_home`).

    Args:
        planes: see `gammon.eval.planes`.
    """
    own, their = places(planes)
    outside = (own & OUTSIDE) | (their & OUTSIDE_THEIR)
    return bits(outside == 0)


@kernel()
def chances(state: State, tables: Float32Vector, at: int, out: Float32Vector) -> None:
    """Write the chances of the six results for the player on roll, losses first.

    Args:
        state: int8 [26], seen from the player on roll; all checkers are at home or off, and
            each side has at least one left.
        tables: the vector that holds the three tables, flat, one after the other.
        at: offset of the tables.
        out: float32 [6].
    """
    own, their = rank_of(state, False), rank_of(state, True)
    out[:] = 0.0
    win, gammon, lose, lose_gammon = 0.0, 0.0, 0.0, 0.0
    if own < N_TWO_SIDED and their < N_TWO_SIDED:
        win = tables[at + _AT_TWO_SIDED + own * N_TWO_SIDED + their]
        out[2], out[3] = np.float32(1.0) - win, win
        return
    own_at, their_at = at + own * ROLLS_KEPT, at + their * ROLLS_KEPT
    own_one = at + _AT_ONE_OFF + (own - FIRST_WHOLE) * ROLLS_KEPT
    their_one = at + _AT_ONE_OFF + (their - FIRST_WHOLE) * ROLLS_KEPT
    own_left, their_left = 1.0, 1.0  # chances that a checker is left by now
    # Chances that no checker is off by now.
    own_none = 1.0 if own >= FIRST_WHOLE else 0.0
    their_none = 1.0 if their >= FIRST_WHOLE else 0.0
    for k in range(ROLLS_KEPT):
        done = np.float64(tables[own_at + k])
        win += done * their_left
        gammon += done * their_none
        own_left -= done
        if own >= FIRST_WHOLE:
            own_none -= np.float64(tables[own_one + k])
        done = np.float64(tables[their_at + k])
        lose += done * own_left
        lose_gammon += done * own_none
        their_left -= done
        if their >= FIRST_WHOLE:
            their_none -= np.float64(tables[their_one + k])
    # The tables are rounded, so the result may be slightly below 0.
    win, lose = max(win, 0.0), max(lose, 0.0)
    gammon, lose_gammon = min(max(gammon, 0.0), win), min(max(lose_gammon, 0.0), lose)
    out[3], out[4] = win - gammon, gammon
    out[2], out[1] = lose - lose_gammon, lose_gammon


@kernel(inner=True)
def mean_rolls(chances: Float32Vector, at: int) -> float:
    """Return the mean number of rolls that a side needs.

    Args:
        chances: the vector that holds the chances to need 1, 2, ... 32 rolls.
        at: offset of these chances.
    """
    mean = 0.0
    for k in range(ROLLS_KEPT):
        mean += (k + 1) * np.float64(chances[at + k])
    return mean


@kernel(inner=True)
def mean_rolls_of_both(state: State, tables: Float32Vector, at: int) -> float:
    """Return the mean number of rolls that both sides need, added up.

    Args as for `chances`.
    """
    own, their = rank_of(state, False), rank_of(state, True)
    return mean_rolls(tables, at + own * ROLLS_KEPT) + mean_rolls(tables, at + their * ROLLS_KEPT)


@kernel(inner=True)
def with_cube(state: State, tables: Float32Vector, at: int, out: Float32Vector) -> bool:
    """Write the value of rolling for each owner of the cube, if the table has the position.

    Args:
        state: int8 [26], seen from the player on roll.
        tables: the vector that holds the table with the cube, flat.
        at: offset of the table.
        out: float32 [3]: the player on roll owns the cube, it is centred, the opponent owns it.

    Returns:
        Whether the table has the position: all checkers are at home or off, and each side has
        1 to 6 left.
    """
    if not (at_home(state, False) and at_home(state, True)):
        return False
    own, their = rank_of(state, False), rank_of(state, True)
    if max(own, their) >= N_TWO_SIDED or min(own, their) == 0:
        return False
    row = at + N_OWNERS * (own * N_TWO_SIDED + their)
    for k in range(N_OWNERS):
        out[k] = tables[row + k]
    return True
