"""The tables of `gammon.eval.bearoff`: filled from small sides to large ones."""

from functools import cache

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import (
    Float32Matrix,
    Float32Stack,
    Float32Vector,
    Float64Matrix,
    Float64Vector,
    Int8Matrix,
    Int8Vector,
    Int16Matrix,
    Int16Stack,
    Int64Matrix,
    Int64Vector,
)
from gammon.compiled.vector import EIGHT, filled, load, select, store
from gammon.eval.bearoff import N_NUMBERS, N_OWNERS, N_WITH_CUBE, ROLLS_KEPT
from gammon.eval.race_cube import N_TABLES, fill_two_checkers
from gammon.rules.board import CHECKERS, SIZE, Rows
from gammon.rules.dice import N_ROLLS, PROBABILITIES
from gammon.rules.home import FIRST_WHOLE, HOME, MOST_CHECKERS, N_SIDES, N_TWO_SIDED, rank_of
from gammon.rules.plays import MAX_ROWS, successors

#: Most plays of a roll by a side of up to 6 checkers.
_MOST_PLAYS = 35
#: Most pips of a side, and of a side in a two-sided table.
_MOST_PIPS, _MOST_PIPS_OF_FEW = CHECKERS * HOME, MOST_CHECKERS * HOME

#: Sides, int8 [N, 6]: checkers on points 1 to 6.
Sides = Int8Matrix


@kernel(allocates=True)
def _list_sides(table: Sides) -> None:
    """Write all sides, int8 [54264, 6], by rank."""
    state = np.zeros(SIZE, np.int8)
    left, point = CHECKERS, 0
    while point <= HOME:
        rank = rank_of(state, False)
        for p in range(HOME):
            table[rank, p] = state[1 + p]
        # The next side: one more checker on the first point for which one is left, after the
        # checkers on the points below are taken off.
        point = 1
        while point <= HOME and left == 0:
            left = int(state[point])
            state[point] = 0
            point += 1
        if point <= HOME:
            state[point] += 1
            left -= 1


@kernel(allocates=True)
def _list_by_pips(table: Sides, order: Int64Vector, groups: Int64Vector) -> None:
    """Write the ranks of sides in order of pips, and where each number of pips begins.

    Args:
        table: int8 [N, 6], by rank.
        order: int64 [N], written: the ranks.
        groups: int64 [P], written: where the sides of 0, 1, 2, ... P - 1 pips begin in `order`.
    """
    groups[:] = 0
    for rank in range(table.shape[0]):
        pips = 0
        for p in range(HOME):
            pips += (1 + p) * table[rank, p]
        if pips + 1 < groups.shape[0]:
            groups[pips + 1] += 1
    for pips in range(1, groups.shape[0]):
        groups[pips] += groups[pips - 1]
    place = groups.copy()
    for rank in range(table.shape[0]):
        pips = 0
        for p in range(HOME):
            pips += (1 + p) * table[rank, p]
        order[place[pips]] = rank
        place[pips] += 1


@kernel(inner=True)
def _stand(state: Int8Vector, table: Sides, rank: int) -> None:
    """Set up a side on roll; the opponent has one checker, out of the way on its own ace point."""
    for p in range(HOME):
        state[1 + p] = table[rank, p]
    state[24] = -1


@kernel(inner=True)
def _after(state: Int8Vector, roll: int, rows: Rows, ranks: Int64Vector) -> int:
    """Write the ranks of the sides that a side can become with a roll.

    Args:
        state: int8 [26], see `_stand`.
        roll: 0..20.
        rows: int8 [MAX_ROWS, 26], scratch.
        ranks: int64 [MAX_ROWS], written.

    Returns:
        The number of ranks that are written.
    """
    n = int(successors(state, roll, rows))
    for j in range(n):
        ranks[j] = rank_of(rows[j], True)
    return n


@cache
def sides() -> Sides:
    """Return all sides, int8 [54264, 6], by rank: checkers on points 1 to 6."""
    table = np.empty((N_SIDES, HOME), np.int8)
    _list_sides(table)
    return table


def by_pips(table: Sides) -> Int64Vector:
    """Return the ranks of sides, int64 [N], in order of pips."""
    order = np.empty(len(table), np.int64)
    _list_by_pips(table, order, np.empty(_MOST_PIPS + 2, np.int64))
    return order


@kernel(inner=True, allocates=True)
def _fill_one_sided(table: Sides, order: Int64Vector, out: Float32Stack) -> None:
    rows = np.empty((MAX_ROWS, SIZE), np.int8)
    ranks = np.empty(MAX_ROWS, np.int64)
    state = np.zeros(SIZE, np.int8)
    means = np.zeros((table.shape[0], 2), np.float64)
    chance = np.zeros((ROLLS_KEPT + 1, 2), np.float64)
    for i in order:
        checkers = 0
        for p in range(HOME):
            checkers += table[i, p]
        # A side without checkers needs no roll, nor does the first checker of a side with fewer than 15.
        if checkers == 0:
            continue
        _stand(state, table, i)
        chance[:] = 0.0
        for roll in range(N_ROLLS):
            n = _after(state, roll, rows, ranks)
            for purpose in range(2 if checkers == CHECKERS else 1):
                best = ranks[0]
                for j in range(1, n):
                    if means[ranks[j], purpose] < means[best, purpose]:
                        best = ranks[j]
                p_roll = PROBABILITIES[roll]
                if means[best, purpose] == 0.0:
                    chance[0, purpose] += p_roll
                else:
                    for k in range(ROLLS_KEPT):
                        chance[k + 1, purpose] += p_roll * out[best, k, purpose]
        for purpose in range(2):
            for k in range(ROLLS_KEPT):
                out[i, k, purpose] = chance[k, purpose]
                means[i, purpose] += (k + 1) * chance[k, purpose]


@kernel(allocates=True)
def _list_plays(table: Sides, ranks: Int16Stack, many: Int64Matrix) -> None:
    rows = np.empty((MAX_ROWS, SIZE), np.int8)
    one = np.empty(MAX_ROWS, np.int64)
    state = np.zeros(SIZE, np.int8)
    for i in range(1, table.shape[0]):
        _stand(state, table, i)
        for roll in range(N_ROLLS):
            n = _after(state, roll, rows, one)
            many[i, roll] = n
            for j in range(n):
                ranks[i, roll, j] = one[j]


@cache
def two_sided_plays() -> tuple[Int16Stack, Int64Matrix]:
    """Return what each side of up to 6 checkers can become with each roll.

    Returns:
        The ranks, int16 [924, 21, 35], and how many there are in each row, int64 [924, 21]; the
        rest of a row is zeros.
    """
    ranks = np.zeros((N_TWO_SIDED, N_ROLLS, _MOST_PLAYS), np.int16)
    many = np.zeros((N_TWO_SIDED, N_ROLLS), np.int64)
    _list_plays(sides()[:N_TWO_SIDED], ranks, many)
    return ranks, many


@kernel(inner=True)
def _roll_against(
    ranks: Int16Matrix,
    many: Int64Vector,
    against: Float64Matrix,
    first: int,
    end: int,
    whole: float,
    worst: float,
    out: Float64Vector,
) -> None:
    """Write the values of rolling with a side against each side of a group.

    Args:
        ranks: int16 [21, 35], what the side can become with each roll.
        many: int64 [21], how many of these there are.
        against: float64 [924, >= 931], the value of the other player's turn to that player, by
            the rank that the side has become and the index of the other side.
        first: index of the group's first side.
        end: index after the group's last side.
        whole: sum of both players' values.
        worst: the smallest possible value.
        out: float64 [>= end - first + 7].
    """
    for at in range(first, end, EIGHT):
        value = filled(0.0, EIGHT)
        for roll in range(N_ROLLS):
            best = filled(worst, EIGHT)
            for k in range(many[roll]):
                after = filled(whole, EIGHT) - load(against[ranks[roll, k]], at, EIGHT)
                best = select(after > best, after, best)
            value = value + best * PROBABILITIES[roll]
        store(out, at - first, value)


@kernel(inner=True, allocates=True)
def _fill_two_sided(
    order: Int64Vector, groups: Int64Vector, ranks: Int16Stack, many: Int64Matrix, out: Float64Matrix
) -> None:
    # A value depends on positions with fewer pips in all. The values of a side against all sides
    # with equally many pips are computed together: such a group is contiguous in `against`.
    against = np.zeros((N_TWO_SIDED, N_TWO_SIDED + EIGHT), np.float64)
    value = np.zeros(N_TWO_SIDED + EIGHT, np.float64)
    most = groups.shape[0] - 2
    for total in range(2, 2 * most + 1):
        for own in range(max(total - most, 1), min(total - 1, most) + 1):
            first, end = groups[total - own], groups[total - own + 1]
            for place in range(groups[own], groups[own + 1]):
                i = order[place]
                _roll_against(ranks[i], many[i], against, first, end, 1.0, 0.0, value)
                for q in range(end - first):
                    j = order[first + q]
                    out[i, j] = value[q]
                    against[j, place] = value[q]


@kernel(inner=True, allocates=True)
def _fill_with_cube(
    order: Int64Vector, groups: Int64Vector, ranks: Int16Stack, many: Int64Matrix, out: Float32Matrix
) -> None:
    # As above, for each owner: mine, centred, his. `against` holds values before a turn, seen
    # from the player on roll.
    against = np.zeros((N_OWNERS, N_TWO_SIDED, N_TWO_SIDED + EIGHT), np.float64)
    against[:, 0] = -1.0  # a side without checkers has won
    rolled = np.zeros((N_OWNERS, N_TWO_SIDED + EIGHT), np.float64)
    most = groups.shape[0] - 2
    for total in range(2, 2 * most + 1):
        for own in range(max(total - most, 1), min(total - 1, most) + 1):
            first, end = groups[total - own], groups[total - own + 1]
            for place in range(groups[own], groups[own + 1]):
                i = order[place]
                for owner in range(N_OWNERS):
                    # Seen from the opponent, who rolls next, the owner is the other one.
                    turned = against[N_OWNERS - 1 - owner]
                    _roll_against(ranks[i], many[i], turned, first, end, 0.0, -1.0, rolled[owner])
                for q in range(end - first):
                    j = order[first + q]
                    doubled = min(2.0 * rolled[N_OWNERS - 1, q], 1.0)
                    for owner in range(N_OWNERS):
                        mine = rolled[owner, q]
                        out[i * N_TWO_SIDED + j, owner] = mine
                        may_double = owner < N_OWNERS - 1
                        against[owner, j, place] = max(mine, doubled if may_double else -1.0)


@kernel(allocates=True)
def fill_tables(out: Float32Vector) -> None:
    """Write the four tables of `gammon.eval.bearoff`, and the table of two checkers.

    Args:
        out: float32 [N_TABLES], zeros.
    """
    table = np.empty((N_SIDES, HOME), np.int8)
    _list_sides(table)
    order, groups = np.empty(N_SIDES, np.int64), np.empty(_MOST_PIPS + 2, np.int64)
    _list_by_pips(table, order, groups)
    stack = np.zeros((N_SIDES, ROLLS_KEPT, 2), np.float32)
    _fill_one_sided(table, order, stack)
    at = 0
    for purpose in range(2):
        for rank in range(FIRST_WHOLE if purpose == 1 else 0, N_SIDES):
            for k in range(ROLLS_KEPT):
                out[at] = stack[rank, k, purpose]
                at += 1
    few = table[:N_TWO_SIDED]
    ranks = np.zeros((N_TWO_SIDED, N_ROLLS, _MOST_PLAYS), np.int16)
    many = np.zeros((N_TWO_SIDED, N_ROLLS), np.int64)
    _list_plays(few, ranks, many)
    order, groups = order[:N_TWO_SIDED], groups[: _MOST_PIPS_OF_FEW + 2]
    _list_by_pips(few, order, groups)
    two_sided = np.zeros((N_TWO_SIDED, N_TWO_SIDED), np.float64)
    _fill_two_sided(order, groups, ranks, many, two_sided)
    for i in range(N_TWO_SIDED):
        for j in range(N_TWO_SIDED):
            out[at] = two_sided[i, j]
            at += 1
    with_cube = out[at : at + N_WITH_CUBE].reshape((N_TWO_SIDED * N_TWO_SIDED, N_OWNERS))
    _fill_with_cube(order, groups, ranks, many, with_cube)
    fill_two_checkers(out[at + N_WITH_CUBE :])


def build_tables() -> Float32Vector:
    """Return the tables from `fill_tables`; entries for a side without checkers are 0."""
    out = np.zeros(N_TABLES, np.float32)
    fill_tables(out)
    return out


def parts_of(flat: Float32Vector) -> tuple[Float32Matrix, Float32Matrix, Float32Matrix]:
    """Return the tables of chances one by one.

    Args:
        flat: the result of `build_tables`, or at least its tables of chances.

    Returns:
        All off, float32 [54264, 32]; one off, [15504, 32]; and the two-sided table, [924, 924],
        which is 0 where a side has no checkers left.
    """
    whole = (N_SIDES - FIRST_WHOLE) * ROLLS_KEPT
    off, one, two = np.split(flat[:N_NUMBERS], np.cumsum([N_SIDES * ROLLS_KEPT, whole]))
    shape = N_TWO_SIDED, N_TWO_SIDED
    return off.reshape(-1, ROLLS_KEPT), one.reshape(-1, ROLLS_KEPT), two.reshape(shape)
