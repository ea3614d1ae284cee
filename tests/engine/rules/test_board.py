"""Checks of positions."""

import numpy as np
import pytest
from hypothesis import given

from gammon.base.errors import IllegalPositionError
from gammon.rules.board import (
    OPENING,
    Points,
    check_points,
    flipped,
    has_contact,
    is_over,
    off_counts,
    phase_of,
    pip_counts,
)
from gammon.rules.outcome import count_possible
from tests.boards import by_sides, points_of
from tests.conftest import positions

WRONG = {
    "sixteen": (0, 16, *[0] * 22, -1, 0),
    "sixteen of theirs": (0, 1, *[0] * 22, -16, 0),
    "own bar": (0, 1, *[0] * 23, -1),
    "their bar": (1, *[0] * 23, -1, 0),
    "empty": (0,) * 26,
}


@given(positions())
def test_both_checks_agree_on_what_can_stand(points: Points) -> None:
    assert check_points(points, "x") == points
    assert count_possible(np.array([points, points], np.int8), False) == 2
    assert flipped(flipped(points)) == points
    assert pip_counts(flipped(points)) == pip_counts(points)[::-1]
    assert off_counts(flipped(points)) == off_counts(points)[::-1]


@pytest.mark.parametrize("points", WRONG.values(), ids=WRONG)
def test_both_checks_agree_on_what_cannot(points: Points) -> None:
    with pytest.raises(IllegalPositionError, match="'x'"):
        check_points(points, "x")
    assert count_possible(np.array([OPENING, points, OPENING], np.int8), False) == 1


def test_a_finished_game_stands_but_is_not_in_play() -> None:
    over = (0, 3, *[0] * 24)
    assert check_points(over, "x") == over
    assert is_over(over)
    assert count_possible(np.array([over], np.int8), False) == 0


def test_contact() -> None:
    assert has_contact(OPENING)
    assert not has_contact(points_of({6: 15}, {20: 15}))
    assert has_contact(points_of({6: 14, 21: 1}, {20: 15}))


@pytest.mark.parametrize(
    ("own", "their", "phase"),
    [
        ({6: 5, 8: 5, 13: 5}, {6: 5, 8: 5, 10: 5}, "race"),
        ({6: 5, 3: 5, 1: 5}, {6: 5, 4: 5, 1: 2}, "bearoff"),
        ({6: 5, 3: 5, 1: 5}, {6: 5, 4: 5, 7: 2}, "race"),
        ({25: 1, 6: 14}, {6: 15}, "contact"),
        ({24: 2, 22: 2, 6: 11}, {2: 3, 4: 3, 5: 3, 6: 6}, "back game or crashed"),
        ({24: 1, 2: 7, 1: 7}, {7: 15}, "back game or crashed"),
        ({24: 1, 1: 14}, {7: 15}, "contact"),
    ],
)
def test_phases(own, their, phase):
    points = by_sides(own, their)
    assert phase_of(points) == phase
    assert phase_of(flipped(points)) == phase


def test_the_opening_is_contact():
    assert phase_of(OPENING) == "contact"
