"""Making the tables of `gammon.eval.bearoff`, from small sides to large ones."""

from functools import cache

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import (
    Float32Matrix,
    Float32Stack,
    Float64Matrix,
    Int8Matrix,
    Int16Stack,
    Int64Matrix,
    Int64Vector,
)
from gammon.eval.bearoff import (
    FIRST_WHOLE,
    HOME,
    N_OWNERS,
    N_SIDES,
    N_TWO_SIDED,
    ROLLS_KEPT,
    rank_from,
    rank_of,
)
from gammon.rules.board import CHECKERS, SIZE
from gammon.rules.dice import N_ROLLS, PROBABILITIES
from gammon.rules.plays import MAX_ROWS, successors
from gammon.rules.state import Rows, State

__all__ = [
    "build_back", "build_one_sided", "build_two_sided", "build_with_cube", "by_pips", "sides",
    "two_sided_plays",
]  # fmt: skip

#: The first point of the opponent's home.
_BACK = 19
#: No roll of a side of up to 6 checkers has more plays.
_MOST_PLAYS = 35

#: Sides, int8 [N, 6]: checkers on the points 1 to 6.
Sides = Int8Matrix


@kernel()
def _rank(state: State) -> int:
    return rank_of(state, False)


@cache
def sides() -> Sides:
    """Return all sides, int8 [54264, 6], by rank: checkers on the points 1 to 6."""
    found = np.zeros((N_SIDES, HOME), np.int8)
    state = np.zeros(SIZE, np.int8)

    def fill(point: int, left: int) -> None:
        for count in range(left + 1):
            state[1 + point] = count
            if point + 1 < HOME:
                fill(point + 1, left - count)
            else:
                found[_rank(state)] = state[1 : HOME + 1]
        state[1 + point] = 0

    fill(0, CHECKERS)
    return found


@kernel(inner=True, allocates=True)
def _after(table: Sides, rank: int, roll: int, rows: Rows, ranks: Int64Vector) -> int:
    """Write the ranks of the sides that a side can become by a roll.

    Args:
        table: int8 [N, 6], sides by rank.
        rank: of the side.
        roll: 0..20.
        rows: int8 [MAX_ROWS, 26], room for positions.
        ranks: int64 [MAX_ROWS], to be written.

    Returns:
        How many ranks are written.
    """
    state = np.zeros(SIZE, np.int8)
    for p in range(HOME):
        state[1 + p] = table[rank, p]
    state[24] = -1  # an opponent who is out of the way, on its own ace point
    n = int(successors(state, roll, rows))
    for j in range(n):
        ranks[j] = rank_of(rows[j], True)
    return n


@kernel(allocates=True)
def _fill_one_sided(table: Sides, order: Int64Vector, out: Float32Stack) -> None:
    rows = np.empty((MAX_ROWS, SIZE), np.int8)
    ranks = np.empty(MAX_ROWS, np.int64)
    means = np.zeros((table.shape[0], 2), np.float64)
    chance = np.zeros((ROLLS_KEPT + 1, 2), np.float64)
    for i in order:
        checkers = 0
        for p in range(HOME):
            checkers += table[i, p]
        # A side without checkers needs no roll; nor does one of fewer than 15 for its first.
        if checkers == 0:
            continue
        chance[:] = 0.0
        for roll in range(N_ROLLS):
            n = _after(table, i, roll, rows, ranks)
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
def _fill_back(table: Sides, order: Int64Vector, out: Float32Matrix) -> None:
    rows = np.empty((MAX_ROWS, SIZE), np.int8)
    state = np.zeros(SIZE, np.int8)
    means = np.zeros(table.shape[0], np.float64)
    for i in order[1:]:
        for p in range(HOME):
            state[_BACK + p] = table[i, p]
        for roll in range(N_ROLLS):
            best = -1
            for j in range(int(successors(state, roll, rows))):
                rank = rank_from(rows[j], True, _BACK)
                if best < 0 or means[rank] < means[best]:
                    best = rank
            if best == 0:
                out[i, 0] += PROBABILITIES[roll]
            else:
                for k in range(ROLLS_KEPT - 1):
                    out[i, k + 1] += PROBABILITIES[roll] * out[best, k]
        for k in range(ROLLS_KEPT):
            means[i] += (k + 1) * out[i, k]


def build_back() -> Float32Matrix:
    """Return the chances of the last checker to leave the opponent's home, float32 [924, 32].

    They are those after exactly 1, 2, ... 32 rolls, by the rank of up to 6 checkers there; the
    one nearest to its way out counts as on the ace point. Other checkers do not matter.
    """
    table = sides()[:N_TWO_SIDED]
    out = np.zeros((N_TWO_SIDED, ROLLS_KEPT), np.float32)
    _fill_back(table, by_pips(table), out)
    return out


def by_pips(table: Sides) -> Int64Vector:
    """Return the ranks of sides, int64 [N], those with fewer pips first."""
    return np.argsort(table @ np.arange(1, HOME + 1), kind="stable")


def build_one_sided() -> tuple[Float32Matrix, Float32Matrix]:
    """Return the chances of all off, float32 [54264, 32], and of one off, [15504, 32]."""
    table = sides()
    out = np.zeros((N_SIDES, ROLLS_KEPT, 2), np.float32)
    _fill_one_sided(table, by_pips(table), out)
    return out[:, :, 0].copy(), out[FIRST_WHOLE:, :, 1].copy()


@kernel(allocates=True)
def _list_plays(table: Sides, ranks: Int16Stack, many: Int64Matrix) -> None:
    rows = np.empty((MAX_ROWS, SIZE), np.int8)
    one = np.empty(MAX_ROWS, np.int64)
    for i in range(1, table.shape[0]):
        for roll in range(N_ROLLS):
            n = _after(table, i, roll, rows, one)
            many[i, roll] = n
            for j in range(n):
                ranks[i, roll, j] = one[j]


@cache
def two_sided_plays() -> tuple[Int16Stack, Int64Matrix]:
    """Return what each side of up to 6 checkers can become by each roll.

    Returns:
        Ranks int16 [924, 21, 35], and how many of each row there are, int64 [924, 21]; behind
        them there are zeros.
    """
    ranks = np.zeros((N_TWO_SIDED, N_ROLLS, _MOST_PLAYS), np.int16)
    many = np.zeros((N_TWO_SIDED, N_ROLLS), np.int64)
    _list_plays(sides()[:N_TWO_SIDED], ranks, many)
    return ranks, many


@cache
def _groups() -> tuple[Int64Vector, Int64Vector]:
    """Return the sides of the two-sided tables by their pips.

    Returns:
        Their ranks, int64 [924], those with fewer pips first; and where those of 0, 1, 2, ...
        pips begin in it, and its end.
    """
    table = sides()[:N_TWO_SIDED]
    pips = table @ np.arange(1, HOME + 1)
    order = by_pips(table)
    return order, np.searchsorted(pips[order], np.arange(pips.max() + 2))


@kernel(allocates=True)
def _fill_two_sided(
    order: Int64Vector,
    groups: Int64Vector,
    ranks: Int16Stack,
    many: Int64Matrix,
    out: Float64Matrix,
) -> None:
    # A value depends on positions with fewer pips in all. Those of a side against all sides of
    # as many pips are made together: the sides of a group stand side by side in `against`.
    against = np.zeros((N_TWO_SIDED, N_TWO_SIDED), np.float64)
    best_of, value_of = np.zeros(N_TWO_SIDED, np.float64), np.zeros(N_TWO_SIDED, np.float64)
    most = groups.shape[0] - 2
    for total in range(2, 2 * most + 1):
        for own in range(max(total - most, 1), min(total - 1, most) + 1):
            first, end = groups[total - own], groups[total - own + 1]
            for place in range(groups[own], groups[own + 1]):
                i = order[place]
                best, value = best_of[: end - first], value_of[: end - first]
                value[:] = 0.0
                for roll in range(N_ROLLS):
                    best[:] = 0.0
                    for k in range(many[i, roll]):
                        row = against[ranks[i, roll, k], first:end]
                        for q in range(best.shape[0]):
                            after = 1.0 - row[q]
                            best[q] = after if after > best[q] else best[q]
                    for q in range(best.shape[0]):
                        value[q] += PROBABILITIES[roll] * best[q]
                for q in range(best.shape[0]):
                    j = order[first + q]
                    out[i, j] = value[q]
                    against[j, place] = value[q]


def build_two_sided() -> Float32Matrix:
    """Return the two-sided table, float32 [924, 924]; it is 0 where a side has none left."""
    out = np.zeros((N_TWO_SIDED, N_TWO_SIDED), np.float64)
    _fill_two_sided(*_groups(), *two_sided_plays(), out)
    return out.astype(np.float32)


@kernel(allocates=True)
def _fill_with_cube(
    order: Int64Vector,
    groups: Int64Vector,
    ranks: Int16Stack,
    many: Int64Matrix,
    out: Float32Matrix,
) -> None:
    # As above, for each owner: mine, centred, his. What is kept is before a turn, seen from the
    # player on roll.
    against = np.zeros((N_OWNERS, N_TWO_SIDED, N_TWO_SIDED), np.float64)
    against[:, 0] = -1.0  # a side without checkers has won
    best_of = np.zeros(N_TWO_SIDED, np.float64)
    rolled = np.zeros((N_OWNERS, N_TWO_SIDED), np.float64)
    most = groups.shape[0] - 2
    for total in range(2, 2 * most + 1):
        for own in range(max(total - most, 1), min(total - 1, most) + 1):
            first, end = groups[total - own], groups[total - own + 1]
            for place in range(groups[own], groups[own + 1]):
                i = order[place]
                for owner in range(N_OWNERS):
                    best, value = best_of[: end - first], rolled[owner, : end - first]
                    # The opponent, who is on roll then, sees the other owner.
                    turned = against[N_OWNERS - 1 - owner]
                    value[:] = 0.0
                    for roll in range(N_ROLLS):
                        best[:] = -1.0
                        for k in range(many[i, roll]):
                            row = turned[ranks[i, roll, k], first:end]
                            for q in range(best.shape[0]):
                                after = -row[q]
                                best[q] = after if after > best[q] else best[q]
                        for q in range(best.shape[0]):
                            value[q] += PROBABILITIES[roll] * best[q]
                for q in range(end - first):
                    j = order[first + q]
                    doubled = min(2.0 * rolled[N_OWNERS - 1, q], 1.0)
                    for owner in range(N_OWNERS):
                        mine = rolled[owner, q]
                        out[i * N_TWO_SIDED + j, owner] = mine
                        may_double = owner < N_OWNERS - 1
                        against[owner, j, place] = max(mine, doubled if may_double else -1.0)


def build_with_cube() -> Float32Matrix:
    """Return the two-sided table with the cube, float32 [924 * 924, 3].

    It is 0 where a side has no checkers left.
    """
    out = np.zeros((N_TWO_SIDED * N_TWO_SIDED, N_OWNERS), np.float32)
    _fill_with_cube(*_groups(), *two_sided_plays(), out)
    return out
