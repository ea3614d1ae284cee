"""The network in integers, compiled: what `gammon.eval.integer_network` defines, to the bit.

The search asks for positions that differ little from each other. The first layer's sums of one
position are known, and those of another one are these and the rows of what differs
(`gammon.eval.integer_changes`). So each position begins with the nearest one among those before
it, and the sums of the last one are kept from call to call. As integers do not drift, the way
makes no difference to the results.

Sixteen positions are a block, as in `gammon.eval.tactics`. `gammon.eval.integer_layers` has the
arithmetic, part by part. Nothing is allocated in a call: all memory is the caller's scratch, in
words of 8 bytes.
"""

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.memory import aligned_zeros
from gammon.compiled.records import Float32Matrix, Float32Vector, UInt32Vector, UInt64Vector
from gammon.compiled.vector import bits, load, lowest, store
from gammon.eval.bearoff import both_at_home, chances, mean_rolls, mean_rolls_of_both
from gammon.eval.contact_cube import ROOM as CUBE_ROOM
from gammon.eval.contact_cube import write_efficiencies
from gammon.eval.efficiency import BY_OWNER, N_OUTPUTS
from gammon.eval.equity import cumulative
from gammon.eval.integer_changes import (
    BACK,
    MADE,
    MATRIX,
    MOST_ROWS,
    SIGHT,
    WORK,
    list_changes,
    nearest,
    write_counts,
    write_numbers,
)
from gammon.eval.integer_layers import ROOM, last_layer, products_of, second_layer
from gammon.eval.integers import HEADER, SLOT, header_of
from gammon.eval.plan import plans_of
from gammon.eval.planes import AT_ONCE, checkers, write_planes
from gammon.eval.race import ROOM as RACE_ROOM
from gammon.eval.race import SIDE as RACE_SIDE
from gammon.eval.race import is_race, race_chances, races, same_side
from gammon.eval.tactics import SETS
from gammon.rules.board import CHECKERS
from gammon.rules.outcome import N_RESULTS
from gammon.rules.state import Rows, State


def _words(count: int, size: int) -> int:
    """Return the words of `count` numbers of `size` bytes, as whole lines of 64 bytes."""
    return -(-count * size // 64) * 8


#: Where the things lie that have the same size for all networks, in words, behind the mark of
#: the network. First those of a block: its planes, its numbers, and the sights of all.
_SETS = _words(1, 8)
_NUMBERS = _SETS + _words(SETS, 4)
_MATRIX = _NUMBERS + _words(MADE * AT_ONCE, 2)
_SIGHTS = _MATRIX + _words(MATRIX, 1)
#: Of a part the position whose sums are known and those that it judges now: their sights, the
#: one to whose sums each of them adds rows, how many rows, and which.
_JUDGED = _SIGHTS + _words(AT_ONCE * SIGHT, 1)
_WORK = _JUDGED + _words((AT_ONCE + BACK) * SIGHT, 1)
_BEGINS = _WORK + _words(WORK, 1)
_COUNTS = _BEGINS + _words(AT_ONCE, 8)
_CHANGES = _COUNTS + _words(AT_ONCE, 8)
_ROOM = _CHANGES + _words(AT_ONCE * MOST_ROWS, 4)
_CHANCES = _ROOM + _words(ROOM, 2)
#: Behind that lies what is kept for each part, and then scratch of the layers. Kept are the
#: sight of a position and its sums.
_RACE = _CHANCES + _words(N_RESULTS * AT_ONCE, 4)
_CUBE = _RACE + _words(RACE_ROOM, 4)
_KEPT = _CUBE + _words(CUBE_ROOM, 4)
_SUMS = _words(SIGHT, 1)
#: The bit that tells a mark from scratch that nothing has been written to.
_MARKED = 1 << 32


def scratch_for(packed: Float32Vector) -> int:
    """Return how much scratch, in words of 8 bytes, `results` needs for a packed network."""
    header = header_of(packed)
    h1, h2 = header.h1, header.h2
    of_layers = AT_ONCE * h1 // 4 + h1 // 2 + AT_ONCE * h2 // 2
    return _KEPT + header.parts * (_SUMS + h1 // 2) + of_layers


@kernel(inner=True)
def _begin(weights: Float32Vector, scratch: UInt64Vector) -> None:
    """Make what is kept of each part that of the empty board, whose numbers are 0."""
    h1, at_bias1 = int(weights[SLOT.h1]), 2 * int(weights[SLOT.bias1_at])
    n_parts, part_size = int(weights[SLOT.parts]), int(weights[SLOT.part_size])
    if scratch[0] != 0:
        scratch[:] = 0
    # Before the first position stand sights that are like no other.
    scratch[_JUDGED : _JUDGED + (BACK - 1) * SIGHT // 8] = np.uint64(0x7F7F7F7F7F7F7F7F)
    for part in range(n_parts):
        words = weights[HEADER + part * part_size :].view(np.int16)
        sums = scratch[_KEPT + part * (_SUMS + h1 // 2) + _SUMS :].view(np.int16)
        for i in range(2 * h1):
            sums[i] = words[at_bias1 + i]


@kernel(inner=True)
def _judge(
    lanes: int, block: int, kept: UInt64Vector, part: Float32Vector, weights: Float32Vector,
    scratch: UInt64Vector, out: Float32Matrix,
) -> None:  # fmt: skip
    """Write the chances of those of sixteen positions that one part judges.

    Args:
        lanes: a set of them, not empty.
        block: the row of the first of the sixteen, whose sights are written.
        kept: of the part.
        part: its weights.
        weights: the network.
        scratch: of the caller.
        out: float32 [R, 6].
    """
    h1, h2 = int(weights[SLOT.h1]), int(weights[SLOT.h2])
    words, weight2 = part.view(np.int16), part[int(weights[SLOT.weight2_at]) :].view(np.int16)
    bias2 = part[int(weights[SLOT.bias2_at]) :].view(np.int32)
    weight3, bias3 = part[int(weights[SLOT.weight3_at]) :], part[int(weights[SLOT.bias3_at]) :]
    sight, sums = kept[:_SUMS].view(np.int8), kept[_SUMS:].view(np.int16)
    sights, judged = (
        scratch[_SIGHTS:_JUDGED].view(np.int8),
        scratch[_JUDGED:_WORK].view(np.int8),
    )
    work = scratch[_WORK:_BEGINS].view(np.int8)
    begins, counts = scratch[_BEGINS:_COUNTS], scratch[_COUNTS:_CHANGES]
    changes = scratch[_CHANGES:_ROOM].view(np.int32)
    room, found = (
        scratch[_ROOM:_CHANCES].view(np.int16),
        scratch[_CHANCES:_RACE].view(np.float32),
    )
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
        counts[np.uint64(several)] = list_changes(
            judged, begin, new, work, changes[several * MOST_ROWS :]
        )
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
def _count_what_can_come(
    lanes: int, block: int, sets: UInt32Vector, out: Float32Matrix
) -> None:
    """Count gammons against a side that has borne off a checker as single games.

    Args:
        lanes: a set of those of sixteen positions that a part has judged.
        block: the row of the first of the sixteen.
        sets: their planes.
        out: float32 [R, 6], their chances.
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
    parent: State, rows: Rows, n: int, weights: Float32Vector, out: Float32Matrix,
    scratch: UInt64Vector,
) -> None:  # fmt: skip
    """Write the chances of the six results of the n successors of one parent.

    Args:
        parent: int8 [26], seen from the player on roll.
        rows: int8 [R, 26], the first n of them seen from the opponent. They may be any
            positions: those near the parent are only cheaper.
        n: how many.
        weights: a network of `gammon.eval.integers.pack`.
        out: float32 [>= n, K >= 6], to the player on roll in each row, losses first. If there
            is a seventh number, it becomes the mean rolls that both sides of a race need
            together, or 0. If there are ten, it becomes `BY_OWNER` in contact, and the last
            three the efficiencies of the cube.
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
    numbers, matrix = (
        scratch[_NUMBERS:_MATRIX].view(np.int16),
        scratch[_MATRIX:_SIGHTS].view(np.int8),
    )
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
                    # The successors of a parent have one side in common.
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
    """Return the chances of the six results [N, 6] of any positions int8 [N, 26].

    They are seen from the player on roll, losses first, and no game is over.
    """
    rows = np.ascontiguousarray(rows, np.int8)
    out = np.empty((len(rows), N_RESULTS), np.float32)
    if len(rows) > 0:
        parent = -rows[0, ::-1]  # any one does
        scratch = aligned_zeros(scratch_for(packed), np.uint64)
        results(parent, rows, len(rows), packed, out, scratch)
    return out


def probabilities(rows: Rows, packed: Float32Vector) -> Float32Matrix:
    """Return the cumulative probabilities [N, 5] of positions, as `results_of` takes them."""
    return cumulative(results_of(rows, packed))
