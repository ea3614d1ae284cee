"""Gamma pruning in decisions, and what it saves; `test_star.py` has its chance nodes."""

from collections import Counter

import pytest

from tests.engine.search.asked import decision_of, value_of

GAMMAS = ["gamma-a", "gamma-b", "gamma"]


@pytest.mark.smoke
@pytest.mark.parametrize("algorithm", GAMMAS)
def test_decisions_agree_with_the_oracle(algorithm):
    cuts = 0
    for seed in range(200):
        oracle = decision_of((-3, 3), seed, 5, "expectimax")
        found = decision_of((-3, 3), seed, 5, algorithm)
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
            leaves[algorithm] += value_of((-3, 3), seed, 6, algorithm).stats.leaves
    assert leaves["star1"] < leaves["gamma"]
    assert leaves["gamma"] < min(leaves["gamma-a"], leaves["gamma-b"])
    assert max(leaves["gamma-a"], leaves["gamma-b"]) < leaves["expectimax"]
