"""The arithmetic of the network in integers, with vectors (`gammon.compiled.vector`).

`gammon.eval.integer_network` defines it, and `gammon.eval.integer_network_kernel` calls it for
the successors of one parent. Sums stay in registers while rows are added to them: the loop over
rows is inside the loop over units, which takes as many units at a time as the registers hold.
The second layer is computed for four successors together: most products are 0, so it takes
products in pairs and skips a pair that is 0 in all four. The last layer is computed for sixteen
successors, one per lane.

Indices are unsigned, since for signed ones numba tests whether they count from the end.
"""

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float32Vector, Int16Vector, Int32Vector, UInt64Vector
from gammon.compiled.vector import (
    Float32x16,
    as_float32,
    as_int32,
    bits,
    compressed,
    filled,
    halves,
    joined,
    load,
    number_of,
    select,
    store,
    store_columns,
    sums_of_pairs,
    upper_products,
    wide,
)
from gammon.eval.integers import ROW_GAP
from gammon.eval.planes import AT_ONCE
from gammon.eval.power import power

#: Successors whose second layer is computed together.
_FOUR = 4
#: Units at a time, in the first and in the second layer: the most where vectors are wide. The
#: remaining units are taken by the fewest.
_FEWEST1, _FEWEST2 = 64, 16
_MOST1, _MOST2 = 256, 32
_TWICE = 2 * _MOST2
#: Numbers of scratch for `products_of`: sums of so many units, for each position of a block and
#: for the sums known before.
SCRATCH = (AT_ONCE + 1) * 2 * _MOST1
_LANES = np.arange(16, dtype=np.int32)
#: For each set of eight lanes, as a number: the lanes in the set, then the other lanes; flat.
_PLACES = np.array(
    [sorted(range(8), key=lambda lane: not places >> lane & 1) for places in range(256)], np.int8
).ravel()
_ONE = np.float32(1.0)


@kernel(inline=True)
def _products_of_some(
    i: int, units: int, sums: Int16Vector, words: Int16Vector, h1: int, several: int,
    begins: UInt64Vector, counts: UInt64Vector, changes: Int16Vector, scratch: Int16Vector,
    out: Int16Vector,
) -> None:  # fmt: skip
    """Write the products of `units` units, a constant number, from unit i on."""
    twice = np.uint64(2 * units)
    store(scratch, 0, load(sums, i, units))
    store(scratch, units, load(sums, h1 + i, units))
    at = np.uint64(0)
    for s in range(np.uint64(several)):
        at = begins[s] * twice
        f, g = load(scratch, at, units), load(scratch, at + np.uint64(units), units)
        first = s * np.uint64(len(changes) // AT_ONCE)
        for k in range(first, first + np.uint64(2) * counts[s], np.uint64(2)):
            factor = changes[k]
            row = np.uint64(changes[k + np.uint64(1)]) * np.uint64(2 * h1 + ROW_GAP)
            row += np.uint64(i)
            f = f + load(words, row, units) * factor
            g = g + load(words, row + np.uint64(h1), units) * factor
        at = (s + np.uint64(1)) * twice
        store(scratch, at, f)
        store(scratch, at + np.uint64(units), g)
        f, g = select(f > 0, f, 0), select(g > 0, g, 0)
        # The upper half of 2 f g is f g >> `PRODUCT_BITS`. It is rounded up if the highest bit
        # of the lower half is set, that is, if the lower half is negative.
        f = f + f
        store(out, s * np.uint64(h1) + np.uint64(i), upper_products(f, g) - (f * g >> 15))
    store(sums, i, load(scratch, at, units))
    store(sums, h1 + i, load(scratch, at + np.uint64(units), units))


@kernel(inner=True)
def products_of(
    sums: Int16Vector, words: Int16Vector, h1: int, several: int, begins: UInt64Vector,
    counts: UInt64Vector, changes: Int16Vector, scratch: Int16Vector, out: Int16Vector,
) -> None:  # fmt: skip
    """Write the products of several positions, each of which adds rows to known sums.

    Args:
        sums: int16 [2 H1], known sums; replaced by the sums of the last position.
        words: a part of the network.
        h1: H1.
        several: number of positions, 1 to 16.
        begins: [16], the sums that each position starts from: 0 for `sums`, or k + 1 for those
            of position k, an earlier one.
        counts: [16], number of rows that each position adds.
        changes: [16, M, 2], flat: the factor of each row, and its number.
        scratch: int16 [`SCRATCH`], scratch.
        out: int16 [16, H1], flat.
    """
    whole = h1 - h1 % _MOST1 if wide() else 0
    for i in range(0, whole, _MOST1):
        _products_of_some(i, _MOST1, sums, words, h1, several, begins, counts, changes, scratch, out)
    for i in range(whole, h1, _FEWEST1):
        _products_of_some(i, _FEWEST1, sums, words, h1, several, begins, counts, changes, scratch, out)


@kernel(inner=True)
def _nonzero(pairs: Int32Vector, n: int, alive: Int32Vector) -> np.uint64:
    """List the pairs of products that are not 0 in all of four successors.

    Args:
        pairs: int32 [4, n], flat: the products, in pairs.
        n: number of pairs.
        alive: int32 [n + 16], written.

    Returns:
        The number of pairs listed.
    """
    count = np.uint64(0)
    for i in range(0, n, 16):
        any_of_four = load(pairs, i, 16) | load(pairs, n + i, 16)
        any_of_four = any_of_four | load(pairs, 2 * n + i, 16) | load(pairs, 3 * n + i, 16)
        found = any_of_four != 0
        # Numbers stored beyond the pairs found are overwritten later.
        if wide():
            store(alive, count, compressed(load(_LANES, 0, 16) + np.int32(i), found))
            count += number_of(np.uint64(bits(found)))
        else:
            # Most processors can compress lanes only one by one.
            left = np.uint64(bits(found))
            for k in range(i, i + 16, 8):
                eight = left & np.uint64(255)
                places = as_int32(load(_PLACES, eight * np.uint64(8), 8))
                store(alive, count, places + np.int32(k))
                count += number_of(eight)
                left >>= np.uint64(8)
    return count


@kernel(inline=True)
def _second_of_some(
    j: int, units: int, twice: int, pairs: Int32Vector, n: int, h2: int, weight2: Int16Vector,
    bias2: Int32Vector, alive: Int32Vector, count: np.uint64, hidden: Float32Vector, slot: int,
) -> None:  # fmt: skip
    """Write the rectified sums of `units` units from unit j on, for four successors.

    `units` and `twice` are constants, and `twice` is 2 `units`.
    """
    n1, n2, n3 = np.uint64(n), np.uint64(2 * n), np.uint64(3 * n)
    one = load(bias2, j, units)
    two, three, four = one, one, one
    for c in range(count):
        i = np.uint64(alive[c])
        weights = load(weight2, i * np.uint64(2 * h2) + np.uint64(2 * j), twice)
        one = one + sums_of_pairs(halves(filled(pairs[i], units)), weights)
        two = two + sums_of_pairs(halves(filled(pairs[i + n1], units)), weights)
        three = three + sums_of_pairs(halves(filled(pairs[i + n2], units)), weights)
        four = four + sums_of_pairs(halves(filled(pairs[i + n3], units)), weights)
    sums = joined(joined(one, two), joined(three, four))
    store_columns(hidden, j * AT_ONCE + slot, as_float32(select(sums > 0, sums, 0)))


@kernel(inner=True)
def second_layer(
    products: Int16Vector, several: int, h1: int, h2: int, weight2: Int16Vector,
    bias2: Int32Vector, alive: Int32Vector, hidden: Float32Vector,
) -> None:  # fmt: skip
    """Write the rectified sums of the second layer of several successors.

    Args:
        products: int16 [16, H1], flat.
        several: number of successors, at most 16.
        h1: H1.
        h2: H2.
        weight2: int16 [H1 / 2, H2, 2], flat.
        bias2: int32 [H2].
        alive: int32 [H1 / 2 + 16], scratch.
        hidden: float32 [H2, 16], flat: one column is written per successor. Up to three more
            columns get meaningless numbers.
    """
    n = h1 // 2
    whole = h2 - h2 % _MOST2 if wide() else 0
    for slot in range(0, several, _FOUR):
        pairs = products[slot * h1 :].view(np.int32)
        count = _nonzero(pairs, n, alive)
        for j in range(0, whole, _MOST2):
            _second_of_some(j, _MOST2, _TWICE, pairs, n, h2, weight2, bias2, alive, count, hidden, slot)
        for j in range(whole, h2, _FEWEST2):
            _second_of_some(j, _FEWEST2, 32, pairs, n, h2, weight2, bias2, alive, count, hidden, slot)


@kernel(inline=True)
def _larger(v: Float32x16, u: Float32x16) -> Float32x16:
    """Return the larger of two numbers, lane by lane."""
    return select(v > u, v, u)


@kernel(inner=True)
def last_layer(
    hidden: Float32Vector, h2: int, weight3: Float32Vector, bias3: Float32Vector, out: Float32Vector
) -> None:
    """Write the chances of the six results of sixteen successors.

    Args:
        hidden: float32 [H2, 16], flat: the rectified sums of the second layer.
        h2: H2.
        weight3: float32 [6, H2], flat.
        bias3: float32 [6].
        out: float32 [6, 16], flat.
    """
    a, b, c = filled(bias3[0], 16), filled(bias3[1], 16), filled(bias3[2], 16)
    d, e, f = filled(bias3[3], 16), filled(bias3[4], 16), filled(bias3[5], 16)
    for j in range(h2):
        x = load(hidden, j * AT_ONCE, 16)
        a = a + x * weight3[j]
        b = b + x * weight3[h2 + j]
        c = c + x * weight3[2 * h2 + j]
        d = d + x * weight3[3 * h2 + j]
        e = e + x * weight3[4 * h2 + j]
        f = f + x * weight3[5 * h2 + j]
    top = _larger(_larger(_larger(a, b), _larger(c, d)), _larger(e, f))
    a, b, c = power(a - top), power(b - top), power(c - top)
    d, e, f = power(d - top), power(e - top), power(f - top)
    share = filled(_ONE, 16) / (a + b + c + d + e + f)
    store(out, 0, a * share)
    store(out, AT_ONCE, b * share)
    store(out, 2 * AT_ONCE, c * share)
    store(out, 3 * AT_ONCE, d * share)
    store(out, 4 * AT_ONCE, e * share)
    store(out, 5 * AT_ONCE, f * share)
