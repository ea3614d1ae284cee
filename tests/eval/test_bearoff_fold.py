"""Bearoffs whose values are known, in the outputs: the fold against the definition."""

import numpy as np
import pytest

from gammon.eval.bearoff_fold import KNOWN, N_OUTPUTS
from gammon.eval.efficiency import exact_efficiency
from gammon.eval.janowski import match_value
from gammon.eval.janowski_kernel import fold_rolled
from gammon.formats.met_file import read_met
from gammon.rules.outcome import N_RESULTS
from gammon.rules.stake import params_of, stake_of
from gammon.rules.terms import Terms

MET = read_met()


def drawn_outputs(count: int) -> np.ndarray:
    """Drawn rows float32 [count, 10] of which every other one is known."""
    random = np.random.default_rng(4)
    win = random.random(count)
    rows = np.zeros((count, N_OUTPUTS), np.float32)
    rows[:, 2], rows[:, 3] = 1.0 - win, win
    rows[:, N_RESULTS] = 0.65
    known = rows[::2]
    known[:, N_RESULTS] = KNOWN
    exact = np.clip(2 * win[::2, None] - 1 + random.uniform(-0.1, 0.1, (len(known), 3)), -1, 1)
    known[:, N_RESULTS + 1 :] = exact
    return rows


def folded(rows: np.ndarray, stake: int, params: np.ndarray) -> np.ndarray:
    values = np.full(len(rows), np.nan, np.float32)
    fold_rolled(rows, len(rows), stake, params, values)
    return values


@pytest.mark.parametrize("jacoby", [False, True])
def test_for_money_the_value_is_the_known_one(jacoby: bool) -> None:
    rows = drawn_outputs(60)
    others = np.ascontiguousarray(rows[1::2, : N_RESULTS + 1])
    params = params_of(Terms(jacoby=jacoby))
    for stake, column in ((1, 7), (0, 8), (-1, 9)):
        values = folded(rows, stake, params)
        assert np.array_equal(values[::2], rows[::2, column])
        assert np.array_equal(values[1::2], folded(others, stake, params))


def test_a_cube_that_may_not_be_turned_has_the_cubeless_value() -> None:
    rows = drawn_outputs(60)
    values = folded(rows, 0, params_of(Terms(live=False)))
    assert values == pytest.approx(rows[:, 3] - rows[:, 2], abs=1e-7)


@pytest.mark.parametrize(
    "terms",
    [
        Terms(7, (7, 7)), Terms(7, (3, 5), cube=2, owner=1), Terms(9, (8, 6), cube=2, owner=-1),
        Terms(5, (2, 2)), Terms(7, (4, 1)), Terms(7, (1, 4), crawford=True), Terms(5, (1, 1)),
    ],
    ids=str,
)  # fmt: skip
def test_in_a_match_it_gives_the_efficiency(terms: Terms) -> None:
    rows = drawn_outputs(60)
    for at, sign in ((terms, 1), (terms.turned(), -1)):
        found = folded(rows, sign * stake_of(terms), params_of(terms, MET))
        for row, value in zip(rows.astype(float), found, strict=True):
            efficiency = row[N_RESULTS]
            if efficiency == KNOWN:
                efficiency = exact_efficiency(row[3], at.owner, row[8 - at.owner])
            expected = 2.0 * match_value(row[:6].tolist(), at, efficiency, MET) - 1.0
            assert value == pytest.approx(expected, abs=2e-7)
