"""The type of vectors; what can be done with them, `test_vector.py` tests."""

import os
from typing import Any

import pytest
from numba import types

from gammon.kernel import kernel
from gammon.vector import load, store
from gammon.vector_type import Vector

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
