"""Searches that begin no deeper pass once they have asked for so many evaluations."""

import numpy as np
import pytest

from gammon import search
from gammon.search import SearchError, Table, TreeSearch
from gammon_lab.games import offers, synthetic
from tests.engine.search.asked import assert_same

GAME = synthetic.game(-3, 3)
ALGORITHMS = list(search.ALGORITHMS)
LIMITS = (0, 1, 10, 100, 1000, 10_000)
#: A limit that a search never comes to, with which it goes to depth 1, 3, 5, ... all the same.
NEVER = 1 << 40


def expected_depth(totals, limit):
    """The depth that the rule allows, by the evaluations that a search to each depth takes."""
    depths = sorted(totals)
    for depth in depths:
        if totals[depth] >= limit:
            return depth
    return depths[-1]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_decisions_and_nodes_end_by_the_rule(algorithm):
    plain = TreeSearch(GAME, synthetic.LEAF, algorithm)
    reached = set()
    for seed in range(8):
        root = synthetic.root(-3, 3, seed)

        def decide(searcher, depth, root=root, **more):
            return searcher.decide(root, 0, depth, **more)

        def value(searcher, depth, root=root, **more):
            return searcher.value(root, depth, **more)

        for ask, depths in ((decide, (1, 3, 5, 7)), (value, (0, 2, 4, 6))):
            steps = {depth: ask(plain, depth, max_nodes=NEVER) for depth in depths}
            totals = {depth: step.stats.evaluations for depth, step in steps.items()}
            for limit in LIMITS:
                limited = TreeSearch(GAME, synthetic.LEAF, algorithm, max_evaluations=limit)
                found = ask(limited, depths[-1])
                assert found.depth == expected_depth(totals, limit)
                assert found.stats == steps[found.depth].stats
                reached.add(found.depth)
                if ask is decide:
                    assert_same(found, steps[found.depth])
                else:
                    assert found.value == steps[found.depth].value
    assert reached == set(range(8))


def test_threads_change_nothing():
    depths = set()
    for seed in range(6):
        root = synthetic.root(-3, 3, seed, 0)
        for limit in (100, 300, 1000):
            searcher = TreeSearch(GAME, synthetic.LEAF, max_evaluations=limit)
            alone, shared = (searcher.decide(root, 0, 11, threads=threads) for threads in (1, 3))
            assert_same(alone, shared)
            depths.add(alone.depth)
    assert depths >= {7, 9, 11}


def test_leaves_are_those_of_the_depth_completed():
    """Those of an algorithm that keeps none come from a second search, without the limit."""
    root = synthetic.root(-3, 3, 4)
    for algorithm in ("star2", "expectimax"):
        limited = TreeSearch(GAME, synthetic.LEAF, algorithm, max_evaluations=60)
        found = limited.decide(root, 0, 7, leaves=True, top=2)
        plain = TreeSearch(GAME, synthetic.LEAF, algorithm)
        same = plain.decide(root, 0, found.depth, leaves=True, top=2)
        assert 1 < found.depth < 7
        assert_same(found, same, stats=False)


def test_the_same_search_for_others_keeps_its_limit():
    searcher = TreeSearch(GAME, synthetic.LEAF, max_evaluations=5, sigma=0.1)
    others = searcher.for_opponent(), searcher.with_noise(7), searcher.for_opponent("star1").with_noise(7)
    for other in others:
        assert other.max_evaluations == 5
        assert other.problem.sigma == 0.1
    assert [int(other.problem.noise_seed[0]) for other in others] == [0, 7, 7]
    assert others[2].algorithm == "star1"
    root = synthetic.root(-3, 3, 1)
    noisy = TreeSearch(GAME, synthetic.LEAF, sigma=0.1, noise_seed=7).value(root, 2)
    assert TreeSearch(GAME, synthetic.LEAF, sigma=0.1).with_noise(7).value(root, 2) == noisy
    assert searcher.value(root, 2).value != noisy.value


@pytest.mark.parametrize("megabytes", [None, 0.01])
def test_many_decisions_are_each_limited(megabytes):
    roots = np.array([synthetic.root(-3, 3, seed) for seed in range(12)])
    table = None if megabytes is None else Table.allocate(GAME, megabytes)
    zeros = np.zeros(len(roots), np.int64)
    seeds = np.arange(len(roots))
    limited = TreeSearch(GAME, synthetic.LEAF, sigma=0.3, max_evaluations=60)
    best = limited.best(roots, zeros, 7, table=table)
    depths = set()
    for root, row in zip(roots, best, strict=True):
        own = None if table is None else table.another()
        found = limited.decide(root, 0, 7, table=own)
        assert (row == found.rows[found.order[0]]).all()
        depths.add(found.depth)
    assert len(depths) > 1
    if table is None:
        others = limited.best(roots, zeros, 7, noise_seeds=seeds)
        for seed, (root, row) in enumerate(zip(roots, others, strict=True)):
            found = limited.with_noise(seed).decide(root, 0, 7)
            assert (row == found.rows[found.order[0]]).all()
        assert (best != others).any()


def test_decisions_about_doubles_are_each_limited():
    for seed, plain in offers.FAMILIES:
        game = offers.game(-20, 30, seed, plain)
        if game.offer(game.stake, game.params).cash == search.NOT_OVER:
            continue
        roots = np.array([synthetic.root(-20, 30, tree) for tree in range(4)])
        searcher = TreeSearch(game, offers.LEAF)
        limited = TreeSearch(game, offers.LEAF, max_evaluations=40)
        found = limited.cubes(roots, 6)
        depths = set()
        for root, rolled, taken in zip(roots, found.no_double, found.double_take, strict=True):
            one = limited.cube(root, 6)
            same = searcher.cube(root, one.depth)
            assert (rolled, taken) == (one.no_double, one.double_take)
            assert (rolled, taken) == (same.no_double, same.double_take)
            depths.add(one.depth)
        assert depths != {6}


def test_what_is_no_limit_is_refused():
    for wrong in (-1, 1.5, True, "9"):
        with pytest.raises(SearchError, match=r"max_evaluations .*: expected a whole number"):
            TreeSearch(GAME, synthetic.LEAF, max_evaluations=wrong)
    limited = TreeSearch(GAME, synthetic.LEAF, max_evaluations=9)
    with pytest.raises(SearchError, match="expected `value` for each"):
        limited.values(synthetic.root(-3, 3, 1)[None], 2)
