"""What a position is worth without a search: the model, and small bearoffs by the table."""

import csv

import numpy as np
import pytest

from gammon.base.errors import SettingError
from gammon.eval.bearoff_cube import covers, exact_money
from gammon.eval.efficiency import cube_efficiency, exact_efficiency
from gammon.eval.equity import results_of_cumulative
from gammon.eval.janowski import match_value, money_value
from gammon.eval.static_value import static_value
from gammon.formats.met_file import read_met
from gammon.formats.position import Position
from gammon.rules.board import OPENING
from gammon.rules.terms import Terms
from tests.conftest import GOLDEN
from tests.eval.bearoff_tables import points_of

MET = read_met()
RESULTS = [0.002, 0.078, 0.22, 0.5, 0.19, 0.01]
#: GNU Backgammon's table of exact values has 16 bits from -1 to 1, and a double counts twice.
STEP = 7e-5


def test_small_bearoffs_of_gnu_backgammon() -> None:
    """Cases of `scripts/compare_cube.py --bearoffs`."""
    with (GOLDEN / "cube_bearoffs.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) > 90
    for row in rows:
        points = Position.parse(row["position_id"]).points
        away = int(row["own_away"]), int(row["their_away"])
        terms = Terms(
            int(row["length"]), away, row["crawford"] == "1", row["jacoby"] == "1",
            cube=int(row["cube"]), owner=int(row["owner"]),
        ).checked()  # fmt: skip
        names = ("win", "win_g", "win_bg", "lose_g", "lose_bg")
        results = results_of_cumulative(np.array([float(row[name]) for name in names])).tolist()
        assert covers(points)
        for at, name in ((terms, "no_double"), (terms.doubled(), "double_take")):
            if not row[name]:
                assert not terms.may_double
                continue
            value = static_value(points, results, at, MET)
            if terms.length:
                expected = MET.mwc_of_emg(float(row[name]), terms)
            else:
                expected = float(row[name]) * terms.cube / at.cube
            assert value == pytest.approx(expected, abs=STEP), row


def test_other_positions_have_the_value_of_the_model() -> None:
    for points in (OPENING, points_of((0, 0, 0, 0, 0, 7), (0, 0, 0, 0, 6))):
        efficiency = cube_efficiency(points)
        money, match = Terms(cube=2, owner=1), Terms(7, (5, 3), cube=2, owner=1)
        assert static_value(points, RESULTS, money) == money_value(RESULTS, money, efficiency)
        expected = match_value(RESULTS, match, efficiency, MET)
        assert static_value(points, RESULTS, match, MET) == expected


def test_a_small_bearoff_is_exact_for_money_and_shows_the_efficiency_of_a_match() -> None:
    points, results = points_of((0, 0, 0, 0, 0, 2), (0, 0, 2)), [0.0, 0.0, 0.53, 0.47, 0.0, 0.0]
    for owner in (1, 0, -1):
        money = Terms(cube=2 if owner else 1, owner=owner)
        exact = exact_money(points, money)
        assert static_value(points, results, money) == exact
        match = Terms(9, (6, 7), cube=money.cube, owner=owner)
        efficiency = exact_efficiency(0.47, owner, exact)
        assert static_value(points, results, match, MET) == match_value(
            results, match, efficiency, MET
        )
    # The chances count where the cube may not be turned.
    assert static_value(points, results, Terms(live=False)) == pytest.approx(-0.06)


def test_another_word_for_the_pips_is_refused() -> None:
    for points in (OPENING, points_of((2,), (2,))):
        with pytest.raises(SettingError, match="pips 'own'"):
            static_value(points, RESULTS, Terms(), pips="own")
