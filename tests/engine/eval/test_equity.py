"""From the chances of the six results to an equity, and back."""

import numpy as np
import pytest

from gammon.eval.equity import (
    Probabilities,
    cumulative,
    equity,
    for_opponent,
    results_of_cumulative,
)
from gammon.rules.outcome import N_RESULTS, POINTS

CERTAIN = np.eye(N_RESULTS)
DRAWN = np.random.default_rng(4).dirichlet(np.ones(N_RESULTS), size=(5, 20))


def test_equity_of_certain_results():
    assert equity(cumulative(CERTAIN)).tolist() == POINTS.tolist()
    assert equity(for_opponent(cumulative(CERTAIN))).tolist() == (-POINTS).tolist()


def test_equity_is_the_mean_payoff():
    assert equity(cumulative(DRAWN)) == pytest.approx(DRAWN @ POINTS)
    chances = Probabilities(*cumulative(DRAWN[0, 0]).tolist())
    assert chances.equity == pytest.approx(DRAWN[0, 0] @ POINTS)


def test_no_chance_is_above_1_by_rounding():
    """As those of a network add up, in float32."""
    certain = np.array([0, 0, 0, 1e-3, 0.999, 1.2e-7], np.float32)
    assert certain[3:].sum() > 1
    found = cumulative(certain)
    assert found.dtype == np.float32
    assert found[0] == 1.0
    assert for_opponent(found)[0] == 0.0


def test_the_opponent_sees_the_results_in_reverse():
    assert for_opponent(cumulative(DRAWN)) == pytest.approx(cumulative(DRAWN[..., ::-1]))


def test_results_of_cumulative_probabilities():
    assert results_of_cumulative(cumulative(DRAWN)) == pytest.approx(DRAWN)
