"""The arithmetic of the network in integers, with vectors (`gammon.vector`).

`gammon.eval.integer_network` defines it, and `gammon.eval.integer_network_kernel` calls it for
the successors of one parent. Sums stay in registers while rows are added to them: so the loop
over the rows stands inside the one over the units. Of four successors the second layer is added
up together: most products are 0, so it takes them two and two, and only where one of the four
has some. The last layer is that of sixteen, one in each lane.

*Places* are counted in int16 from the beginning of a part. They are unsigned, as an index with
a sign costs numba's test whether it counts from the end.
"""

import numpy as np

from gammon.eval.integer_network import FEWEST, MAGIC, POLYNOMIAL
from gammon.eval.integers import PRODUCT_BITS
from gammon.eval.planes import AT_ONCE
from gammon.kernel import kernel
from gammon.records import Float32Vector, Int16Vector, Int32Vector, UInt64Vector
from gammon.vector import (
    Float32x16,
    Int16x32,
    Int32x16,
    as_float32,
    as_int16,
    as_int32,
    bits,
    bits_of_floats,
    filled,
    floats_of_bits,
    halves,
    load,
    lowest,
    select,
    store,
    sums_of_pairs,
)

__all__ = ["FOUR", "add_rows", "last_layer", "products_of", "second_layer"]

#: Successors whose second layer is added up together.
FOUR = 4
_HALF = 1 << (PRODUCT_BITS - 1)
_SIGNIFICAND = 23
_P5, _P4, _P3, _P2, _P1, _P0 = POLYNOMIAL
_ONE = np.float32(1.0)
_U1, _U32, _U64, _U96 = np.uint64(1), np.uint64(32), np.uint64(64), np.uint64(96)


@kernel(inner=True)
def add_rows(
    sums: Int16Vector, words: Int16Vector, width: int, first: int, count: int,
    listed: Int16Vector, factors: Int16Vector,
) -> None:  # fmt: skip
    """Add rows to sums, modulo 2^16.

    Args:
        sums: int16 [2 H1].
        words: a part.
        width: 2 H1.
        first, count: the rows that are added, in the lists.
        listed, factors: the rows, by their numbers, and what they are multiplied by.
    """
    wide = np.uint64(width)
    for i in range(0, width, 128):
        a, b = load(sums, i, 32), load(sums, i + 32, 32)
        c, d = load(sums, i + 64, 32), load(sums, i + 96, 32)
        for k in range(np.uint64(first), np.uint64(first + count)):
            row = np.uint64(listed[k]) * wide + np.uint64(i)
            factor = factors[k]
            a = a + load(words, row, 32) * factor
            b = b + load(words, row + _U32, 32) * factor
            c = c + load(words, row + _U64, 32) * factor
            d = d + load(words, row + _U96, 32) * factor
        store(sums, i, a)
        store(sums, i + 32, b)
        store(sums, i + 64, c)
        store(sums, i + 96, d)


@kernel(inline=True)
def _product(f: Int16x32, g: Int16x32) -> Int16x32:
    """Return the products of rectified sums."""
    product = as_int32(select(f > 0, f, 0)) * as_int32(select(g > 0, g, 0))
    return as_int16((product + _HALF) >> PRODUCT_BITS)


@kernel(inner=True)
def products_of(
    sums: Int16Vector, words: Int16Vector, h1: int, first: int, count: int,
    listed: Int16Vector, factors: Int16Vector, out: Int16Vector, at: int,
) -> None:  # fmt: skip
    """Write the products of sums and rows.

    Args:
        sums: int16 [2 H1], to which the rows are added.
        words: a part.
        h1: H1.
        first, count: the rows that are added, in the lists.
        listed, factors: the rows, by their numbers, and what they are multiplied by.
        out: int16, written from `at` on, H1 numbers.
        at: see `out`.
    """
    second = np.uint64(h1)
    wide = np.uint64(2 * h1)
    for i in range(0, h1, 64):
        f, g = load(sums, i, 32), load(sums, h1 + i, 32)
        f2, g2 = load(sums, i + 32, 32), load(sums, h1 + i + 32, 32)
        for k in range(np.uint64(first), np.uint64(first + count)):
            row = np.uint64(listed[k]) * wide + np.uint64(i)
            factor = factors[k]
            f = f + load(words, row, 32) * factor
            f2 = f2 + load(words, row + _U32, 32) * factor
            row += second
            g = g + load(words, row, 32) * factor
            g2 = g2 + load(words, row + _U32, 32) * factor
        store(out, at + i, _product(f, g))
        store(out, at + i + 32, _product(f2, g2))


@kernel(inner=True)
def _nonzero(pairs: Int32Vector, n: int, alive: UInt64Vector) -> int:
    """List the pairs of products that are not 0 in each of four successors.

    Args:
        pairs: int32 [4, n], flat: the products, two and two.
        n: how many pairs there are.
        alive: int64 [n], written.

    Returns:
        How many are listed.
    """
    count = np.uint64(0)
    for i in range(0, n, 16):
        any_of_four = load(pairs, i, 16) | load(pairs, n + i, 16)
        any_of_four = any_of_four | load(pairs, 2 * n + i, 16) | load(pairs, 3 * n + i, 16)
        found = bits(any_of_four != 0)
        while found:
            alive[count] = np.uint64(i + lowest(found))
            found &= found - 1
            count += _U1
    return int(count)


@kernel(inline=True)
def _rectified(sums: Int32x16) -> Float32x16:
    """Return sums as float32, negative ones as 0."""
    return as_float32(select(sums > 0, sums, 0))


@kernel(inner=True)
def second_layer(
    pairs: Int32Vector, n: int, h2: int, words: Int16Vector, at: int, bias2: Int32Vector,
    alive: UInt64Vector, out: Float32Vector,
) -> None:  # fmt: skip
    """Write the rectified sums of the second layer of four successors.

    Args:
        pairs: int32 [4, n], flat: the products, two and two.
        n: how many pairs there are.
        h2: H2.
        words: a part.
        at: place of `weight2`.
        bias2: int32 [H2].
        alive: room for int64 [n].
        out: float32 [4, H2], flat.
    """
    count = _nonzero(pairs, n, alive)
    wide = np.uint64(2 * h2)
    n1, n2, n3 = np.uint64(n), np.uint64(2 * n), np.uint64(3 * n)
    for j in range(0, h2, 16):
        first = np.uint64(at + 2 * j)
        one = load(bias2, j, 16)
        two, three, four = one, one, one
        for c in range(np.uint64(0), np.uint64(count)):
            i = alive[c]
            weights = load(words, i * wide + first, 32)
            one = one + sums_of_pairs(halves(filled(pairs[i], 16)), weights)
            two = two + sums_of_pairs(halves(filled(pairs[i + n1], 16)), weights)
            three = three + sums_of_pairs(halves(filled(pairs[i + n2], 16)), weights)
            four = four + sums_of_pairs(halves(filled(pairs[i + n3], 16)), weights)
        store(out, j, _rectified(one))
        store(out, h2 + j, _rectified(two))
        store(out, 2 * h2 + j, _rectified(three))
        store(out, 3 * h2 + j, _rectified(four))


@kernel(inline=True)
def _power(x: Float32x16) -> Float32x16:
    """Return 2^x as `power_of_two` defines it."""
    x = select(x > FEWEST, x, FEWEST)
    shifted = x + MAGIC
    rest = x - (shifted - MAGIC)
    power = rest * _P5 + _P4
    power = ((((power * rest + _P3) * rest + _P2) * rest) + _P1) * rest + _P0
    return floats_of_bits(bits_of_floats(power) + (bits_of_floats(shifted) << _SIGNIFICAND))


@kernel(inline=True)
def _larger(v: Float32x16, u: Float32x16) -> Float32x16:
    """Return the larger one of two numbers."""
    return select(v > u, v, u)


@kernel(inner=True)
def last_layer(
    hidden: Float32Vector, h2: int, weight3: Float32Vector, bias3: Float32Vector,
    out: Float32Vector,
) -> None:  # fmt: skip
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
    a, b, c = _power(a - top), _power(b - top), _power(c - top)
    d, e, f = _power(d - top), _power(e - top), _power(f - top)
    share = filled(_ONE, 16) / (a + b + c + d + e + f)
    store(out, 0, a * share)
    store(out, AT_ONCE, b * share)
    store(out, 2 * AT_ONCE, c * share)
    store(out, 3 * AT_ONCE, d * share)
    store(out, 4 * AT_ONCE, e * share)
    store(out, 5 * AT_ONCE, f * share)
