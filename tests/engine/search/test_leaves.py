"""Principal leaves: their weighted values are the value of the node."""

import numpy as np
import pytest

from gammon import search
from gammon.games.nothing import NOTHING
from gammon.search.evaluation import gauss
from gammon_lab.games import random_nim, synthetic, written
from gammon_lab.games.synthetic import LEAF, PROBE
from tests.engine.search.asked import asked
from tests.twins import payoff, static_value

SIGMA = 0.3


def value_of_leaf(game, row, bounds):
    """Return a leaf's value to its own player on roll, noise included."""
    paid = payoff(game, row)
    if paid != search.NOT_OVER:
        return paid
    noisy = static_value(game, LEAF, row) + SIGMA * gauss(row, np.uint64(9))
    return min(max(noisy, bounds[0]), bounds[1])


def mean_over(game, leaves, bounds):
    theirs = (-bounds[1], -bounds[0])
    values = [
        value_of_leaf(game, row, bounds if sign > 0 else theirs)
        for row, sign in zip(leaves.rows, leaves.signs, strict=True)
    ]
    return (leaves.probabilities * leaves.signs) @ values


@pytest.mark.parametrize("algorithm", search.ALGORITHMS)
@pytest.mark.parametrize("bounds", [(-3, 3), (5, 10)])
def test_chance_nodes(bounds, algorithm):
    game = synthetic.game(*bounds)
    for seed in range(24):
        for depth in (0, 2, 4, 6):
            found = search.Setup(game, LEAF, algorithm, PROBE, sigma=SIGMA, noise_seed=9).value(
                synthetic.root(*bounds, seed), depth, leaves=True
            )
            assert found.leaves is not None
            assert found.leaves.probabilities.sum() == pytest.approx(1)
            assert mean_over(game, found.leaves, bounds) == pytest.approx(found.value, abs=1e-9)


def test_narrow_windows_leave_them_only_inside():
    game, bounds = synthetic.game(-3, 3), (-3, 3)
    inside = 0
    for seed in range(200):
        window = (-0.5, 0.5)
        found = search.Setup(game, LEAF, "star2", PROBE, sigma=SIGMA, noise_seed=9).value(
            synthetic.root(*bounds, seed), 4, leaves=True, window=window
        )
        assert (found.leaves is not None) == (window[0] < found.value < window[1])
        if found.leaves is not None:
            inside += 1
            assert mean_over(game, found.leaves, bounds) == pytest.approx(found.value, abs=1e-9)
    assert 20 < inside < 180


@pytest.mark.parametrize("algorithm", search.ALGORITHMS)
@pytest.mark.parametrize("features", [synthetic.FINISHES, synthetic.TIES])
def test_decisions(algorithm, features):
    bounds = (-10, -5)
    game = synthetic.game(*bounds)
    for seed in range(24):
        state = synthetic.root(*bounds, seed, features)
        for depth in (1, 3, 5):
            found = search.Setup(
                game, LEAF, algorithm, PROBE, sigma=SIGMA, noise_seed=9
            ).decide(state, 0, depth, top=2, leaves=True)
            assert len(found.leaves) == min(2, len(found.rows))
            for candidate, leaves in zip(found.order, found.leaves, strict=False):
                assert leaves.probabilities.sum() == pytest.approx(1)
                assert mean_over(game, leaves, bounds) == pytest.approx(
                    found.values[candidate], abs=1e-9
                )


def test_a_written_tree():
    # 3/4 for the reply that is worth 5, 1/4 for the one that is worth -2.
    tree = written.tree([[1, 5], [-2, -6]], parts=[3, 1])
    found = search.Setup(written.game(-10, 10), written.EQUAL, "star2").value(
        tree, 2, leaves=True
    )
    assert found.leaves is not None
    assert found.leaves.probabilities.tolist() == [0.75, 0.25]
    assert found.leaves.signs.tolist() == [-1, -1]
    assert found.leaves.rows[:, 2].tolist() == [-5, 2]
    assert found.value == 3.25


@pytest.mark.parametrize("algorithm", search.ALGORITHMS)
@pytest.mark.parametrize("heaps", [(1, 2, 1), (2, 1, 2), (2, 3, 2)])
def test_values_at_the_bound_have_theirs_beside_a_table(heaps, algorithm):
    game = random_nim.game(heaps, (1, 2))  # whoever wins, wins all that there is
    setup = search.Setup(game, NOTHING, algorithm)
    for depth in (4, 6, 8):
        table = search.Table.allocate(game, 0.1)
        for _ in range(2):
            found = setup.value(random_nim.root(heaps), depth, leaves=True, table=table)
            paid = np.array([payoff(game, row) for row in found.leaves.rows])
            values = np.where(paid == search.NOT_OVER, 0.0, paid)
            mean = (found.leaves.probabilities * found.leaves.signs) @ values
            assert mean == pytest.approx(found.value, abs=1e-9)


def test_they_are_kept_on_demand():
    game, state = synthetic.game(-1, 1), synthetic.root(-1, 1, 1)
    assert search.Setup(game, LEAF).value(state, 2).leaves is None
    assert search.Setup(game, LEAF).decide(state, 0, 3).leaves == ()


@pytest.mark.parametrize("algorithm", search.ALGORITHMS)
def test_more_than_can_be_kept(algorithm):
    # Four outcomes eight times, as far as anyone knows before the search.
    game, tree = written.game(-10, 10), written.tree([[1], [2], [3]])
    question = (game, written.EQUAL, tree)
    assert asked("value", *question, 16, algorithm=algorithm, leaves=True).leaves is None
    assert asked("decide", *question, 0, 17, algorithm=algorithm, leaves=True).leaves == ()


def test_leaves_of_several_nodes_in_one():
    game = synthetic.game(-3, 3)
    setup = search.Setup(game, LEAF, "star1")
    parts = [
        setup.value(synthetic.root(-3, 3, seed), 2 * (seed % 3), leaves=True).leaves
        for seed in range(6)
    ]
    joined, offsets = search.Leaves.joined(parts)
    assert offsets.tolist() == [sum(len(each.rows) for each in parts[:k]) for k in range(7)]
    for k, part in enumerate(parts):
        for theirs, own in zip(joined, part, strict=True):
            assert np.array_equal(theirs[offsets[k] : offsets[k + 1]], own)
