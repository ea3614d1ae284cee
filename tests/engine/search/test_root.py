"""Limits of a decision's nodes and time: a search that stops leaves a complete answer."""

import time

import numpy as np
import pytest

from gammon import search
from gammon.search import Table
from gammon_lab.games import synthetic
from tests.engine.search.asked import asked, assert_same

GAME = synthetic.game(-3, 3)
SETUP = search.Setup(GAME, synthetic.LEAF)
ALGORITHMS = list(search.ALGORITHMS)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_limited_decision_is_that_of_the_depth_it_completed(algorithm):
    depths = set()
    for seed in range(12):
        arguments = (GAME, synthetic.LEAF, synthetic.root(-3, 3, seed), 0)
        for max_nodes in (0, 1, 5, 20, 100, 1000, 10**9):
            found = asked("decide", *arguments, 7, algorithm=algorithm, max_nodes=max_nodes)
            plain = asked("decide", *arguments, found.depth, algorithm=algorithm)
            assert_same(found, plain, stats=False)
            assert found.stats.nodes <= max_nodes
            depths.add(found.depth)
        assert found.depth == 7
    assert depths >= {1, 3, 5, 7}


@pytest.mark.smoke
def test_the_leaves_are_those_of_the_depth_completed():
    root = synthetic.root(-3, 3, 4)
    found = SETUP.decide(root, 0, 7, max_nodes=40, leaves=True, top=2)
    plain = SETUP.decide(root, 0, found.depth, leaves=True, top=2)
    assert 1 < found.depth < 7
    assert_same(found, plain, stats=False)


def test_a_stopped_search_leaves_no_wrong_entries_in_the_table():
    for seed in range(30):
        root = synthetic.root(-3, 3, seed)
        table = Table.allocate(GAME, 0.1)
        oracle = search.Setup(GAME, synthetic.LEAF, "expectimax").decide(root, 0, 5)
        for max_nodes in (7, 19, 40, 10**9):
            found = SETUP.decide(root, 0, 5, table=table, max_nodes=max_nodes)
        assert found.depth == 5
        assert found.values.max() == pytest.approx(oracle.values.max(), abs=1e-9)


def test_a_time_limit_stops_a_search_that_would_take_for_ever():
    SETUP.decide(synthetic.root(-3, 3, 1), 0, 3)
    begun = time.monotonic()
    found = SETUP.decide(synthetic.root(-3, 3, 1, 0), 0, 41, max_seconds=1.0)
    assert 0.9 < time.monotonic() - begun < 60
    assert 1 < found.depth < 41
    assert np.isfinite(found.values).all()


@pytest.mark.parametrize("algorithm", ["star2", "star2.5", "expectimax"])
def test_a_room_that_was_used_is_as_a_new_one(algorithm):
    """Limits, stops and other decisions leave nothing behind, in counts neither."""
    setup = search.Setup(GAME, synthetic.LEAF, algorithm)
    stop = search.Stop()
    stop.set()
    for seed in range(20):
        root = synthetic.root(-3, 3, seed)
        for depth, top, more in ((3, 2, {}), (5, 1, {"max_nodes": 30}), (3, 2, {"stop": stop})):
            found = setup.decide(root, 0, depth, top=top, leaves=True, **more)
            new = search.Setup(GAME, synthetic.LEAF, algorithm)
            alone = new.decide(root, 0, depth, top=top, leaves=True, **more)
            assert_same(found, alone)
        best = setup.best([root, synthetic.root(-3, 3, seed + 1)], [0, 1], 3)
        assert (best == new.best([root, synthetic.root(-3, 3, seed + 1)], [0, 1], 3)).all()
