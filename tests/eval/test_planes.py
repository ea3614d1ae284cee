"""Planes of positions, by their definition."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gammon.compiled.kernel import kernel
from gammon.compiled.records import UInt32Vector
from gammon.compiled.vector import store
from gammon.eval.planes import AT_ONCE, N_PLANES, checkers, places, turned, write_planes
from gammon.rules.board import Points, flipped
from tests.conftest import positions


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


def planes_of(boards: list[Points]) -> list[list[int]]:
    planes = np.zeros(N_PLANES * AT_ONCE, np.uint32)
    for lane, points in enumerate(boards):
        counts = np.array([*points, *[0] * 6], np.int8)
        write_planes(counts, 0, lane, planes)
    found: list[list[int]] = planes.reshape(N_PLANES, AT_ONCE).T.tolist()
    return found


@given(st.lists(positions(), min_size=1, max_size=AT_ONCE))
def test_planes_are_the_bits_of_the_counts(boards: list[Points]) -> None:
    found = planes_of(boards)
    for points, (*counts, their) in zip(boards, found, strict=False):
        for p, count in enumerate(points):
            assert sum((plane >> p & 1) << k for k, plane in enumerate(counts)) == abs(count)
            assert their >> p & 1 == (count < 0)
    assert not any(map(any, found[len(boards) :]))


@given(st.lists(positions(), min_size=1, max_size=AT_ONCE))
def test_checkers_and_their_places(boards: list[Points]) -> None:
    planes, own, their = (np.zeros(n * AT_ONCE, np.uint32) for n in (N_PLANES, 1, 1))
    for lane, points in enumerate(boards):
        counts = np.array([*points, *[0] * 6], np.int8)
        write_planes(counts, 0, lane, planes)
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
    (*counts, _), (*expected, _) = planes_of([points, flipped(points)])[:2]
    plane = np.array(counts, np.uint32)
    with_twin = turned.py_func(plane) if hasattr(turned, "py_func") else turned(plane)
    assert with_twin.tolist() == expected
