"""How alike errors are: against sums done by hand, and errors that are known."""

import numpy as np
import pytest

from gammon.match.player import Player
from gammon_lab.experiments.noise_errors import (
    DEPTHS,
    Spread,
    error_units,
    is_measured,
    measure,
    spread_of,
    spread_row,
)


def test_spreads_are_standard_deviations():
    # Errors 1 and 3, and -1, -2 and -3: around their means 2 and -2, and around 0 in all.
    found = spread_of([[2.0, 2.0, 2.0], [3.0, -2.0, 2.0]])
    assert found.between == pytest.approx(np.sqrt(4 / 3))
    assert found.whole == pytest.approx(np.std([1, 3, -1, -2, -3]))


def measured(player, depth, count=50):
    units = error_units(player, ["an id"], count, 1)
    assert {unit["depth"] for unit in units} == set(DEPTHS)
    assert sum(min(25, count - unit["first"]) for unit in units) == count * len(DEPTHS)
    found = [measure(unit) for unit in units if unit["depth"] == depth]
    assert all(is_measured(unit, each) for unit, each in zip(units, found, strict=False))
    return spread_of([row for each in found for row in each])


def test_independent_errors_are_as_large_between_plays_and_search_averages_them_out():
    player = Player(noise=0.1)
    one, three = (measured(player, depth) for depth in DEPTHS)
    assert one.whole == pytest.approx(0.1, rel=0.15)
    assert one.between == pytest.approx(0.1, rel=0.15)
    assert three.between < 0.6 * one.between


def test_alike_errors_are_small_between_plays_and_stay():
    player = Player(noise=0.1, errors="alike-1")
    one, three = (measured(player, depth) for depth in DEPTHS)
    assert one.between < 0.7 * one.whole
    assert three.between > 0.6 * one.between


def test_a_network_has_no_errors_against_itself():
    assert measured(Player(), 1, 10) == Spread(0, 0)


def test_a_row():
    row = spread_row("x", 0.0, Spread(0.2, 0.1), Spread(0.3, 0.05))
    assert row == ["x", None, 0.2, 0.1, 0.05, 50, pytest.approx(75)]


@pytest.mark.parametrize(
    "value", [None, [[1.0, 2.0]], [[1.0, 2.0, "x"]], [[1.0, 2.0, 1e19]], [[1.0, 0.0, 0.0]] * 26]
)
def test_damaged_results_do_not_fit(value):
    assert not is_measured({}, value)
