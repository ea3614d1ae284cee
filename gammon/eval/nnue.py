"""The network compiled: the twin of `gammon.eval.network` that the search uses.

Every feature depends on one count, so the first layer is a bias and a sum of
table rows, one for each point and each side's borne-off checkers. All
successors of a parent share most of their counts: the sum is made once for the
parent, and each successor adds the rows of what changed (an "efficiently
updatable" first layer, after Nasu 2018). The features of `gammon.eval.tactics`,
where a network has them, are computed for each successor.

A packed network is one flat float32 vector: the sizes H1, H2 and T (18 or 0), then
    points   [26, 31, H1]   row of a board index and its count -15..15
    offs     [2, 16, H1]    row of the checkers that a side (0: on roll) has borne off
    tactics  [T, H1]
    bias1    [H1]
    weight2  [H2, H1], bias2 [H2]
    weight3  [8, H2],  bias3 [8]    the last two rows are 0: four are computed at a time

The dense layers take four rows by four positions at a time, so that each weight and each
input that is loaded serves four products; else loading them is what takes the time.
"""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
from numba import types

from gammon.eval.equity import cumulative
from gammon.eval.features import N_COUNTS, OFF_UNITS, POINT_UNITS, off_column, point_column
from gammon.eval.tactics import N_TACTICS, tactics
from gammon.kernel import kernel
from gammon.rules.board import SIZE, State
from gammon.search.game import VALUES_SIGNATURE

__all__ = ["Weights", "hidden_sizes", "pack", "probabilities", "results", "values"]

Floats = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int8]
#: A network's tensors by name, as PyTorch orders and names them.
Weights = Mapping[str, npt.NDArray[np.float32]]

_HEADER = 3
_COUNTS = 31
_OUTPUTS = 8
_F32 = types.float32[::1]
_F32_SCALAR = types.float32
_TABLE = types.float32[:, ::1]
_ROWS = types.int8[:, ::1]
_INT = types.int64


def pack(weights: Weights) -> Floats:
    """Return a network's tensors as the flat vector that `values` reads.

    Args:
        weights: `hidden1.weight` [H1, 204 or 222], `hidden1.bias` [H1],
            `hidden2.weight` [H2, H1], `hidden2.bias` [H2], `output.weight` [6, H2],
            `output.bias` [6]; H2 a multiple of 4.
    """
    first = np.asarray(weights["hidden1.weight"], np.float32).T  # [204 + T, H1]
    tactical = first[N_COUNTS:]
    h1, h2 = first.shape[1], weights["hidden2.bias"].shape[0]
    points = np.zeros((SIZE, _COUNTS, h1), np.float32)
    units = POINT_UNITS.shape[1]
    for index in range(SIZE):
        for opponent in (False, True):
            if index == (25 if opponent else 0):
                continue  # nobody's checker stands on the other side's bar
            column = point_column(index, opponent)
            rows = POINT_UNITS @ first[column : column + units]  # by count 0..15
            points[index, 15 :: -1 if opponent else 1] += rows
    offs = np.stack(
        [OFF_UNITS @ first[c : c + OFF_UNITS.shape[1]] for c in map(off_column, (False, True))]
    )
    missing = _OUTPUTS - weights["output.bias"].shape[0]
    header = np.array([h1, h2, len(tactical)], np.float32)
    parts = [header, points, offs, tactical, weights["hidden1.bias"]]
    parts += [weights["hidden2.weight"], weights["hidden2.bias"]]
    parts += [np.pad(weights["output.weight"], ((0, missing), (0, 0)))]
    parts += [np.pad(weights["output.bias"], (0, missing))]
    return np.concatenate([np.asarray(part, np.float32).ravel() for part in parts])


def hidden_sizes(packed: Floats) -> tuple[int, int]:
    """Return H1 and H2 of a packed network."""
    return int(packed[0]), int(packed[1])


@kernel(types.void(_F32, _F32, _F32), fast=True)
def _swap_rows(total: Floats, old: Floats, new: Floats) -> None:
    for i in range(total.shape[0]):
        total[i] += new[i] - old[i]


@kernel(types.void(_F32, _TABLE, _F32), fast=True)
def _add_rows(total: Floats, rows: Floats, factors: Floats) -> None:
    """Add nine rows, each times its factor, in one pass over the total."""
    f0, f1, f2, f3 = factors[0], factors[1], factors[2], factors[3]
    f4, f5, f6, f7, f8 = factors[4], factors[5], factors[6], factors[7], factors[8]
    r0, r1, r2, r3 = rows[0], rows[1], rows[2], rows[3]
    r4, r5, r6, r7, r8 = rows[4], rows[5], rows[6], rows[7], rows[8]
    for i in range(total.shape[0]):
        total[i] += (
            (f0 * r0[i] + f1 * r1[i] + f2 * r2[i])
            + (f3 * r3[i] + f4 * r4[i] + f5 * r5[i])
            + (f6 * r6[i] + f7 * r7[i] + f8 * r8[i])
        )


@kernel(types.void(_TABLE, _F32, _TABLE, _TABLE, _F32_SCALAR), fast=True)
def _dense(weight: Floats, bias: Floats, x: Floats, out: Floats, floor: np.float32) -> None:
    """Write max(weight @ x[r] + bias, floor) into out[r], for the four rows of x.

    Sixteen sums at a time are kept in registers.
    """
    x0 = x[0]
    x1 = x[1]
    x2 = x[2]
    x3 = x[3]
    for j in range(0, weight.shape[0], 4):
        w0 = weight[j]
        w1 = weight[j + 1]
        w2 = weight[j + 2]
        w3 = weight[j + 3]
        s00 = s01 = s02 = s03 = bias[j]
        s10 = s11 = s12 = s13 = bias[j + 1]
        s20 = s21 = s22 = s23 = bias[j + 2]
        s30 = s31 = s32 = s33 = bias[j + 3]
        for i in range(x0.shape[0]):
            a = x0[i]
            b = x1[i]
            c = x2[i]
            d = x3[i]
            w = w0[i]
            s00 += w * a
            s01 += w * b
            s02 += w * c
            s03 += w * d
            w = w1[i]
            s10 += w * a
            s11 += w * b
            s12 += w * c
            s13 += w * d
            w = w2[i]
            s20 += w * a
            s21 += w * b
            s22 += w * c
            s23 += w * d
            w = w3[i]
            s30 += w * a
            s31 += w * b
            s32 += w * c
            s33 += w * d
        out[0, j] = max(s00, floor)
        out[0, j + 1] = max(s10, floor)
        out[0, j + 2] = max(s20, floor)
        out[0, j + 3] = max(s30, floor)
        out[1, j] = max(s01, floor)
        out[1, j + 1] = max(s11, floor)
        out[1, j + 2] = max(s21, floor)
        out[1, j + 3] = max(s31, floor)
        out[2, j] = max(s02, floor)
        out[2, j + 1] = max(s12, floor)
        out[2, j + 2] = max(s22, floor)
        out[2, j + 3] = max(s32, floor)
        out[3, j] = max(s03, floor)
        out[3, j + 1] = max(s13, floor)
        out[3, j + 2] = max(s23, floor)
        out[3, j + 3] = max(s33, floor)


@kernel(types.void(_F32, _F32), fast=True)
def _softmax(logits: Floats, out: Floats) -> None:
    """Write the six chances that the first six logits stand for."""
    top = logits[0]
    for k in range(1, 6):
        top = max(top, logits[k])
    scale = np.float32(0.0)
    for k in range(6):
        out[k] = np.exp(logits[k] - top)
        scale += out[k]
    for k in range(6):
        out[k] /= scale


@kernel(types.void(types.int8[::1], _ROWS, _INT, _F32, types.float32[:, ::1]), fast=True)
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
    h1 = int(weights[0])
    h2 = int(weights[1])
    at_offs = _HEADER + SIZE * _COUNTS * h1
    at_tactics = at_offs + 32 * h1
    n_tactics = int(weights[2])
    at_bias1 = at_tactics + n_tactics * h1
    at_weight2 = at_bias1 + h1
    at_bias2 = at_weight2 + h1 * h2
    at_weight3 = at_bias2 + h2
    at_bias3 = at_weight3 + _OUTPUTS * h2
    points = weights[_HEADER:at_offs].reshape(SIZE * _COUNTS, h1)
    offs = weights[at_offs:at_tactics].reshape(32, h1)
    tactical = weights[at_tactics:at_bias1].reshape(n_tactics, h1)
    bias1 = weights[at_bias1:at_weight2]
    weight2 = weights[at_weight2:at_bias2].reshape(h2, h1)
    bias2 = weights[at_bias2:at_weight3]
    weight3 = weights[at_weight3:at_bias3].reshape(_OUTPUTS, h2)
    bias3 = weights[at_bias3 : at_bias3 + _OUTPUTS]

    # The parent as the opponent sees it: what a pass would leave.
    base = np.empty(h1, np.float32)
    hidden = np.zeros((4, h1), np.float32)
    second = np.empty((4, h2), np.float32)
    last = np.empty((4, _OUTPUTS), np.float32)
    zero = np.zeros(h1, np.float32)
    numbers = np.empty(N_TACTICS, np.float32)
    base[:] = bias1
    base_own_off = 15
    base_their_off = 15
    for p in range(26):
        count = -parent[25 - p]
        if count > 0:
            base_own_off -= count
        else:
            base_their_off += count
        _swap_rows(base, zero, points[p * _COUNTS + count + 15])
    _swap_rows(base, zero, offs[base_own_off])
    _swap_rows(base, zero, offs[16 + base_their_off])

    for first in range(0, n, 4):
        several = min(4, n - first)
        for r in range(several):
            row = rows[first + r]
            total = hidden[r]
            total[:] = base
            own_off = 15
            their_off = 15
            for p in range(26):
                count = row[p]
                old = -parent[25 - p]
                if count > 0:
                    own_off -= count
                else:
                    their_off += count
                if count != old:
                    at = p * _COUNTS + 15
                    _swap_rows(total, points[at + old], points[at + count])
            if own_off != base_own_off:
                _swap_rows(total, offs[base_own_off], offs[own_off])
            if their_off != base_their_off:
                _swap_rows(total, offs[16 + base_their_off], offs[16 + their_off])
            if n_tactics > 0:
                tactics(row, numbers)
                for k in range(0, n_tactics, 9):
                    _add_rows(total, tactical[k : k + 9], numbers[k : k + 9])
            for i in range(h1):
                total[i] = max(total[i], np.float32(0.0))
        # Where fewer than four are left, the others' numbers are not used.
        _dense(weight2, bias2, hidden, second, np.float32(0.0))
        _dense(weight3, bias3, second, last, np.float32(-1e30))
        for r in range(several):
            _softmax(last[r], out[first + r])


@kernel(VALUES_SIGNATURE)
def values(parent: State, rows: Rows, n: int, weights: Floats, out: Floats) -> None:
    """Write the equities of the n successors of one parent; see `VALUES_SIGNATURE`."""
    chances = np.empty((n, 6), np.float32)
    results(parent, rows, n, weights, chances)
    for r in range(n):
        c = chances[r]
        out[r] = (c[3] - c[2]) + 2.0 * (c[4] - c[1]) + 3.0 * (c[5] - c[0])


@kernel(types.void(_ROWS, _F32, types.float32[:, ::1]))
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
