"""A decision as tasks: the values of the whole search, whatever the number of threads."""

import numpy as np
import pytest

from gammon import search
from gammon.games import dice_game, synthetic
from gammon.search import Options, Table
from tests.search.test_options import BOUNDS, CLOSE, tree

OPTIONS = [
    Options(),
    Options(fail_hard=True, killers=False),
    Options(node_bounds=True, table_leaves=True, static_order=False),
    Options(probes=3, deepen=False),
]


def decide(bounds, seed, algorithm="star2", **more):
    game, root = tree(bounds, seed)
    return search.decide(
        game, synthetic.LEAF, root, 0, 5, algorithm, synthetic.PROBE,
        sigma=0.3 * (seed % 3 == 0), noise_seed=seed, **more,
    )  # fmt: skip


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("bounds", BOUNDS)
def test_tasks_find_the_values_of_expectimax(bounds, options):
    for seed in range(40):
        for algorithm, top in (("star1", 1), ("star2", 1), ("star2", 3), ("star2.5", 2)):
            oracle = decide(bounds, seed, "expectimax", options=options)
            truth = {
                row.tobytes(): v for row, v in zip(oracle.rows, oracle.values, strict=True)
            }
            found = decide(
                bounds, seed, algorithm, options=options, top=top, threads=1,
                table=Table.allocate(tree(bounds, seed)[0], 0.01), leaves=True,
            )  # fmt: skip
            best = min(top, len(truth))
            assert found.exact[found.order[:best]].all()
            assert (np.diff(found.values[found.order]) <= 0).all()
            for row, value, exact in zip(found.rows, found.values, found.exact, strict=True):
                expected = truth[row.tobytes()]
                assert abs(value - expected) < CLOSE if exact else value > expected - CLOSE
            if options.node_bounds:
                continue  # values clipped on the way are not those of the leaves
            for j, leaves in zip(found.order, found.leaves, strict=False):
                assert leaves.probabilities.sum() == pytest.approx(1)
                assert abs(mean_of(leaves, seed, bounds) - found.values[j]) < 1e-6
            assert len(found.leaves) == best


def mean_of(leaves, seed, bounds):
    """Return the value that principal leaves stand for."""
    game, _ = tree(bounds, seed)
    total = 0.0
    for row, probability, sign in zip(*leaves, strict=True):
        theirs = game if sign > 0 else game._replace(low=-game.high, high=-game.low)
        value = search.chance_value(
            theirs, synthetic.LEAF, row, 0, sigma=0.3 * (seed % 3 == 0), noise_seed=seed
        ).value
        total += probability * sign * value
    return total


def test_any_number_of_threads_gives_the_same():
    game, leaf = dice_game.game(5), dice_game.leaf(4)
    state = dice_game.root(5, 4)
    state[2 + 7], state[2 + 12], state[2 + 3] = 1, 1, -1

    def found(threads):
        return search.decide(
            game, leaf, state, 2, 7, top=2, threads=threads, leaves=True,
            table=Table.allocate(game, 0.05),
        )  # fmt: skip

    one, plain = found(1), found(None)
    assert one.values[one.order[:2]] == pytest.approx(plain.values[plain.order[:2]], abs=1e-12)
    for threads in (2, 3, 7):
        several = found(threads)
        for name in ("rows", "values", "exact", "order"):
            assert np.array_equal(getattr(several, name), getattr(one, name)), name
        assert several.stats == one.stats
        for a, b in zip(several.leaves, one.leaves, strict=True):
            assert all(np.array_equal(x, y) for x, y in zip(a, b, strict=True))


def test_what_threads_cannot_do_is_refused():
    game, root = tree((-3, 3), 1)
    for more in ({"threads": 0}, {"threads": 1, "max_nodes": 5}):
        with pytest.raises(search.SearchError, match="threads"):
            search.decide(game, synthetic.LEAF, root, 0, 5, **more)
    with pytest.raises(search.SearchError, match="threads"):
        search.decide(game, synthetic.LEAF, root, 0, 5, "expectimax", threads=2)
