"""The results of finished games, and those that can still come."""

import numpy as np
import pytest
from hypothesis import given

from gammon.rules.board import OPENING, Points, flipped
from gammon.rules.outcome import IN_PLAY, POINTS, points_of, result_of, results_left
from tests import boards
from tests.conftest import positions


@pytest.mark.parametrize(
    ("left", "result"),
    [
        ({1: 1}, 2),
        ({6: 14}, 2),
        ({6: 15}, 1),
        ({18: 15}, 1),
        ({6: 14, 19: 1}, 0),
        ({6: 14, 24: 1}, 0),
        ({6: 14, 25: 1}, 0),
        ({6: 13, 25: 1}, 2),
    ],
)
def test_the_loser_pays(left: dict[int, int], result: int) -> None:
    points = boards.points_of(left, {})
    state, seen = np.array(points, np.int8), np.array(flipped(points), np.int8)
    assert result_of(state) == result
    assert result_of(seen) == 5 - result
    assert points_of(state) == -points_of(seen) == [-3, -2, -1][result] == POINTS[result]


@given(positions())
def test_a_game_with_checkers_on_both_sides_goes_on(points: Points) -> None:
    assert result_of(np.array(points, np.int8)) == IN_PLAY
    assert result_of(np.array(OPENING, np.int8)) == IN_PLAY


@given(positions())
def test_a_finished_game_by_its_definition(points: Points) -> None:
    """The opponent has borne off the last checker."""
    left = [max(count, 0) for count in points]
    home = sum(left[19:]) > 0  # the opponent's, or the bar
    expected = 2 if sum(left) < 15 else 0 if home else 1
    assert result_of(np.array(left, np.int8)) == expected
    assert result_of(np.array(flipped(left), np.int8)) == 5 - expected


@pytest.mark.smoke
@given(positions())
def test_who_has_borne_off_cannot_lose_a_gammon(points: Points) -> None:
    lowest, highest = results_left(np.array(points, np.int8))
    own, their = sum(c for c in points if c > 0), -sum(c for c in points if c < 0)
    assert lowest == (0 if own == 15 else 2)
    assert highest == (5 if their == 15 else 3)
