"""The value of a chance node under a limit: that of a depth which the search completed."""

import numpy as np
import pytest

from gammon import search
from gammon.games import synthetic

GAME = synthetic.game(-3, 3)


@pytest.mark.parametrize("algorithm", search.ALGORITHMS)
def test_a_limited_value_is_that_of_the_depth_it_completed(algorithm):
    depths = set()
    for seed in range(12):
        arguments = (GAME, synthetic.LEAF, synthetic.root(-3, 3, seed))
        for max_nodes in (0, 3, 30, 300, 10**9):
            found = search.chance_value(
                *arguments, 6, algorithm, max_nodes=max_nodes, leaves=True
            )
            plain = search.chance_value(*arguments, found.depth, algorithm)
            assert found.value == plain.value
            assert found.leaves is not None
            assert found.leaves.probabilities.sum() == pytest.approx(1)
            depths.add(found.depth)
    assert depths >= {0, 2, 4, 6}


@pytest.mark.parametrize("algorithm", search.ALGORITHMS)
@pytest.mark.parametrize("depth", [0, 2, 4])
def test_many_values_are_those_of_one_by_one_to_the_last_bit(depth, algorithm):
    states = np.array([synthetic.root(-3, 3, seed, synthetic.FINISHES) for seed in range(20)])
    settings = {"sigma": 0.3, "noise_seed": 5}
    table = search.Table.allocate(GAME, 0.01) if depth == 4 else None
    probe = synthetic.PROBE
    found = search.chance_values(
        GAME, synthetic.LEAF, states, depth, algorithm, probe, table=table, **settings
    )
    assert found.offsets[0] == 0
    assert found.offsets[-1] == len(found.leaves.rows)
    for number, state in enumerate(states):
        table = search.Table.allocate(GAME, 0.01) if depth == 4 else None
        alone = search.chance_value(
            GAME, synthetic.LEAF, state, depth, algorithm, probe, leaves=True, table=table,
            **settings,
        )  # fmt: skip
        assert found.values[number] == alone.value
        mine = slice(*found.offsets[number : number + 2])
        for all_leaves, leaves in zip(found.leaves, alone.leaves, strict=True):
            assert (all_leaves[mine] == leaves).all()


def test_many_values_may_be_none():
    found = search.chance_values(GAME, synthetic.LEAF, np.empty((0, GAME.width), np.int8), 2)
    assert found.values.shape == (0,)
    assert found.offsets.tolist() == [0]


def test_many_values_need_room_for_leaves():
    states = synthetic.root(-3, 3, 1)[None]
    with pytest.raises(search.SearchError, match="depth 20"):
        search.chance_values(GAME, synthetic.LEAF, states, 20)
    with pytest.raises(search.SearchError, match="guaranteed"):
        search.chance_values(GAME, synthetic.LEAF, states, 2, "guaranteed")
