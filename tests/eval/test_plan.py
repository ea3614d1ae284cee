"""The plan of a position, by its definition."""

import numpy as np
from hypothesis import given

from gammon.eval.plan import BOTH, NOT_OWN, OWN, plan_of
from gammon.rules.board import OPENING, OWN_BAR, Points, flipped
from tests.conftest import positions


@given(positions())
def test_a_plan_is_who_has_checkers_back(points: Points) -> None:
    own = any(count > 0 for count in points[19:])
    their = any(count < 0 for count in points[:7])
    expected = BOTH if own and their else OWN if own else NOT_OWN
    assert plan_of(np.array(points, np.int8)) == expected


def test_both_are_back_from_both_sides() -> None:
    for points in (OPENING, flipped(OPENING)):
        assert plan_of(np.array(points, np.int8)) == BOTH


def test_the_bar_is_back_and_the_outfield_is_not() -> None:
    points = np.zeros(26, np.int8)
    points[18], points[7] = 2, -2
    assert plan_of(points) == NOT_OWN
    points[OWN_BAR] = 1
    assert plan_of(points) == OWN
