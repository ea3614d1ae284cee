"""Measurements: grouped by unit, and what a choice costs."""

import numpy as np
import pytest

from gammon_lab.experiments import ballard, dice, measure
from gammon_lab.experiments.measure import Costs, Results, choices
from tests.numbers import NOT_NUMBERS

UNITS = [{"depth": depth, "number": number} for depth in (1, 3) for number in range(2)]
#: Leaves, nodes, seconds, probes, probe cutoffs, value.
ROWS = [[10, 5, 1, 0, 0, 0.5], [30, 5, 3, 4, 1, 0.5], [1, 1, 1, 2, 2, 0], [2, 2, 2, 8, 4, 0]]
SHALLOW, DEEP = Costs.of(ROWS[:2]), Costs.of(ROWS[2:])


def test_rows_of_the_units_that_are_alike() -> None:
    found = Results.of(UNITS, ROWS, "depth")
    assert {key: np.transpose(costs).tolist() for key, costs in found.items()} == {
        (1,): ROWS[:2], (3,): ROWS[2:],
    }  # fmt: skip
    single = Results.of(UNITS, ROWS, "number", "depth")[1, 1]
    assert np.transpose(single).tolist() == ROWS[1:2]


def test_efficiency_is_of_positions_with_probes() -> None:
    assert SHALLOW.efficiency.tolist() == [25]
    assert DEEP.efficiency.tolist() == [100, 50]


def test_what_a_choice_costs() -> None:
    no_probes = Costs.of([[1, 1, 1, 0, 0, 0]] * 2)
    half = Costs(*(each / 2 for each in DEEP))
    found = {"expectimax": SHALLOW, "star2": half, "more": DEEP, "none": no_probes}
    sheet = choices("name", "Title", "variant", found)
    assert [row[0] for row in sheet.rows] == ["star2", "more", "none"]
    leaves, leaves_share, time_share, more_leaves, more_time, probes = sheet.rows[1][1:]
    assert leaves == 1.5
    assert (leaves_share, time_share) == pytest.approx((100 * 1.5 / 20, 100 * 1.5 / 2))
    assert (more_leaves, more_time) == pytest.approx((100, 100))
    assert probes == 75
    assert sheet.rows[2][-1] is None
    assert sheet.rows[0][4:6] == [0, 0], "it is compared with itself"


def test_the_spread_is_that_of_the_values_of_the_same_positions() -> None:
    off = DEEP.first(1)._replace(values=np.array([-0.25]))
    results = Results({
        (3, "expectimax"): DEEP, (3, "star1"): DEEP, (3, "star2"): off, (5, "star2"): SHALLOW,
    })  # fmt: skip
    assert results.spread() == 0.25


@pytest.mark.parametrize("result", NOT_NUMBERS, ids=lambda result: str(result)[:20])
def test_what_a_file_says_may_be_no_numbers(result):
    assert measure.are_costs({}, [1, 2, 0.5, 3, 4, -0.25])
    assert not measure.are_costs({}, result)
    assert dice._fits({"pairs": 3}, [0.5, 1.0, 0.0])
    assert not dice._fits({"pairs": 3}, result)
    assert not dice._fits({}, result)
    assert ballard._fits({"trees": 1}, [[1, 2, 3, 4]])
    assert not ballard._fits({"trees": 1}, result)
    assert not ballard._fits({"trees": 1}, [result])
