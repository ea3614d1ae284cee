"""The network compiled: the twin of `gammon.eval.network` that the search uses.

All successors of a parent share most of their counts. The first layer's sums are made once
for the parent, and each successor adds and takes away the rows of what changed (an
"efficiently updatable" first layer, after Nasu 2018). `gammon.eval.packed` says what the
rows are. The numbers of `gammon.eval.tactics`, where a network has them, are computed for
each successor, and again only those that changed are added.

The dense layers take four rows by four positions at a time, so that each weight and each
input that is loaded serves four products; else loading them is what takes the time. All
arrays that the loops touch are indexed by unsigned numbers: a signed index would be checked
for being negative. Memory is asked for once for all successors of a parent.
"""

import numpy as np
import numpy.typing as npt
from numba import types

from gammon.eval.bearoff import at_home, chances
from gammon.eval.equity import cumulative
from gammon.eval.packed import HEADER, OUTPUTS, STEPS, Floats
from gammon.eval.tactics import N_TACTICS, tactics
from gammon.kernel import kernel
from gammon.rules.board import CHECKERS, SIZE, State
from gammon.search.game import VALUES_SIGNATURE

__all__ = ["probabilities", "results", "values"]

Rows = npt.NDArray[np.int8]
#: Where rows of the first layer begin in the packed network.
Places = npt.NDArray[np.uint64]

#: Rows that `_add_rows` takes at a time.
_AT_ONCE = 4
#: No two positions differ by more rows.
_MOST_ROWS = 6 * CHECKERS + N_TACTICS + _AT_ONCE
_N1, _N2, _N3 = np.uint64(1), np.uint64(2), np.uint64(3)
_ZERO = np.float32(0.0)
_F32 = types.float32[::1]
_PLACES = types.uint64[::1]
_TABLE = types.float32[:, ::1]
_ROWS = types.int8[:, ::1]
_INT = types.int64
_UINT = types.uint64


@kernel(_INT(_PLACES, _F32, _INT, _INT, _INT, _INT, _INT), inner=True)
def _add_steps(
    rows: Places, factors: Floats, count: int, at: int, width: int, old: int, new: int
) -> int:
    """List the rows that take one count from old to new; return how many are listed then."""
    factor = np.float32(1.0) if new > old else np.float32(-1.0)
    for step in range(min(old, new), max(old, new)):
        rows[count] = at + step * width
        factors[count] = factor
        count += 1
    return count


@kernel(_INT(types.int8[::1], types.int8[::1], _INT, _PLACES, _F32), inner=True)
def _list_steps(old: State, new: State, width: int, rows: Places, factors: Floats) -> int:
    """List the rows that take one position to another; return how many they are."""
    count = 0
    own_gone, their_gone = 0, 0
    for p in range(SIZE):
        before = old[p]
        now = new[p]
        if now != before:
            own_gone += max(before, 0) - max(now, 0)
            their_gone += min(now, 0) - min(before, 0)
            at = HEADER + (p * STEPS + CHECKERS) * width
            count = _add_steps(rows, factors, count, at, width, before, now)
    if own_gone != 0 or their_gone != 0:
        own_off, their_off = CHECKERS, CHECKERS
        for p in range(SIZE):
            own_off -= max(old[p], 0)
            their_off += min(old[p], 0)
        at = HEADER + SIZE * STEPS * width
        count = _add_steps(rows, factors, count, at, width, own_off, own_off + own_gone)
        at += CHECKERS * width
        count = _add_steps(rows, factors, count, at, width, their_off, their_off + their_gone)
    return count


@kernel(_INT(_F32, _F32, _INT, _INT, _INT, _PLACES, _F32), inner=True)
def _list_tactics(
    old: Floats, new: Floats, at: int, width: int, count: int, rows: Places, factors: Floats
) -> int:
    """List the rows of the numbers that differ; return how many are listed then."""
    for k in range(old.shape[0]):
        # Written in any case, and counted if it holds: a branch would be guessed wrong.
        change = new[k] - old[k]
        rows[count] = at + k * width
        factors[count] = change
        count += int(change != 0.0)
    return count


@kernel(types.float32(types.uint32), inline=True)
def _lower(word: np.uint32) -> np.float32:
    """Return the number in the lower half of a word, a bfloat16."""
    return np.uint32(word << np.uint32(16)).view(np.float32)


@kernel(types.float32(types.uint32), inline=True)
def _upper(word: np.uint32) -> np.float32:
    """Return the number in the upper half of a word, a bfloat16."""
    return np.uint32(word & np.uint32(0xFFFF0000)).view(np.float32)


@kernel(types.void(_F32, _UINT, _F32, _F32, _PLACES, _F32, _INT, _UINT), fast=True, inner=True)
def _add_rows(
    out: Floats,
    at: np.uint64,
    start: Floats,
    weights: Floats,
    rows: Places,
    factors: Floats,
    count: int,
    h1: np.uint64,
) -> None:
    """Write the sums of rows, each times its factor, and of start [2 * h1], into out.

    Args:
        out: [>= at + 2 * h1]; first factors from `at` on, second ones from at + h1.
        rows: where `count` rows begin in `weights`; there is room for `_AT_ONCE` more.
        factors: of those rows; there is room for `_AT_ONCE` more.
    """
    zero = np.uint64(0)
    words = weights.view(np.uint32)
    for k in range(count, count + _AT_ONCE):
        rows[k] = rows[0]
        factors[k] = 0.0
    for k in range(0, max(count, 1), _AT_ONCE):
        r0, r1, r2, r3 = rows[k], rows[k + 1], rows[k + 2], rows[k + 3]
        f0, f1, f2, f3 = factors[k], factors[k + 1], factors[k + 2], factors[k + 3]
        # Two loops: with one that reads and writes `out`, or `start`, as it comes, the
        # compiler could not tell that they are apart, and would not use vectors.
        if k == 0:
            for i in range(zero, h1):
                w0, w1, w2, w3 = words[r0 + i], words[r1 + i], words[r2 + i], words[r3 + i]
                first = start[i]
                first += f0 * _lower(w0)
                first += f1 * _lower(w1)
                first += f2 * _lower(w2)
                first += f3 * _lower(w3)
                second = start[h1 + i]
                second += f0 * _upper(w0)
                second += f1 * _upper(w1)
                second += f2 * _upper(w2)
                second += f3 * _upper(w3)
                out[at + i] = first
                out[at + h1 + i] = second
        else:
            for i in range(zero, h1):
                w0, w1, w2, w3 = words[r0 + i], words[r1 + i], words[r2 + i], words[r3 + i]
                first = out[at + i]
                first += f0 * _lower(w0)
                first += f1 * _lower(w1)
                first += f2 * _lower(w2)
                first += f3 * _lower(w3)
                second = out[at + h1 + i]
                second += f0 * _upper(w0)
                second += f1 * _upper(w1)
                second += f2 * _upper(w2)
                second += f3 * _upper(w3)
                out[at + i] = first
                out[at + h1 + i] = second


@kernel(types.void(_F32, _UINT, _UINT, _F32), fast=True, inner=True)
def _multiply(sums: Floats, several: np.uint64, h1: np.uint64, out: Floats) -> None:
    """Write the products of the two rectified sums of each unit of the first layer.

    Args:
        sums: [several * 2 * h1].
        out: [>= several * h1].
    """
    zero = np.uint64(0)
    for r in range(zero, several):
        at = r * h1
        first = at + at
        second = first + h1
        for i in range(zero, h1):
            out[at + i] = max(sums[first + i], _ZERO) * max(sums[second + i], _ZERO)


@kernel(types.void(_F32, _UINT, _UINT, _UINT, _F32, _F32), fast=True, inner=True)
def _dense(
    weights: Floats,
    at_weight: np.uint64,
    n_in: np.uint64,
    n_out: np.uint64,
    x: Floats,
    out: Floats,
) -> None:
    """Write weight @ x[r] + bias into out[r], for the four rows of x.

    Sixteen sums at a time are kept in registers.

    Args:
        weights: a packed network, with weight [n_out, n_in] from `at_weight` on, and then
            bias [n_out].
        x: [4 * n_in].
        out: [4 * n_out].
    """
    zero = np.uint64(0)
    x1 = n_in
    x2 = x1 + n_in
    x3 = x2 + n_in
    at_bias = at_weight + n_in * n_out
    for j in range(zero, n_out, np.uint64(4)):
        w0 = at_weight + j * n_in
        w1 = w0 + n_in
        w2 = w1 + n_in
        w3 = w2 + n_in
        s00 = s01 = s02 = s03 = weights[at_bias + j]
        s10 = s11 = s12 = s13 = weights[at_bias + j + _N1]
        s20 = s21 = s22 = s23 = weights[at_bias + j + _N2]
        s30 = s31 = s32 = s33 = weights[at_bias + j + _N3]
        for i in range(zero, n_in):
            a = x[i]
            b = x[x1 + i]
            c = x[x2 + i]
            d = x[x3 + i]
            w = weights[w0 + i]
            s00 += w * a
            s01 += w * b
            s02 += w * c
            s03 += w * d
            w = weights[w1 + i]
            s10 += w * a
            s11 += w * b
            s12 += w * c
            s13 += w * d
            w = weights[w2 + i]
            s20 += w * a
            s21 += w * b
            s22 += w * c
            s23 += w * d
            w = weights[w3 + i]
            s30 += w * a
            s31 += w * b
            s32 += w * c
            s33 += w * d
        o1 = j + n_out
        o2 = o1 + n_out
        o3 = o2 + n_out
        out[j] = s00
        out[j + _N1] = s10
        out[j + _N2] = s20
        out[j + _N3] = s30
        out[o1] = s01
        out[o1 + _N1] = s11
        out[o1 + _N2] = s21
        out[o1 + _N3] = s31
        out[o2] = s02
        out[o2 + _N1] = s12
        out[o2 + _N2] = s22
        out[o2 + _N3] = s32
        out[o3] = s03
        out[o3 + _N1] = s13
        out[o3 + _N2] = s23
        out[o3 + _N3] = s33


@kernel(types.void(_F32, _INT, _TABLE, _INT), fast=True, inner=True)
def _softmax(logits: Floats, at: int, out: Floats, row: int) -> None:
    """Write the six chances that six logits stand for into a row of out."""
    top = logits[at]
    for k in range(1, 6):
        top = max(top, logits[at + k])
    scale = np.float32(0.0)
    for k in range(6):
        out[row, k] = np.exp(logits[at + k] - top)
        scale += out[row, k]
    for k in range(6):
        out[row, k] /= scale


@kernel(
    types.void(types.int8[::1], _ROWS, _INT, _F32, _TABLE, types.int8[::1], _F32, _PLACES),
    fast=True,
    inner=True,
)
def _results(
    passed: State,
    rows: Rows,
    n: int,
    weights: Floats,
    out: Floats,
    empty: State,
    room: Floats,
    listed: Places,
) -> None:
    """Write what `results` does, without asking for memory.

    Args:
        passed: the parent as the opponent sees it: what a pass would leave.
        rows, n, weights, out: as for `results`.
        empty: a board without checkers.
        room: for the numbers that are cut from it below.
        listed: room for `_MOST_ROWS`.
    """
    h1 = int(weights[0])
    h2 = int(weights[1])
    n_tactics = int(weights[2])
    w = 2 * h1
    at_tactics = HEADER + (SIZE * STEPS + 2 * CHECKERS) * h1
    at_bias1 = at_tactics + n_tactics * h1
    at_weight2 = np.uint64(at_bias1 + w)
    at_weight3 = np.uint64(at_bias1 + w + h1 * h2 + h2)
    width1, width2 = np.uint64(h1), np.uint64(h2)
    base, room = room[:w], room[w:]
    sums, room = room[: 4 * w], room[4 * w :]
    hidden, room = room[: 4 * h1], room[4 * h1 :]
    second, room = room[: 4 * h2], room[4 * h2 :]
    last, room = room[: 4 * OUTPUTS], room[4 * OUTPUTS :]
    of_passed, room = room[:n_tactics], room[n_tactics:]
    of_row, factors = room[:n_tactics], room[n_tactics:]

    count = _list_steps(empty, passed, h1, listed, factors)
    if n_tactics > 0:
        tactics(passed, of_passed)
        of_row[:] = 0.0
        count = _list_tactics(of_row, of_passed, at_tactics, h1, count, listed, factors)
    bias1 = weights[at_bias1 : at_bias1 + w]
    _add_rows(base, np.uint64(0), bias1, weights, listed, factors, count, width1)

    for first in range(0, n, 4):
        several = min(4, n - first)
        for r in range(several):
            row = rows[first + r]
            count = _list_steps(passed, row, h1, listed, factors)
            if n_tactics > 0:
                tactics(row, of_row)
                count = _list_tactics(of_passed, of_row, at_tactics, h1, count, listed, factors)
            _add_rows(sums, np.uint64(r * w), base, weights, listed, factors, count, width1)
        _multiply(sums, np.uint64(several), width1, hidden)
        # Where fewer than four are left, the others' numbers are not used.
        _dense(weights, at_weight2, width1, width2, hidden, second)
        for i in range(4 * h2):
            second[i] = max(second[i], _ZERO)
        _dense(weights, at_weight3, width2, np.uint64(OUTPUTS), second, last)
        for r in range(several):
            _softmax(last, r * OUTPUTS, out, first + r)


@kernel(
    types.void(types.int8[::1], _ROWS, _INT, _F32, _TABLE),
    fast=True,
    inner=True,
    allocates=True,
)
def results(parent: State, rows: Rows, n: int, weights: Floats, out: Floats) -> None:
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
    h1 = int(weights[0])
    h2 = int(weights[1])
    # The first layer's sums of the parent and of four rows, two for a unit; four products.
    room = np.empty(
        (2 + 8 + 4) * h1 + 4 * h2 + 4 * OUTPUTS + 2 * N_TACTICS + _MOST_ROWS, np.float32
    )
    listed = np.empty(_MOST_ROWS, np.uint64)
    _results(passed, rows, n, weights, out, np.zeros(SIZE, np.int8), room, listed)
    at_tables = int(weights[3])
    if at_tables > 0 and at_home(parent, True):
        for r in range(n):
            if at_home(rows[r], True) and at_home(rows[r], False):
                chances(rows[r], weights, at_tables, out[r])


@kernel(VALUES_SIGNATURE, allocates=True)
def values(parent: State, rows: Rows, n: int, weights: Floats, out: Floats) -> None:
    """Write the equities of the n successors of one parent; see `VALUES_SIGNATURE`."""
    six = np.empty((n, 6), np.float32)
    results(parent, rows, n, weights, six)
    for r in range(n):
        single = six[r, 3] - six[r, 2]
        gammon = six[r, 4] - six[r, 1]
        backgammon = six[r, 5] - six[r, 0]
        out[r] = single + 2.0 * gammon + 3.0 * backgammon


@kernel(types.void(_ROWS, _F32, types.float32[:, ::1]), allocates=True)
def _results_of_each(rows: Rows, weights: Floats, out: Floats) -> None:
    parent = np.empty(SIZE, np.int8)
    for r in range(rows.shape[0]):
        for p in range(SIZE):
            parent[p] = -rows[r, 25 - p]  # a parent from which nothing has changed
        results(parent, rows[r : r + 1], 1, weights, out[r : r + 1])


def probabilities(rows: Rows, packed: Floats) -> Floats:
    """Return cumulative probabilities [N, 5] of any positions int8 [N, 26].

    They are seen from the player on roll, and no game is over.
    """
    out = np.empty((len(rows), 6), np.float32)
    _results_of_each(np.ascontiguousarray(rows, np.int8), packed, out)
    return cumulative(out)
