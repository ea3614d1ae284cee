"""Vector functions of the layers: each helper compiled against its twin."""

import hashlib
from typing import Any

import numpy as np
import pytest

from gammon.compiled import kinds
from gammon.compiled.vector import load, store, store_columns, store_transposed, upper_products
from tests.engine.compiled.test_vector import compiled_only, taking


def turning(a: Any, out: Any) -> None:
    store_columns(out, 5, load(a, 0, 128))


def multiplying(a: Any, out: Any) -> None:
    for i in range(0, 64, 32):
        store(out, i, upper_products(load(a, i, 32), load(a, i + 64, 32)))


def transposing(a: Any, out: Any) -> None:
    store_transposed(a, out, 3, 40)


CASES = [
    (turning, kinds.FLOAT32, 16 * 32),
    (turning, kinds.INT32, 16 * 32),
    (multiplying, kinds.INT16, 64),
    (transposing, kinds.INT8, 3 + 16 * 40),
]


def drawn(lane: Any, seed: int) -> np.ndarray:
    """512 numbers of 16 bits, some of them at the edges; of narrower lanes the lower bits."""
    rng = np.random.default_rng(seed)
    edges = rng.choice([-(2**15), 2**15 - 1, -1, 0, 1], 512)
    any_of_them = rng.integers(-(2**15), 2**15, 512)
    return np.where(rng.integers(4, size=512) > 0, any_of_them, edges).astype(str(lane))


def written(function: Any, a: np.ndarray, size: int) -> np.ndarray:
    out = np.full(size, 7, a.dtype)
    function(a, out)
    return out


def digest() -> str:
    """A hash of what all give, which another processor must give too."""
    total = hashlib.sha256()
    for function, lane, size in CASES:
        made = taking(function, kinds.Array(lane, 1), kinds.Array(lane, 1))
        for seed in range(20):
            total.update(written(made, drawn(lane, seed), size).tobytes())
    return total.hexdigest()


@pytest.mark.parametrize(("twin", "lane", "size"), CASES)
def test_compiled_is_the_twin(twin: Any, lane: Any, size: int) -> None:
    made = taking(twin, kinds.Array(lane, 1), kinds.Array(lane, 1))
    for seed in range(100):
        a = drawn(lane, seed)
        assert np.array_equal(written(made, a, size), written(twin, a, size)), seed


def test_twins_by_example() -> None:
    numbers = np.zeros(3 * 16, np.int32)
    store_columns(numbers, 2, np.array([1, 11, 2, 12, 3, 13, 4, 14]))
    expected = np.zeros((3, 16), int)
    expected[0, 2:6], expected[1, 2:6] = [1, 2, 3, 4], [11, 12, 13, 14]
    assert numbers.tolist() == expected.ravel().tolist()
    matrix = np.arange(512).astype(np.int8)
    out = np.full(2 * 40 * 16, 7, np.int8)
    store_transposed(matrix, out, 1, 40)
    for column in range(16):
        of_both = [*range(column, 512, 32), *range(16 + column, 512, 32)]
        assert np.array_equal(out[1 + 40 * column :][:32], matrix[of_both])
        assert (out[33 + 40 * column :][:8] == 7).all()
    large = np.array([2**14, -1], np.int16), np.array([8, -1], np.int16)
    assert upper_products(*large).tolist() == [2, -2]  # of 2^17, and of (2^16 - 1)^2


@compiled_only
def test_columns_are_of_the_type_of_the_matrix() -> None:
    def mixed(a: Any, b: Any) -> None:
        store_columns(b, 0, load(a, 0, 64))

    with pytest.raises(Exception, match="No implementation of function"):
        made = taking(mixed, kinds.Array(kinds.INT32, 1), kinds.Array(kinds.FLOAT32, 1))
        made.compiled.result  # noqa: B018
