"""Which rows of the first layer differ between two positions, and which position is nearest.

The *sight* of a position is all that the network in integers sees of it, in 64 bytes: its 26
counts, and from byte 32 on its numbers (`gammon.eval.numbers`); the others are 0. So two
comparisons of vectors find what differs between two positions.

The *rows* of a part of a network are those of its steps and then those of its numbers, one
after the other. A *change* is two numbers of int16: what a row is multiplied by before it is
added, and which row.
"""

from math import log2

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Int8Vector, Int16Vector, Int32Vector, UInt32Vector
from gammon.compiled.vector import (
    as_int8,
    as_int32,
    bits,
    compressed,
    filled,
    load,
    lowest,
    number_of,
    select,
    store,
    store_transposed,
    wide,
)
from gammon.eval.features import N_COUNTS, NAMES
from gammon.eval.integers import STEPS
from gammon.eval.numbers import N_OFFS, NUMBERS
from gammon.eval.planes import AT_ONCE, checkers
from gammon.eval.tactics import N_TACTICS, tactics
from gammon.rules.board import CHECKERS, SIZE
from gammon.rules.state import State

#: Bytes of a sight, and where its numbers begin.
SIGHT = 64
_HALF = SIGHT // 2
_QUARTER = SIGHT // 4
#: A position begins with one of so many before it.
BACK = 5
#: Numbers that are made besides the tactical ones: whether a side has borne off.
MADE = N_TACTICS + N_OFFS
#: Bytes of a block's numbers before they are those of each position.
MATRIX = AT_ONCE * _HALF
#: Of each number its place among those that are made, by how many bits a digit is shifted,
#: the bits that it has, and where its sixteen bytes stand in the matrix.
_FEATURE = np.array(
    [
        N_TACTICS + q if q < N_OFFS else NAMES.index(number.features[0]) - N_COUNTS
        for q, number in enumerate(NUMBERS)
    ]
)
_FINEST = {
    name: min(number.share for number in NUMBERS if name in number.features)
    for number in NUMBERS
    for name in number.features
}
_SHIFT = np.array([round(log2(n.share / _FINEST[n.features[0]])) for n in NUMBERS], np.int16)
_BITS = np.array([(1 << n.most.bit_length()) - 1 for n in NUMBERS], np.int16)
_AT = np.array([q % AT_ONCE * _HALF + q // AT_ONCE * AT_ONCE for q in range(len(NUMBERS))])
#: Of each byte of a sight the row of its step from 0 to 1, or that of its number. A count
#: takes the step from the lower one of two counts on, a row for each step.
_ROW = np.array(
    [p * STEPS + CHECKERS for p in range(_HALF)] + [SIZE * STEPS + q for q in range(_HALF)],
    np.int32,
)
#: The bytes of the first half of a sight as a set, and those of a quarter.
_COUNTS, _FEW = (1 << _HALF) - 1, (1 << _QUARTER) - 1
#: The most by which a row is multiplied: a step by 1, a number by all that it changed.
_MOST_FACTOR = np.array([1] * _HALF + [127] * _HALF, np.int8)
_IS_COUNT = np.array([-1] * _HALF + [0] * _HALF, np.int8)
#: Room for a list: no two positions differ by more rows. It may be written 16 at a time, and is
#: a multiple of that.
MOST_ROWS = (4 * CHECKERS + len(NUMBERS)) // _QUARTER * _QUARTER + 2 * _QUARTER
#: Room that `list_changes` needs for itself.
WORK = 3 * SIGHT


@kernel(inner=True)
def write_counts(state: State, lane: int, sights: Int8Vector) -> None:
    """Write the counts of a position into its sight.

    Args:
        state: int8 [26].
        lane: which of the sights it is.
        sights: int8 [N, 64], flat.
    """
    store(sights, lane * SIGHT, load(state, 0, 16))
    store(sights, lane * SIGHT + SIZE - 16, load(state, SIZE - 16, 16))


@kernel(inner=True)
def write_numbers(
    n: int, sets: UInt32Vector, numbers: Int16Vector, matrix: Int8Vector, sights: Int8Vector
) -> None:
    """Write the numbers of a block of sixteen positions into their sights.

    Args:
        n: how many of them the network sees.
        sets: the planes of the positions (`gammon.eval.planes`), and room of `SETS`.
        numbers: room for int16 [`MADE`, 16], flat.
        matrix: room for `MATRIX` bytes. Nothing is written behind the n-th number.
        sights: int8 [16, 64], flat.
    """
    own, their = checkers(sets)
    one = filled(np.int16(1), 16)
    store(numbers, N_TACTICS * AT_ONCE, select(own < CHECKERS, one, 0))
    store(numbers, (N_TACTICS + 1) * AT_ONCE, select(their < CHECKERS, one, 0))
    if n > N_OFFS:
        tactics(sets, numbers)
    for q in range(n):
        whole = load(numbers, _FEATURE[q] * AT_ONCE, 16)
        store(matrix, _AT[q], as_int8((whole >> _SHIFT[q]) & _BITS[q]))
    store_transposed(matrix, sights, _HALF, SIGHT)


@kernel(inline=True)
def nearest(sights: Int8Vector, new: int) -> int:
    """Return which of the `BACK` sights before one differs from it in the fewest bytes.

    Args:
        sights: int8 [> new, 64], flat.
        new: `BACK` at least.
    """
    it = load(sights, new * SIGHT, SIGHT)
    best = np.uint64(0)
    for k in range(1, BACK + 1):
        same = number_of(np.uint64(bits(load(sights, (new - k) * SIGHT, SIGHT) == it)))
        best = max(best, same << np.uint64(3) | np.uint64(BACK - k))
    return int(new - BACK + np.int64(best & np.uint64(7)))


@kernel(inline=True)
def _list_quarter(
    work: Int8Vector, quarter: int, changes: Int32Vector, count: np.uint64
) -> None:
    """List a change for each byte that changed in a quarter of a sight, by compressed lanes."""
    factor = as_int32(load(work, quarter, _QUARTER))
    row = as_int32(load(work, SIGHT + quarter, _QUARTER)) + load(_ROW, quarter, _QUARTER)
    store(changes, count, compressed(row << 16 | factor & 0xFFFF, factor != 0))


@kernel(inline=True)
def list_changes(
    sights: Int8Vector, old: int, new: int, work: Int8Vector, changes: Int32Vector
) -> np.uint64:
    """List the changes that lead from one position to another.

    Args:
        sights: int8 [N, 64], flat.
        old: which of them is that of the position before.
        new: which is that of the one after.
        work: room for `WORK` bytes.
        changes: [`MOST_ROWS`], written: each change as one number.

    Returns:
        How many are listed.
    """
    before, after = load(sights, old * SIGHT, SIGHT), load(sights, new * SIGHT, SIGHT)
    difference = after - before
    distance = select(difference > 0, difference, -difference)
    most = load(_MOST_FACTOR, 0, SIGHT)
    factor = select(difference < most, difference, most)
    store(work, 0, select(factor > -most, factor, -most))
    store(work, SIGHT, select(before < after, before, after) & load(_IS_COUNT, 0, SIGHT))
    store(work, 2 * SIGHT, distance)
    left = bits(before != after)
    count = np.uint64(0)
    if wide():
        for quarter in range(0, SIGHT, _QUARTER):
            _list_quarter(work, quarter, changes, count)
            count += number_of(np.uint64(left >> quarter & _FEW))
        left = 0
    while left:
        p = np.uint64(lowest(left))
        left &= left - 1
        row = int(_ROW[p]) + int(work[np.uint64(SIGHT) + p])
        changes[count] = row << 16 | int(work[p]) & 0xFFFF
        count += np.uint64(1)
    far = bits(distance > 1) & _COUNTS
    while far:
        p = np.uint64(lowest(far))
        far &= far - 1
        row = int(_ROW[p]) + int(work[np.uint64(SIGHT) + p])
        for step in range(1, work[np.uint64(2 * SIGHT) + p]):
            changes[count] = row + step << 16 | int(work[p]) & 0xFFFF
            count += np.uint64(1)
    return count
