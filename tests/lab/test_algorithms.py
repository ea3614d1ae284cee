"""Algorithms from outside: gamma pruning, and chance that takes sides, against plain twins."""

from collections import Counter

import numpy as np
import pytest

import gammon
from gammon import search
from gammon_lab.algorithms import ALGORITHMS, GAMMA, GUARANTEED, POSSIBLE
from gammon_lab.games import offers, synthetic, written
from tests.engine.search import tug
from tests.engine.search.asked import CLOSE, asked, decision_of, value_of
from tests.engine.search.test_contract import WORTH
from tests.naive.games import value_with_sides
from tests.naive.search import defined_value, replies

GAMMAS = ["gamma-a", "gamma-b", "gamma"]
BOUNDS = [(-1, 1), (-3, 3), (5, 10), (-10, -5), (-1, 4)]


@pytest.mark.parametrize("depth", [2, 4, 6])
@pytest.mark.parametrize("bounds", BOUNDS)
def test_gamma_pruning_agrees_with_expectimax(bounds, depth):
    for seed in range(150):
        oracle = value_of(bounds, seed, depth, "expectimax")
        for name in GAMMAS:
            found = value_of(bounds, seed, depth, ALGORITHMS[name])
            assert found.value == pytest.approx(oracle.value, abs=CLOSE), (seed, name)
            assert found.stats.leaves <= oracle.stats.leaves


def test_its_principal_leaves_are_found_by_a_second_search():
    game = synthetic.game(-3, 3)
    states = np.array([synthetic.root(-3, 3, seed, synthetic.FINISHES) for seed in range(20)])
    for name in GAMMAS:
        searcher = search.TreeSearch(game, synthetic.LEAF, ALGORITHMS[name])
        star = search.TreeSearch(game, synthetic.LEAF, "star1")
        ours, theirs = searcher.values(states, 4), star.values(states, 4)
        assert ours.values == pytest.approx(theirs.values, abs=CLOSE)
        for mine, other in zip(ours.leaves, theirs.leaves, strict=True):
            assert (mine == other).all()
        decided = searcher.decide(states[0], 0, 3, top=2, leaves=True)
        sums = [leaves.probabilities.sum() for leaves in decided.leaves]
        assert sums == pytest.approx([1] * min(2, len(decided.rows)))


@pytest.mark.smoke
@pytest.mark.parametrize("algorithm", GAMMAS)
def test_decisions_by_gamma_pruning_agree_with_the_oracle(algorithm):
    cuts = 0
    for seed in range(200):
        oracle = decision_of((-3, 3), seed, 5, "expectimax")
        found = decision_of((-3, 3), seed, 5, ALGORITHMS[algorithm])
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
            leaves[algorithm] += value_of((-3, 3), seed, 6, ALGORITHMS[algorithm]).stats.leaves
    assert leaves["star1"] < leaves["gamma"]
    assert leaves["gamma"] < min(leaves["gamma-a"], leaves["gamma-b"])
    assert max(leaves["gamma-a"], leaves["gamma-b"]) < leaves["expectimax"]


@pytest.mark.parametrize("bounds", [(-1, 1), (5, 10), (-10, -5)])
def test_random_trees(bounds):
    game = synthetic.game(*bounds)
    for seed in range(150):
        state = synthetic.root(*bounds, seed, synthetic.FINISHES | synthetic.TIES)
        found = {}
        for name in ("guaranteed", "expectimax", "possible"):
            found[name] = search.TreeSearch(game, synthetic.LEAF, ALGORITHMS[name]).value(state, 4).value
        assert found["guaranteed"] == pytest.approx(value_with_sides(game, state, 4, False), abs=1e-6)
        assert found["possible"] == pytest.approx(value_with_sides(game, state, 4, True), abs=1e-6)
        assert found["guaranteed"] <= found["expectimax"] + 1e-9
        assert found["expectimax"] <= found["possible"] + 1e-9


def test_a_decision_takes_the_side_of_who_decides():
    game = synthetic.game(-3, 3)
    for seed in range(50):
        state = synthetic.root(-3, 3, seed)
        for name, good in (("guaranteed", False), ("possible", True)):
            found = search.TreeSearch(game, synthetic.LEAF, ALGORITHMS[name]).decide(state, 0, 3)
            theirs = game._replace(low=-3, high=3)
            values = [-value_with_sides(theirs, row, 2, not good) for row in found.rows]
            assert found.values == pytest.approx(values, abs=1e-6)


@pytest.mark.smoke
def test_a_written_tree():
    # Best replies are worth 5 and -2, with chances 3/4 and 1/4.
    game, tree = written.game(-10, 10), written.tree([[1, 5], [-2, -6]], parts=[3, 1])
    values = [
        search.TreeSearch(game, written.EQUAL, ALGORITHMS[name]).value(tree, 2).value
        for name in ("guaranteed", "star2", "possible")
    ]
    assert values == [-2, 3.25, 5]


def test_outcomes_that_cannot_be_do_not_count():
    tree = written.tree([[1], [-9], [9]], parts=[1, 0, 0])
    for name in ("guaranteed", "possible"):
        found = search.TreeSearch(written.game(-10, 10), written.EQUAL, ALGORITHMS[name]).value(tree, 2)
        assert found.value == 1


def test_they_have_no_principal_leaves():
    question = (synthetic.game(-1, 1), synthetic.LEAF, synthetic.root(-1, 1, 0))
    with pytest.raises(search.SearchError, match="leaves with guaranteed"):
        asked("value", *question, 2, algorithm=GUARANTEED, leaves=True)
    with pytest.raises(search.SearchError, match="leaves with possible"):
        asked("decide", *question, 0, 3, algorithm=POSSIBLE, leaves=True)


def test_the_biased_values_keep_to_the_stakes():
    for worth in WORTH:
        game = tug.game(*worth)
        for ahead in range(-4, 5):
            question = (game, tug.LEAF, tug.root(ahead), 2)
            guaranteed, mean, possible = (
                asked("value", *question, algorithm=ALGORITHMS[name]).value
                for name in ("guaranteed", "expectimax", "possible")
            )
            best = [
                max(-defined_value(game, tug.LEAF, row, 0, -1) for row in replies(game, tug.root(ahead), k))
                for k in range(3)
            ]
            assert (guaranteed, possible) == pytest.approx((min(best), max(best)))
            assert guaranteed - CLOSE <= mean <= possible + CLOSE


@pytest.mark.parametrize("name", [*GAMMAS, "guaranteed", "possible"])
def test_they_refuse_filters_doubles_and_threads(name):
    own = ALGORITHMS[name]
    with pytest.raises(search.SearchError, match=f"{name} for a game with doubles"):
        search.TreeSearch(offers.game(-20, 30, 0, True), offers.LEAF, own)
    with pytest.raises(search.SearchError, match=f"{name} with a filter of replies"):
        search.TreeSearch(synthetic.game(-1, 1), synthetic.LEAF, own, filter=search.Filter(2))
    with pytest.raises(search.SearchError, match="2 threads"):
        question = (synthetic.root(-1, 1, 0), 0, 5)
        search.TreeSearch(synthetic.game(-1, 1), synthetic.LEAF, own).decide(*question, threads=2)


def test_an_engine_takes_an_exact_algorithm():
    position = gammon.Position.opening()
    ours = gammon.Engine(3, algorithm=GAMMA, cubeless=True).analyze(position, (3, 1))
    star = gammon.Engine(3, cubeless=True).analyze(position, (3, 1))
    assert ours.algorithm == "gamma"
    assert ours.candidates[0].play == star.candidates[0].play
    assert ours.candidates[0].equity == pytest.approx(star.candidates[0].equity, abs=1e-9)
    with pytest.raises(gammon.SettingError, match="algorithm"):
        gammon.Engine(3, algorithm=GUARANTEED)
