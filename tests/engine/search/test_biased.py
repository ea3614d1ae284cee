"""The guaranteed and the possible value, against a plain twin."""

import pytest

from gammon import search
from gammon.search import NOT_OVER
from gammon_lab.games import synthetic, written
from tests.engine.search.asked import asked
from tests.twins import chances, payoff, replies, static_value


def twin(game, state, depth, good):
    """Return the value of a chance node whose outcome the better or worse side picks."""
    paid = payoff(game, state)
    if paid != NOT_OVER:
        return paid
    if depth == 0:
        return static_value(game, synthetic.LEAF, state)
    values = [
        max(-twin(game, row, depth - 2, not good) for row in replies(game, state, outcome))
        for outcome, chance in enumerate(chances(game, state))
        if chance > 0
    ]
    return max(values) if good else min(values)


@pytest.mark.parametrize("bounds", [(-1, 1), (5, 10), (-10, -5)])
def test_random_trees(bounds):
    game = synthetic.game(*bounds)
    for seed in range(150):
        state = synthetic.root(*bounds, seed, synthetic.FINISHES | synthetic.TIES)
        found = {}
        for name in ("guaranteed", "expectimax", "possible"):
            found[name] = search.Setup(game, synthetic.LEAF, name).value(state, 4).value
        assert found["guaranteed"] == pytest.approx(twin(game, state, 4, False), abs=1e-6)
        assert found["possible"] == pytest.approx(twin(game, state, 4, True), abs=1e-6)
        assert found["guaranteed"] <= found["expectimax"] + 1e-9
        assert found["expectimax"] <= found["possible"] + 1e-9


def test_a_decision_takes_the_side_of_who_decides():
    game = synthetic.game(-3, 3)
    for seed in range(50):
        state = synthetic.root(-3, 3, seed)
        for name, good in (("guaranteed", False), ("possible", True)):
            found = search.Setup(game, synthetic.LEAF, name).decide(state, 0, 3)
            theirs = game._replace(low=-3, high=3)
            values = [-twin(theirs, row, 2, not good) for row in found.rows]
            assert found.values == pytest.approx(values, abs=1e-6)


@pytest.mark.smoke
def test_a_written_tree():
    # Best replies are worth 5 and -2, with chances 3/4 and 1/4.
    game, tree = written.game(-10, 10), written.tree([[1, 5], [-2, -6]], parts=[3, 1])
    values = [
        search.Setup(game, written.EQUAL, name).value(tree, 2).value
        for name in ("guaranteed", "star2", "possible")
    ]
    assert values == [-2, 3.25, 5]


def test_outcomes_that_cannot_be_do_not_count():
    tree = written.tree([[1], [-9], [9]], parts=[1, 0, 0])
    for name in search.BIASES:
        found = search.Setup(written.game(-10, 10), written.EQUAL, name).value(tree, 2)
        assert found.value == 1


def test_they_have_no_principal_leaves():
    question = (synthetic.game(-1, 1), synthetic.LEAF, synthetic.root(-1, 1, 0))
    with pytest.raises(search.SearchError, match="guaranteed value"):
        asked("value", *question, 2, algorithm="guaranteed", leaves=True)
    with pytest.raises(search.SearchError, match="possible value"):
        asked("decide", *question, 0, 3, algorithm="possible", leaves=True)
