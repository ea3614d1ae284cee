"""Functions between guards: what they read and write beyond their arrays is seen.

The functions here are plain Python, which gets the arrays at their true length: only the
tests of kernels, in `test_contract`, can go beyond an end.
"""

from itertools import count

import numpy as np
import pytest

from gammon.base.errors import GameError
from gammon.compiled.kernel import Kernel, kernel
from gammon.compiled.records import Float64Vector, Int8Vector
from gammon.search.guard import Guarded, call


@kernel()
def reach(given: Int8Vector, place: int, room: Float64Vector) -> int:
    """Copy two numbers, the second one from and to a place."""
    room[0] = given[0]
    room[place] = given[place]
    return 2


JIT = isinstance(reach, Kernel)
COUNT = count()


def arrays():
    return Guarded("given", "width", np.array([3, 4], np.int8)), Guarded(
        "room", "size of it", np.empty(2), room=True
    )


@pytest.mark.smoke
def test_a_good_function_is_called_as_ever():
    given, room = arrays()
    assert call(reach, [given, 1, room]) == 2
    assert room.array.tolist() == [3, 4]


@pytest.mark.parametrize("place", [2, 3, 500])
def test_an_index_beyond_the_end(place):
    given, room = arrays()
    wrong = "behind the end of room: size of it is 2" if JIT else "raises IndexError"
    with pytest.raises(GameError, match=wrong):
        call(reach, [given, place, room])


@kernel()
def peek(given: Int8Vector, place: int) -> float:
    return float(given[place])


@pytest.mark.skipif(not JIT, reason="plain Python checks its indices")
@pytest.mark.parametrize("place", [2, 16000])
def test_what_is_read_beyond_the_end(place):
    given, _ = arrays()
    with pytest.raises(GameError, match="reads behind the end of given: width is 2"):
        call(peek, [given, place])


def test_what_is_read_within_is_nobodys_business():
    given, _ = arrays()
    assert [call(peek, [given, place]) for place in (0, 1, -1)] == [3, 4, 4]


def change(given, room):
    room[:] = 1
    given[0] += 1
    return 1


def forget(given, room):
    room[0] = 1
    return 2


def dream(given, room):
    room[0] = next(COUNT)
    return 1


def add(given, room):
    room[:] += 1
    return 2


def boast(given, room):
    room[:] = 1
    return 3


def fail(given, room):
    raise KeyError(5)


def say_nothing(given, room):
    room[:] = 1


@pytest.mark.parametrize(
    ("function", "kind", "wrong"),
    [
        (change, np.float64, "writes into given, which it may only read"),
        (forget, np.int8, "leaves parts of room unwritten"),
        (add, np.int8, "reads what was there before"),
        (dream, np.float64, "gives another result when it is called again"),
        (boast, np.int8, "returns 3; expected 1 to size, 2"),
        (say_nothing, np.int8, "returns None; expected"),
        (fail, np.int8, "raises KeyError: 5"),
    ],
)
def test_faults(function, kind, wrong):
    given, _ = arrays()
    room = Guarded("room", "size", np.empty(2, kind), room=True)
    with pytest.raises(GameError, match=wrong):
        call(function, [given, room])


def test_kept_room_holds_what_it_held():
    room = Guarded("room", "size", np.array([1, 2], np.int8), room=True, kept=True)
    call(add, [arrays()[0], room], 2)
    assert room.array.tolist() == [2, 3]


def test_numbers_that_were_not_written_are_nan():
    room = Guarded("room", "size", np.empty(2), room=True)
    call(forget, [arrays()[0], room])
    assert np.isnan(room.array).tolist() == [False, True]


def test_a_large_array_is_compared_at_the_end():
    given = Guarded("given", "size", np.zeros(10**6, np.int8))
    _, room = arrays()
    call(change, [given, room])
    with pytest.raises(GameError, match="writes into given"):
        given.check_content()


@kernel()
def at_least(given: Int8Vector, params: Float64Vector) -> float:
    return 1.0 if given[0] >= params[0] else 0.0


@pytest.mark.skipif(not JIT, reason="plain Python checks its indices")
def test_a_limit_read_beyond_the_end():
    params = Guarded("params", "their length", np.zeros(0))
    with pytest.raises(GameError, match="reads behind the end of params: their length is 0"):
        call(at_least, [Guarded("given", "width", np.array([3], np.int8)), params])
