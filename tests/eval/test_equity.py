"""From the chances of the six results to an equity."""

import numpy as np

from gammon.eval.equity import cumulative, equity, flipped


def test_equity_of_certain_results() -> None:
    results = np.eye(6)
    assert equity(cumulative(results)).tolist() == [-3, -2, -1, 1, 2, 3]
    assert equity(flipped(cumulative(results))).tolist() == [3, 2, 1, -1, -2, -3]
