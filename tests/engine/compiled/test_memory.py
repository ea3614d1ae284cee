"""Places of records, numbers that threads share, and memory that begins with a line."""

from concurrent.futures import ThreadPoolExecutor
from typing import Annotated, Any, NamedTuple

import numpy as np
import pytest

from gammon.compiled import kinds
from gammon.compiled.kernel import kernel
from gammon.compiled.memory import LINE, add, aligned_zeros, held, hold, put, seen
from gammon.compiled.records import Float64Matrix, Int64Vector, kind_of
from tests.engine.compiled.test_vector import compiled_only


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


@kernel()
def _calls(numbers: Int64Vector, at: int, value: int) -> int:
    """Call each function once."""
    before = add(numbers, at, value)
    put(numbers, at + 1, before - value)
    return 3 * before + seen(numbers, at) + 5 * seen(numbers, at + 1)


@kernel()
def _count(numbers: Int64Vector, times: int) -> int:
    """Count a number of times; return the sum of what was there before."""
    total = 0
    for _ in range(times):
        total += add(numbers, 1, 1)
    return total


@kernel()
def _follow(numbers: Int64Vector, own: int, times: int) -> None:
    """Take turns with another thread: each writes into the last place, and says so."""
    for turn in range(times):
        while seen(numbers, 1 - own) < turn + own:
            pass
        numbers[2] = 2 * numbers[2] % 1_000_003 + own
        put(numbers, own, turn + 1)


def _plain(function: Any) -> Any:
    return getattr(function, "py_func", function)


@pytest.mark.parametrize("value", [1, -7, 1 << 40])
def test_the_compiled_functions_do_what_their_twins_do(value: int) -> None:
    for at in range(3):
        ours, theirs = np.arange(4, dtype=np.int64), np.arange(4, dtype=np.int64)
        assert _calls(ours, at, value) == _plain(_calls)(theirs, at, value)
        assert ours.tolist() == theirs.tolist()


@pytest.mark.parametrize("count", [_count, _plain(_count)], ids=["kernel", "plain"])
def test_no_thread_overlooks_what_another_adds(count: Any) -> None:
    times = 200_000 if count is _count else 2_000
    numbers = np.zeros(3, np.int64)
    with ThreadPoolExecutor(4) as pool:
        sums = list(pool.map(lambda _: count(numbers, times), range(4)))
    # Each number up to the last was there once.
    assert numbers.tolist() == [0, 4 * times, 0]
    assert sum(sums) == 4 * times * (4 * times - 1) // 2


@compiled_only
def test_a_thread_sees_what_was_written_before() -> None:
    times = 2_000
    numbers = np.zeros(3, np.int64)
    numbers[2] = 1
    with ThreadPoolExecutor(2) as pool:
        for each in [pool.submit(_follow, numbers, own, times) for own in (0, 1)]:
            each.result()
    expected = 1
    for turn in range(2 * times):
        expected = 2 * expected % 1_000_003 + turn % 2
    assert numbers[2] == expected


@pytest.mark.parametrize("kind", [np.uint64, np.float32, np.int8])
def test_zeros_begin_with_a_line(kind: type[np.generic]) -> None:
    made = [aligned_zeros(size, kind) for size in (0, 1, 7, 1000) for _ in range(5)]
    assert [len(each) for each in made[::5]] == [0, 1, 7, 1000]
    for each in made:
        assert each.dtype == kind
        assert each.size == 0 or each.ctypes.data % LINE == 0
        assert each.flags.c_contiguous
        assert not each.any()
