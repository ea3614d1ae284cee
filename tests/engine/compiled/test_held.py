"""Records that are handed on by their place."""

from typing import Annotated, NamedTuple

import numpy as np

from gammon.compiled import kinds
from gammon.compiled.held import held, hold
from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float64Matrix, Int64Vector, kind_of


class Inner(NamedTuple):
    numbers: Int64Vector
    step: int


class Outer(NamedTuple):
    inner: Inner
    weights: Float64Matrix
    doubled: bool


Place = Annotated[Outer, kinds.Place(kind_of(Outer))]


@kernel(inner=True)
def down(place: Place, left: int) -> float:
    outer = held(place)
    numbers = outer.inner.numbers
    numbers[left] += outer.inner.step
    if left == 0:
        return 0.0
    found = outer.weights[left, 1] * (2 if outer.doubled else 1)
    return found + down(place, left - 1)


@kernel()
def begin(outer: Outer, left: int) -> float:
    place = hold(outer)
    other = hold(Outer(Inner(outer.inner.numbers, -1), outer.weights, not outer.doubled))
    return down(place, left) + 100.0 * down(other, left - 1)


def test_a_kernel_that_calls_itself_reads_the_record_in_its_place() -> None:
    numbers, weights = np.zeros(5, np.int64), np.arange(10.0).reshape(5, 2)
    outer = Outer(Inner(numbers, 7), weights, True)
    expected = 2 * weights[1:4, 1].sum() + 100 * weights[1:3, 1].sum()
    assert begin(outer, 3) == expected
    assert numbers.tolist() == [6, 6, 6, 7, 0]
