"""The compiled arithmetic against numpy."""

import numpy as np
import pytest

from gammon.eval.layers import AT_ONCE, add_rows, dense, multiply, rectify, softmax

RNG = np.random.default_rng(8)


def numbers(*shape):
    return RNG.normal(size=shape).astype(np.float32)


def bfloat16(shape):
    """Numbers that fit a bfloat16."""
    return (numbers(*shape).view(np.uint32) & np.uint32(0xFFFF0000)).view(np.float32)


def size(n):
    return np.uint64(n)


@pytest.mark.parametrize("count", [0, 1, 4, 6, 8])
def test_rows_are_added_with_their_factors(count):
    h1, begin, at = 24, 16, 5
    first, second = bfloat16((9, h1)), bfloat16((9, h1))
    words = (first.view(np.uint32) >> np.uint32(16)) | second.view(np.uint32)
    weights = np.concatenate([np.zeros(begin, np.float32), words.view(np.float32).ravel()])
    chosen = RNG.integers(9, size=count)
    rows = np.zeros(count + AT_ONCE, np.uint64)
    rows[:count] = begin + chosen * h1
    factors = numbers(count + AT_ONCE)
    start = numbers(2 * h1)
    out = np.full(at + 2 * h1 + 1, 7.0, np.float32)
    expected = start + factors[:count] @ np.concatenate([first, second], axis=1)[chosen]
    add_rows(out, size(at), start, weights, rows, factors, count, size(h1))
    assert out[at:-1] == pytest.approx(expected, abs=1e-5)
    assert out[-1] == 7.0
    assert (out[:at] == 7.0).all()


def test_units_are_products_of_rectified_sums():
    h1, several = 12, 3
    sums = numbers(several, 2, h1)
    out = np.zeros(4 * h1, np.float32)
    multiply(sums.ravel(), size(several), size(h1), out)
    positive = np.maximum(sums, 0)
    expected = positive[:, 0] * positive[:, 1]
    assert out[: several * h1] == pytest.approx(expected.ravel())
    assert not out[several * h1 :].any()


def test_rectified_numbers_are_not_negative():
    x = numbers(100)
    expected = np.maximum(x, 0)
    rectify(x)
    assert np.array_equal(x, expected)


@pytest.mark.parametrize(("n_in", "n_out"), [(256, 32), (17, 8), (4, 4)])
def test_dense_is_a_matrix_product(n_in, n_out):
    begin = 3
    weight, bias, x = numbers(n_out, n_in), numbers(n_out), numbers(4, n_in)
    weights = np.concatenate([np.zeros(begin, np.float32), weight.ravel(), bias])
    out = np.empty(4 * n_out, np.float32)
    dense(weights, size(begin), size(n_in), size(n_out), x.ravel(), out)
    assert out.reshape(4, n_out) == pytest.approx(x @ weight.T + bias, abs=1e-4)


def test_softmax_of_large_logits():
    logits = np.array([0.0, *(80 * numbers(6)), 0.0], np.float32)
    out = np.zeros((3, 6), np.float32)
    softmax(logits, 1, out, 2)
    exact = np.exp(logits[1:7].astype(float) - logits[1:7].max())
    assert out[2] == pytest.approx(exact / exact.sum(), abs=1e-6)
    assert not out[:2].any()
