"""The type of vectors; what can be done with them, `test_vector.py` tests."""

from typing import Any

import pytest
from numba import types

from gammon.compiled import kinds
from gammon.compiled.jit.vector_type import Vector
from gammon.compiled.vector import load, store
from tests.engine.compiled.test_vector import compiled_only, taking


def test_vectors_are_of_a_type() -> None:
    assert Vector(types.int8, 16) == Vector(types.int8, 16)
    assert len({Vector(*kind) for kind in ((types.int8, 16), (types.int8, 32))}) == 2


@compiled_only
@pytest.mark.parametrize(
    ("lane", "other"), [(kinds.INT8, kinds.INT16), (kinds.INT16, kinds.INT8)], ids=str
)
def test_vectors_of_two_types_are_refused(lane: Any, other: Any) -> None:
    def mixed(a: Any, b: Any) -> None:
        store(a, 0, load(a, 0, 16) + load(b, 0, 16))

    with pytest.raises(Exception, match="No implementation of function"):
        taking(mixed, kinds.Array(lane, 1), kinds.Array(other, 1)).compiled.result  # noqa: B018


@compiled_only
@pytest.mark.parametrize("array", [kinds.Array(kinds.INT8, 2)], ids=str)
def test_only_the_numbers_of_a_row_lie_side_by_side(array: Any) -> None:
    def reading(a: Any, b: Any) -> None:
        store(b, 0, load(a, 0, 16))

    def writing(a: Any, b: Any) -> None:
        store(a, 0, load(b, 0, 16))

    for function in (reading, writing):
        with pytest.raises(Exception, match="No implementation of function"):
            taking(function, array, kinds.Array(kinds.INT8, 1)).compiled.result  # noqa: B018


@compiled_only
def test_a_mask_has_no_numbers() -> None:
    def mixed(a: Any) -> None:
        store(a, 0, load(a, 0, 16) + ((load(a, 0, 16) > 0) & 1))

    with pytest.raises(Exception, match="No implementation of function"):
        taking(mixed, kinds.Array(kinds.INT8, 1)).compiled.result  # noqa: B018
