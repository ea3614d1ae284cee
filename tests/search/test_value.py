"""The value of a chance node under a limit: that of a depth which the search completed."""

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
