"""The built-in algorithms: expectimax by its definition, and that each name reaches its own."""

from functools import cache

import numpy as np
import pytest

from gammon import search
from gammon.search import Stats
from gammon.search.evaluation import gauss
from gammon_lab.algorithms import ALGORITHMS
from gammon_lab.games import synthetic
from gammon_lab.games.synthetic import LEAF
from tests.twins import defined_value, payoff, replies

SIGMA, NOISE_SEED = 0.2, 7


def error(state):
    return SIGMA * gauss(state, np.uint64(NOISE_SEED))


@pytest.mark.smoke
@pytest.mark.parametrize("depth", [0, 2, 4])
@pytest.mark.parametrize("bounds", [(-1, 1), (5, 10)])
def test_the_oracle_is_the_definition(bounds, depth):
    game = synthetic.game(*bounds)
    for seed in range(30):
        state = synthetic.root(*bounds, seed)
        found = search.Setup(
            game, LEAF, "expectimax", sigma=SIGMA, noise_seed=NOISE_SEED
        ).value(state, depth)
        defined = defined_value(game, LEAF, state, depth, error=error, bounds=bounds)
        assert found.value == pytest.approx(defined)
        assert bounds[0] <= found.value <= bounds[1]


def test_a_finished_game_has_its_payoff_at_any_depth():
    game = synthetic.game(-3, 3)
    finished = 0
    for seed in range(200):
        row = replies(game, synthetic.root(-3, 3, seed), 0)[0]
        paid = payoff(game, row)
        if paid == search.NOT_OVER:
            continue
        finished += 1
        for algorithm in search.ALGORITHMS:
            for depth in (0, 2, 4):
                found = search.Setup(game, LEAF, algorithm, sigma=SIGMA).value(
                    row, depth, window=(-1, 1)
                )
                assert found.value == paid
                assert (found.stats.nodes, found.stats.leaves) == (0, 1)
    assert finished > 10


NAMES = list(ALGORITHMS)
TREES = 40


@cache
def searched(name):
    """Return the values of some trees, float64 [n], and the work for all of them."""
    setup = search.Setup(synthetic.game(-3, 3), synthetic.LEAF, ALGORITHMS[name])
    found = [setup.value(synthetic.root(-3, 3, seed), 6) for seed in range(TREES)]
    work = np.sum([each.stats for each in found], axis=0)
    return np.array([each.value for each in found]), Stats(*work.tolist())


def test_no_two_names_do_the_same():
    found = {(values.tobytes(), work) for values, work in map(searched, NAMES)}
    assert len(found) == len(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_star2_and_star2_5_alone_probe(name):
    work = searched(name)[1]
    assert (work.probes > 0) == (work.probe_cuts > 0) == (name in ("star2", "star2.5"))
