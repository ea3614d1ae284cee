"""The chances of the six results over principal leaves."""

from itertools import pairwise

import numpy as np
import pytest

from gammon.eval.equity import Probabilities, equity
from gammon.eval.principal import chances_of, leaf_mean, leaf_means
from gammon.rules.board import OPENING
from gammon.search.leaves import Leaves

#: The chances that the estimate gives to positions whose game goes on.
SAID = (0.6, 0.2, 0.1, 0.15, 0.05)
#: Finished games: the player on roll has all checkers left, or a few, in the own home.
LOST_GAMMON = (0, 0, 0, 0, 0, 0, 15, *[0] * 19)
LOST_SINGLE = (0, 0, 3, *[0] * 23)


def mean(rows, probabilities, signs):
    def estimate(points):
        return np.tile(np.array(SAID, np.float32), (len(points), 1))

    return leaf_mean(
        estimate, Leaves(np.array(rows, np.int8), np.array(probabilities), np.array(signs))
    )


def test_one_leaf_is_what_is_said_of_it():
    assert mean([OPENING], [1.0], [1.0]) == pytest.approx(SAID)


def test_a_leaf_of_the_opponent_is_seen_from_the_other_side():
    assert mean([OPENING], [1.0], [-1.0]) == pytest.approx((0.4, 0.15, 0.05, 0.2, 0.1))


def test_finished_games_are_certain():
    assert mean([LOST_GAMMON], [1.0], [1.0]) == (0, 0, 0, 1, 0)
    assert mean([LOST_GAMMON], [1.0], [-1.0]) == (1, 1, 0, 0, 0)
    assert mean([LOST_SINGLE], [1.0], [-1.0]) == (1, 0, 0, 0, 0)


def test_leaves_count_as_often_as_chance_leads_there():
    found = mean([OPENING, LOST_GAMMON, LOST_SINGLE], [0.5, 0.3, 0.2], [1.0, -1.0, 1.0])
    assert isinstance(found, Probabilities)
    assert found == pytest.approx((0.6, 0.4, 0.05, 0.075, 0.025))
    assert found.equity == pytest.approx(0.5 * equity(np.array(SAID)) + 0.3 * 2 - 0.2)


def said(points):
    """What each position says is different, and alone it says the same."""
    sums = np.abs(points.astype(np.float32)) @ np.arange(26, dtype=np.float32) / 1000
    return (sums[:, None] * np.array(SAID)).astype(np.float32)


def test_chances_of_positions_and_of_finished_games():
    assert (
        chances_of(said, np.array([OPENING], np.int8)).tolist()
        == said(np.array([OPENING], np.int8)).tolist()
    )
    rows = np.array([LOST_SINGLE, OPENING, LOST_GAMMON], np.int8)
    found = chances_of(said, rows)
    assert found.dtype == np.float64
    assert found[[0, 2]].tolist() == [[0, 0, 0, 0, 0], [0, 0, 0, 1, 0]]
    assert found[1].tolist() == said(rows[1:2])[0].tolist()


@pytest.mark.parametrize("sizes", [[1, 1, 1], [2, 1, 5], [21, 21], []], ids=str)
def test_means_of_many_are_those_of_each_to_the_last_bit(sizes):
    rng = np.random.default_rng(sum(sizes))
    total = sum(sizes)
    choice = np.array([OPENING, OPENING[::-1], LOST_GAMMON, LOST_SINGLE], np.int8)
    rows = choice[rng.integers(4, size=total)]
    weights = np.concatenate([[], *(rng.dirichlet(np.ones(size)) for size in sizes)])
    signs = rng.choice([-1.0, 1.0], total)
    offsets = np.cumsum([0, *sizes])
    found = leaf_means(said, Leaves(rows, weights, signs), offsets)
    assert found.shape == (len(sizes), 5)
    for number, (begin, end) in enumerate(pairwise(offsets)):
        mine = Leaves(rows[begin:end], weights[begin:end], signs[begin:end])
        assert tuple(found[number]) == leaf_mean(said, mine)
