"""Annotations as the types of compiled code."""

from typing import NamedTuple, Protocol

import numpy as np
import pytest
from numba import types

from gammon.compiled import records
from gammon.compiled.pointer import PointerType
from gammon.compiled.records import (
    Float32Matrix,
    Float64Vector,
    Int8Stack,
    Int8Vector,
    numba_type,
    signature_of,
)


class Pair(NamedTuple):
    row: Int8Vector
    weight: float


class Alike(NamedTuple):
    low: int
    high: int


class Nested(NamedTuple):
    pair: Pair
    counts: Alike
    on: bool


class Judge(Protocol):
    def __call__(self, row: Int8Vector, stake: int, /) -> float: ...


class Holder(NamedTuple):
    judge: Judge
    seed: np.uint64


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
        (Judge, PointerType(types.float64(types.int8[::1], types.int64))),
    ],
    ids=str,
)  # fmt: skip
def test_types(annotation: object, expected: object) -> None:
    assert numba_type(annotation) == expected


def test_records_may_hold_records_and_functions() -> None:
    parts = [numba_type(Pair), numba_type(Alike), types.boolean]
    assert numba_type(Nested) == types.NamedTuple(parts, Nested)
    parts = [numba_type(Judge), types.uint64]
    assert numba_type(Holder) == types.NamedTuple(parts, Holder)


@pytest.mark.parametrize("name", [name for name in records.__all__ if name[0].isupper()])
def test_the_name_of_an_array_says_what_it_is(name: str) -> None:
    found = numba_type(getattr(records, name))
    kind = {"Vector": 1, "Matrix": 2, "Stack": 3}
    shape = next(each for each in kind if name.endswith(each))
    dtype = name.removesuffix(shape).lower()
    assert (found.ndim, found.layout) == (kind[shape], "C")
    assert str(found.dtype) == dtype


def test_numba_sees_a_record_as_its_type_says() -> None:
    from numba import typeof

    value = Nested(Pair(np.zeros(3, np.int8), 0.5), Alike(1, 2), True)
    assert typeof(value) == numba_type(Nested)


def test_signatures() -> None:
    def nothing(row: Int8Vector, holder: Holder, depth: int) -> None:
        inside = depth
        row[0] = inside

    def both(row: Int8Vector) -> tuple[int, float]:
        return 0, 0.0

    row = types.int8[::1]
    assert signature_of(nothing) == types.void(row, numba_type(Holder), types.int64)
    assert signature_of(both) == types.Tuple([types.int64, types.float64])(row)
    assert signature_of(Judge.__call__) == types.float64(row, types.int64)


@pytest.mark.parametrize("annotation", [str, list[int], np.int8, object, "int"], ids=str)
def test_what_has_no_type_is_refused(annotation: object) -> None:
    with pytest.raises(TypeError, match="no numba type"):
        numba_type(annotation)


def test_what_is_not_annotated_is_refused() -> None:
    def no_result(row: Int8Vector, weight: Float64Vector):  # type: ignore[no-untyped-def]
        return row

    def no_argument(row, weight: Float64Vector) -> int:  # type: ignore[no-untyped-def]
        return 0

    with pytest.raises(TypeError, match="no_result: no annotation of return"):
        signature_of(no_result)
    with pytest.raises(TypeError, match="no_argument: no annotation of row"):
        signature_of(no_argument)
