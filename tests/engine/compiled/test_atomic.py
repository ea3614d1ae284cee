"""Numbers that threads share: compiled and as plain Python."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from gammon.compiled.atomic import add, put, seen
from gammon.compiled.kernel import kernel
from gammon.compiled.records import Int64Vector
from tests.engine.compiled.test_vector import compiled_only


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
