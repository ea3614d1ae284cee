"""Vector functions of rows: each helper compiled against its twin."""

import hashlib
from typing import Any

import numpy as np
import pytest

from gammon.compiled import kinds
from gammon.compiled.vector import EIGHT, as_float64, as_rounded, bits, column, filled, select, store_some
from tests.emulated import KINDS, on_cpu, said, x86_only
from tests.engine.compiled import test_vector, test_vector_layers
from tests.engine.compiled.test_vector import compiled_only, taking

DIGESTS = """
from tests.engine.compiled import test_vector, test_vector_layers, test_vector_rows
print(test_vector.digest(), test_vector_layers.digest(), test_vector_rows.digest())
"""
#: The rows and columns of the largest matrix.
ROWS, COLUMNS = 19, 5


def twin(rows: Any, n: int, out: Any) -> None:
    """Write a number for each row, by all that lanes of float64 can do."""
    for first in range(0, n, EIGHT):
        a = as_float64(column(rows, first, n, 0, COLUMNS))
        b = as_float64(column(rows, first, n, 3, COLUMNS))
        c = column(rows, first, n, 4, COLUMNS)
        b = select(b != 0.0, b, 1.0)
        value = (a * 3.0 - b) / b + as_float64(c - c * np.float32(0.3))
        value = select((value > 0.25) & ~(a < b), value, filled(0.1, EIGHT) - a)
        if bits(value == 0.1):
            value = value + 1.0
        store_some(out, first, as_rounded(value), n - first)


def drawn(seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(ROWS, COLUMNS)).astype(np.float32)
    return np.where(rng.integers(5, size=rows.shape) > 0, rows, np.float32(0.0))


def written(function: Any, rows: np.ndarray, n: int) -> np.ndarray:
    out = np.full(ROWS + EIGHT, 7, np.float32)
    function(rows[:n].copy(), n, out)
    assert (out[n:] == 7).all(), "nothing is written behind the rows"
    return out


def made() -> Any:
    floats = kinds.FLOAT32
    return taking(twin, kinds.Array(floats, 2), kinds.INT64, kinds.Array(floats, 1))


def digest() -> str:
    """A hash of what all give, which another processor must give too."""
    total, function = hashlib.sha256(), made()
    for seed in range(50):
        total.update(written(function, drawn(seed), 1 + seed % ROWS).tobytes())
    return total.hexdigest()


def test_compiled_is_the_twin() -> None:
    function = made()
    for seed in range(200):
        rows, n = drawn(seed), 1 + seed % ROWS
        assert np.array_equal(written(function, rows, n), written(twin, rows, n)), seed


def test_twins_by_example() -> None:
    rows = np.arange(12, dtype=np.float32).reshape(4, 3)
    assert column(rows, 1, 3, 2, 3).tolist() == [5] + 7 * [8]
    numbers = np.zeros(6, np.float32)
    store_some(numbers, 1, np.ones(8, np.float32), 3)
    assert numbers.tolist() == [0, 1, 1, 1, 0, 0]
    third = as_float64(np.array([1 / 3], np.float32))
    assert third.dtype == np.float64
    assert as_rounded(third + 1e-12).tolist() == third.tolist()


@compiled_only
@x86_only
@pytest.mark.parametrize("name", KINDS)
def test_other_processors_give_the_same_bits(name: str) -> None:
    """Of all vector kernels, those of the other two files too."""
    made = test_vector.digest(), test_vector_layers.digest(), digest()
    assert said(on_cpu(name, DIGESTS)) == " ".join(made)
