"""The arithmetic of the compiled network, four positions at a time.

The dense layers take four rows by four positions at a time, so that each weight and each
input that is loaded serves four products; otherwise loading would take most of the time. The
numbers of several positions follow each other in one flat array. Indexes are unsigned,
because the compiled code would check a signed one for being negative.

H1 and H2 are the units of the first and the second layer.
"""

import numpy as np

from gammon.kernel import kernel
from gammon.records import Float32Matrix, Float32Vector, UInt64Vector

__all__ = ["AT_ONCE", "Places", "add_rows", "dense", "multiply", "rectify", "softmax"]

#: Where rows of the first layer begin in the packed network.
Places = UInt64Vector

#: Rows that `add_rows` takes at a time.
AT_ONCE = 4

_N1, _N2, _N3 = np.uint64(1), np.uint64(2), np.uint64(3)
_ZERO = np.float32(0.0)


@kernel(inline=True)
def _lower(word: np.uint32) -> np.float32:
    """Return the number in the lower half of a word, a bfloat16."""
    return np.uint32(word << np.uint32(16)).view(np.float32)


@kernel(inline=True)
def _upper(word: np.uint32) -> np.float32:
    """Return the number in the upper half of a word, a bfloat16."""
    return np.uint32(word & np.uint32(0xFFFF0000)).view(np.float32)


@kernel(inline=True)
def _lower_sum(
    f0: np.float32, f1: np.float32, f2: np.float32, f3: np.float32,
    w0: np.uint32, w1: np.uint32, w2: np.uint32, w3: np.uint32,
) -> np.float32:  # fmt: skip
    """Return the sum of the numbers in the lower halves, each times its factor."""
    return f0 * _lower(w0) + f1 * _lower(w1) + f2 * _lower(w2) + f3 * _lower(w3)


@kernel(inline=True)
def _upper_sum(
    f0: np.float32, f1: np.float32, f2: np.float32, f3: np.float32,
    w0: np.uint32, w1: np.uint32, w2: np.uint32, w3: np.uint32,
) -> np.float32:  # fmt: skip
    """Return the sum of the numbers in the upper halves, each times its factor."""
    return f0 * _upper(w0) + f1 * _upper(w1) + f2 * _upper(w2) + f3 * _upper(w3)


@kernel(fast=True, inner=True)
def add_rows(
    out: Float32Vector,
    at: np.uint64,
    start: Float32Vector,
    weights: Float32Vector,
    rows: Places,
    factors: Float32Vector,
    count: int,
    h1: np.uint64,
) -> None:
    """Write the sums of some rows, each times its factor, and of a start.

    Args:
        out: float32 [>= at + 2 H1]; the units' first factors are written from `at` on, the
            second ones from at + H1.
        at: see `out`.
        start: float32 [2 H1], first factors, then second ones.
        weights: a packed network.
        rows: where each row begins in it, with room for `AT_ONCE` more.
        factors: float32, one for each row, with room for `AT_ONCE` more.
        count: how many rows there are.
        h1: H1.
    """
    zero = np.uint64(0)
    words = weights.view(np.uint32)
    for k in range(count, count + AT_ONCE):
        rows[k] = rows[0]
        factors[k] = 0.0
    for k in range(0, max(count, 1), AT_ONCE):
        r0, r1, r2, r3 = rows[k], rows[k + 1], rows[k + 2], rows[k + 3]
        f0, f1, f2, f3 = factors[k], factors[k + 1], factors[k + 2], factors[k + 3]
        # Two loops: with one that reads and writes `out`, or `start`, as it comes, the
        # compiler could not tell that they are apart, and would not use vectors.
        if k == 0:
            for i in range(zero, h1):
                w0, w1, w2, w3 = words[r0 + i], words[r1 + i], words[r2 + i], words[r3 + i]
                out[at + i] = start[i] + _lower_sum(f0, f1, f2, f3, w0, w1, w2, w3)
                out[at + h1 + i] = start[h1 + i] + _upper_sum(f0, f1, f2, f3, w0, w1, w2, w3)
        else:
            for i in range(zero, h1):
                w0, w1, w2, w3 = words[r0 + i], words[r1 + i], words[r2 + i], words[r3 + i]
                out[at + i] += _lower_sum(f0, f1, f2, f3, w0, w1, w2, w3)
                out[at + h1 + i] += _upper_sum(f0, f1, f2, f3, w0, w1, w2, w3)


@kernel(fast=True, inner=True)
def multiply(
    sums: Float32Vector, several: np.uint64, h1: np.uint64, out: Float32Vector
) -> None:
    """Write the products of the two rectified sums of each unit of the first layer.

    Args:
        sums: float32 [several, 2, H1], flat: both sums of each unit, by position.
        several: positions.
        h1: H1.
        out: float32 [>= several * H1].
    """
    zero = np.uint64(0)
    for r in range(zero, several):
        at = r * h1
        first = at + at
        second = first + h1
        for i in range(zero, h1):
            out[at + i] = max(sums[first + i], _ZERO) * max(sums[second + i], _ZERO)


@kernel(fast=True, inner=True)
def rectify(x: Float32Vector) -> None:
    """Replace negative numbers by 0."""
    for i in range(x.shape[0]):
        x[i] = max(x[i], _ZERO)


@kernel(fast=True, inner=True)
def dense(
    weights: Float32Vector,
    at_weight: np.uint64,
    n_in: np.uint64,
    n_out: np.uint64,
    x: Float32Vector,
    out: Float32Vector,
) -> None:
    """Write a layer's sums, weight @ x[r] + bias, for four positions r.

    Sixteen sums at a time are kept in registers.

    Args:
        weights: a packed network: weight [n_out, n_in] lies from `at_weight` on, and bias
            [n_out] behind it.
        at_weight: see `weights`.
        n_in: units of the layer before.
        n_out: units of the layer, a multiple of 4.
        x: float32 [4, n_in], flat.
        out: float32 [4, n_out], flat.
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


@kernel(fast=True, inner=True)
def softmax(logits: Float32Vector, at: int, out: Float32Matrix, row: int) -> None:
    """Write the six chances that six logits stand for.

    Args:
        logits: float32, six of them from `at` on.
        at: see `logits`.
        out: float32 [N, 6].
        row: of `out`, where they are written.
    """
    top = logits[at]
    for k in range(1, 6):
        top = max(top, logits[at + k])
    scale = np.float32(0.0)
    for k in range(6):
        out[row, k] = np.exp(logits[at + k] - top)
        scale += out[row, k]
    for k in range(6):
        out[row, k] /= scale
