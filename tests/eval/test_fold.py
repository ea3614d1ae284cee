"""What the six results are worth, at stakes that differ by side."""

import numpy as np
import pytest

from gammon.eval.fold import fold_results
from gammon.rules.outcome import N_RESULTS, POINTS

RNG = np.random.default_rng(6)
CHANCES = RNG.dirichlet(np.ones(N_RESULTS), size=9).astype(np.float32)


def folded(n, stake, params):
    out = np.full(len(CHANCES), 7.0, np.float32)
    fold_results(CHANCES, n, stake, params, out)
    return out


@pytest.mark.parametrize("stake", [-2, -1, 0, 1])
def test_a_value_is_the_mean_worth_to_the_side_that_the_stake_names(stake):
    params = RNG.normal(size=2 * N_RESULTS)
    worth = params[N_RESULTS:] if stake < 0 else params[:N_RESULTS]
    assert folded(9, stake, params) == pytest.approx(CHANCES @ worth, abs=1e-6)


def test_only_the_rows_that_are_asked_for_are_written():
    assert folded(4, 0, np.tile(POINTS, 2))[4:].tolist() == [7.0] * 5


def test_even_chances_are_worth_nothing_for_money():
    even = np.full((1, N_RESULTS), 1 / 6, np.float32)
    out = np.empty(1, np.float32)
    fold_results(even, 1, 0, np.tile(POINTS, 2), out)
    assert out[0] == 0.0
