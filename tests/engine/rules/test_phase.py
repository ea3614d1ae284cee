"""The phases of a game."""

import pytest

from gammon.rules.board import OPENING, flipped, phase_of
from tests.boards import by_sides


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
