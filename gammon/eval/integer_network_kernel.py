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
_N_TACTICAL = len(_TACTICAL)
#: No two positions differ by more rows.
_MOST_ROWS = 4 * CHECKERS + len(NUMBERS)
_U1, _U16 = np.uint64(1), np.uint64(AT_ONCE)


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
    c = np.uint64(first)
    own, their = owned[0], owned[1]
    low, high = load(old, 0, 16), load(old, 10, 16)  # all 26 counts, some twice
    changed = bits(low != load(new, 0, 16)) | bits(high != load(new, 10, 16)) << 10
    while changed:
        p = lowest(changed)
        changed &= changed - 1
        before, now = int(old[np.uint64(p)]), int(new[np.uint64(p)])
        own += max(now, 0) - max(before, 0)
        their += min(before, 0) - min(now, 0)
        factor = np.int16(1 if now > before else -1)
        for step in range(min(before, now), max(before, now)):
            places[c], factors[c] = np.uint64((p * STEPS + CHECKERS + step) * width), factor
            c += _U1
    own_off, their_off = int(own < CHECKERS), int(their < CHECKERS)
    if own_off != owned[2]:
        places[c], factors[c] = np.uint64(at), np.int16(own_off - owned[2])
        c += _U1
    if their_off != owned[3]:
        places[c], factors[c] = np.uint64(at + width), np.int16(their_off - owned[3])
        c += _U1
    return int(c) - first


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
            of_lane = np.uint64(lane)
            c = np.uint64(lane * _MOST_ROWS + counts[of_lane])
            places[c], factors[c] = (
                np.uint64(at + q * width),
                changes[np.uint64(q * AT_ONCE + lane)],
            )
            counts[of_lane] += 1


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


@kernel(inner=True)
def _room_for(weights: Float32Vector) -> int:
    """Return how much room, in 8 bytes, `_results` needs."""
    h1, h2 = int(weights[SLOT.h1]), int(weights[SLOT.h2])
    of_layers = int(weights[SLOT.parts]) * h1 // 2 + h1 + h1 // 2
    of_layers += ((FOUR + AT_ONCE) * h2 + N_RESULTS * AT_ONCE) // 2
    of_lists = (AT_ONCE + 1) * _MOST_ROWS * 10 // 8 + 1
    return of_layers + of_lists + _N_TACTICAL * (AT_ONCE + 1) // 4 + 1 + AT_ONCE + 4 + N_PLANS


@kernel(inner=True)
def _results(
    passed: State, empty: State, rows: Rows, n: int, weights: Float32Vector,
    out: Float32Matrix, tactical: Int16Vector, room: UInt64Vector,
) -> None:  # fmt: skip
    """Write the chances of the six results, without asking for memory.

    Args:
        passed: int8 [26], the parent as the opponent sees it: what a pass would leave.
        empty: a board without checkers.
        rows: int8 [R, 26], the first n of them.
        n: how many.
        weights: a packed network.
        out: float32 [R, 6].
        tactical: what `tactics` wrote of `passed` and the rows.
        room: as much as `_room_for` says.
    """
    h1, h2 = int(weights[SLOT.h1]), int(weights[SLOT.h2])
    n_numbers, n_parts = int(weights[SLOT.numbers]), int(weights[SLOT.parts])
    part_size, at_bias1 = int(weights[SLOT.part_size]), int(weights[SLOT.bias1_at])
    width, at_numbers = 2 * h1, 2 * int(weights[SLOT.numbers_at])
    at_tactical = at_numbers + N_OFFS * width
    sums, room = room[: n_parts * h1 // 2].view(np.int16), room[n_parts * h1 // 2 :]
    products, room = room[:h1].view(np.int16), room[h1:]
    alive, room = room[: h1 // 2], room[h1 // 2 :]
    floats = (FOUR + AT_ONCE) * h2 + N_RESULTS * AT_ONCE
    layers, room = room[: floats // 2].view(np.float32), room[floats // 2 :]
    places, room = room[: AT_ONCE * _MOST_ROWS], room[AT_ONCE * _MOST_ROWS :]
    base_places, room = room[:_MOST_ROWS], room[_MOST_ROWS:]
    changes, room = (
        room[: _N_TACTICAL * AT_ONCE // 4].view(np.int16),
        room[_N_TACTICAL * AT_ONCE // 4 :],
    )
    counts, room = room[:AT_ONCE].view(np.int64), room[AT_ONCE:]
    owned, room = room[:4].view(np.int64), room[4:]
    members, room = room[:N_PLANS].view(np.int64), room[N_PLANS:]
    short = room.view(np.int16)
    factors, short = short[: AT_ONCE * _MOST_ROWS], short[AT_ONCE * _MOST_ROWS :]
    base_factors, short = short[:_MOST_ROWS], short[_MOST_ROWS:]
    old = short[: n_numbers - N_OFFS]
    old[:] = 0
    layers[:] = 0.0  # the last layer looks at lanes that nothing was written to
    owned[:] = 0
    counts[0] = 0
    begun = 0

    counts[0] = _list_counts(
        empty, passed, owned, at_numbers, width, 0, base_places, base_factors
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
                products, layers, out,
            )  # fmt: skip


@kernel(EVALUATE_SIGNATURE, allocates=True)
def results(
    parent: State, rows: Rows, n: int, weights: Float32Vector, out: Float32Matrix
) -> None:
    """Write the chances of the six results of the n successors of one parent.

    Args as for `gammon.eval.nnue.results`, with a network of `gammon.eval.integers.pack`.
    """
    boards = np.zeros(2 * SIZE, np.int8)
    passed, empty = boards[:SIZE], boards[SIZE:]
    for p in range(SIZE):
        passed[p] = -parent[25 - p]
    tactical = np.empty(room_for(n + 1) if weights[SLOT.numbers] > N_OFFS else 0, np.int16)
    room = np.empty(max(_room_for(weights), SETS // 2), np.uint64)
    if tactical.size > 0:
        tactics(passed, rows, n, tactical, room[: SETS // 2].view(np.uint32))
    _results(passed, empty, rows, n, weights, out, tactical, room)
    at_tables = int(weights[SLOT.tables])
    if at_tables > 0 and at_home(parent, True):
        for r in range(n):
            if at_home(rows[r], True) and at_home(rows[r], False):
                chances(rows[r], weights, at_tables, out[r])
