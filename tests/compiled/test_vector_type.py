"""The type of vectors; what can be done with them, `test_vector.py` tests."""

import os
from typing import Any

import pytest
from numba import types

from gammon.compiled.kernel import kernel
from gammon.compiled.vector import load, store
from gammon.compiled.vector_type import Vector

compiled_only = pytest.mark.skipif(
    os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled"
)


def test_vectors_are_of_a_type() -> None:
    assert Vector(types.int8, 16) == Vector(types.int8, 16)
    assert len({Vector(*kind) for kind in ((types.int8, 16), (types.int8, 32))}) == 2


@compiled_only
@pytest.mark.parametrize(
    ("lane", "other"), [(types.int8, types.int16), (types.int16, types.int8)], ids=str
)
def test_vectors_of_two_types_are_refused(lane: Any, other: Any) -> None:
    def mixed(a: Any, b: Any) -> None:
        store(a, 0, load(a, 0, 16) + load(b, 0, 16))

    with pytest.raises(Exception, match="No implementation of function"):
        kernel(types.void(lane[::1], other[::1]))(mixed)


@compiled_only
@pytest.mark.parametrize("array", [types.int8[::2], types.int8[:, ::1]], ids=str)
def test_only_the_numbers_of_a_row_lie_side_by_side(array: Any) -> None:
    def reading(a: Any, b: Any) -> None:
        store(b, 0, load(a, 0, 16))

    def writing(a: Any, b: Any) -> None:
        store(a, 0, load(b, 0, 16))

    for function in (reading, writing):
        with pytest.raises(Exception, match="No implementation of function"):
            kernel(types.void(array, types.int8[::1]))(function)


@compiled_only
def test_a_mask_has_no_numbers() -> None:
    def mixed(a: Any) -> None:
        store(a, 0, load(a, 0, 16) + ((load(a, 0, 16) > 0) & 1))

    with pytest.raises(Exception, match="No implementation of function"):
        kernel(types.void(types.int8[::1]))(mixed)
