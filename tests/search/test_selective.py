"""Selective search: fewer replies, and for these the value that expectimax finds."""

import numpy as np
import pytest

from gammon import search
from gammon.games import synthetic
from gammon.search import Options, Table
from tests.search.test_options import BOUNDS, CLOSE, THROWN, tree, value_of

SELECTIVE = [
    options._replace(replies=replies, margin=margin)
    for options in THROWN
    for replies, margin in ((1, np.inf), (3, 0.3))
]


@pytest.mark.parametrize("options", SELECTIVE, ids=str)
def test_all_algorithms_look_at_the_same_replies(options):
    other = 0
    for bounds in BOUNDS:
        for seed in range(25):
            oracle = value_of(bounds, seed, 4, "expectimax", options=options).value
            other += oracle != value_of(bounds, seed, 4, "expectimax").value
            for algorithm in ("star1", "star2", "star2.5"):
                for table in (None, Table.allocate(tree(bounds, seed)[0], 0.01)):
                    for _ in range(2):
                        found = value_of(
                            bounds, seed, 4, algorithm, options=options, table=table
                        )
                        assert found.value == pytest.approx(oracle, abs=CLOSE), (
                            seed,
                            algorithm,
                        )
    assert other > 5, "nothing was left out"


@pytest.mark.parametrize("threads", [None, 2])
def test_a_decision_leaves_candidates_out(threads):
    options = Options(replies=2, margin=2.0)
    left_out = 0
    for seed in range(60):
        game, root = tree((-3, 3), seed)

        def decide(algorithm, game=game, root=root, **more):
            return search.decide(
                game, synthetic.LEAF, root, 0, 5, algorithm, synthetic.PROBE,
                options=options, top=3, **more,
            )  # fmt: skip

        oracle, found = decide("expectimax"), decide("star2", threads=threads, leaves=True)
        n = len(found.order)
        assert found.searched == oracle.searched == len(found.leaves) <= min(n, 2)
        left_out += n - found.searched
        searched, others = np.split(found.order, [found.searched])
        assert found.values[searched] == pytest.approx(oracle.values[searched], abs=CLOSE)
        assert found.exact[searched].all()
        assert not found.exact[others].any()
        for j in others:
            static = -search.chance_value(game, synthetic.LEAF, found.rows[j], 0).value
            assert found.values[j] == pytest.approx(static)
    assert left_out > 10


def test_what_cannot_be_is_refused():
    game, root = tree((-3, 3), 1)
    for algorithm, options in (
        ("star2", Options(replies=-1)),
        ("star2", Options(replies=2, margin=-0.1)),
        ("gamma", Options(replies=2)),
    ):
        with pytest.raises(search.SearchError, match="replies"):
            search.decide(game, synthetic.LEAF, root, 0, 3, algorithm, options=options)
