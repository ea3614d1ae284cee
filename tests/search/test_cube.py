"""Decisions about doubles: both values against the definition."""

import pytest

from gammon.games import offers, synthetic
from gammon.search import chance_value
from gammon.search.cube import cube_values
from gammon.search.game import NOT_OVER
from tests.twins import defined_value


@pytest.mark.parametrize("depth", [0, 2, 4])
def test_the_values_are_those_of_the_definition(depth):
    doubles = 0
    for seed in range(12):
        for plain in (True, False):
            game = offers.game(-20, 30, seed, plain)
            root = synthetic.root(-20, 30, seed)
            found = cube_values(game, offers.LEAF, root, depth)
            expected = defined_value(game, offers.LEAF, root, depth, game.stake)
            assert found.no_double.value == pytest.approx(expected)
            double = game.offer(game.stake, game.params)
            if double.cash == NOT_OVER:
                assert found.double_take is found.double_pass is None
                continue
            doubles += 1
            expected = defined_value(game, offers.LEAF, root, depth, double.stake)
            assert found.double_take.value == pytest.approx(double.factor * expected)
            assert found.double_pass == double.cash
    assert 5 < doubles < 24


def test_a_game_without_doubles_has_the_value_of_rolling():
    game, root = synthetic.game(-3, 3), synthetic.root(-3, 3, 1)
    found = cube_values(game, synthetic.LEAF, root, 4)
    assert found == (chance_value(game, synthetic.LEAF, root, 4), None, None)


@pytest.mark.parametrize("limit", [1, 3, 6, 12, 25, 50])
def test_with_a_limit_both_values_are_of_one_depth(limit):
    for seed in range(10):
        game = offers.game(-20, 30, 1, True)._replace(stake=2, low=-20.0, high=30.0)
        root = synthetic.root(-20, 30, seed)
        found = cube_values(game, offers.LEAF, root, 6, max_nodes=limit)
        assert found.no_double.depth == found.double_take.depth
        whole = cube_values(game, offers.LEAF, root, found.no_double.depth)
        assert found.no_double.value == whole.no_double.value
        assert found.double_take.value == whole.double_take.value
