"""Kernels as arguments of kernels, and the types that numba has for kinds."""

from typing import NamedTuple

import numpy as np
import pytest

numba = pytest.importorskip("numba")

from numba import types  # noqa: E402

from gammon.compiled.jit.types import PointerType, numba_signature, numba_type  # noqa: E402
from gammon.compiled.kernel import checked, kernel  # noqa: E402
from gammon.compiled.records import (  # noqa: E402
    Float32Matrix,
    Int8Stack,
    Int8Vector,
    declared,
    kind_of,
    signature_of,
)
from tests.engine.compiled.test_records import Alike, Holder, Judge, Pair  # noqa: E402
from tests.engine.compiled.test_vector import compiled_only  # noqa: E402

JUDGE = types.float64(types.int8[::1], types.int64)


@declared
class Sure(NamedTuple):
    """Its values are what it says."""

    pair: Pair
    counts: Alike


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        (int, types.int64), (float, types.float64), (bool, types.boolean),
        (None.__class__, types.void), (np.uint64, types.uint64), (np.uint32, types.uint32),
        (np.float32, types.float32), (Int8Vector, types.int8[::1]),
        (Int8Stack, types.int8[:, :, ::1]), (Float32Matrix, types.float32[:, ::1]),
        (tuple[int, float], types.Tuple([types.int64, types.float64])),
        (Pair, types.NamedTuple([types.int8[::1], types.float64], Pair)),
        (Alike, types.NamedUniTuple(types.int64, 2, Alike)),
        (Judge, PointerType(JUDGE)),
    ],
    ids=str,
)  # fmt: skip
def test_types(annotation: object, expected: object) -> None:
    assert numba_type(kind_of(annotation)) == expected


def test_signatures() -> None:
    signature = signature_of(Judge.__call__)
    assert numba_signature(signature) == JUDGE


def test_numba_sees_a_record_as_its_type_says() -> None:
    value = Sure(Pair(np.zeros(3, np.int8), 0.5), Alike(1, 2))
    assert numba.typeof(value) == numba_type(kind_of(Sure))


@kernel()
def product(row: Int8Vector, stake: int) -> float:
    """Return a number times the stake."""
    return float(row[0] * stake)


@kernel()
def total(row: Int8Vector, stake: int) -> float:
    """Return a number and the stake together."""
    return float(row[0] + stake)


@kernel()
def asked(holder: Holder, row: Int8Vector) -> float:
    """Return what a judge finds."""
    return holder.judge(row, 3) + 1.0


@compiled_only
@pytest.mark.smoke
def test_compiled_code_calls_the_kernel_that_a_record_holds() -> None:
    row = np.array([5], np.int8)
    for judge, expected in ((product, 16.0), (total, 9.0)):
        assert asked(checked(Holder(judge, np.uint64(1))), row) == expected
        assert judge.address > 0
