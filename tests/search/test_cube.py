"""Decisions about doubles: both values against the definition."""

import pytest

from gammon.games import offers, synthetic
from gammon.search import NOT_OVER, Filter, Options, Setup
from tests.search.asked import asked
from tests.twins import defined_value


@pytest.mark.parametrize("depth", [0, 2, 4])
def test_the_values_are_those_of_the_definition(depth):
    doubles = 0
    for seed in range(12):
        for plain in (True, False):
            game = offers.game(-20, 30, seed, plain)
            root = synthetic.root(-20, 30, seed)
            found = Setup(game, offers.LEAF).cube(root, depth)
            expected = defined_value(game, offers.LEAF, root, depth, game.stake)
            assert found.no_double == pytest.approx(expected)
            double = game.offer(game.stake, game.params)
            if double.cash == NOT_OVER:
                assert found.double_take is found.double_pass is None
                continue
            doubles += 1
            expected = defined_value(game, offers.LEAF, root, depth, double.stake)
            assert found.double_take == pytest.approx(double.factor * expected)
            assert found.double_pass == double.cash
    assert 5 < doubles < 24


def test_a_game_without_doubles_has_the_value_of_rolling():
    game, root = synthetic.game(-3, 3), synthetic.root(-3, 3, 1)
    found = Setup(game, synthetic.LEAF).cube(root, 4)
    rolled = Setup(game, synthetic.LEAF).value(root, 4)
    assert found == (rolled.value, None, None, rolled.stats, 4, None)


@pytest.mark.parametrize("limit", [1, 3, 6, 12, 25, 50])
def test_with_a_limit_both_values_are_of_one_depth(limit):
    for seed in range(10):
        game = offers.game(-20, 30, 1, True)._replace(stake=2, low=-20.0, high=30.0)
        root = synthetic.root(-20, 30, seed)
        found = Setup(game, offers.LEAF).cube(root, 6, max_nodes=limit)
        whole = Setup(game, offers.LEAF).cube(root, found.depth)
        assert found.no_double == whole.no_double
        assert found.double_take == whole.double_take


@pytest.mark.parametrize("depth", [0, 2])
def test_many_decisions_are_each_alone(depth):
    found = 0
    for seed in range(12):
        game = offers.game(-20, 30, seed, seed % 2 == 0)
        if game.offer(game.stake, game.params).cash == NOT_OVER:
            continue
        roots = [synthetic.root(-20, 30, number) for number in range(5)]
        many = Setup(game, offers.LEAF).cubes(roots, depth)
        for number, root in enumerate(roots):
            one = Setup(game, offers.LEAF).cube(root, depth)
            assert one.double_take is not None
            assert many.no_double[number] == one.no_double
            assert many.double_take[number] == one.double_take
            assert many.double_pass == one.double_pass
        found += 1
    assert found > 3


def searched_alone(game, root, depth, **settings):
    """Return the search of rolling now, and the one of rolling after a double."""
    double = game.offer(game.stake, game.params)
    after = game._replace(stake=double.stake, low=double.low, high=double.high)
    return (
        asked("value", each, offers.LEAF, root, depth, **settings) for each in (game, after)
    )


@pytest.mark.parametrize("depth", [0, 2, 4])
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"algorithm": "star1"},
        {"algorithm": "expectimax"},
        {"sigma": 0.5, "noise_seed": 3},
        {"filter": Filter(2, 3.0)},
        {"filter": Filter(node_bounds=True)},
        {"options": Options(clamp=False, static_order=False)},
    ],
)
def test_one_search_finds_the_values_of_two_to_the_last_bit(depth, settings):
    for seed in range(8):
        game = offers.game(-20, 30, seed, seed % 2 == 0)
        double = game.offer(game.stake, game.params)
        if double.cash == NOT_OVER:
            continue
        root = synthetic.root(-20, 30, seed)
        both = asked("cube", game, offers.LEAF, root, depth, leaves=True, **settings)
        rolled, taken = searched_alone(game, root, depth, leaves=True, **settings)
        assert both.no_double == rolled.value
        assert both.double_take == double.factor * taken.value
        for kept, leaves in zip(both.leaves, rolled.leaves, strict=True):
            assert (kept == leaves).all()


def test_a_state_is_evaluated_once_for_both_values():
    for depth in (2, 4):
        both, alone = 0, 0
        for seed in range(8):
            game = offers.game(-20, 30, 1, True)._replace(stake=2, low=-20.0, high=30.0)
            root = synthetic.root(-20, 30, seed)
            both += Setup(game, offers.LEAF).cube(root, depth).stats.evaluations
            each = searched_alone(game, root, depth)
            alone += sum(one.stats.evaluations for one in each)
        assert both < 0.8 * alone
