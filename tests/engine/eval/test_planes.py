"""Planes of positions, by their definition."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gammon.compiled.kernel import kernel
from gammon.compiled.records import UInt32Vector
from gammon.compiled.vector import store
from gammon.eval.planes import AT_ONCE, N_PLANES, checkers, places, turned
from gammon.rules.board import Points, flipped
from tests.conftest import positions
from tests.engine.eval.planes import planes_of


@kernel()
def counted(planes: UInt32Vector, own: UInt32Vector, their: UInt32Vector) -> None:
    of_own, of_their = checkers(planes)
    store(own, 0, of_own)
    store(their, 0, of_their)


@kernel()
def placed(planes: UInt32Vector, own: UInt32Vector, their: UInt32Vector) -> None:
    of_own, of_their = places(planes)
    store(own, 0, of_own)
    store(their, 0, of_their)


def of_each(boards: list[Points]) -> list[list[int]]:
    """The planes of each lane."""
    found: list[list[int]] = planes_of(boards).reshape(N_PLANES, AT_ONCE).T.tolist()
    return found


@given(st.lists(positions(), min_size=1, max_size=AT_ONCE))
def test_planes_are_the_bits_of_the_counts(boards: list[Points]) -> None:
    found = of_each(boards)
    for points, (*counts, their) in zip(boards, found, strict=False):
        for p, count in enumerate(points):
            assert sum((plane >> p & 1) << k for k, plane in enumerate(counts)) == abs(count)
            assert their >> p & 1 == (count < 0)
    assert not any(map(any, found[len(boards) :]))


@given(st.lists(positions(), min_size=1, max_size=AT_ONCE))
def test_checkers_and_their_places(boards: list[Points]) -> None:
    planes, own, their = planes_of(boards), *np.zeros((2, AT_ONCE), np.uint32)
    counted(planes, own, their)
    for lane, points in enumerate(boards):
        assert own[lane] == sum(count for count in points if count > 0)
        assert their[lane] == -sum(count for count in points if count < 0)
    placed(planes, own, their)
    for lane, points in enumerate(boards):
        assert own[lane] == sum(1 << p for p, count in enumerate(points) if count > 0)
        assert their[lane] == sum(1 << p for p, count in enumerate(points) if count < 0)


@given(positions())
def test_turned_planes_are_those_of_the_turned_board(points: Points) -> None:
    (*counts, _), (*expected, _) = of_each([points, flipped(points)])[:2]
    plane = np.array(counts, np.uint32)
    with_twin = turned.py_func(plane) if hasattr(turned, "py_func") else turned(plane)
    assert with_twin.tolist() == expected
