"""The arithmetic of the network in integers, each layer against numpy."""

import numpy as np
import pytest

from gammon.eval.integer_layers import ROOM, products_of, second_layer
from gammon.eval.integers import ROW_GAP

#: H1 and H2, multiples of what is taken at a time, and not.
SIZES = [(64, 16), (256, 32), (320, 48)]
#: Rows that there are, rows that a successor adds at most (M), and successors at most.
ROWS, MOST, AT_MOST = 9, 6, 16
EDGES = [-(2**15), 2**15 - 1, -1, 0, 1, 2**14]


def drawn(seed: int, *shape: int) -> np.ndarray:
    """Numbers of 16 bits, many of them at the edges."""
    rng = np.random.default_rng(seed)
    any_of_them = rng.integers(-(2**15), 2**15, shape)
    at_edges = rng.choice(EDGES, shape)
    return np.where(rng.integers(4, size=shape) > 0, any_of_them, at_edges).astype(np.int16)


def some_changes(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """How many rows 16 successors add; of each a factor of either sign, and which it is."""
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, MOST + 1, AT_MOST).astype(np.uint64)
    rows = rng.integers(0, ROWS, (AT_MOST, MOST))
    factors = rng.choice([1, -1, 36, -90], rows.shape)
    return counts, np.stack([factors, rows], axis=-1).astype(np.int16)


def with_changes(
    sums: np.ndarray, rows: np.ndarray, count: int, changes: np.ndarray
) -> np.ndarray:
    """The sums with listed rows, as whole numbers without limits, then 16 bits of them."""
    total = sums.astype(np.int64)
    for factor, row in changes[: int(count)]:
        total += rows[row, : len(sums)].astype(np.int64) * int(factor)
    return total.astype(np.int16)


@pytest.mark.parametrize("h1", [h1 for h1, _ in SIZES])
@pytest.mark.parametrize("several", [1, 5, AT_MOST])
def test_products_are_those_of_all_rows(h1: int, several: int) -> None:
    """Of each position, whichever one before it lent its sums; those of the last are kept."""
    sums, rows = drawn(1, 2 * h1), drawn(2, ROWS, 2 * h1 + ROW_GAP)
    counts, changes = some_changes(several)
    begins = np.array([several * k * k % (k + 1) for k in range(AT_MOST)], np.uint64)
    out = np.full((AT_MOST, h1), -7, np.int16)
    totals = [sums.copy()]
    room = np.empty(ROOM, np.int16)
    products_of(
        sums, rows.ravel(), h1, several, begins, counts, changes.ravel(), room, out.ravel(),
    )  # fmt: skip
    for s in range(several):
        begin = totals[int(begins[s])]
        totals.append(with_changes(begin, rows, counts[s], changes[s]))
        f, g = np.maximum(totals[-1].astype(np.int64), 0).reshape(2, h1)
        assert np.array_equal(out[s], (f * g + 2**14) >> 15)
    assert np.array_equal(sums, totals[-1])
    assert (out[several:] == -7).all()


@pytest.mark.parametrize(("h1", "h2"), SIZES)
@pytest.mark.parametrize(("several", "share"), [(16, 0.0), (6, 0.1), (1, 0.1), (16, 1.0)])
def test_pairs_of_zeros_are_skipped(h1: int, h2: int, several: int, share: float) -> None:
    rng = np.random.default_rng(3)
    products = np.abs(drawn(4, AT_MOST, h1) // 64) * (rng.random((AT_MOST, h1)) < share)
    products = products.astype(np.int16)
    weight2 = drawn(5, h1 // 2, h2, 2)
    weights = weight2.transpose(0, 2, 1).reshape(h1, h2)
    bias = rng.integers(-(2**20), 2**20, h2).astype(np.int32)
    hidden = np.zeros((h2, AT_MOST), np.float32)
    room = np.empty(h1 // 2 + 16, np.int32)
    second_layer(products.ravel(), several, h1, h2, weight2.ravel(), bias, room, hidden.ravel())
    expected = np.maximum(products.astype(np.int64) @ weights.astype(np.int64) + bias, 0)
    assert np.array_equal(hidden[:, :several], expected.T.astype(np.float32)[:, :several])
    assert not hidden[:, several + -several % 4 :].any()
