"""The network in integers, compiled: what `gammon.eval.integer_network` defines, to the bit.

The sums of the parent are taken row by row; each successor then adds the rows of what changed.
As integers do not drift, any parent gives the same. Sixteen successors are a block, as in
`gammon.eval.tactics`. For them all, what changed is listed: the rows, each with its factor.
Then `gammon.eval.integer_layers` has the arithmetic, part by part.

*Places* are counted in int16 from the beginning of a part.
"""

from math import log2

import numpy as np

from gammon.eval.bearoff import at_home, chances
from gammon.eval.features import N_COUNTS, NAMES
from gammon.eval.integer_layers import FOUR, add_rows, last_layer, products_of, second_layer
from gammon.eval.integers import HEADER, SLOT
from gammon.eval.numbers import N_OFFS, NUMBERS
from gammon.eval.packed import STEPS
from gammon.eval.plan import N_PLANS, plan_of
from gammon.eval.planes import AT_ONCE
from gammon.eval.tactics import N_TACTICS, SETS, room_for, tactics
from gammon.kernel import kernel
from gammon.records import (
    Float32Matrix,
    Float32Vector,
    Int16Vector,
    Int64Vector,
    UInt64Vector,
)
from gammon.rules.board import CHECKERS, SIZE
from gammon.rules.outcome import N_RESULTS
from gammon.rules.state import Rows, State
from gammon.search.game import EVALUATE_SIGNATURE
from gammon.vector import bits, load, lowest, store

__all__ = ["results"]

_TACTICAL = NUMBERS[N_OFFS:]
#: Of each of them its feature, by how many bits a digit is shifted, and the bits that it has.
_FEATURE = np.array([NAMES.index(number.features[0]) - N_COUNTS for number in _TACTICAL])
_FINEST = {
    name: min(number.share for number in _TACTICAL if name in number.features)
    for name in NAMES[N_COUNTS:]
}
_SHIFT = np.array([round(log2(n.share / _FINEST[n.features[0]])) for n in _TACTICAL], np.int16)
_BITS = np.array([(1 << n.most.bit_length()) - 1 for n in _TACTICAL], np.int16)
#: No two positions differ by more rows.
_MOST_ROWS = 4 * CHECKERS + len(NUMBERS)
_U16 = np.uint64(AT_ONCE)


@kernel(inner=True)
def _list_counts(
    old: State, new: State, owned: Int64Vector, at: int, width: int, first: int,
    places: UInt64Vector, factors: Int16Vector,
) -> int:  # fmt: skip
    """List the rows of the counts that differ, and of whether a side has borne off.

    Args:
        old, new: int8 [26], the positions.
        owned: of the old one the checkers of both sides, and whether each has borne off.
        at: place of the rows of the numbers.
        width: numbers of a row.
        first: where the list begins.
        places, factors: lists to add to: where a row begins, and what it is multiplied by.

    Returns:
        How many are listed.
    """
    c = first
    own, their = owned[0], owned[1]
    low, high = load(old, 0, 16), load(old, 10, 16)  # all 26 counts, some twice
    changed = bits(low != load(new, 0, 16)) | bits(high != load(new, 10, 16)) << 10
    while changed:
        p = lowest(changed)
        changed &= changed - 1
        before, now = int(old[p]), int(new[p])
        own += max(now, 0) - max(before, 0)
        their += min(before, 0) - min(now, 0)
        factor = np.int16(1 if now > before else -1)
        for step in range(min(before, now), max(before, now)):
            places[c], factors[c] = np.uint64((p * STEPS + CHECKERS + step) * width), factor
            c += 1
    own_off, their_off = int(own < CHECKERS), int(their < CHECKERS)
    if own_off != owned[2]:
        places[c], factors[c] = np.uint64(at), np.int16(own_off - owned[2])
        c += 1
    if their_off != owned[3]:
        places[c], factors[c] = np.uint64(at + width), np.int16(their_off - owned[3])
        c += 1
    return c - first


@kernel(inner=True)
def _list_numbers(
    tactical: Int16Vector, block: int, lanes: int, old: Int16Vector, at: int, width: int,
    changes: Int16Vector, counts: Int64Vector, places: UInt64Vector, factors: Int16Vector,
) -> None:  # fmt: skip
    """List the rows of the tactical numbers that differ, of sixteen positions.

    Args:
        tactical: what `tactics` wrote.
        block: the first of the positions.
        lanes: a set, those of the sixteen that are looked at.
        old: int16 [Q - `N_OFFS`], the numbers that they are compared with.
        at: place of the row of the first number.
        width: numbers of a row.
        changes: int16 [Q - `N_OFFS`, 16], flat, written: by how much they differ.
        counts: int64 [16], how many rows are listed of each position.
        places, factors: [16, `_MOST_ROWS`], flat, lists to add to.
    """
    for q in range(old.shape[0]):
        whole = load(tactical, block * N_TACTICS + _FEATURE[q] * AT_ONCE, 16)
        change = ((whole >> _SHIFT[q]) & _BITS[q]) - old[q]
        store(changes, q * AT_ONCE, change)
        changed = bits(change != 0) & lanes
        while changed:
            lane = lowest(changed)
            changed &= changed - 1
            c = lane * _MOST_ROWS + counts[lane]
            places[c], factors[c] = np.uint64(at + q * width), changes[q * AT_ONCE + lane]
            counts[lane] += 1


@kernel(inner=True)
def _of_part(
    lanes: int, block: int, weights: Float32Vector, part: int, sums: Int16Vector,
    counts: Int64Vector, places: UInt64Vector, factors: Int16Vector, alive: UInt64Vector,
    products: Int16Vector, room: Float32Vector, out: Float32Matrix,
) -> None:  # fmt: skip
    """Write the chances of those of sixteen positions that one part judges.

    Args:
        lanes: a set of them, not empty.
        block: the first of the sixteen; row r is position r + 1.
        weights: a packed network.
        part: which one.
        sums: int16 [2 H1], those of the parent.
        counts: int64 [16], how many rows are listed of each.
        places, factors: [16, `_MOST_ROWS`], flat, the rows.
        alive: room for int64 [H1 / 2].
        products: room for int16 [4, H1], flat.
        room: for float32 [4 x H2 + 16 x H2 + 16 x 6].
        out: float32 [R, 6].
    """
    h1, h2 = int(weights[SLOT.h1]), int(weights[SLOT.h2])
    size = int(weights[SLOT.part_size])
    of_part = weights[HEADER + part * size : HEADER + (part + 1) * size]
    words, pairs = of_part.view(np.int16), products.view(np.int32)
    at_weight2 = 2 * int(weights[SLOT.weight2_at])
    bias2 = of_part[int(weights[SLOT.bias2_at]) :].view(np.int32)
    of_four, hidden = room[: FOUR * h2], room[FOUR * h2 :]
    found = 0
    left = lanes
    while left:
        several = 0
        while left and several < FOUR:
            lane = lowest(left)
            left &= left - 1
            first = lane * _MOST_ROWS
            products_of(
                sums, words, h1, first, counts[lane], places, factors, products, several * h1
            )
            several += 1
        for i in range(np.uint64(several * h1), np.uint64(FOUR * h1)):
            products[i] = 0
        second_layer(pairs, h1 // 2, h2, words, at_weight2, bias2, alive, of_four)
        for s in range(several):
            of_one = np.uint64(s * h2)
            slot = np.uint64(found + s)
            for j in range(np.uint64(0), np.uint64(h2)):
                hidden[j * _U16 + slot] = of_four[of_one + j]
        found += several
    results_at = AT_ONCE * h2
    weight3 = of_part[int(weights[SLOT.weight3_at]) :]
    bias3 = of_part[int(weights[SLOT.bias3_at]) :]
    of_sixteen = hidden[results_at:]
    last_layer(hidden, h2, weight3, bias3, of_sixteen)
    found = 0
    left = lanes
    while left:
        r = block + lowest(left) - 1
        left &= left - 1
        for k in range(N_RESULTS):
            out[r, k] = of_sixteen[k * AT_ONCE + found]
        found += 1


@kernel(EVALUATE_SIGNATURE, allocates=True)
def results(
    parent: State, rows: Rows, n: int, weights: Float32Vector, out: Float32Matrix
) -> None:
    """Write the chances of the six results of the n successors of one parent.

    Args as for `gammon.eval.nnue.results`, with a network of `gammon.eval.integers.pack`.
    """
    h1, h2 = int(weights[SLOT.h1]), int(weights[SLOT.h2])
    n_numbers, n_parts = int(weights[SLOT.numbers]), int(weights[SLOT.parts])
    part_size, at_bias1 = int(weights[SLOT.part_size]), int(weights[SLOT.bias1_at])
    width, at_numbers = 2 * h1, 2 * int(weights[SLOT.numbers_at])
    at_tactical = at_numbers + N_OFFS * width
    passed = np.empty(SIZE, np.int8)
    for p in range(SIZE):
        passed[p] = -parent[25 - p]
    tactical = np.empty(room_for(n + 1) if n_numbers > N_OFFS else 0, np.int16)
    if tactical.size > 0:
        tactics(passed, rows, n, tactical, np.empty(SETS, np.uint32))
    old = np.zeros(n_numbers - N_OFFS, np.int16)
    changes = np.empty(old.shape[0] * AT_ONCE, np.int16)
    owned, counts = np.zeros(4, np.int64), np.zeros(AT_ONCE, np.int64)
    base_places, base_factors = np.empty(_MOST_ROWS, np.uint64), np.empty(_MOST_ROWS, np.int16)
    places = np.empty(AT_ONCE * _MOST_ROWS, np.uint64)
    factors = np.empty(AT_ONCE * _MOST_ROWS, np.int16)
    sums, begun = np.empty(n_parts * width, np.int16), 0
    alive, products = np.empty(h1 // 2, np.uint64), np.empty(FOUR * h1, np.int16)
    room = np.empty((FOUR + AT_ONCE) * h2 + N_RESULTS * AT_ONCE, np.float32)
    members = np.empty(N_PLANS, np.int64)

    counts[0] = _list_counts(
        np.zeros(SIZE, np.int8), passed, owned, at_numbers, width, 0, base_places, base_factors
    )
    _list_numbers(
        tactical, 0, 1, old, at_tactical, width, changes, counts, base_places, base_factors
    )
    base_count = counts[0]
    for q in range(old.shape[0]):
        old[q] = changes[q * AT_ONCE]
    for p in range(SIZE):
        owned[0] += max(int(passed[p]), 0)
        owned[1] += max(-int(passed[p]), 0)
    owned[2], owned[3] = int(owned[0] < CHECKERS), int(owned[1] < CHECKERS)

    for block in range(0, n + 1, AT_ONCE):
        lanes = 0
        members[:] = 0
        for k in range(max(block, 1), min(block + AT_ONCE, n + 1)):
            lane = k - block
            lanes |= 1 << lane
            members[plan_of(rows[k - 1]) if n_parts > 1 else 0] |= 1 << lane
            counts[lane] = _list_counts(
                passed,
                rows[k - 1],
                owned,
                at_numbers,
                width,
                lane * _MOST_ROWS,
                places,
                factors,
            )
        _list_numbers(
            tactical, block, lanes, old, at_tactical, width, changes, counts, places, factors
        )
        for part in range(n_parts):
            if members[part] == 0:
                continue
            of_part = sums[part * width : (part + 1) * width]
            if not begun >> part & 1:
                begun |= 1 << part
                words = weights[HEADER + part * part_size :].view(np.int16)
                for i in range(width):
                    of_part[i] = words[2 * at_bias1 + i]
                add_rows(of_part, words, width, 0, base_count, base_places, base_factors)
            _of_part(
                members[part], block, weights, part, of_part, counts, places, factors, alive,
                products, room, out,
            )  # fmt: skip
    at_tables = int(weights[SLOT.tables])
    if at_tables > 0 and at_home(parent, True):
        for r in range(n):
            if at_home(rows[r], True) and at_home(rows[r], False):
                chances(rows[r], weights, at_tables, out[r])
