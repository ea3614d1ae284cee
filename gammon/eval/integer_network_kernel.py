"""The network in integers, compiled: what `gammon.eval.integer_network` defines, to the bit.

The search asks for the successors of one parent, and most of them differ little from it. So
the first layer's sums of the parent are kept, and each successor adds the rows of what changed.
They are kept from call to call, too: the next parent adds the rows of what differs from the one
before. As integers do not drift, what was kept makes no difference to the results.

Sixteen successors are a block, as in `gammon.eval.tactics`. `gammon.eval.integer_layers` has
the arithmetic, part by part. Nothing is allocated in a call: all memory is the caller's
scratch, in words of 8 bytes.

The *rows* of a part are those of its steps and then those of its numbers, one after the other.
"""

from math import log2

import numpy as np

from gammon.compiled.aligned import aligned_zeros
from gammon.compiled.kernel import kernel
from gammon.compiled.records import (
    Float32Matrix,
    Float32Vector,
    Int16Vector,
    UInt64Vector,
)
from gammon.compiled.vector import (
    Int16x32,
    as_int16,
    bits,
    compressed,
    filled,
    joined,
    load,
    lowest,
    number_of,
    reverse,
    select,
    store,
)
from gammon.eval.bearoff import both_at_home, chances
from gammon.eval.equity import cumulative
from gammon.eval.features import N_COUNTS, NAMES
from gammon.eval.integer_layers import add_rows, last_layer, products_of, second_layer
from gammon.eval.integers import HEADER, SLOT, STEPS, header_of
from gammon.eval.numbers import N_OFFS, NUMBERS
from gammon.eval.plan import BOTH, NOT_OWN, with_checkers_back
from gammon.eval.planes import AT_ONCE, checkers, write_planes
from gammon.eval.tactics import N_TACTICS, SETS, tactics
from gammon.rules.board import CHECKERS, SIZE
from gammon.rules.outcome import N_RESULTS
from gammon.rules.state import Rows, State
from gammon.search.game import EVALUATE_SIGNATURE

__all__ = ["probabilities", "results", "results_of", "scratch_for"]

#: Numbers besides the tactical ones: whether a side has borne off.
_MADE = N_TACTICS + N_OFFS
#: Of each number its place among those that are made, by how many bits a digit is shifted,
#: and the bits that it has.
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
#: Both halves of a board have 16 of its 26 places; so some stand in both. Of each of those 32
#: the row of its step from 0 to 1, and -1 for a place that is looked at there, else 0.
_PLACES = np.array([*range(16), *range(10, SIZE)], np.int16)
_STEP = (_PLACES * STEPS + CHECKERS).astype(np.int16)
_LOOKED_AT = np.array([-1] * 16 + [0] * 6 + [-1] * 10, np.int16)
#: The first row of the numbers, which follow the steps.
_FIRST_NUMBER = SIZE * STEPS
#: Room for a list: no two positions differ by more rows. It is written 32 at a time, and a
#: multiple of that.
_MOST_ROWS = (4 * CHECKERS + len(NUMBERS)) // 32 * 32 + 64
_U1 = np.uint64(1)


def _words(count: int, size: int) -> int:
    """Return the words of `count` numbers of `size` bytes, as whole lines of 64 bytes."""
    return -(-count * size // 64) * 8


#: Where the things lie that have the same size for all networks, in words. First what is kept:
#: the mark of the network, and whether `_DIGITS` are those of the last parent; that parent as
#: the opponent sees it; its numbers.
_PASSED = _words(2, 8)
_DIGITS = _PASSED + _words(SIZE + 6, 1)
#: Scratch of a block: its numbers, by how much they differ from the parent's, and which of
#: them do.
_NUMBERS = _DIGITS + _words(len(NUMBERS), 2)
_CHANGES = _NUMBERS + _words(_MADE * AT_ONCE, 2)
_CHANGED = _CHANGES + _words(len(NUMBERS) * AT_ONCE, 2)
_SETS = _CHANGED + _words(AT_ONCE, 4)
#: How many rows each of them adds, and which.
_COUNTS = _SETS + _words(SETS, 4)
_LISTED = _COUNTS + _words(AT_ONCE, 8)
_FACTORS = _LISTED + _words(AT_ONCE * _MOST_ROWS, 2)
_CHANCES = _FACTORS + _words(AT_ONCE * _MOST_ROWS, 2)
#: Behind that lies what is kept for each part, and then scratch of the layers.
_KEPT = _CHANCES + _words(N_RESULTS * AT_ONCE, 4)
#: Of a part: whether there are sums, a position, its numbers, and its sums.
_POSITION = _words(1, 8)
_OLD = _POSITION + _words(SIZE + 6, 1)
_SUMS = _OLD + _words(len(NUMBERS), 2)
#: The bit that tells a mark from scratch that nothing has been written to.
_MARKED = 1 << 32


def scratch_for(packed: Float32Vector) -> int:
    """Return how much scratch, in words of 8 bytes, `results` needs for a packed network."""
    header = header_of(packed)
    h1, h2 = header.h1, header.h2
    of_layers = AT_ONCE * h1 // 4 + h1 // 2 + AT_ONCE * h2 // 2
    return _KEPT + header.parts * (_SUMS + h1 // 2) + of_layers


@kernel(inline=True)
def _board(state: State) -> Int16x32:
    """Return the 26 counts of a position; 6 of them stand there twice."""
    return as_int16(joined(load(state, 0, 16), load(state, 10, 16)))


@kernel(inner=True)
def _list_counts(
    old: State, new: State, listed: Int16Vector, factors: Int16Vector
) -> np.uint64:
    """List the rows of the counts that differ.

    Args:
        old: int8 [>= 26], the position before.
        new: int8 [>= 26], the one after.
        listed: a list that is written: the numbers of the rows.
        factors: another one: what they are multiplied by.

    Returns:
        How many are listed.
    """
    before, now = _board(old), _board(new)
    more = now > before
    steps: Int16x32 = select(more, now - before, before - now) & load(_LOOKED_AT, 0, 32)
    row = select(more, before, now) + load(_STEP, 0, 32)
    factor = select(more, filled(np.int16(1), 32), -1)
    several = np.uint64(bits(steps > 0))
    count = np.uint64(0)
    while several:
        store(listed, count, compressed(row, steps > 0))
        store(factors, count, compressed(factor, steps > 0))
        count += number_of(several)
        row = row + 1
        steps = steps - 1
        several = np.uint64(bits(steps > 0))
    return count


@kernel(inner=True)
def _make_numbers(n: int, scratch: UInt64Vector) -> None:
    """Write the numbers of a block, whose planes are written.

    Args:
        n: how many of them the network sees.
        scratch: of the caller.
    """
    sets = scratch[_SETS:_COUNTS].view(np.uint32)
    numbers = scratch[_NUMBERS:_CHANGES].view(np.int16)
    own, their = checkers(sets)
    store(numbers, N_TACTICS * AT_ONCE, select(own < CHECKERS, filled(np.int16(1), 16), 0))
    store(
        numbers, (N_TACTICS + 1) * AT_ONCE, select(their < CHECKERS, filled(np.int16(1), 16), 0)
    )
    if n > N_OFFS:
        tactics(sets, numbers)


@kernel(inner=True)
def _digits_of(state: State, n: int, digits: Int16Vector, scratch: UInt64Vector) -> None:
    """Write the n numbers of a position that the network sees."""
    numbers = scratch[_NUMBERS:_CHANGES].view(np.int16)
    write_planes(state, 0, scratch[_SETS:_COUNTS].view(np.uint32))
    _make_numbers(n, scratch)
    for q in range(n):
        digits[q] = (numbers[_FEATURE[q] * AT_ONCE] >> _SHIFT[q]) & _BITS[q]


@kernel(inner=True)
def _compare_numbers(n: int, digits: Int16Vector, scratch: UInt64Vector) -> None:
    """Compare the n numbers of a block, whose planes are written, with those of a parent."""
    numbers = scratch[_NUMBERS:_CHANGES].view(np.int16)
    changes = scratch[_CHANGES:_CHANGED].view(np.int16)
    _make_numbers(n, scratch)
    changed = filled(np.uint32(0), 16)
    for q in range(n):
        whole = load(numbers, _FEATURE[q] * AT_ONCE, 16)
        change = ((whole >> _SHIFT[q]) & _BITS[q]) - digits[q]
        store(changes, q * AT_ONCE, change)
        changed = select(change != 0, changed | np.uint32(1 << q), changed)
    store(scratch[_CHANGED:_SETS].view(np.uint32), 0, changed)


@kernel(inner=True)
def _follow(
    passed: State, digits: Int16Vector, n: int, kept: UInt64Vector, words: Int16Vector,
    weights: Float32Vector, scratch: UInt64Vector,
) -> None:  # fmt: skip
    """Make the sums that are kept for a part those of another parent.

    Args:
        passed: int8 [32], the parent as the opponent sees it, and six zeros.
        digits: its numbers.
        n: how many of them the network sees.
        kept: of the part.
        words: the part.
        weights: the network.
        scratch: of the caller.
    """
    listed = scratch[_LISTED:_FACTORS].view(np.int16)
    factors = scratch[_FACTORS:_CHANCES].view(np.int16)
    width = 2 * int(weights[SLOT.h1])
    position, old = kept[_POSITION:_OLD].view(np.int8), kept[_OLD:_SUMS].view(np.int16)
    sums = kept[_SUMS:].view(np.int16)
    if not kept[0]:
        # The position is the empty board, and its numbers are 0.
        at_bias1 = 2 * int(weights[SLOT.bias1_at])
        for i in range(width):
            sums[i] = words[at_bias1 + i]
        kept[0] = 1
    count = _list_counts(position, passed, listed, factors)
    for q in range(n):
        listed[count], factors[count] = _FIRST_NUMBER + q, digits[q] - old[q]
        count += np.uint64(digits[q] != old[q])
        old[q] = digits[q]
    add_rows(sums, words, width, count, listed, factors)
    for p in range(SIZE):
        position[p] = passed[p]


@kernel(inner=True)
def _judge(
    lanes: int, rows: Rows, block: int, kept: UInt64Vector, part: Float32Vector,
    weights: Float32Vector, scratch: UInt64Vector, out: Float32Matrix,
) -> None:  # fmt: skip
    """Write the chances of those of sixteen successors that one part judges.

    Args:
        lanes: a set of them, not empty.
        rows: int8 [R, 26], the successors.
        block: the first of the sixteen, whose numbers have been compared.
        kept: of the part, of their parent.
        part: its weights.
        weights: the network.
        scratch: of the caller.
        out: float32 [R, 6].
    """
    h1, h2 = int(weights[SLOT.h1]), int(weights[SLOT.h2])
    words, weight2 = part.view(np.int16), part[int(weights[SLOT.weight2_at]) :].view(np.int16)
    bias2 = part[int(weights[SLOT.bias2_at]) :].view(np.int32)
    weight3, bias3 = part[int(weights[SLOT.weight3_at]) :], part[int(weights[SLOT.bias3_at]) :]
    parent, sums = kept[_POSITION:_OLD].view(np.int8), kept[_SUMS:].view(np.int16)
    changes = scratch[_CHANGES:_CHANGED].view(np.int16)
    changed = scratch[_CHANGED:_SETS].view(np.uint32)
    counts = scratch[_COUNTS:_LISTED]
    listed = scratch[_LISTED:_FACTORS].view(np.int16)
    factors = scratch[_FACTORS:_CHANCES].view(np.int16)
    found = scratch[_CHANCES:_KEPT].view(np.float32)
    at_products = _KEPT + int(weights[SLOT.parts]) * (_SUMS + h1 // 2)
    at_alive = at_products + AT_ONCE * h1 // 4
    at_hidden = at_alive + h1 // 2
    products = scratch[at_products:at_alive].view(np.int16)
    alive = scratch[at_alive:at_hidden].view(np.int32)
    hidden = scratch[at_hidden:].view(np.float32)
    several = 0
    left = lanes
    while left:
        lane = lowest(left)
        left &= left - 1
        of_one, by = listed[several * _MOST_ROWS :], factors[several * _MOST_ROWS :]
        count = _list_counts(parent, rows[block + lane], of_one, by)
        different = int(changed[np.uint64(lane)])
        while different:
            q = lowest(different)
            different &= different - 1
            of_one[count], by[count] = _FIRST_NUMBER + q, changes[np.uint64(q * AT_ONCE + lane)]
            count += _U1
        counts[np.uint64(several)] = count
        several += 1
    products_of(sums, words, h1, several, counts, listed, factors, products)
    second_layer(products, several, h1, h2, weight2, bias2, alive, hidden)
    last_layer(hidden, h2, weight3, bias3, found)
    slot = np.uint64(0)
    left = lanes
    while left:
        r = block + lowest(left)
        left &= left - 1
        for k in range(N_RESULTS):
            out[r, k] = found[np.uint64(k * AT_ONCE) + slot]
        slot += _U1


@kernel(EVALUATE_SIGNATURE)
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
        out: float32 [>= n, 6], to the player on roll in each row, losses first.
        scratch: uint64 [>= `scratch_for`], zeros before the first call, then as the last
            call left it.
    """
    n_parts, part_size = int(weights[SLOT.parts]), int(weights[SLOT.part_size])
    n_numbers, at_tables = int(weights[SLOT.numbers]), int(weights[SLOT.tables])
    size = _SUMS + int(weights[SLOT.h1]) // 2
    mark = int(weights[SLOT.mark_high]) << 16 | int(weights[SLOT.mark_low]) | _MARKED
    passed = scratch[_PASSED:_DIGITS].view(np.int8)
    digits = scratch[_DIGITS:_NUMBERS].view(np.int16)
    sets = scratch[_SETS:_COUNTS].view(np.uint32)
    if scratch[0] != np.uint64(mark):
        scratch[:] = 0
        scratch[0] = np.uint64(mark)
    low, high = reverse(-load(parent, 10, 16)), reverse(-load(parent, 0, 16))
    if bits(low != load(passed, 0, 16)) | bits(high != load(passed, 10, 16)):
        store(passed, 0, low)
        store(passed, 10, high)
        scratch[1] = 0
    if not scratch[1]:
        _digits_of(passed, n_numbers, digits, scratch)
        scratch[1] = 1
    followed = 0
    for block in range(0, n, AT_ONCE):
        several = min(AT_ONCE, n - block)
        for lane in range(several):
            write_planes(rows[block + lane], lane, sets)
        lanes = (1 << several) - 1
        if at_tables > 0:
            known = both_at_home(sets) & lanes
            lanes &= ~known
            while known:
                r = block + lowest(known)
                known &= known - 1
                chances(rows[r], weights, at_tables, out[r])
            if not lanes:
                continue
        _compare_numbers(n_numbers, digits, scratch)
        own, their = with_checkers_back(sets)
        for part in range(n_parts):
            members = lanes
            if n_parts > 1:
                if part == NOT_OWN:
                    members &= ~own
                else:
                    members &= own & (their if part == BOTH else ~their)
            if not members:
                continue
            of_part = weights[HEADER + part * part_size : HEADER + (part + 1) * part_size]
            kept = scratch[_KEPT + part * size : _KEPT + (part + 1) * size]
            if not followed >> part & 1:
                followed |= 1 << part
                words = of_part.view(np.int16)
                _follow(passed, digits, n_numbers, kept, words, weights, scratch)
            _judge(members, rows, block, kept, of_part, weights, scratch, out)


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
