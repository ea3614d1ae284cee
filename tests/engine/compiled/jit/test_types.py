"""Kernels as arguments of kernels, and the types that numba has for kinds."""

from typing import Any, NamedTuple

import numpy as np
import pytest
from llvmlite import ir
from numba.core import types
from numba.core.datamodel import default_manager

from gammon.compiled import kinds
from gammon.compiled.jit.memory import Place
from gammon.compiled.jit.types import numba_type
from gammon.compiled.jit.vector_type import Vector
from gammon.compiled.records import kind_of
from gammon.compiled.vector import load, store
from gammon.search.problem import Problem
from tests.engine.compiled.test_vector import compiled_only, taking

numba = pytest.importorskip("numba")


from gammon.compiled.jit.types import PointerType, numba_signature  # noqa: E402
from gammon.compiled.kernel import checked, kernel  # noqa: E402
from gammon.compiled.records import (  # noqa: E402
    Float32Matrix,
    Int8Stack,
    Int8Vector,
    declared,
    signature_of,
)
from tests.engine.compiled.test_records import Alike, Holder, Judge, Pair  # noqa: E402

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


def numbers(argument) -> int:
    """How many numbers a call passes for an argument."""
    return sum(map(numbers, argument)) if isinstance(argument, tuple | list) else 1


def test_a_call_passes_a_place_as_one_number() -> None:
    problem = kind_of(Problem)
    record, place = numba_type(problem), numba_type(kinds.Place(problem))
    assert place == Place(record) != Place(types.int64)
    assert numbers(default_manager[record].get_argument_type()) > 80
    passed = default_manager[place].get_argument_type()
    assert isinstance(passed, ir.PointerType)
    assert passed.pointee == default_manager[record].get_value_type()


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
