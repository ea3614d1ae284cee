"""Trees that are written or uniform: their states, and the leaves of alpha-beta."""

import numpy as np
import pytest

from gammon import search
from gammon.search import NOT_OVER
from gammon_lab.games import uniform, written
from tests.engine.games.solve import AS_WRITTEN
from tests.twins import chances, payoff, replies


@pytest.mark.parametrize("b", range(2, 7))
@pytest.mark.parametrize("moves", range(1, 7))
def test_alpha_beta_at_its_best(b, moves):
    game, question = uniform.game(b), (uniform.root(), 0, 2 * moves - 1)
    setup = search.Setup(game, uniform.LEAF, "alpha-beta", options=AS_WRITTEN)
    found = setup.decide(*question)
    assert found.stats.leaves == uniform.fewest_leaves(b, moves)
    if b**moves < 5000:
        full = search.Setup(game, uniform.LEAF, "minimax").decide(*question)
        assert full.stats.leaves == b**moves
        assert full.values.max() == found.values.max() == 0


GAME = written.game(-10, 10)


@pytest.mark.parametrize(
    ("parts", "expected"), [(None, [1 / 2, 1 / 2]), ((1, 3), [1 / 4, 3 / 4])]
)
def test_outcomes_have_the_written_chances(parts, expected):
    tree = written.tree([[1, 2], [3, 4]], parts)
    assert payoff(GAME, tree) == NOT_OVER
    assert chances(GAME, tree) == pytest.approx(expected)


def test_replies_pay_what_is_written():
    payoffs = [[7, -2, 0], [4, -9, 10]]
    tree = written.tree(payoffs)
    for outcome, written_payoffs in enumerate(payoffs):
        rows = replies(GAME, tree, outcome)
        # A payoff is written for the player who chooses; a state is seen by the other one.
        assert [-payoff(GAME, row) for row in rows] == written_payoffs


def test_the_largest_tree_fills_the_state():
    payoffs = np.arange(-6, 6).reshape(4, 3).tolist()
    tree = written.tree(payoffs)
    assert len(tree) == written.WIDTH == 2 + 4 + 4 * 3
    assert [-payoff(GAME, row) for row in replies(GAME, tree, 3)] == payoffs[3]
