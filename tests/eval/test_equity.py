"""From the chances of the six results to an equity."""

import numpy as np

from gammon.eval.equity import cumulative, equity, for_opponent, results_of_cumulative


def test_equity_of_certain_results() -> None:
    results = np.eye(6)
    assert equity(cumulative(results)).tolist() == [-3, -2, -1, 1, 2, 3]
    assert equity(for_opponent(cumulative(results))).tolist() == [3, 2, 1, -1, -2, -3]


def test_cumulative_and_back() -> None:
    results = np.random.default_rng(1).dirichlet(np.ones(6), 50)
    assert np.allclose(results_of_cumulative(cumulative(results)), results, atol=1e-12)
    turned = for_opponent(cumulative(results))
    assert np.allclose(results_of_cumulative(turned), results[:, ::-1], atol=1e-12)
