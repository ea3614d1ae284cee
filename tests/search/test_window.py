"""The windows of outcomes."""

import numpy as np
import pytest

from gammon.search.window import edge


def test_edge_is_the_window_of_the_slides():
    # Hauk, Buro and Schaeffer: L = -10, U = 10, N = 3, one value 2 seen, window (3, 4).
    third = 1 / 3
    assert edge(3.0, 2 * third, 10 * third, third) == pytest.approx(-3)
    assert edge(4.0, 2 * third, -10 * third, third) == pytest.approx(20)


def test_edge_with_unequal_probabilities():
    # 1/2 * 4 is seen, 1/4 is to come in [0, 10]: what must 1/4 * x add to reach 5?
    assert edge(5.0, 2.0, 2.5, 0.25) == 2
    assert edge(5.0, 2.0, 0.0, 0.25) == 12
    assert edge(-np.inf, 2.0, 2.5, 0.25) == -np.inf
