"""Measurements: gathered by unit, and what a choice costs."""

import numpy as np
import pytest

from gammon.experiments import ballard, dice, measure
from gammon.experiments.measure import VALUE, choice_cells, efficiency, gathered

UNITS = [{"depth": depth, "number": number} for depth in (1, 3) for number in range(2)]
#: Leaves, nodes, seconds, probes, probe cutoffs, value.
ROWS = [[10, 5, 1, 0, 0, 0.5], [30, 5, 3, 4, 1, 0.5], [1, 1, 1, 2, 2, 0], [2, 2, 2, 8, 4, 0]]


def test_rows_of_the_units_that_are_wanted() -> None:
    assert gathered(UNITS, ROWS, depth=3).tolist() == ROWS[2:]
    assert gathered(UNITS, ROWS, depth=1, number=1).tolist() == ROWS[1:2]
    assert gathered(UNITS, ROWS, depth=5).shape == (0, VALUE + 1)


def test_efficiency_is_of_positions_with_probes() -> None:
    assert efficiency(gathered(UNITS, ROWS, depth=1)).tolist() == [25]
    assert efficiency(gathered(UNITS, ROWS, depth=3)).tolist() == [100, 50]


def test_what_a_choice_costs() -> None:
    found, full = gathered(UNITS, ROWS, depth=3), gathered(UNITS, ROWS, depth=1)
    ours = found.copy() / 2
    leaves, leaves_share, time_share, more_leaves, more_time, probes = choice_cells(
        found, ours, full
    )
    assert leaves == 1.5
    assert (leaves_share, time_share) == pytest.approx((100 * 1.5 / 20, 100 * 1.5 / 2))
    assert (more_leaves, more_time) == pytest.approx((100, 100))
    assert probes == 75
    no_probes = np.zeros_like(found)
    no_probes[:, :3] = 1
    assert choice_cells(no_probes, ours, full)[-1] is None


@pytest.mark.parametrize(
    "result",
    [None, {}, [], [1, 2], [1, 2, "3"], [1, 2, None], [1, 2, True], [1, 2, 10**400],
     [1, 2, float("nan")], [1, 2, float("inf")]],
    ids=lambda result: str(result)[:20],
)  # fmt: skip
def test_what_a_file_says_may_be_no_numbers(result):
    assert measure.are_numbers([1, 2.5, -3], 3)
    assert not measure.are_numbers(result, 3)
    assert measure.is_measurement({}, [1, 2, 0.5, 3, 4, -0.25])
    assert not measure.is_measurement({}, result)
    assert dice._fits({"pairs": 3}, [0.5, 1.0, 0.0])
    assert not dice._fits({"pairs": 3}, result)
    assert not dice._fits({}, result)
    assert ballard._fits({"trees": 1}, [[1, 2, 3, 4]])
    assert not ballard._fits({"trees": 1}, result)
    assert not ballard._fits({"trees": 1}, [result])
