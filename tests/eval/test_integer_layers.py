"""The arithmetic of the network in integers, each layer against numpy."""

import numpy as np
import pytest

from gammon.eval.integer_layers import FOUR, add_rows, products_of, second_layer

H1, H2 = 128, 32
EDGES = [-(2**15), 2**15 - 1, -1, 0, 1, 2**14]


def drawn(seed: int, *shape: int) -> np.ndarray:
    """Numbers of 16 bits, many of them at the edges."""
    rng = np.random.default_rng(seed)
    any_of_them = rng.integers(-(2**15), 2**15, shape)
    at_edges = rng.choice(EDGES, shape)
    return np.where(rng.integers(4, size=shape) > 0, any_of_them, at_edges).astype(np.int16)


def some_rows(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Every other row of so many, the last one first, with factors of both signs."""
    rows = np.arange(count)[::-2]
    return rows.astype(np.int16), np.array([1, -1, 36, -90, 1][: len(rows)], np.int16)


def with_rows(sums: np.ndarray, rows: np.ndarray, first: int, count: int) -> np.ndarray:
    """The sums with listed rows, as whole numbers without limits, then 16 bits of them."""
    listed, factors = some_rows(len(rows))
    total = sums.astype(np.int64)
    for k in range(first, first + count):
        total += rows[listed[k]].astype(np.int64) * int(factors[k])
    return total.astype(np.int16)


@pytest.mark.parametrize(("first", "count"), [(0, 5), (2, 1), (1, 0)])
def test_rows_are_added_and_multiplied_out(first: int, count: int) -> None:
    sums, rows = drawn(1, 2 * H1), drawn(2, 9, 2 * H1)
    listed, factors = some_rows(len(rows))
    expected = with_rows(sums, rows, first, count)
    out = np.zeros(H1 + 64, np.int16)
    products_of(sums, rows.ravel(), H1, first, count, listed, factors, out, 32)
    f, g = np.maximum(expected.astype(np.int64), 0).reshape(2, H1)
    assert np.array_equal(out[32:-32], (f * g + 2**14) >> 15)
    assert not out[:32].any()
    assert not out[-32:].any()
    found = sums.copy()
    add_rows(found, rows.ravel(), 2 * H1, first, count, listed, factors)
    assert np.array_equal(found, expected)


@pytest.mark.parametrize("share", [0.0, 0.1, 1.0])
def test_pairs_of_zeros_are_skipped(share: float) -> None:
    rng = np.random.default_rng(3)
    products = np.abs(drawn(4, FOUR, H1) // 64) * (rng.random((FOUR, H1)) < share)
    products = products.astype(np.int16)
    words = drawn(5, 7 + H1 * H2)  # the weights begin behind seven others
    weights = words[7:].reshape(H1 // 2, H2, 2).transpose(0, 2, 1).reshape(H1, H2)
    bias = rng.integers(-(2**20), 2**20, H2).astype(np.int32)
    out = np.empty(FOUR * H2, np.float32)
    room = np.empty(H1 // 2, np.uint64)
    second_layer(products.ravel().view(np.int32), H1 // 2, H2, words, 7, bias, room, out)
    expected = products.astype(np.int64) @ weights.astype(np.int64) + bias
    assert np.array_equal(out.reshape(FOUR, H2), np.maximum(expected, 0).astype(np.float32))
