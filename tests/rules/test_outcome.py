"""Payoffs of finished games."""

import numpy as np
import pytest
from hypothesis import given

from gammon.rules.board import OPENING, Points, flipped
from gammon.rules.outcome import payoff
from gammon.search.game import NOT_OVER
from tests.conftest import positions


def lost(**checkers: int) -> list[int]:
    """What the loser has left: `p6=2`, `bar=1`; 15 minus that is borne off."""
    points = [0] * 26
    for place, count in checkers.items():
        points[25 if place == "bar" else int(place[1:])] = count
    return points


@pytest.mark.parametrize(
    ("points", "paid"),
    [
        (lost(p1=1), -1),
        (lost(p6=14), -1),
        (lost(p6=15), -2),
        (lost(p18=15), -2),
        (lost(p6=14, p19=1), -3),
        (lost(p6=14, p24=1), -3),
        (lost(p6=14, bar=1), -3),
        (lost(p6=13, bar=1), -1),
    ],
)
def test_the_loser_pays(points: list[int], paid: int) -> None:
    assert payoff(np.array(points, np.int8)) == paid
    assert payoff(np.array(flipped(points), np.int8)) == -paid


@given(positions())
def test_a_game_with_checkers_on_both_sides_goes_on(points: Points) -> None:
    assert payoff(np.array(points, np.int8)) == NOT_OVER
    assert payoff(np.array(OPENING, np.int8)) == NOT_OVER
