"""Random trees: the contract of a game, and the properties that make them a fair test."""

import numpy as np
import pytest

from gammon import search
from gammon.search import NOT_OVER
from gammon_lab.games import offers, synthetic
from gammon_lab.games.synthetic import LEAF, PROBE
from tests import twins

#: The functions of all families are the same: a state has the bounds of its own.
GAME = synthetic.game(-1, 1)


def children(state):
    """Return the successors of all outcomes of a state, outcome by outcome."""
    return [twins.replies(GAME, state, k) for k in range(len(twins.chances(GAME, state)))]


def static_values(parent, rows, evaluator):
    return twins.static_values(GAME, evaluator, parent, rows)


def payoff(state):
    return twins.payoff(GAME, state)


def test_probabilities_sum_to_1_and_differ():
    unequal = zeros = 0
    numbers = set()
    for seed in range(500):
        weight = twins.chances(GAME, synthetic.root(-1, 1, seed))
        assert weight.sum() == pytest.approx(1)
        assert (weight >= 0).all()
        numbers.add(len(weight))
        unequal += len(set(weight)) > 1
        zeros += (weight == 0).any()
    assert numbers == {1, 2, 3, 4}
    assert unequal > 250
    assert zeros > 50


def test_successors_are_distinct_and_seen_from_the_other_side():
    for seed in range(200):
        found = np.concatenate(children(synthetic.root(5, 10, seed)))
        assert len({row.tobytes() for row in found}) == len(found)
        assert (found[:, 9:11] == [-10, -5]).all()
        below = children(found[0])[0]
        assert (below[:, 9:11] == [5, 10]).all()


@pytest.mark.parametrize("bounds", [(-1, 1), (-3, 3), (5, 10), (-10, -5)])
def test_values_and_payoffs_stay_within_their_bounds(bounds):
    low, high = -bounds[1], -bounds[0]
    payoffs = []
    for seed in range(300):
        root = synthetic.root(*bounds, seed)
        assert payoff(root) == NOT_OVER
        for rows in children(root):
            for evaluator in (LEAF, PROBE):
                values = static_values(root, rows, evaluator)
                assert (low <= values).all()
                assert (values <= high).all()
            payoffs += [payoff(row) for row in rows]
    ends = [paid for paid in payoffs if paid != NOT_OVER]
    assert min(ends) == low
    assert max(ends) == high
    assert 0.08 < len(ends) / len(payoffs) < 0.17


def test_ties_happen_where_they_are_asked_for():
    counts = []
    for features in (0, synthetic.TIES):
        values = [
            value
            for seed in range(100)
            for rows in children(synthetic.root(-1, 1, seed, features))
            for value in static_values(rows[0], rows, LEAF)
        ]
        counts.append(len(set(values)) / len(values))
    assert counts[0] > 0.99
    assert counts[1] < 0.3


def test_a_child_resembles_its_parent_and_the_probe_the_leaf():
    scores, static, probe = [], [], []
    for seed in range(300):
        for rows in children(synthetic.root(-1, 1, seed)):
            for below in children(rows[0]):
                scores += [-rows[0][8] / 127] * len(below)
                static += list(static_values(rows[0], below, LEAF))
                probe += list(static_values(rows[0], below, PROBE))
    assert np.corrcoef(scores, static)[0, 1] > 0.5
    assert 0.6 < np.corrcoef(static, probe)[0, 1] < 0.99


def test_trees_repeat_and_differ_by_seed():
    roots = {synthetic.root(-1, 1, seed).tobytes() for seed in range(100)}
    assert len(roots) == 100
    assert (synthetic.root(-1, 1, 5) == synthetic.root(-1, 1, 5)).all()


@pytest.mark.parametrize("family", offers.FAMILIES, ids=str)
def test_the_families_keep_the_contract(family: tuple[int, bool]) -> None:
    game = offers.game(-20, 30, *family)
    root = synthetic.root(-20, 30, 1, synthetic.FINISHES)
    assert search.check_game(game, offers.LEAF, [root], most=60) > 20
