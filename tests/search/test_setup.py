"""Searches that are set up once; `test_decide`, `test_value` and `test_cube` ask them."""

import pytest

from gammon.games import synthetic
from gammon.search import Filter, Setup

GAME = synthetic.game(-3, 3)


def test_a_setup_never_changes():
    setup = Setup(GAME, synthetic.LEAF, "star1", sigma=0.3, noise_seed=5)
    states = [synthetic.root(-3, 3, seed, 0) for seed in range(8)]
    before = [setup.value(state, 2).value for state in states]
    setup.best(states, [0] * 8, 3, noise_seeds=range(8))
    assert [setup.value(state, 2).value for state in states] == before
    with pytest.raises(AttributeError, match=r"Setup\.algorithm never changes"):
        setup.algorithm = "star2"


def test_the_other_players_search():
    setup = Setup(synthetic.game(-1, 5), synthetic.LEAF, filter=Filter(1))
    assert setup.turned().problem.low == -5
    assert setup.turned().problem.filter == Filter(1)
    assert setup.turned("star1").problem.probes == 0
