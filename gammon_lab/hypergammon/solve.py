"""Hypergammon solved by value iteration: equities for each place of the cube, then chances.

Values are of money games without the Jacoby rule and without beavers, in points per unit of the
cube. For each position there are four numbers: the equity without a cube, and the equities with the
cube at the player on roll, in the middle, and at the opponent. In the arrays of this module these are
values *before a double*: where the player may double, the greater of rolling and doubling.

The array is float64 [S * S, 4], at S * waiting + rolling, by the numbers of the sides
(`gammon_lab.hypergammon.sides`). A play changes the rolling side, which then waits, so all replies
to a play are in one row.

A sweep computes all positions anew, in place, in order of the pips of both sides together. So only
hits, which add pips, refer to values of the sweep before. `improve` compares all plays, and notes
the best ones. `evaluate` makes the noted plays, which is several times as fast.
"""

from typing import NamedTuple

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import (
    Float64Matrix,
    Float64Vector,
    Int16Matrix,
    Int16Vector,
    Int64Matrix,
    Int64Vector,
)
from gammon.rules.dice import N_ROLLS, PROBABILITIES
from gammon_lab.hypergammon.sides import place_after, plays_of, sides_of

#: The four equities: without a cube, and the cube's places seen from the player on roll.
CUBELESS, OWN, CENTRED, THEIRS = range(4)
N_VALUES = 4
#: The same without a sign; see `place_after`.
_KIND_0, _KIND_1, _KIND_2, _KIND_3 = (np.uint64(kind) for kind in range(N_VALUES))
#: The five cumulative chances: to win; to win a gammon or more, a backgammon; to lose a gammon or
#: more, a backgammon. Sweeps change the chance to win, and for gammons and for backgammons the sum
#: of both players' chances and the difference: a turn keeps the sums and turns the differences round.
N_CHANCES = 5
#: The best play of each of the four kinds has this many bits, for its place in its list.
_PICK_BITS = 4
_PICK = (1 << _PICK_BITS) - 1
_PICKS = (1 << N_VALUES * _PICK_BITS) - 1
#: The four best plays, if all are the second of their list.
_EQUAL_PICKS = 0x1111


class Rules(NamedTuple):
    """The arrays that sweeps read. Attributes as in `Sides` and `Plays`."""

    groups: Int64Vector
    points: Int64Vector
    seen: Int64Vector
    blocked: Int64Vector
    lost: Int64Vector
    starts: Int64Matrix
    plays: Int64Vector
    waiting: Int16Vector


def rules_of(checkers: int) -> Rules:
    """Return what sweeps read for a number of checkers.

    Raises:
        SettingError: see `checked_checkers`.
    """
    sides = sides_of(checkers)
    return Rules(sides.groups, sides.points, sides.seen, sides.blocked, sides.lost, *plays_of(checkers))


def count_in_play(rules: Rules) -> int:
    """Return the number of positions in which both sides have checkers on the board."""
    return int(((rules.points[1:, None] & rules.seen[1:]) == 0).sum())


@kernel()
def begin(lost: Int64Vector, values: Float64Matrix, chances: Float64Matrix) -> None:
    """Write the values and chances of finished games, which the waiting side has won.

    Args:
        lost: int64 [S], see `Sides`.
        values: float64 [S * S, 4]; other rows are left as they are.
        chances: float64 [S * S, 5], by sums and differences; the same.
    """
    for side in range(1, lost.shape[0]):
        for k in range(N_VALUES):
            values[side, k] = -float(lost[side])
        chances[side, 0] = 0.0
        for k in range(2):
            happened = 1.0 if lost[side] >= 2 + k else 0.0
            chances[side, 1 + 2 * k] = happened
            chances[side, 2 + 2 * k] = -happened


@kernel(inner=True)
def _compare(
    rules: Rules, values: Float64Matrix, side: int, waiting: int, rolled: Float64Vector, picks: Int16Vector
) -> None:
    """Compare all plays of a position, and write the values of rolling.

    Args:
        rules: see `Rules`.
        values: float64 [S * S, 4].
        side: the number of the side on roll.
        waiting: the number of the other side.
        rolled: float64 [4], written.
        picks: int16 [21], written: the best play for each roll, by its place in its list, 4 bits
            for each kind of value.
    """
    sum_0, sum_1, sum_2, sum_3 = 0.0, 0.0, 0.0, 0.0
    starts, plays, hit_sides = rules.starts[side], rules.plays, rules.waiting
    first = N_ROLLS * rules.blocked[waiting]
    start = starts[first]
    for roll in range(N_ROLLS):
        end = starts[first + roll + 1]
        low_0, low_1, low_2, low_3 = np.inf, np.inf, np.inf, np.inf
        pick_0, pick_1, pick_2, pick_3 = 0, 0, 0, 0
        for at in range(start, end):
            place = place_after(plays[np.uint64(at)], waiting, hit_sides)
            of_0, of_1 = values[place, _KIND_0], values[place, _KIND_3]
            of_2, of_3 = values[place, _KIND_2], values[place, _KIND_1]
            pick_0, low_0 = (at - start, of_0) if of_0 < low_0 else (pick_0, low_0)
            pick_1, low_1 = (at - start, of_1) if of_1 < low_1 else (pick_1, low_1)
            pick_2, low_2 = (at - start, of_2) if of_2 < low_2 else (pick_2, low_2)
            pick_3, low_3 = (at - start, of_3) if of_3 < low_3 else (pick_3, low_3)
        chance = PROBABILITIES[roll]
        sum_0 -= chance * low_0
        sum_1 -= chance * low_1
        sum_2 -= chance * low_2
        sum_3 -= chance * low_3
        picks[roll] = pick_0 | pick_1 << _PICK_BITS | pick_2 << 2 * _PICK_BITS | pick_3 << 3 * _PICK_BITS
        start = end
    rolled[CUBELESS], rolled[OWN], rolled[CENTRED], rolled[THEIRS] = sum_0, sum_1, sum_2, sum_3


@kernel(inner=True)
def _follow(
    rules: Rules, values: Float64Matrix, side: int, waiting: int, rolled: Float64Vector, picks: Int16Vector
) -> None:
    """Make the noted plays of a position, and write the values of rolling.

    The arguments are as for `_compare`, but picks is read.
    """
    sum_0, sum_1, sum_2, sum_3 = 0.0, 0.0, 0.0, 0.0
    starts, plays, hit_sides = rules.starts[side], rules.plays, rules.waiting
    first = N_ROLLS * rules.blocked[waiting]
    for roll in range(N_ROLLS):
        start = starts[first + roll]
        pick = int(picks[roll]) & _PICKS
        pick_0 = pick & _PICK
        place = place_after(plays[np.uint64(start + pick_0)], waiting, hit_sides)
        chance = PROBABILITIES[roll]
        sum_0 -= chance * values[place, _KIND_0]
        if pick == pick_0 * _EQUAL_PICKS:  # as a rule, one play is best wherever the cube is
            sum_1 -= chance * values[place, _KIND_3]
            sum_2 -= chance * values[place, _KIND_2]
            sum_3 -= chance * values[place, _KIND_1]
            continue
        pick_1, pick_2 = pick >> _PICK_BITS & _PICK, pick >> 2 * _PICK_BITS & _PICK
        pick_3 = pick >> 3 * _PICK_BITS
        place = place_after(plays[np.uint64(start + pick_1)], waiting, hit_sides)
        sum_1 -= chance * values[place, _KIND_3]
        place = place_after(plays[np.uint64(start + pick_2)], waiting, hit_sides)
        sum_2 -= chance * values[place, _KIND_2]
        place = place_after(plays[np.uint64(start + pick_3)], waiting, hit_sides)
        sum_3 -= chance * values[place, _KIND_1]
    rolled[CUBELESS], rolled[OWN], rolled[CENTRED], rolled[THEIRS] = sum_0, sum_1, sum_2, sum_3


@kernel(inner=True)
def _double(rolled: Float64Vector) -> None:
    """Turn the values of rolling into values before a double."""
    doubled = min(2.0 * rolled[THEIRS], 1.0)
    rolled[OWN] = max(rolled[OWN], doubled)
    rolled[CENTRED] = max(rolled[CENTRED], doubled)


@kernel(inner=True)
def _replace(row: Float64Vector, fresh: Float64Vector) -> float:
    """Replace numbers, and return the greatest change."""
    greatest = 0.0
    for k in range(row.shape[0]):
        greatest = max(greatest, abs(fresh[k] - row[k]))
        row[k] = fresh[k]
    return greatest


@kernel(allocates=True)
def sweep(rules: Rules, values: Float64Matrix, picks: Int16Matrix, compare: bool) -> float:
    """Compute all values anew, in place, and return the greatest change.

    Args:
        rules: see `Rules`.
        values: float64 [S * S, 4], changed.
        picks: int16 [N, 21], the best plays of the N positions in play, in the order of the sweep.
        compare: whether to compare all plays and write picks; else the plays in picks are made.
    """
    n = rules.points.shape[0]
    rolled = np.empty(N_VALUES, np.float64)
    greatest, position = 0.0, 0
    most = rules.groups.shape[0] - 2
    for total in range(2, 2 * most + 1):
        for pips in range(max(total - most, 1), min(total - 1, most) + 1):
            for side in range(rules.groups[pips], rules.groups[pips + 1]):
                for waiting in range(rules.groups[total - pips], rules.groups[total - pips + 1]):
                    if rules.points[side] & rules.seen[waiting]:
                        continue
                    if compare:
                        _compare(rules, values, side, waiting, rolled, picks[position])
                    else:
                        _follow(rules, values, side, waiting, rolled, picks[position])
                    _double(rolled)
                    greatest = max(greatest, _replace(values[n * waiting + side], rolled))
                    position += 1
    return greatest


@kernel(allocates=True)
def check(rules: Rules, values: Float64Matrix, picks: Int16Matrix, rolled: Float64Matrix) -> float:
    """Write the values of rolling, and return the greatest difference of a value from its equation.

    Args:
        rules: see `Rules`.
        values: float64 [S * S, 4].
        picks: int16 [N, 21], written, see `sweep`.
        rolled: float64 [S * S, 4], written where the game goes on.
    """
    n = rules.points.shape[0]
    fresh = np.empty(N_VALUES, np.float64)
    greatest, position = 0.0, 0
    most = rules.groups.shape[0] - 2
    for total in range(2, 2 * most + 1):
        for pips in range(max(total - most, 1), min(total - 1, most) + 1):
            for side in range(rules.groups[pips], rules.groups[pips + 1]):
                for waiting in range(rules.groups[total - pips], rules.groups[total - pips + 1]):
                    if rules.points[side] & rules.seen[waiting]:
                        continue
                    place = n * waiting + side
                    _compare(rules, values, side, waiting, fresh, picks[position])
                    rolled[place] = fresh
                    _double(fresh)
                    for k in range(N_VALUES):
                        greatest = max(greatest, abs(fresh[k] - values[place, k]))
                    position += 1
    return greatest


@kernel(inner=True)
def _play_out(
    rules: Rules, chances: Float64Matrix, side: int, waiting: int, picks: Int16Vector, fresh: Float64Vector
) -> None:
    """Write the five chances of rolling, if the plays that are best without a cube are made."""
    fresh[:] = 0.0
    first = N_ROLLS * rules.blocked[waiting]
    for roll in range(N_ROLLS):
        play = rules.plays[rules.starts[side, first + roll] + (int(picks[roll]) & _PICK)]
        row = chances[place_after(play, waiting, rules.waiting)]
        chance = PROBABILITIES[roll]
        fresh[0] += chance * (1.0 - row[0])
        fresh[1] += chance * row[1]
        fresh[2] -= chance * row[2]
        fresh[3] += chance * row[3]
        fresh[4] -= chance * row[4]


@kernel(allocates=True)
def sweep_chances(rules: Rules, picks: Int16Matrix, chances: Float64Matrix) -> float:
    """Compute all chances anew, in place, and return the greatest change.

    Args:
        rules: see `Rules`.
        picks: int16 [N, 21], see `sweep`.
        chances: float64 [S * S, 5], by sums and differences; changed.
    """
    n = rules.points.shape[0]
    fresh = np.empty(N_CHANCES, np.float64)
    greatest, position = 0.0, 0
    most = rules.groups.shape[0] - 2
    for total in range(2, 2 * most + 1):
        for pips in range(max(total - most, 1), min(total - 1, most) + 1):
            for side in range(rules.groups[pips], rules.groups[pips + 1]):
                for waiting in range(rules.groups[total - pips], rules.groups[total - pips + 1]):
                    if rules.points[side] & rules.seen[waiting]:
                        continue
                    _play_out(rules, chances, side, waiting, picks[position], fresh)
                    greatest = max(greatest, _replace(chances[n * waiting + side], fresh))
                    position += 1
    return greatest
