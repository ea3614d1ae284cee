"""Random trees: the contract of a game, and the properties that make them a fair test."""

import numpy as np
import pytest

from gammon.games import synthetic
from gammon.games.synthetic import LEAF, MAX_OUTCOMES, MAX_SUCCESSORS, PROBE, WIDTH
from gammon.search import NOT_OVER


def children(state):
    """Return the successors of all outcomes of a state, outcome by outcome."""
    found = []
    for outcome in range(synthetic.outcomes(state, np.zeros(MAX_OUTCOMES))):
        rows = np.zeros((MAX_SUCCESSORS, WIDTH), np.int8)
        found.append(rows[: synthetic.successors(state, outcome, rows)])
    return found


def static_values(parent, rows, evaluator):
    out = np.zeros(len(rows), np.float32)
    evaluator.values(parent, rows, len(rows), evaluator.weights, out)
    return out


def test_probabilities_sum_to_1_and_differ():
    unequal = zeros = 0
    numbers = set()
    for seed in range(500):
        weight = np.zeros(MAX_OUTCOMES)
        n = synthetic.outcomes(synthetic.root(-1, 1, seed), weight)
        assert weight[:n].sum() == pytest.approx(1)
        assert (weight[:n] >= 0).all()
        numbers.add(n)
        unequal += len(set(weight[:n])) > 1
        zeros += (weight[:n] == 0).any()
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
        assert synthetic.terminal(root) == NOT_OVER
        for rows in children(root):
            for evaluator in (LEAF, PROBE):
                values = static_values(root, rows, evaluator)
                assert (low <= values).all()
                assert (values <= high).all()
            payoffs += [synthetic.terminal(row) for row in rows]
    ends = [payoff for payoff in payoffs if payoff != NOT_OVER]
    assert min(ends) == low
    assert max(ends) == high
    assert 0.08 < len(ends) / len(payoffs) < 0.17


def test_without_the_feature_nothing_finishes():
    for seed in range(100):
        for rows in children(synthetic.root(-1, 1, seed, features=0)):
            assert all(synthetic.terminal(row) == NOT_OVER for row in rows)


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
