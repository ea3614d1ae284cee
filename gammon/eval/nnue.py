"""The network compiled: the twin of `gammon.eval.network` that the search uses.

Every feature depends on one count, so the first layer is a bias and a sum of
table rows, one for each point and each side's borne-off checkers. All
successors of a parent share most of their counts: the sum is made once for the
parent, and each successor adds the rows of what changed (an "efficiently
updatable" first layer, after Nasu 2018).

A packed network is one flat float32 vector: the sizes H1 and H2, then
    points   [26, 31, H1]   row of a board index and its count -15..15
    offs     [2, 16, H1]    row of the checkers that a side (0: on roll) has borne off
    bias1    [H1]
    weight2  [H2, H1], bias2 [H2]
    weight3  [6, H2],  bias3 [6]
"""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
from numba import types

from gammon.eval.equity import cumulative
from gammon.eval.features import OFF_UNITS, POINT_UNITS, off_column, point_column
from gammon.kernel import kernel
from gammon.rules.board import SIZE, State
from gammon.search.game import VALUES_SIGNATURE

__all__ = ["Weights", "hidden_sizes", "pack", "probabilities", "results", "values"]

Floats = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int8]
#: A network's tensors by name, as PyTorch orders and names them.
Weights = Mapping[str, npt.NDArray[np.float32]]

_HEADER = 2
_COUNTS = 31
_F32 = types.float32[::1]
_ROWS = types.int8[:, ::1]
_INT = types.int64


def pack(weights: Weights) -> Floats:
    """Return a network's tensors as the flat vector that `values` reads.

    Args:
        weights: `hidden1.weight` [H1, 204], `hidden1.bias` [H1], `hidden2.weight`
            [H2, H1], `hidden2.bias` [H2], `output.weight` [6, H2], `output.bias` [6];
            H2 a multiple of 4.
    """
    first = np.asarray(weights["hidden1.weight"], np.float32).T  # [204, H1]
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
    parts = [np.array([h1, h2], np.float32), points, offs, weights["hidden1.bias"]]
    parts += [
        weights[f"{layer}.{kind}"]
        for layer in ("hidden2", "output")
        for kind in ("weight", "bias")
    ]
    return np.concatenate([np.asarray(part, np.float32).ravel() for part in parts])


def hidden_sizes(packed: Floats) -> tuple[int, int]:
    """Return H1 and H2 of a packed network."""
    return int(packed[0]), int(packed[1])


@kernel(types.void(_F32, _F32, _F32), fast=True)
def _swap_rows(total: Floats, old: Floats, new: Floats) -> None:
    for i in range(total.shape[0]):
        total[i] += new[i] - old[i]


@kernel(types.void(types.float32[:, ::1], _F32, _F32, _F32), fast=True)
def _dense_relu(weight: Floats, bias: Floats, x: Floats, out: Floats) -> None:
    """Write relu(weight @ x + bias), four rows at a time: they share the loads of x."""
    for j in range(0, out.shape[0], 4):
        w0 = weight[j]
        w1 = weight[j + 1]
        w2 = weight[j + 2]
        w3 = weight[j + 3]
        s0 = bias[j]
        s1 = bias[j + 1]
        s2 = bias[j + 2]
        s3 = bias[j + 3]
        for i in range(x.shape[0]):
            s0 += w0[i] * x[i]
            s1 += w1[i] * x[i]
            s2 += w2[i] * x[i]
            s3 += w3[i] * x[i]
        out[j] = max(s0, np.float32(0.0))
        out[j + 1] = max(s1, np.float32(0.0))
        out[j + 2] = max(s2, np.float32(0.0))
        out[j + 3] = max(s3, np.float32(0.0))


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
    at_bias1 = at_offs + 32 * h1
    at_weight2 = at_bias1 + h1
    at_bias2 = at_weight2 + h1 * h2
    at_weight3 = at_bias2 + h2
    at_bias3 = at_weight3 + 6 * h2
    points = weights[_HEADER:at_offs].reshape(SIZE * _COUNTS, h1)
    offs = weights[at_offs:at_bias1].reshape(32, h1)
    bias1 = weights[at_bias1:at_weight2]
    weight2 = weights[at_weight2:at_bias2].reshape(h2, h1)
    bias2 = weights[at_bias2:at_weight3]
    weight3 = weights[at_weight3:at_bias3].reshape(6, h2)
    bias3 = weights[at_bias3 : at_bias3 + 6]

    # The parent as the opponent sees it: what a pass would leave.
    base = np.empty(h1, np.float32)
    hidden = np.empty(h1, np.float32)
    second = np.empty(h2, np.float32)
    zero = np.zeros(h1, np.float32)
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

    for r in range(n):
        row = rows[r]
        hidden[:] = base
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
                _swap_rows(hidden, points[at + old], points[at + count])
        if own_off != base_own_off:
            _swap_rows(hidden, offs[base_own_off], offs[own_off])
        if their_off != base_their_off:
            _swap_rows(hidden, offs[16 + base_their_off], offs[16 + their_off])
        for i in range(h1):
            hidden[i] = max(hidden[i], np.float32(0.0))
        _dense_relu(weight2, bias2, hidden, second)

        top = np.float32(-1e30)
        for k in range(6):
            total = bias3[k]
            for j in range(h2):
                total += weight3[k, j] * second[j]
            out[r, k] = total
            top = max(top, total)
        scale = np.float32(0.0)
        for k in range(6):
            out[r, k] = np.exp(out[r, k] - top)
            scale += out[r, k]
        for k in range(6):
            out[r, k] /= scale


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
