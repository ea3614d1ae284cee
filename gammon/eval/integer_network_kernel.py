"""The network in integers, compiled: what `gammon.eval.integer_network` defines, to the bit.

A stepping stone: one successor after the other, number by number, without vectors of its own.
The sums of the parent are taken row by row; each successor then adds the rows of what
changed. As integers do not drift, any parent gives the same. Vectors of float32 hold integers
where a docstring says so.
"""

from math import log2

import numpy as np

from gammon.eval.bearoff import at_home, chances
from gammon.eval.features import N_COUNTS, NAMES
from gammon.eval.integer_network import FEWEST, MAGIC, POLYNOMIAL
from gammon.eval.integers import HEADER, PRODUCT_BITS, SLOT
from gammon.eval.numbers import N_OFFS, NUMBERS
from gammon.eval.packed import STEPS
from gammon.eval.plan import plan_of
from gammon.eval.planes import AT_ONCE
from gammon.eval.tactics import N_TACTICS, SETS, room_for, tactics
from gammon.kernel import kernel
from gammon.records import Float32Matrix, Float32Vector, Int16Vector
from gammon.rules.board import CHECKERS, SIZE
from gammon.rules.outcome import N_RESULTS
from gammon.rules.state import Rows, State
from gammon.search.game import EVALUATE_SIGNATURE

__all__ = ["results"]

_TACTICAL = NUMBERS[N_OFFS:]
#: Of each of them its feature, by how many bits a digit is shifted, and the bits that it has.
_FEATURE = np.array([NAMES.index(number.features[0]) - N_COUNTS for number in _TACTICAL])
_FINEST = {
    name: min(number.share for number in _TACTICAL if name in number.features)
    for name in NAMES[N_COUNTS:]
}
_SHIFT = np.array([round(log2(n.share / _FINEST[n.features[0]])) for n in _TACTICAL])
_BITS = np.array([(1 << n.most.bit_length()) - 1 for n in _TACTICAL])
_HALF = 1 << (PRODUCT_BITS - 1)
_SIGNIFICAND = 23
_P5, _P4, _P3, _P2, _P1, _P0 = POLYNOMIAL
_U1 = np.uint64(1)
_ONE = np.float32(1.0)


@kernel(inner=True)
def _numbers(state: State, n: int, tactical: Int16Vector, k: int, out: Float32Vector) -> None:
    """Write the numbers of a position as whole float32.

    Args:
        state: int8 [26], seen from the player on roll.
        n: how many, `N_OFFS` or all.
        tactical: what `tactics` wrote of it, as position k.
        k: see `tactical`.
        out: float32 [>= n], in the order of `NUMBERS`.
    """
    own, their = 0, 0
    for p in range(SIZE):
        own += max(int(state[p]), 0)
        their += max(-int(state[p]), 0)
    out[0] = _ONE if own < CHECKERS else np.float32(0.0)
    out[1] = _ONE if their < CHECKERS else np.float32(0.0)
    if n > N_OFFS:
        at = k // AT_ONCE * AT_ONCE * N_TACTICS + k % AT_ONCE
        for q in range(_FEATURE.shape[0]):
            whole = int(tactical[at + _FEATURE[q] * AT_ONCE])
            out[N_OFFS + q] = np.float32((whole >> _SHIFT[q]) & _BITS[q])


@kernel(inner=True)
def _copy(sums: Float32Vector, out: Float32Vector) -> None:
    """Copy sums, by their bits."""
    bits, into = sums.view(np.uint32), out.view(np.uint32)
    for i in range(bits.shape[0]):
        into[i] = bits[i]


@kernel(inner=True, wraps=True)
def _add_row(
    sums: Float32Vector, h1: int, weights: Float32Vector, at: int, factor: int
) -> None:
    """Add a row, times a factor, to sums, modulo 2^16.

    Args:
        sums: int16 [2 H1], as float32.
        h1: H1.
        weights: a packed network.
        at: where the row begins in it.
        factor: what the row is multiplied by.
    """
    words, into = weights.view(np.int16), sums.view(np.int16)
    first = np.uint64(2 * at)
    for i in range(np.uint64(0), np.uint64(2 * h1)):
        into[i] += words[first + i] * factor


@kernel(inner=True)
def _add_changes(
    old: State, new: State, sums: Float32Vector, h1: int, weights: Float32Vector, at: int
) -> None:
    """Add the rows of the counts that differ.

    Args:
        old, new: int8 [26], the positions.
        sums: int16 [2 H1], as float32.
        h1: H1.
        weights: a packed network.
        at: where the part begins in it.
    """
    for p in range(SIZE):
        before, now = int(old[p]), int(new[p])
        factor = 1 if now > before else -1
        for step in range(min(before, now), max(before, now)):
            row = at + (p * STEPS + CHECKERS + step) * h1
            _add_row(sums, h1, weights, row, factor)


@kernel(inner=True, wraps=True)
def _second(
    sums: Float32Vector, h1: int, h2: int, weights: Float32Vector, at: int, out: Float32Vector
) -> None:
    """Write the rectified sums of the second layer, as float32.

    Args:
        sums: int16 [2 H1], as float32: those of the first layer.
        h1, h2: H1 and H2.
        weights: a packed network.
        at: where the part begins in it.
        out: float32 [H2].
    """
    at_weight2 = at + int(weights[SLOT.weight2_at])
    at_bias2 = at + int(weights[SLOT.bias2_at])
    factors = sums.view(np.int16)
    pairs = weights[at_weight2 : at_weight2 + h1 * h2 // 2].view(np.int16)
    added = out.view(np.int32)
    bias2 = weights[at_bias2 : at_bias2 + h2].view(np.int32)
    for j in range(h2):
        added[j] = bias2[j]
    products = sums.view(np.int32)
    width = np.uint64(h1)
    for i in range(np.uint64(0), width):
        product = max(int(factors[i]), 0) * max(int(factors[width + i]), 0)
        factors[i] = (product + _HALF) >> PRODUCT_BITS
    for i in range(np.uint64(0), np.uint64(h1 // 2)):
        if products[i] != 0:
            one, other = int(factors[i + i]), int(factors[i + i + _U1])
            first = i * np.uint64(2 * h2)
            for j in range(np.uint64(0), np.uint64(h2)):
                k = first + j + j
                added[j] += np.int32(one * int(pairs[k]) + other * int(pairs[k + _U1]))
    for j in range(h2):
        out[j] = np.float32(max(added[j], np.int32(0)))


@kernel(inner=True, wraps=True)
def _last(
    hidden: Float32Vector, h2: int, weights: Float32Vector, at: int, room: Float32Vector,
    out: Float32Vector,
) -> None:  # fmt: skip
    """Write the chances of the six results.

    Args:
        hidden: float32 [H2], of the second layer.
        h2: H2.
        weights: a packed network.
        at: where the part begins in it.
        room: float32 [6].
        out: float32 [6].
    """
    at_weight3 = at + int(weights[SLOT.weight3_at])
    at_bias3 = at + int(weights[SLOT.bias3_at])
    for k in range(N_RESULTS):
        out[k] = weights[at_bias3 + k]
    width = np.uint64(h2)
    for k in range(0, N_RESULTS, 3):  # three sums at a time do not wait for each other
        one, two, three = out[k], out[k + 1], out[k + 2]
        first = np.uint64(at_weight3 + k * h2)
        second = first + width
        third = second + width
        for j in range(np.uint64(0), width):
            one += hidden[j] * weights[first + j]
            two += hidden[j] * weights[second + j]
            three += hidden[j] * weights[third + j]
        out[k], out[k + 1], out[k + 2] = one, two, three
    top = out[0]
    for k in range(1, N_RESULTS):
        top = max(top, out[k])
    for k in range(N_RESULTS):
        x = max(out[k] - top, FEWEST)
        room[k] = x + MAGIC
        rest = x - (room[k] - MAGIC)
        out[k] = ((((_P5 * rest + _P4) * rest + _P3) * rest + _P2) * rest + _P1) * rest + _P0
    powers, exponents = out.view(np.uint32), room.view(np.uint32)
    total = np.float32(0.0)
    for k in range(N_RESULTS):
        powers[k] += exponents[k] << np.uint32(_SIGNIFICAND)
        total += out[k]
    share = _ONE / total
    for k in range(N_RESULTS):
        out[k] *= share


@kernel(EVALUATE_SIGNATURE, allocates=True)
def results(
    parent: State, rows: Rows, n: int, weights: Float32Vector, out: Float32Matrix
) -> None:
    """Write the chances of the six results of the n successors of one parent.

    Args as for `gammon.eval.nnue.results`, with a network of `gammon.eval.integers.pack`.
    """
    h1, h2 = int(weights[SLOT.h1]), int(weights[SLOT.h2])
    n_numbers, n_parts = int(weights[SLOT.numbers]), int(weights[SLOT.parts])
    passed = np.empty(SIZE, np.int8)
    for p in range(SIZE):
        passed[p] = -parent[25 - p]
    empty = np.zeros(SIZE, np.int8)
    base, sums = np.empty(h1, np.float32), np.empty(h1, np.float32)
    hidden, room = np.empty(h2, np.float32), np.empty(N_RESULTS, np.float32)
    tactical = np.empty(room_for(n + 1) if n_numbers > N_OFFS else 0, np.int16)
    if tactical.size > 0:
        tactics(passed, rows, n, tactical, np.empty(SETS, np.uint32))
    of_passed = np.zeros(n_numbers, np.float32)
    of_row = np.empty(n_numbers, np.float32)
    _numbers(passed, n_numbers, tactical, 0, of_passed)
    for part in range(n_parts):
        at = HEADER + part * int(weights[SLOT.part_size])
        at_numbers = at + int(weights[SLOT.numbers_at])
        at_bias1 = at + int(weights[SLOT.bias1_at])
        begun = False
        for r in range(n):
            if n_parts > 1 and plan_of(rows[r]) != part:
                continue
            if not begun:
                begun = True
                _copy(weights[at_bias1 : at_bias1 + h1], base)
                _add_changes(empty, passed, base, h1, weights, at)
                for k in range(n_numbers):
                    _add_row(base, h1, weights, at_numbers + k * h1, int(of_passed[k]))
            _copy(base, sums)
            _add_changes(passed, rows[r], sums, h1, weights, at)
            _numbers(rows[r], n_numbers, tactical, r + 1, of_row)
            for k in range(n_numbers):
                change = of_row[k] - of_passed[k]
                if change != 0.0:
                    _add_row(sums, h1, weights, at_numbers + k * h1, int(change))
            _second(sums, h1, h2, weights, at, hidden)
            _last(hidden, h2, weights, at, room, out[r])
    at_tables = int(weights[SLOT.tables])
    if at_tables > 0 and at_home(parent, True):
        for r in range(n):
            if at_home(rows[r], True) and at_home(rows[r], False):
                chances(rows[r], weights, at_tables, out[r])
