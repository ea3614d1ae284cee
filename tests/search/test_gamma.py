"""Gamma pruning against the oracle."""

from collections import Counter

import pytest

from gammon import search
from gammon.games import synthetic
from tests.search.asked import asked

BOUNDS = [(-1, 1), (-3, 3), (5, 10), (-10, -5), (-1, 4)]
GAMMAS = ["gamma-a", "gamma-b", "gamma"]
#: Trees of each pair of bounds, by depth.
TREES = {2: 200, 4: 150, 6: 100}


def root(bounds, seed):
    return synthetic.root(*bounds, seed, synthetic.FINISHES | (seed % 2) * synthetic.TIES)


@pytest.mark.parametrize("depth", TREES)
@pytest.mark.parametrize("bounds", BOUNDS)
def test_chance_nodes_agree_with_the_oracle(bounds, depth):
    for seed in range(TREES[depth]):
        question = (synthetic.game(*bounds), synthetic.LEAF, root(bounds, seed), depth)
        noise = {"sigma": 0.3 * (seed % 3 == 0), "noise_seed": seed}
        oracle = asked("value", *question, algorithm="expectimax", **noise)
        for algorithm in GAMMAS:
            found = asked("value", *question, algorithm=algorithm, **noise)
            assert found.value == pytest.approx(oracle.value, abs=1e-9)
            assert found.stats.leaves <= oracle.stats.leaves


@pytest.mark.smoke
@pytest.mark.parametrize("algorithm", GAMMAS)
def test_decisions_agree_with_the_oracle(algorithm):
    cuts = 0
    for seed in range(200):
        question = (synthetic.game(-3, 3), synthetic.LEAF, root((-3, 3), seed), 0, 5)
        oracle = asked("decide", *question, algorithm="expectimax")
        found = asked("decide", *question, algorithm=algorithm)
        assert found.values.max() == pytest.approx(oracle.values.max(), abs=1e-9)
        assert found.exact[found.order[0]]
        assert (found.values >= oracle.values - 1e-9).all()
        cuts += (~found.exact).sum()
        if algorithm == "gamma-b":
            assert found.exact.all(), "it does not prune at the decider's own decisions"
    assert (cuts > 0) == (algorithm != "gamma-b")


def test_both_sides_cut_more_than_one_and_star1_more_than_both():
    leaves: Counter[str] = Counter()
    for seed in range(200):
        for algorithm in ("expectimax", *GAMMAS, "star1"):
            found = search.Setup(synthetic.game(-3, 3), synthetic.LEAF, algorithm).value(
                root((-3, 3), seed), 6
            )
            leaves[algorithm] += found.stats.leaves
    assert leaves["star1"] < leaves["gamma"]
    assert leaves["gamma"] < min(leaves["gamma-a"], leaves["gamma-b"])
    assert max(leaves["gamma-a"], leaves["gamma-b"]) < leaves["expectimax"]
