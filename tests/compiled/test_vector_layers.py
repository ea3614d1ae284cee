"""Vector functions of the layers: each helper compiled against its twin."""

import hashlib
from typing import Any

import numpy as np
import pytest

from gammon.compiled import kinds
from gammon.compiled.kernel import kernel
from gammon.compiled.vector import load, store
from gammon.compiled.vector_layers import store_columns, upper_products
from tests.compiled.test_vector import compiled_only, void
from tests.emulated import KINDS, on_cpu, said, x86_only


def turning(a: Any, out: Any) -> None:
    store_columns(out, 5, load(a, 0, 128))


def multiplying(a: Any, out: Any) -> None:
    for i in range(0, 64, 32):
        store(out, i, upper_products(load(a, i, 32), load(a, i + 64, 32)))


CASES = [
    (turning, kinds.FLOAT32, 16 * 32), (turning, kinds.INT32, 16 * 32),
    (multiplying, kinds.INT16, 64),
]  # fmt: skip


def drawn(lane: Any, seed: int) -> np.ndarray:
    """128 numbers of 16 bits, some of them at the edges."""
    rng = np.random.default_rng(seed)
    edges = rng.choice([-(2**15), 2**15 - 1, -1, 0, 1], 128)
    any_of_them = rng.integers(-(2**15), 2**15, 128)
    return np.where(rng.integers(4, size=128) > 0, any_of_them, edges).astype(str(lane))


def written(function: Any, a: np.ndarray, size: int) -> np.ndarray:
    out = np.full(size, 7, a.dtype)
    function(a, out)
    return out


def digest() -> str:
    """A hash of what all give, which another processor must give too."""
    total = hashlib.sha256()
    for function, lane, size in CASES:
        made = kernel(void(kinds.Array(lane, 1), kinds.Array(lane, 1)))(function)
        for seed in range(20):
            total.update(written(made, drawn(lane, seed), size).tobytes())
    return total.hexdigest()


@pytest.mark.parametrize(("twin", "lane", "size"), CASES)
def test_compiled_is_the_twin(twin: Any, lane: Any, size: int) -> None:
    made = kernel(void(kinds.Array(lane, 1), kinds.Array(lane, 1)))(twin)
    for seed in range(100):
        a = drawn(lane, seed)
        assert np.array_equal(written(made, a, size), written(twin, a, size)), seed


def test_twins_by_example() -> None:
    numbers = np.zeros(3 * 16, np.int32)
    store_columns(numbers, 2, np.array([1, 11, 2, 12, 3, 13, 4, 14]))
    expected = np.zeros((3, 16), int)
    expected[0, 2:6], expected[1, 2:6] = [1, 2, 3, 4], [11, 12, 13, 14]
    assert numbers.tolist() == expected.ravel().tolist()
    large = np.array([2**14, -1], np.int16), np.array([8, -1], np.int16)
    assert upper_products(*large).tolist() == [2, -2]  # of 2^17, and of (2^16 - 1)^2


@compiled_only
@x86_only
@pytest.mark.parametrize("name", KINDS)
def test_other_processors_give_the_same_bits(name: str) -> None:
    assert (
        said(
            on_cpu(
                name, "from tests.compiled.test_vector_layers import digest; print(digest())"
            )
        )
        == digest()
    )


@compiled_only
def test_columns_are_of_the_type_of_the_matrix() -> None:
    def mixed(a: Any, b: Any) -> None:
        store_columns(b, 0, load(a, 0, 64))

    with pytest.raises(Exception, match="No implementation of function"):
        made = kernel(void(kinds.Array(kinds.INT32, 1), kinds.Array(kinds.FLOAT32, 1)))(mixed)
        made.compiled.result  # noqa: B018
