"""The network in integers, compiled: what `gammon.eval.integer_network` defines, to the bit.

The search asks for the successors of one parent, and most of them differ little from it. So
the first layer's sums of the parent are kept, and each successor adds the rows of what changed.
They are kept from call to call, too: the next parent adds the rows of what differs from the one
before. As integers do not drift, what was kept makes no difference to the results.

Sixteen successors are a block, as in `gammon.eval.tactics`. `gammon.eval.integer_layers` has
the arithmetic, part by part. Nothing is allocated in a call: all memory is the caller's
scratch, in words of 8 bytes.

*Places* are counted in int16 from the beginning of a part.
"""

from math import log2

import numpy as np

from gammon.aligned import aligned_zeros
from gammon.eval.bearoff import both_at_home, chances
from gammon.eval.equity import cumulative
from gammon.eval.features import N_COUNTS, NAMES
from gammon.eval.integer_layers import FOUR, add_rows, last_layer, products_of, second_layer
from gammon.eval.integers import HEADER, SLOT, STEPS, header_of
from gammon.eval.numbers import N_OFFS, NUMBERS
from gammon.eval.plan import BOTH, NOT_OWN, with_checkers_back
from gammon.eval.planes import AT_ONCE, write_planes
from gammon.eval.tactics import N_TACTICS, SETS, tactics
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
from gammon.vector import bits, filled, load, lowest, reverse, select, store

__all__ = ["probabilities", "results", "results_of", "scratch_for"]

_TACTICAL = NUMBERS[N_OFFS:]
_N_TACTICAL = len(_TACTICAL)
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
_U1, _U16 = np.uint64(1), np.uint64(AT_ONCE)


def _words(count: int, size: int) -> int:
    """Return the words of so many numbers of so many bytes, as whole lines of 64 bytes."""
    return -(-count * size // 64) * 8


#: Where the things lie that have the same size for all networks, in words. First what is kept:
#: the mark of the network, and whether `_DIGITS` are those of the last parent; that parent as
#: the opponent sees it; its tactical numbers.
_PASSED = _words(2, 8)
_DIGITS = _PASSED + _words(SIZE + 6, 1)
#: Scratch of a block: its tactical numbers, by how much they differ from the parent's, and
#: which of them do.
_TACTICS = _DIGITS + _words(_N_TACTICAL, 2)
_CHANGES = _TACTICS + _words(N_TACTICS * AT_ONCE, 2)
_CHANGED = _CHANGES + _words(_N_TACTICAL * AT_ONCE, 2)
_SETS = _CHANGED + _words(AT_ONCE, 4)
#: The rows of one successor.
_PLACES = _SETS + _words(SETS, 4)
_FACTORS = _PLACES + _words(_MOST_ROWS, 8)
_CHANCES = _FACTORS + _words(_MOST_ROWS, 2)
#: Behind that lies what is kept for each part, and then scratch of the layers.
_KEPT = _CHANCES + _words(N_RESULTS * AT_ONCE, 4)
#: Of a part, before its sums: a position, its checkers as `_list_counts` has
#: them, whether there are sums, and the position's tactical numbers.
_OWNED = _words(SIZE + 6, 1)
_OLD = _OWNED + _words(5, 8)
_SUMS = _OLD + _words(_N_TACTICAL, 2)


#: The bit that tells a mark from scratch that nothing has been written to.
_MARKED = 1 << 32


def scratch_for(packed: Float32Vector) -> int:
    """Return how much scratch, in words of 8 bytes, `results` needs for a packed network."""
    header = header_of(packed)
    h1, h2 = header.h1, header.h2
    of_layers = FOUR * h1 // 4 + h1 // 2 + (FOUR + AT_ONCE) * h2 // 2
    return _KEPT + header.parts * (_SUMS + h1 // 2) + of_layers


@kernel(inner=True)
def _list_counts(
    old: State, new: State, owned: Int64Vector, at: int, width: int,
    places: UInt64Vector, factors: Int16Vector,
) -> int:  # fmt: skip
    """List the rows of the counts that differ, and of whether a side has borne off.

    Args:
        old, new: int8 [>= 26], the positions.
        owned: of the old one the checkers of both sides, and whether each has borne off.
        at: place of the rows of the numbers.
        width: numbers of a row.
        places, factors: lists that are written: where a row begins, and what it is multiplied
            by.

    Returns:
        How many are listed.
    """
    c = np.uint64(0)
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
        place = np.uint64((p * STEPS + CHECKERS + min(before, now)) * width)
        # Nearly always one.
        places[c], factors[c] = place, factor
        c += _U1
        for _ in range(abs(now - before) - 1):
            place += np.uint64(width)
            places[c], factors[c] = place, factor
            c += _U1
    own_off, their_off = int(own < CHECKERS), int(their < CHECKERS)
    if own_off != owned[2]:
        places[c], factors[c] = np.uint64(at), np.int16(own_off - owned[2])
        c += _U1
    if their_off != owned[3]:
        places[c], factors[c] = np.uint64(at + width), np.int16(their_off - owned[3])
        c += _U1
    return int(c)


@kernel(inner=True)
def _own(state: State, owned: Int64Vector) -> None:
    """Write the checkers of both sides, and whether each has borne off, int64 [4]."""
    own, their = 0, 0
    for p in range(SIZE):
        own += max(int(state[p]), 0)
        their += max(-int(state[p]), 0)
    owned[0], owned[1] = own, their
    owned[2], owned[3] = int(own < CHECKERS), int(their < CHECKERS)


@kernel(inner=True)
def _digits_of(state: State, digits: Int16Vector, scratch: UInt64Vector) -> None:
    """Write the tactical numbers of a position, int16 [Q - `N_OFFS`]."""
    sets = scratch[_SETS:_PLACES].view(np.uint32)
    numbers = scratch[_TACTICS:_CHANGES].view(np.int16)
    write_planes(state, 0, sets)
    tactics(sets, numbers)
    for q in range(_N_TACTICAL):
        digits[q] = (numbers[_FEATURE[q] * AT_ONCE] >> _SHIFT[q]) & _BITS[q]


@kernel(inner=True)
def _compare_numbers(digits: Int16Vector, scratch: UInt64Vector) -> None:
    """Compare the tactical numbers of a block, whose planes are written, with a parent's."""
    sets = scratch[_SETS:_PLACES].view(np.uint32)
    numbers = scratch[_TACTICS:_CHANGES].view(np.int16)
    changes = scratch[_CHANGES:_CHANGED].view(np.int16)
    tactics(sets, numbers)
    changed = filled(np.uint32(0), 16)
    for q in range(_N_TACTICAL):
        whole = load(numbers, _FEATURE[q] * AT_ONCE, 16)
        change = ((whole >> _SHIFT[q]) & _BITS[q]) - digits[q]
        store(changes, q * AT_ONCE, change)
        changed = select(change != 0, changed | np.uint32(1 << q), changed)
    store(scratch[_CHANGED:_SETS].view(np.uint32), 0, changed)


@kernel(inner=True)
def _follow(
    passed: State, digits: Int16Vector, n_tactical: int, kept: UInt64Vector,
    words: Int16Vector, weights: Float32Vector, scratch: UInt64Vector,
) -> None:  # fmt: skip
    """Make the sums that are kept for a part those of another parent.

    Args:
        passed: int8 [>= 26], the parent as the opponent sees it.
        digits: its tactical numbers.
        n_tactical: how many of them the network sees.
        kept: of the part, see `_OWNED`.
        words: the part.
        weights: the network.
        scratch: of the caller; places and factors are written.
    """
    places = scratch[_PLACES:_FACTORS]
    factors = scratch[_FACTORS:_CHANCES].view(np.int16)
    width, at_numbers = 2 * int(weights[SLOT.h1]), 2 * int(weights[SLOT.numbers_at])
    position, owned = kept[:_OWNED].view(np.int8), kept[_OWNED:_OLD].view(np.int64)
    old, sums = kept[_OLD:_SUMS].view(np.int16), kept[_SUMS:].view(np.int16)
    if not owned[4]:
        # All is 0: the position is the empty board.
        at_bias1 = 2 * int(weights[SLOT.bias1_at])
        for i in range(width):
            sums[i] = words[at_bias1 + i]
        owned[4] = 1
    count = np.uint64(_list_counts(position, passed, owned, at_numbers, width, places, factors))
    for q in range(n_tactical):
        change = digits[q] - old[q]
        if change != 0:
            places[count] = np.uint64(at_numbers + (N_OFFS + q) * width)
            factors[count] = np.int16(change)
            count += _U1
            old[q] = digits[q]
    add_rows(sums, words, width, 0, int(count), places, factors)
    for p in range(SIZE):
        position[p] = passed[p]
    _own(passed, owned)


@kernel(inner=True)
def _judge(
    lanes: int, rows: Rows, block: int, n_tactical: int, kept: UInt64Vector,
    part: Float32Vector, weights: Float32Vector, scratch: UInt64Vector, out: Float32Matrix,
) -> None:  # fmt: skip
    """Write the chances of those of sixteen successors that one part judges.

    Args:
        lanes: a set of them, not empty.
        rows: int8 [R, 26], the successors.
        block: the first of the sixteen.
        n_tactical: how many tactical numbers the network sees; they have been compared.
        kept: of the part, of their parent.
        part: its weights.
        weights: the network.
        scratch: of the caller.
        out: float32 [R, 6].
    """
    h1, h2 = int(weights[SLOT.h1]), int(weights[SLOT.h2])
    width, at_numbers = 2 * h1, 2 * int(weights[SLOT.numbers_at])
    at_tactical, at_weight2 = at_numbers + N_OFFS * width, 2 * int(weights[SLOT.weight2_at])
    words = part.view(np.int16)
    bias2 = part[int(weights[SLOT.bias2_at]) :].view(np.int32)
    weight3, bias3 = part[int(weights[SLOT.weight3_at]) :], part[int(weights[SLOT.bias3_at]) :]
    parent, owned = kept[:_OWNED].view(np.int8), kept[_OWNED:_OLD].view(np.int64)
    sums = kept[_SUMS:].view(np.int16)
    changes = scratch[_CHANGES:_CHANGED].view(np.int16)
    changed = scratch[_CHANGED:_SETS].view(np.uint32)
    places = scratch[_PLACES:_FACTORS]
    factors = scratch[_FACTORS:_CHANCES].view(np.int16)
    found = scratch[_CHANCES:_KEPT].view(np.float32)
    at_products = _KEPT + int(weights[SLOT.parts]) * (_SUMS + h1 // 2)
    at_alive = at_products + FOUR * h1 // 4
    at_four = at_alive + h1 // 2
    at_hidden = at_four + FOUR * h2 // 2
    products = scratch[at_products:at_alive].view(np.int16)
    pairs = scratch[at_products:at_alive].view(np.int32)
    alive = scratch[at_alive:at_four]
    of_four = scratch[at_four:at_hidden].view(np.float32)
    hidden = scratch[at_hidden:].view(np.float32)
    slot = np.uint64(0)
    left = lanes
    while left:
        several = 0
        while left and several < FOUR:
            lane = lowest(left)
            left &= left - 1
            row = rows[block + lane]
            count = np.uint64(
                _list_counts(parent, row, owned, at_numbers, width, places, factors)
            )
            if n_tactical > 0:
                different = int(changed[np.uint64(lane)])
                while different:
                    q = lowest(different)
                    different &= different - 1
                    places[count] = np.uint64(at_tactical + q * width)
                    factors[count] = changes[np.uint64(q * AT_ONCE + lane)]
                    count += _U1
            products_of(sums, words, h1, 0, int(count), places, factors, products, several * h1)
            several += 1
        for i in range(np.uint64(several * h1), np.uint64(FOUR * h1)):
            products[i] = 0
        second_layer(pairs, h1 // 2, h2, words, at_weight2, bias2, alive, of_four)
        for s in range(several):
            of_one = np.uint64(s * h2)
            for j in range(np.uint64(0), np.uint64(h2)):
                hidden[j * _U16 + slot] = of_four[of_one + j]
            slot += _U1
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
    n_tactical, at_tables = int(weights[SLOT.numbers]) - N_OFFS, int(weights[SLOT.tables])
    size = _SUMS + int(weights[SLOT.h1]) // 2
    mark = int(weights[SLOT.mark_high]) << 16 | int(weights[SLOT.mark_low]) | _MARKED
    passed = scratch[_PASSED:_DIGITS].view(np.int8)
    digits = scratch[_DIGITS:_TACTICS].view(np.int16)
    sets = scratch[_SETS:_PLACES].view(np.uint32)
    if scratch[0] != np.uint64(mark):
        scratch[:] = 0
        scratch[0] = np.uint64(mark)
    low, high = reverse(-load(parent, 10, 16)), reverse(-load(parent, 0, 16))
    if bits(low != load(passed, 0, 16)) | bits(high != load(passed, 10, 16)):
        store(passed, 0, low)
        store(passed, 10, high)
        scratch[1] = 0
    if n_tactical > 0 and not scratch[1]:
        _digits_of(passed, digits, scratch)
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
        if n_tactical > 0:
            _compare_numbers(digits, scratch)
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
                _follow(passed, digits, n_tactical, kept, words, weights, scratch)
            _judge(members, rows, block, n_tactical, kept, of_part, weights, scratch, out)


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
