"""Annotations as the types of compiled code, and the hash."""

import copy
from itertools import pairwise
from typing import Annotated, NamedTuple, Protocol, get_origin

import numpy as np
import pytest

from gammon.compiled import kinds, records
from gammon.compiled.hashing import mix
from gammon.compiled.records import (
    Float32Matrix,
    Float64Vector,
    Int8Stack,
    Int8Vector,
    kind_of,
    signature_of,
    trusted,
)

# Annotations as the types of compiled code.


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


ROW = kinds.Array(kinds.INT8, 1)
JUDGE = kinds.Signature(kinds.FLOAT64, (ROW, kinds.INT64))


@pytest.mark.parametrize(
    ("annotation", "expected", "shown"),
    [
        (int, kinds.INT64, "int64"),
        (float, kinds.FLOAT64, "float64"),
        (bool, kinds.BOOLEAN, "bool"),
        (None.__class__, kinds.VOID, "none"),
        (np.uint64, kinds.UINT64, "uint64"),
        (np.float32, kinds.FLOAT32, "float32"),
        (Int8Vector, ROW, "int8[::1]"),
        (Int8Stack, kinds.Array(kinds.INT8, 3), "int8[:, :, ::1]"),
        (Float32Matrix, kinds.Array(kinds.FLOAT32, 2), "float32[:, ::1]"),
        (tuple[int, float], kinds.Record((kinds.INT64, kinds.FLOAT64)), "(int64, float64)"),
        (Pair, kinds.Record((ROW, kinds.FLOAT64), Pair), "Pair(int8[::1], float64)"),
        (Judge, kinds.Function(JUDGE), "function float64(int8[::1], int64)"),
    ],
    ids=str,
)
def test_kinds(annotation: object, expected: kinds.Kind, shown: str) -> None:
    assert kind_of(annotation) == expected
    assert str(expected) == shown


def test_records_may_hold_records_and_functions() -> None:
    parts = kind_of(Pair), kind_of(Alike), kinds.BOOLEAN
    assert kind_of(Nested) == kinds.Record(parts, Nested)
    assert kind_of(Holder) == kinds.Record((kinds.Function(JUDGE), kinds.UINT64), Holder)


@pytest.mark.parametrize(
    "name", [name for name, each in vars(records).items() if get_origin(each) is Annotated]
)
def test_the_name_of_an_array_says_what_it_is(name: str) -> None:
    found = kind_of(getattr(records, name))
    axes = {"Vector": 1, "Matrix": 2, "Stack": 3}
    shape = next(each for each in axes if name.endswith(each))
    assert found == kinds.Array(kinds.Scalar(name.removesuffix(shape).lower()), axes[shape])


def test_a_declared_record_is_what_it_was_with_room_for_more() -> None:
    sure = trusted(Pair)
    value = sure(np.zeros(3, np.int8), 0.5)
    assert (sure.__name__, kind_of(sure).parts) == ("Pair", kind_of(Pair).parts)
    value.kept = 3
    assert not hasattr(value._replace(weight=1.0), "kept")
    assert not hasattr(copy.copy(value), "kept"), "nor has a copy what was kept"


def test_signatures() -> None:
    def nothing(row: Int8Vector, holder: Holder, depth: int) -> None:
        inside = depth
        row[0] = inside

    def both(row: Int8Vector) -> tuple[int, float]:
        return 0, 0.0

    arguments = ROW, kind_of(Holder), kinds.INT64
    assert signature_of(nothing) == kinds.Signature(kinds.VOID, arguments)
    two = kinds.Record((kinds.INT64, kinds.FLOAT64))
    assert signature_of(both) == kinds.Signature(two, (ROW,))
    assert signature_of(Judge.__call__) == JUDGE


@pytest.mark.parametrize("annotation", [str, list[int], np.int8, object, "int"], ids=str)
def test_what_has_no_type_is_refused(annotation: object) -> None:
    with pytest.raises(TypeError, match="is of no kind"):
        kind_of(annotation)


def test_what_is_not_annotated_is_refused() -> None:
    def no_result(row: Int8Vector, weight: Float64Vector):  # type: ignore[no-untyped-def]
        return row

    def no_argument(row, weight: Float64Vector) -> int:  # type: ignore[no-untyped-def]
        return 0

    with pytest.raises(TypeError, match="no_result: no annotation of return"):
        signature_of(no_result)
    with pytest.raises(TypeError, match="no_argument: no annotation of row"):
        signature_of(no_argument)


# The hash against splitmix64's published outputs.

GOLDEN = 0x9E3779B97F4A7C15


@pytest.mark.smoke
@pytest.mark.parametrize(
    ("step", "output"), [(0, 0xE220A8397B1DCDAF), (1, 0x6E789E6AA1B965F4), (2, 0x06C45D188009454F)]
)
def test_splitmix64_from_seed_0(step: int, output: int) -> None:
    assert int(mix(np.uint64(step * GOLDEN % 2**64))) == output


def test_hashes_of_neighbours_differ_in_half_of_their_bits() -> None:
    hashes = [int(mix(np.uint64(number))) for number in range(10_000)]
    assert len(set(hashes)) == 10_000
    changed = [(a ^ b).bit_count() for a, b in pairwise(hashes)]
    assert np.mean(changed) == pytest.approx(32, abs=0.2)  # five standard errors
