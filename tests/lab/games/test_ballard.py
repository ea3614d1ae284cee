"""Ballard's trees: the counts of his table 1, and what a random tree consists of."""

import numpy as np
import pytest

from gammon import search
from gammon_lab.games import ballard
from tests.engine.games.solve import AS_WRITTEN
from tests.twins import replies

TABLE_1 = {
    2: (5, 5), 4: (40, 25), 6: (138, 58), 8: (336, 105), 10: (670, 166), 20: (5560, 677),
    30: (18990, 1532), 40: (45320, 2732),
}  # fmt: skip


@pytest.mark.parametrize("n", TABLE_1)
def test_ballards_table_1(n):
    for algorithm, published in zip(("star1", "star2"), TABLE_1[n], strict=True):
        found = search.Setup(
            ballard.game(n, False), ballard.LEAF, algorithm, options=AS_WRITTEN
        ).decide(ballard.root(), 0, 3)
        assert found.stats.leaves == published
        # The best * node: the largest arc above, the mean below, and then the smallest.
        assert found.values.max() == pytest.approx((n - 1) + (n - 1) / 2)


def test_random_trees_have_every_arc_once():
    n = 6
    game = ballard.game(n, True)
    orders = set()
    for seed in range(50):
        stars = replies(game, ballard.root(seed), 0)
        assert sorted(stars[:, 1]) == list(range(n))
        orders.add(tuple(stars[:, 1]))
        leaves = np.array([replies(game, stars[0], i) for i in range(n)])
        below = leaves[:, :, 1].astype(int) - stars[0, 1]
        assert sorted(below.min(axis=1)) == list(range(n)), "the arcs of the * node"
        for i in range(n):
            assert sorted(below[i] - below[i].min()) == list(range(n))
        assert len({row.tobytes() for row in leaves.reshape(-1, game.width)}) == n * n
    assert len(orders) > 40
