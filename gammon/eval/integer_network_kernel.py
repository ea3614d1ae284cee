"""The network in integers, compiled: computes what `gammon.eval.integer_network` defines, to the bit.

The positions of a search differ little from each other. Given the first layer's sums of one
position, the sums of another follow by adding a row for each difference. So each position starts
from the most similar one among those before it, and the last position's sums are cached from
call to call. Integers do not drift, so the order of evaluation does not affect the results.

The *sight* of a position packs all inputs of the network into 64 bytes: its 26 counts, and from
byte 32 on its numbers (`gammon.eval.features`); the other bytes are 0. So two vector comparisons
find all differences between two positions.

A part's weight *rows* come in this order: steps, then numbers. A *change* is two numbers of
int16: the factor by which a row is multiplied before it is added, and the number of the row.

Sixteen positions form a block, as in `gammon.eval.tactics`. `gammon.eval.integer_layers` has the
arithmetic, part by part. A call allocates nothing: all memory is the caller's scratch, in words
of 8 bytes.
"""

from itertools import accumulate
from math import log2

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.memory import aligned_zeros
from gammon.compiled.records import (
    Float32Matrix,
    Float32Vector,
    Int8Vector,
    Int16Vector,
    Int32Vector,
    UInt32Vector,
    UInt64Vector,
)
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
from gammon.eval.bearoff import both_at_home, chances, mean_rolls, mean_rolls_of_both
from gammon.eval.cube_network import SCRATCH as CUBE_SCRATCH
from gammon.eval.cube_network import write_efficiencies
from gammon.eval.efficiency import BY_OWNER, N_OUTPUTS
from gammon.eval.equity import cumulative
from gammon.eval.features import N_COUNTS, N_OFFS, NAMES, NUMBERS
from gammon.eval.integer_layers import SCRATCH, last_layer, products_of, second_layer
from gammon.eval.integers import HEADER, SLOT, STEPS, header_of
from gammon.eval.plan import plans_of
from gammon.eval.planes import AT_ONCE, checkers, write_planes
from gammon.eval.race import SCRATCH as RACE_SCRATCH
from gammon.eval.race import SIDE as RACE_SIDE
from gammon.eval.race import is_race, race_chances, races, same_side
from gammon.eval.tactics import N_TACTICS, SETS, tactics
from gammon.rules.board import CHECKERS, SIZE, Rows, State
from gammon.rules.outcome import N_RESULTS

#: Bytes of a sight; its numbers begin in the middle.
SIGHT = 64
_HALF = SIGHT // 2
_QUARTER = SIGHT // 4
#: How many earlier positions a position may start from.
BACK = 5
#: Numbers that are computed: the tactical ones, and whether each side has borne off.
MADE = N_TACTICS + N_OFFS
#: Bytes of a block's numbers before they are distributed to the positions.
MATRIX = AT_ONCE * _HALF
#: For each number: its index among the computed ones, the shift and the mask that extract its
#: digit, and the offset of its sixteen bytes in the matrix.
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
#: For each byte of a sight: the weight row of its first step (0 to 1) or of its number. A count's
#: steps begin at the lower of the two counts, one row per step.
_ROW = np.array(
    [p * STEPS + CHECKERS for p in range(_HALF)] + [SIZE * STEPS + q for q in range(_HALF)], np.int32
)
#: Masks of the bytes in the first half and in a quarter of a sight.
_HALF_BITS, _QUARTER_BITS = (1 << _HALF) - 1, (1 << _QUARTER) - 1
#: The largest factor of a row: 1 for a step; for a number, its whole change.
_MOST_FACTOR = np.array([1] * _HALF + [127] * _HALF, np.int8)
_IS_COUNT = np.array([-1] * _HALF + [0] * _HALF, np.int8)
#: Capacity of a list of changes: no two positions differ by more rows. Lists are written 16
#: entries at a time, so it is a multiple of 16 with some to spare.
MOST_ROWS = (4 * CHECKERS + len(NUMBERS)) // _QUARTER * _QUARTER + 2 * _QUARTER
#: Bytes of scratch for `list_changes`.
WORK = 3 * SIGHT


@kernel(inner=True)
def write_counts(state: State, lane: int, sights: Int8Vector) -> None:
    """Write the counts of a position into its sight.

    Args:
        state: int8 [26].
        lane: index of the sight.
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
        n: number of the network's numbers.
        sets: the bit planes of the positions (`gammon.eval.planes`), then scratch, `SETS` in all.
        numbers: int16 [`MADE`, 16], flat, scratch.
        matrix: `MATRIX` bytes of scratch; numbers beyond the n-th keep the bytes that are there.
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
    """Return the index of the sight, among the `BACK` before a given one, with the fewest different bytes.

    Args:
        sights: int8 [> new, 64], flat.
        new: index of the given sight, at least `BACK`.
    """
    it = load(sights, new * SIGHT, SIGHT)
    best = np.uint64(0)
    for k in range(1, BACK + 1):
        same = number_of(np.uint64(bits(load(sights, (new - k) * SIGHT, SIGHT) == it)))
        best = max(best, same << np.uint64(3) | np.uint64(BACK - k))
    return int(new - BACK + np.int64(best & np.uint64(7)))


@kernel(inline=True)
def _list_quarter(work: Int8Vector, quarter: int, changes: Int32Vector, count: np.uint64) -> None:
    """List a change for each byte that differs in a quarter of a sight, by compressing lanes."""
    factor = as_int32(load(work, quarter, _QUARTER))
    row = as_int32(load(work, SIGHT + quarter, _QUARTER)) + load(_ROW, quarter, _QUARTER)
    store(changes, count, compressed(row << 16 | factor & 0xFFFF, factor != 0))


@kernel(inline=True)
def list_changes(sights: Int8Vector, old: int, new: int, work: Int8Vector, changes: Int32Vector) -> np.uint64:
    """List the changes that lead from one position to another.

    Args:
        sights: int8 [N, 64], flat.
        old: index of the position before.
        new: index of the position after.
        work: `WORK` bytes of scratch.
        changes: [`MOST_ROWS`], written: each change as one number.

    Returns:
        The number of changes.
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
            count += number_of(np.uint64(left >> quarter & _QUARTER_BITS))
        left = 0
    while left:
        p = np.uint64(lowest(left))
        left &= left - 1
        row = int(_ROW[p]) + int(work[np.uint64(SIGHT) + p])
        changes[count] = row << 16 | int(work[p]) & 0xFFFF
        count += np.uint64(1)
    far = bits(distance > 1) & _HALF_BITS
    while far:
        p = np.uint64(lowest(far))
        far &= far - 1
        row = int(_ROW[p]) + int(work[np.uint64(SIGHT) + p])
        for step in range(1, work[np.uint64(2 * SIGHT) + p]):
            changes[count] = row + step << 16 | int(work[p]) & 0xFFFF
            count += np.uint64(1)
    return count


def _words(count: int, size: int) -> int:
    """Return the size of `count` numbers of `size` bytes in words, rounded up to lines of 64 bytes."""
    return -(-count * size // 64) * 8


#: Scratch of an evaluation whose size is the same for all networks, in words, in this order. A
#: block of positions has bit planes (sets), numbers, and sights. Per part: the sights of the
#: positions judged (after fillers and the cached sight), the position that each starts from, the
#: number of rows to add, and the rows.
_SIZES = {
    "mark": _words(1, 8),
    "sets": _words(SETS, 4),
    "numbers": _words(MADE * AT_ONCE, 2),
    "matrix": _words(MATRIX, 1),
    "sights": _words(AT_ONCE * SIGHT, 1),
    "judged": _words((AT_ONCE + BACK) * SIGHT, 1),
    "work": _words(WORK, 1),
    "begins": _words(AT_ONCE, 8),
    "counts": _words(AT_ONCE, 8),
    "changes": _words(AT_ONCE * MOST_ROWS, 4),
    "room": _words(SCRATCH, 2),
    "chances": _words(N_RESULTS * AT_ONCE, 4),
    "race": _words(RACE_SCRATCH, 4),
    "cube": _words(CUBE_SCRATCH, 4),
}
_PLACES = dict(zip(_SIZES, accumulate(_SIZES.values(), initial=0), strict=False))
_SETS, _NUMBERS, _MATRIX = _PLACES["sets"], _PLACES["numbers"], _PLACES["matrix"]
_SIGHTS, _JUDGED, _WORK = _PLACES["sights"], _PLACES["judged"], _PLACES["work"]
_BEGINS, _COUNTS, _CHANGES = _PLACES["begins"], _PLACES["counts"], _PLACES["changes"]
_ROOM, _CHANCES, _RACE = _PLACES["room"], _PLACES["chances"], _PLACES["race"]
_CUBE = _PLACES["cube"]
#: After that come the cache of each part (the sight of a position and its sums), and the scratch
#: of the layers.
_KEPT = sum(_SIZES.values())
_SUMS = _words(SIGHT, 1)
#: A bit that distinguishes a mark from unused scratch.
_MARKED = 1 << 32


def scratch_for(packed: Float32Vector) -> int:
    """Return how much scratch, in words of 8 bytes, `results` needs for a packed network."""
    header = header_of(packed)
    h1, h2 = header.h1, header.h2
    of_layers = AT_ONCE * h1 // 4 + h1 // 2 + AT_ONCE * h2 // 2
    return _KEPT + header.parts * (_SUMS + h1 // 2) + of_layers


@kernel(inner=True)
def _begin(weights: Float32Vector, scratch: UInt64Vector) -> None:
    """Reset the cache of each part to the empty board, whose numbers are 0."""
    h1, at_bias1 = int(weights[SLOT.h1]), 2 * int(weights[SLOT.bias1_at])
    n_parts, part_size = int(weights[SLOT.parts]), int(weights[SLOT.part_size])
    if scratch[0] != 0:
        scratch[:] = 0
    # The sights before the first position differ from every real one.
    scratch[_JUDGED : _JUDGED + (BACK - 1) * SIGHT // 8] = np.uint64(0x7F7F7F7F7F7F7F7F)
    for part in range(n_parts):
        words = weights[HEADER + part * part_size :].view(np.int16)
        sums = scratch[_KEPT + part * (_SUMS + h1 // 2) + _SUMS :].view(np.int16)
        for i in range(2 * h1):
            sums[i] = words[at_bias1 + i]


@kernel(inner=True)
def _judge(
    lanes: int,
    block: int,
    kept: UInt64Vector,
    part: Float32Vector,
    weights: Float32Vector,
    scratch: UInt64Vector,
    out: Float32Matrix,
) -> None:
    """Write the chances of those among sixteen positions that one part judges.

    Args:
        lanes: the set of these positions, not empty.
        block: the row of the first of the sixteen, whose sights are written already.
        kept: the cache of the part.
        part: the weights of the part.
        weights: the network.
        scratch: the caller's scratch.
        out: float32 [R, 6].
    """
    h1, h2 = int(weights[SLOT.h1]), int(weights[SLOT.h2])
    words, weight2 = part.view(np.int16), part[int(weights[SLOT.weight2_at]) :].view(np.int16)
    bias2 = part[int(weights[SLOT.bias2_at]) :].view(np.int32)
    weight3, bias3 = part[int(weights[SLOT.weight3_at]) :], part[int(weights[SLOT.bias3_at]) :]
    sight, sums = kept[:_SUMS].view(np.int8), kept[_SUMS:].view(np.int16)
    sights, judged = (scratch[_SIGHTS:_JUDGED].view(np.int8), scratch[_JUDGED:_WORK].view(np.int8))
    work = scratch[_WORK:_BEGINS].view(np.int8)
    begins, counts = scratch[_BEGINS:_COUNTS], scratch[_COUNTS:_CHANGES]
    changes = scratch[_CHANGES:_ROOM].view(np.int32)
    room, found = (scratch[_ROOM:_CHANCES].view(np.int16), scratch[_CHANCES:_RACE].view(np.float32))
    at_products = _KEPT + int(weights[SLOT.parts]) * (_SUMS + h1 // 2)
    at_alive = at_products + AT_ONCE * h1 // 4
    at_hidden = at_alive + h1 // 2
    products = scratch[at_products:at_alive].view(np.int16)
    alive = scratch[at_alive:at_hidden].view(np.int32)
    hidden = scratch[at_hidden:].view(np.float32)
    store(judged, (BACK - 1) * SIGHT, load(sight, 0, SIGHT))
    several = 0
    left = lanes
    while left:
        lane = lowest(left)
        left &= left - 1
        new = several + BACK
        store(judged, new * SIGHT, load(sights, lane * SIGHT, SIGHT))
        begin = nearest(judged, new)
        begins[np.uint64(several)] = begin - (BACK - 1)
        counts[np.uint64(several)] = list_changes(judged, begin, new, work, changes[several * MOST_ROWS :])
        several += 1
    store(sight, 0, load(judged, (several + BACK - 1) * SIGHT, SIGHT))
    halves = changes.view(np.int16)
    products_of(sums, words, h1, several, begins, counts, halves, room, products)
    second_layer(products, several, h1, h2, weight2, bias2, alive, hidden)
    last_layer(hidden, h2, weight3, bias3, found)
    slot = np.uint64(0)
    left = lanes
    while left:
        r = block + lowest(left)
        left &= left - 1
        for k in range(N_RESULTS):
            out[r, k] = found[np.uint64(k * AT_ONCE) + slot]
        slot += np.uint64(1)


@kernel(inner=True)
def _count_what_can_come(lanes: int, block: int, sets: UInt32Vector, out: Float32Matrix) -> None:
    """Count gammons against a side that has borne off a checker as single games.

    Args:
        lanes: the set of the positions, among sixteen, that the network has judged.
        block: the row of the first of the sixteen.
        sets: their bit planes.
        out: float32 [R, 6], their chances, changed.
    """
    of_own, of_them = checkers(sets)
    own_off, their_off = bits(of_own < CHECKERS) & lanes, bits(of_them < CHECKERS) & lanes
    while own_off:
        r = block + lowest(own_off)
        own_off &= own_off - 1
        out[r, 2] += out[r, 0] + out[r, 1]
        out[r, 0] = out[r, 1] = 0.0
    while their_off:
        r = block + lowest(their_off)
        their_off &= their_off - 1
        out[r, 3] += out[r, 4] + out[r, 5]
        out[r, 4] = out[r, 5] = 0.0


@kernel()
def results(
    parent: State, rows: Rows, n: int, weights: Float32Vector, out: Float32Matrix, scratch: UInt64Vector
) -> None:
    """Write the chances of the six results of the n successors of one parent.

    Args:
        parent: int8 [26], seen from the player on roll.
        rows: int8 [R, 26], the first n seen from the opponent. They may be any positions, but
            positions near the parent are cheaper.
        n: number of rows.
        weights: a network from `gammon.eval.integers.pack`.
        out: float32 [>= n, K >= 6], chances for the player on roll in each row, losses first. A
            seventh column gets the mean number of rolls that both sides of a race need together,
            or else 0. With ten columns, it gets `BY_OWNER` in contact, and the last three get
            the efficiencies of the cube.
        scratch: uint64 [>= `scratch_for`], zeros before the first call, then as the last
            call left it.
    """
    n_parts, part_size = int(weights[SLOT.parts]), int(weights[SLOT.part_size])
    n_numbers, at_tables = int(weights[SLOT.numbers]), int(weights[SLOT.tables])
    at_races, at_cube, before = int(weights[SLOT.races]), int(weights[SLOT.cube]), -1
    wide = out.shape[1] > N_RESULTS
    size = _SUMS + int(weights[SLOT.h1]) // 2
    mark = int(weights[SLOT.mark_high]) << 16 | int(weights[SLOT.mark_low]) | _MARKED
    sets = scratch[_SETS:_NUMBERS].view(np.uint32)
    numbers, matrix = (scratch[_NUMBERS:_MATRIX].view(np.int16), scratch[_MATRIX:_SIGHTS].view(np.int8))
    sights = scratch[_SIGHTS:_JUDGED].view(np.int8)
    race = scratch[_RACE:_CUBE].view(np.float32)
    cube = scratch[_CUBE:_KEPT].view(np.int32)
    if scratch[0] != np.uint64(mark):
        _begin(weights, scratch)
        scratch[0] = np.uint64(mark)
    for block in range(0, n, AT_ONCE):
        several = min(AT_ONCE, n - block)
        for lane in range(several):
            write_counts(rows[block + lane], lane, sights)
        for lane in range(several):
            write_planes(sights, lane * SIGHT, lane, sets)
        lanes = (1 << several) - 1
        if wide:
            for lane in range(several):
                out[block + lane, N_RESULTS] = 0.0
        if at_tables > 0:
            known = both_at_home(sets) & lanes
            lanes &= ~known
            while known:
                r = block + lowest(known)
                known &= known - 1
                chances(rows[r], weights, at_tables, out[r])
                if wide:
                    out[r, N_RESULTS] = mean_rolls_of_both(rows[r], weights, at_tables)
        if at_races > 0:
            known = races(sets) & lanes
            while known:
                lane = lowest(known)
                known &= known - 1
                row = rows[block + lane]
                if is_race(row):
                    lanes &= ~(1 << lane)
                    # The successors of a parent share the side of the player on roll.
                    same = before >= 0 and same_side(row, rows[before])
                    before = block + lane
                    race_chances(row, weights, at_tables, at_races, same, race, out[before])
                    if wide:
                        rolls = mean_rolls(race, 0) + mean_rolls(race, RACE_SIDE)
                        out[before, N_RESULTS] = rolls
        if not lanes:
            continue
        write_numbers(n_numbers, sets, numbers, matrix, sights)
        plans = plans_of(sets, n_parts)
        for part in range(n_parts):
            members = lanes & plans[part]
            if not members:
                continue
            of_part = weights[HEADER + part * part_size : HEADER + (part + 1) * part_size]
            kept = scratch[_KEPT + part * size : _KEPT + (part + 1) * size]
            _judge(members, block, kept, of_part, weights, scratch, out)
        _count_what_can_come(lanes, block, sets, out)
        if at_cube > 0 and out.shape[1] == N_OUTPUTS:
            lanes &= ~races(sets)
            write_efficiencies(lanes, block, sets, weights[at_cube:], cube, out, N_RESULTS + 1)
            while lanes:
                out[block + lowest(lanes), N_RESULTS] = BY_OWNER
                lanes &= lanes - 1


def results_of(rows: Rows, packed: Float32Vector) -> Float32Matrix:
    """Return the chances of the six results [N, 6] for any positions int8 [N, 26].

    Losses come first, seen from the player on roll. No game may be over.
    """
    rows = np.ascontiguousarray(rows, np.int8)
    out = np.empty((len(rows), N_RESULTS), np.float32)
    if len(rows) > 0:
        parent = -rows[0, ::-1]  # any position does
        scratch = aligned_zeros(scratch_for(packed), np.uint64)
        results(parent, rows, len(rows), packed, out, scratch)
    return out


def probabilities(rows: Rows, packed: Float32Vector) -> Float32Matrix:
    """Return the cumulative probabilities [N, 5] of positions, as for `results_of`."""
    return cumulative(results_of(rows, packed))
