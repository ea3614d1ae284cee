"""The plan of a position, by its definition."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gammon.eval.plan import BOTH, NOT_OWN, OWN, plan_of, with_checkers_back
from gammon.eval.planes import AT_ONCE, N_PLANES, write_planes
from gammon.rules.board import Points
from tests.conftest import positions


@given(positions())
def test_a_plan_is_who_has_checkers_back(points: Points) -> None:
    own = any(count > 0 for count in points[19:])
    their = any(count < 0 for count in points[:7])
    expected = BOTH if own and their else OWN if own else NOT_OWN
    assert plan_of(np.array(points, np.int8)) == expected


@given(st.lists(positions(), min_size=1, max_size=AT_ONCE))
def test_checkers_back_of_sixteen(boards: list[Points]) -> None:
    planes = np.zeros(N_PLANES * AT_ONCE, np.uint32)
    rows = [np.array(points, np.int8) for points in boards]
    for lane, row in enumerate(rows):
        write_planes(np.pad(row, (0, 6)), 0, lane, planes)
    own, their = with_checkers_back(planes)
    for lane, row in enumerate(rows):
        plan = BOTH if own & their & (1 << lane) else OWN if own & (1 << lane) else NOT_OWN
        assert plan == plan_of(row)
        assert bool(their & (1 << lane)) == bool((row[:7] < 0).any())
    assert own >> len(rows) == their >> len(rows) == 0
