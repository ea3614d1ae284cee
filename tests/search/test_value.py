"""The value of a chance node under a limit, and those of many nodes."""

import numpy as np
import pytest

from gammon import search
from gammon.games import synthetic
from gammon.search import Setup

GAME = synthetic.game(-3, 3)


@pytest.mark.parametrize("algorithm", search.ALGORITHMS)
def test_a_limited_value_is_that_of_the_depth_it_completed(algorithm):
    depths = set()
    for seed in range(12):
        setup, root = Setup(GAME, synthetic.LEAF, algorithm), synthetic.root(-3, 3, seed)
        for max_nodes in (0, 3, 30, 300, 10**9):
            found = setup.value(root, 6, max_nodes=max_nodes, leaves=True)
            plain = setup.value(root, found.depth)
            assert found.value == plain.value
            assert found.leaves is not None
            assert found.leaves.probabilities.sum() == pytest.approx(1)
            depths.add(found.depth)
    assert depths >= {0, 2, 4, 6}


@pytest.mark.parametrize("algorithm", search.ALGORITHMS)
@pytest.mark.parametrize("depth", [0, 2, 4])
def test_many_values_are_those_of_one_by_one_to_the_last_bit(depth, algorithm):
    states = np.array([synthetic.root(-3, 3, seed, synthetic.FINISHES) for seed in range(20)])
    setup = Setup(GAME, synthetic.LEAF, algorithm, synthetic.PROBE, sigma=0.3, noise_seed=5)
    table = search.Table.allocate(GAME, 0.01) if depth == 4 else None
    found = setup.values(states, depth, table=table)
    assert found.offsets[0] == 0
    assert found.offsets[-1] == len(found.leaves.rows)
    for number, state in enumerate(states):
        table = search.Table.allocate(GAME, 0.01) if depth == 4 else None
        alone = setup.value(state, depth, leaves=True, table=table)
        assert found.values[number] == alone.value
        mine = slice(*found.offsets[number : number + 2])
        for all_leaves, leaves in zip(found.leaves, alone.leaves, strict=True):
            assert (all_leaves[mine] == leaves).all()


def test_many_values_may_be_none():
    found = Setup(GAME, synthetic.LEAF).values(np.empty((0, GAME.width), np.int8), 2)
    assert found.values.shape == (0,)
    assert found.offsets.tolist() == [0]


def test_many_values_need_room_for_leaves():
    states = synthetic.root(-3, 3, 1)[None]
    with pytest.raises(search.SearchError, match="depth 20"):
        Setup(GAME, synthetic.LEAF).values(states, 20)
    with pytest.raises(search.SearchError, match="guaranteed"):
        Setup(GAME, synthetic.LEAF, "guaranteed").values(states, 2)
