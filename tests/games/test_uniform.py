"""Uniform trees: alpha-beta at its best looks at the known number of leaves."""

import pytest

from gammon import search
from gammon.games import uniform
from tests.games.solve import AS_WRITTEN


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


def test_eleven_leaves():
    assert uniform.fewest_leaves(3, 3) == 11
