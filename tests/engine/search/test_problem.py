"""Sides, as both players see them."""

import pytest

from gammon.search.problem import BOTH, OPPONENT, ROLLER, opponents


@pytest.mark.parametrize(
    ("mine", "theirs"), [(ROLLER, OPPONENT), (OPPONENT, ROLLER), (BOTH, BOTH)]
)
def test_sides_change_from_node_to_node(mine, theirs):
    assert opponents(mine) == theirs
    assert opponents(opponents(mine)) == mine
