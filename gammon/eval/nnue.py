"""The network compiled: the twin of `gammon.eval.network` that the search uses.

All successors of a parent share most of their counts. The first layer's sums are computed once
for the parent; each successor then adds and takes away the rows of what changed (an
"efficiently updatable" first layer, after Nasu 2018). `gammon.eval.packed` says what the
rows are. If a network sees the numbers of `gammon.eval.tactics`, they are computed for each
successor, and only the rows of those that changed are added.

Each part of a network judges the successors of its own plan (`gammon.eval.plan`).
`gammon.eval.layers` has the arithmetic, for four of them at a time. Memory is asked for once
for all successors of a parent.
"""

import numpy as np

from gammon.eval.bearoff import at_home, chances
from gammon.eval.equity import cumulative
from gammon.eval.layers import AT_ONCE, Places, add_rows, dense, multiply, rectify, softmax
from gammon.eval.packed import HEADER, OUTPUTS, SLOT, STEPS
from gammon.eval.plan import plan_of
from gammon.eval.tactics import N_TACTICS, SETS, room_for, scaled, tactics
from gammon.kernel import kernel
from gammon.records import Float32Matrix, Float32Vector, Int16Vector, Int64Vector
from gammon.rules.board import CHECKERS, SIZE
from gammon.rules.state import Rows, State
from gammon.search.game import EVALUATE_SIGNATURE
from gammon.vector import bits, load, lowest

__all__ = ["probabilities", "results", "results_of"]

#: No two positions differ by more rows.
_MOST_ROWS = 6 * CHECKERS + N_TACTICS + AT_ONCE


@kernel(inner=True)
def _add_steps(
    rows: Places, factors: Float32Vector, count: int, at: int, width: int, old: int, new: int
) -> int:
    """List the rows that take one count from old to new.

    Args:
        rows, factors: lists to add to: where a row begins, and what it is multiplied by.
        count: how many are listed so far.
        at: where the row of the step from 0 to 1 begins.
        width: numbers of a row.
        old, new: the counts.

    Returns:
        How many are listed then.
    """
    factor = np.float32(1.0) if new > old else np.float32(-1.0)
    for step in range(min(old, new), max(old, new)):
        rows[count] = at + step * width
        factors[count] = factor
        count += 1
    return count


@kernel(inner=True)
def _list_steps(
    old: State,
    new: State,
    at_points: int,
    at_offs: int,
    width: int,
    rows: Places,
    factors: Float32Vector,
) -> int:
    """List the rows that take one position to another.

    Args:
        old, new: int8 [26], the positions.
        at_points, at_offs: where these blocks of the part begin.
        width: numbers of a row.
        rows, factors: lists to fill: where a row begins, and what it is multiplied by.

    Returns:
        How many are listed.
    """
    count = 0
    own_gone, their_gone = 0, 0
    first, last = load(old, 0, 16), load(old, 10, 16)  # all 26 counts, some twice
    changed = bits(first != load(new, 0, 16)) | bits(last != load(new, 10, 16)) << 10
    while changed:
        p = lowest(changed)
        changed &= changed - 1
        before = old[p]
        now = new[p]
        own_gone += max(before, 0) - max(now, 0)
        their_gone += min(now, 0) - min(before, 0)
        at = at_points + (p * STEPS + CHECKERS) * width
        count = _add_steps(rows, factors, count, at, width, before, now)
    if own_gone != 0 or their_gone != 0:
        own_off, their_off = CHECKERS, CHECKERS
        for p in range(SIZE):
            own_off -= max(old[p], 0)
            their_off += min(old[p], 0)
        at = at_offs
        count = _add_steps(rows, factors, count, at, width, own_off, own_off + own_gone)
        at += CHECKERS * width
        count = _add_steps(rows, factors, count, at, width, their_off, their_off + their_gone)
    return count


@kernel(inner=True)
def _list_tactics(
    old: Float32Vector,
    new: Float32Vector,
    seen: Float32Vector,
    at: int,
    width: int,
    count: int,
    rows: Places,
    factors: Float32Vector,
) -> int:
    """List the rows of the numbers that differ, of those that the network sees.

    A number that it does not see leaves no trace: rows are summed in fours, and one of
    zeros between them would change how the sums are rounded.

    Args:
        old, new: float32 [T], the numbers of both positions.
        seen: float32 [T], 1 for a number that is seen, else 0.
        at: where the rows of the part's tactics begin.
        width: numbers of a row.
        count: how many rows are listed so far.
        rows, factors: lists to add to: where a row begins, and what it is multiplied by.

    Returns:
        How many are listed then.
    """
    for k in range(old.shape[0]):
        # Written in any case, and counted if it holds: a branch would be guessed wrong.
        change = seen[k] * (new[k] - old[k])
        rows[count] = at + k * width
        factors[count] = change
        count += int(change != 0.0)
    return count


@kernel(fast=True, inner=True)
def _results(
    passed: State,
    rows: Rows,
    chosen: Int64Vector,
    n: int,
    numbers: Int16Vector,
    weights: Float32Vector,
    at: int,
    out: Float32Matrix,
    empty: State,
    room: Float32Vector,
    listed: Places,
) -> None:
    """Write what one part of a network says of some rows, without asking for memory.

    Args:
        passed: int8 [26], the parent as the opponent sees it: what a pass would leave.
        rows: int8 [R, 26], successors of the parent.
        chosen: the rows to evaluate, the first n.
        n: how many they are.
        numbers: what `tactics` writes of the parent and all rows.
        weights: a packed network.
        at: where the part begins in it.
        out: float32 [R, 6], the chances of the six results, to be written for those rows.
        empty: a board without checkers.
        room: for the numbers that are cut from it below.
        listed: room for `_MOST_ROWS`.
    """
    h1 = int(weights[SLOT.h1])
    h2 = int(weights[SLOT.h2])
    n_tactics = int(weights[SLOT.tactics])
    w = 2 * h1
    at_offs = at + int(weights[SLOT.offs_at])
    at_tactics = at + int(weights[SLOT.tactics_at])
    at_bias1 = at + int(weights[SLOT.bias1_at])
    at_weight2 = np.uint64(at + int(weights[SLOT.weight2_at]))
    at_weight3 = np.uint64(at + int(weights[SLOT.weight3_at]))
    at_seen = at + int(weights[SLOT.seen_at])
    width1, width2 = np.uint64(h1), np.uint64(h2)
    base, room = room[:w], room[w:]
    sums, room = room[: 4 * w], room[4 * w :]
    hidden, room = room[: 4 * h1], room[4 * h1 :]
    second, room = room[: 4 * h2], room[4 * h2 :]
    last, room = room[: 4 * OUTPUTS], room[4 * OUTPUTS :]
    of_passed, room = room[:n_tactics], room[n_tactics:]
    of_row, factors = room[:n_tactics], room[n_tactics:]
    seen = weights[at_seen : at_seen + n_tactics]

    count = _list_steps(empty, passed, at, at_offs, h1, listed, factors)
    if n_tactics > 0:
        scaled(numbers, 0, of_passed)
        of_row[:] = 0.0
        count = _list_tactics(of_row, of_passed, seen, at_tactics, h1, count, listed, factors)
    bias1 = weights[at_bias1 : at_bias1 + w]
    add_rows(base, np.uint64(0), bias1, weights, listed, factors, count, width1)

    for first in range(0, n, 4):
        several = min(4, n - first)
        for r in range(several):
            row = rows[chosen[first + r]]
            count = _list_steps(passed, row, at, at_offs, h1, listed, factors)
            if n_tactics > 0:
                scaled(numbers, chosen[first + r] + 1, of_row)
                count = _list_tactics(
                    of_passed, of_row, seen, at_tactics, h1, count, listed, factors
                )
            add_rows(sums, np.uint64(r * w), base, weights, listed, factors, count, width1)
        multiply(sums, np.uint64(several), width1, hidden)
        # Where fewer than four rows are left, the others' numbers are not used.
        dense(weights, at_weight2, width1, width2, hidden, second)
        rectify(second)
        dense(weights, at_weight3, width2, np.uint64(OUTPUTS), second, last)
        for r in range(several):
            softmax(last, r * OUTPUTS, out, chosen[first + r])


@kernel(EVALUATE_SIGNATURE, fast=True, allocates=True)
def results(
    parent: State, rows: Rows, n: int, weights: Float32Vector, out: Float32Matrix
) -> None:
    """Write the chances of the six results of the n successors of one parent.

    Args:
        parent: int8 [26], seen from the player on roll.
        rows: int8 [R, 26], the first n of them seen from the opponent. They may be any
            positions: those near the parent are only cheaper.
        n: the rows to evaluate.
        weights: a packed network.
        out: float32 [>= n, 6], to the player on roll in each row, losses first.
    """
    passed = np.empty(SIZE, np.int8)
    for p in range(SIZE):
        passed[p] = -parent[25 - p]
    h1 = int(weights[SLOT.h1])
    h2 = int(weights[SLOT.h2])
    # The first layer's sums of the parent and of four rows, two for a unit; four products.
    room = np.empty(
        (2 + 8 + 4) * h1 + 4 * h2 + 4 * OUTPUTS + 2 * N_TACTICS + _MOST_ROWS, np.float32
    )
    listed = np.empty(_MOST_ROWS, np.uint64)
    empty = np.zeros(SIZE, np.int8)
    chosen = np.empty(n, np.int64)
    numbers = np.empty(room_for(n + 1) if int(weights[SLOT.tactics]) > 0 else 0, np.int16)
    if numbers.size > 0:
        tactics(passed, rows, n, numbers, np.empty(SETS, np.uint32))
    n_parts = int(weights[SLOT.parts])
    for part in range(n_parts):
        count = 0
        for r in range(n):
            if n_parts == 1 or plan_of(rows[r]) == part:
                chosen[count] = r
                count += 1
        if count > 0:
            at = HEADER + part * int(weights[SLOT.part_size])
            _results(
                passed, rows, chosen, count, numbers, weights, at, out, empty, room, listed
            )
    at_tables = int(weights[SLOT.tables])
    if at_tables > 0 and at_home(parent, True):
        for r in range(n):
            if at_home(rows[r], True) and at_home(rows[r], False):
                chances(rows[r], weights, at_tables, out[r])


@kernel(allocates=True)
def _results_of_each(rows: Rows, weights: Float32Vector, out: Float32Matrix) -> None:
    parent = np.empty(SIZE, np.int8)
    for r in range(rows.shape[0]):
        for p in range(SIZE):
            parent[p] = -rows[r, 25 - p]  # a parent from which nothing has changed
        results(parent, rows[r : r + 1], 1, weights, out[r : r + 1])


def results_of(rows: Rows, packed: Float32Vector) -> Float32Matrix:
    """Return the chances of the six results [N, 6] of any positions int8 [N, 26].

    They are seen from the player on roll, losses first, and no game is over.
    """
    out = np.empty((len(rows), 6), np.float32)
    _results_of_each(np.ascontiguousarray(rows, np.int8), packed, out)
    return out


def probabilities(rows: Rows, packed: Float32Vector) -> Float32Matrix:
    """Return the cumulative probabilities [N, 5] of positions, as `results_of` takes them."""
    return cumulative(results_of(rows, packed))
