"""The baseline's static values, by its own terms."""

import math

import numpy as np
import pytest

from gammon.eval.baseline import BASELINE
from gammon.rules.board import OPENING, flipped
from tests.boards import by_sides
from tests.twins import outputs


def value(points):
    """The equity of a position to the player on roll, in (-1, 1)."""
    row = np.array([points], np.int8)
    return float(outputs(BASELINE, row[0], row)[0, 0])


def pips(points):
    """A value as pips: what is inside the hyperbolic tangent."""
    return 50 * math.atanh(value(points))


def test_being_on_roll_is_half_a_roll():
    assert pips(OPENING) == pytest.approx(4, abs=1e-3)


def test_a_race_is_its_pips():
    ahead = by_sides({3: 1, 5: 1}, {1: 1, 13: 1})
    assert pips(ahead) == pytest.approx(4 + 14 - 8, abs=1e-3)
    assert pips(flipped(ahead)) == pytest.approx(4 - 14 + 8, abs=1e-3)


@pytest.mark.parametrize(("place", "worth"), [(13, 0), (12, 2), (7, 2), (6, 4), (1, 4)])
def test_made_points(place, worth):
    points = by_sides({place: 2}, {1: 1})
    assert pips(points) == pytest.approx(4 - 2 * place + 1 + worth, abs=1e-3)


def test_only_a_blot_that_can_be_hit_costs():
    # The opponent's rearmost checker stands on the player's point 5, behind the blot or not.
    safe, exposed = by_sides({4: 1}, {20: 3}), by_sides({8: 1}, {20: 3})
    assert pips(safe) == pytest.approx(4 - 4 + 60, abs=1e-2)
    assert pips(exposed) == pytest.approx(4 - 8 + 60 - 0.2 * (25 - 8), abs=1e-2)


def test_the_bar_costs_more_than_its_pips():
    assert pips(by_sides({25: 1}, {1: 2})) == pytest.approx(4 - 33 + 2 + 4 * -1, abs=1e-3)


def test_all_rows_get_a_value_that_depends_on_the_row_alone(played):
    rows = np.array(played(60, 2), np.int8)
    out = outputs(BASELINE, np.array(OPENING, np.int8), rows)
    assert out[:, 0].tolist() == [value(row) for row in rows.tolist()]
    assert np.abs(out).max() < 1
