"""Sides at home: who they are, and their ranks, beside plain Python."""

from itertools import combinations_with_replacement

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gammon.rules.board import CHECKERS, Points
from gammon.rules.home import (
    FIRST_WHOLE,
    HOME,
    MOST_CHECKERS,
    N_SIDES,
    N_TWO_SIDED,
    at_home,
    rank_from,
    rank_of,
)
from tests.conftest import positions

#: All sides, by the sums of their counts up to each point, the last of these sums first.
SUMS = sorted(each[::-1] for each in combinations_with_replacement(range(CHECKERS + 1), HOME))
SIDES = [tuple(side) for side in np.diff(np.array(SUMS)[:, ::-1], prepend=0).tolist()]


def test_the_numbers_of_sides() -> None:
    checkers = [sum(side) for side in SIDES]
    assert len(SIDES) == N_SIDES
    assert checkers.index(CHECKERS) == FIRST_WHOLE
    assert max(checkers[:N_TWO_SIDED]) == MOST_CHECKERS < checkers[N_TWO_SIDED]


@given(st.integers(0, N_SIDES - 1), st.integers(0, N_SIDES - 1), st.integers(1, 19))
def test_a_rank_is_the_place_among_all_sides(own: int, their: int, point: int) -> None:
    state = np.zeros(26, np.int8)
    state[1 : 1 + HOME] = SIDES[own]
    state[19:25] -= np.array(SIDES[their][::-1], np.int8)
    assert (rank_of(state, False), rank_of(state, True)) == (own, their)
    # The same checkers on any six points.
    state[:] = 0
    state[point : point + HOME] = SIDES[own]
    assert rank_from(state, False, point) == own
    assert rank_from(-state[::-1].copy(), True, point) == own


@given(positions())
def test_who_is_at_home(points: Points) -> None:
    state = np.array(points, np.int8)
    assert at_home(state, False) == all(points[p] <= 0 for p in range(HOME + 1, 26))
    assert at_home(state, True) == all(points[25 - p] >= 0 for p in range(HOME + 1, 26))
