"""The plan of a position, by its definition."""

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from gammon.eval.plan import (
    BACK_GAME,
    BOTH,
    CAUGHT,
    N_OFF,
    N_PLANS,
    NOT_OWN,
    OWN,
    PARTS,
    plan_of,
    plans_of,
)
from gammon.eval.planes import AT_ONCE
from gammon.rules.board import CHECKERS, OPENING, Points
from tests.boards import points_of
from tests.conftest import positions
from tests.engine.eval.planes import planes_of


def defined(points: Points, parts: int = N_PLANS) -> int:
    """Return the part that judges a position, by the words of its definition."""
    own = any(count > 0 for count in points[19:])
    their = any(count < 0 for count in points[:7])
    own_points = sum(count > 1 for count in points[19:25])
    their_points = sum(count < -1 for count in points[1:7])
    left = sum(c for c in points if c > 0), -sum(c for c in points if c < 0)
    if parts == 1:
        return 0
    if parts == N_PLANS and max(own_points, their_points) >= 2:
        return BACK_GAME
    few = CHECKERS - N_OFF
    caught = (own and left[0] <= few) or (their and left[1] <= few)
    if parts == N_PLANS and caught:
        return CAUGHT
    return BOTH if own and their else OWN if own else NOT_OWN


#: One position of each plan, and such as lie just beside.
EXAMPLES = [
    (OPENING, BOTH),
    (points_of({6: 10, 24: 1, 25: 4}, {19: 15}), OWN),
    (points_of({6: 15}, {1: 2, 19: 13}), NOT_OWN),
    (points_of({6: 11, 24: 2, 20: 2}, {19: 15}), BACK_GAME),
    (points_of({6: 11}, {1: 2, 2: 2, 19: 11}), BACK_GAME),
    (points_of({6: 11, 24: 2, 25: 2}, {19: 15}), OWN),
    (points_of({6: 11, 24: 2, 20: 1, 22: 1}, {19: 15}), OWN),
    (points_of({6: 11}, {1: 2, 19: 13}), NOT_OWN),
    (points_of({6: 15}, {1: 1, 19: 10}), CAUGHT),
    (points_of({6: 15}, {0: 1, 19: 11}), NOT_OWN),
    (points_of({6: 9, 24: 2}, {19: 15}), CAUGHT),
    (points_of({6: 10, 25: 2}, {1: 1, 19: 14}), BOTH),
    (points_of({6: 11}, {19: 11}), NOT_OWN),
]


def test_examples() -> None:
    for points, plan in EXAMPLES:
        assert defined(points) == plan
        assert plan_of(np.array(points, np.int8), N_PLANS) == plan


@given(positions(), st.sampled_from(PARTS))
def test_a_plan_is_what_its_definition_says(points: Points, parts: int) -> None:
    assert plan_of(np.array(points, np.int8), parts) == defined(points, parts)


@example([points for points, _ in EXAMPLES], N_PLANS)
@given(st.lists(positions(), min_size=1, max_size=AT_ONCE), st.sampled_from(PARTS))
def test_the_plans_of_sixteen(boards: list[Points], parts: int) -> None:
    plans = plans_of(planes_of(boards), parts)
    assert len(plans) == N_PLANS
    for lane, points in enumerate(boards):
        held = [plan for plan, lanes in enumerate(plans) if lanes >> lane & 1]
        assert held == [defined(points, parts)]
