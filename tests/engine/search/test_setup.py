"""Searches that are set up once: values under a limit, of many states, and about doubles.

`test_decide` has decisions, and `test_checks` what is refused.
"""

import numpy as np
import pytest

from gammon import search
from gammon.search import NOT_OVER, Filter, Options, Setup
from gammon_lab.games import offers, synthetic
from tests.engine.search.asked import asked
from tests.twins import defined_value

GAME = synthetic.game(-3, 3)


@pytest.mark.parametrize("algorithm", search.ALGORITHMS)
def test_a_limited_value_is_that_of_the_depth_it_completed(algorithm):
    depths = set()
    for seed in range(12):
        setup, root = Setup(GAME, synthetic.LEAF, algorithm), synthetic.root(-3, 3, seed)
        for max_nodes in (0, 3, 30, 300, 10**9):
            found = setup.value(root, 6, max_nodes=max_nodes, leaves=True)
            plain = setup.value(root, found.depth)
            assert found.value == plain.value
            assert found.leaves is not None
            assert found.leaves.probabilities.sum() == pytest.approx(1)
            depths.add(found.depth)
    assert depths >= {0, 2, 4, 6}


@pytest.mark.parametrize("algorithm", search.ALGORITHMS)
@pytest.mark.parametrize("depth", [0, 2, 4])
def test_many_values_are_those_of_one_by_one_to_the_last_bit(depth, algorithm):
    states = np.array([synthetic.root(-3, 3, seed, synthetic.FINISHES) for seed in range(20)])
    setup = Setup(GAME, synthetic.LEAF, algorithm, synthetic.PROBE, sigma=0.3, noise_seed=5)
    table = search.Table.allocate(GAME, 0.01) if depth == 4 else None
    found = setup.values(states, depth, table=table)
    assert found.offsets[0] == 0
    assert found.offsets[-1] == len(found.leaves.rows)
    for number, state in enumerate(states):
        table = search.Table.allocate(GAME, 0.01) if depth == 4 else None
        alone = setup.value(state, depth, leaves=True, table=table)
        assert found.values[number] == alone.value
        mine = slice(*found.offsets[number : number + 2])
        for all_leaves, leaves in zip(found.leaves, alone.leaves, strict=True):
            assert (all_leaves[mine] == leaves).all()


def test_many_values_may_be_none():
    found = Setup(GAME, synthetic.LEAF).values(np.empty((0, GAME.width), np.int8), 2)
    assert found.values.shape == (0,)
    assert found.offsets.tolist() == [0]


def test_many_values_need_room_for_leaves():
    states = synthetic.root(-3, 3, 1)[None]
    with pytest.raises(search.SearchError, match="depth 20"):
        Setup(GAME, synthetic.LEAF).values(states, 20)
    with pytest.raises(search.SearchError, match="own value"):
        own = search.ALGORITHMS["expectimax"]._replace(name="own", exact=False)
        Setup(GAME, synthetic.LEAF, own).values(states, 2)


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


def test_a_setup_never_changes():
    setup = Setup(GAME, synthetic.LEAF, "star1", sigma=0.3, noise_seed=5)
    states = [synthetic.root(-3, 3, seed, 0) for seed in range(8)]
    before = [setup.value(state, 2).value for state in states]
    setup.best(states, [0] * 8, 3, noise_seeds=range(8))
    assert [setup.value(state, 2).value for state in states] == before
    with pytest.raises(AttributeError, match=r"Setup\.algorithm never changes"):
        setup.algorithm = "star2"
    with pytest.raises(AttributeError, match=r"Setup\.algorithm never changes"):
        del setup.algorithm


def test_arrays_that_may_only_be_read_are_states():
    setup = Setup(GAME, synthetic.LEAF)
    states = np.array([synthetic.root(-3, 3, seed, 0) for seed in range(2)])
    states.flags.writeable = False
    assert setup.best(states, [0, 1], 3).shape == states.shape
    assert setup.decide(states[0], 0, 3).depth == 3
    assert len(setup.rank(states, [0, 1]).rows) > 2


def test_seeds_on_both_sides_of_half_of_64_bits():
    states = [synthetic.root(-3, 3, seed, 0) for seed in range(2)]
    noisy, seeds = Setup(GAME, synthetic.LEAF, sigma=0.3), [2**64 - 1, 1]
    wanted = [
        Setup(GAME, synthetic.LEAF, sigma=0.3, noise_seed=seed).best([state], [0], 3)[0]
        for state, seed in zip(states, seeds, strict=True)
    ]
    found = noisy.best(states, [0, 0], 3, noise_seeds=seeds)
    assert found.tolist() == [row.tolist() for row in wanted]


def test_the_other_players_search():
    setup = Setup(synthetic.game(-1, 5), synthetic.LEAF, filter=Filter(1))
    assert setup.turned().problem.low == -5
    assert setup.turned().problem.filter == Filter(1)
    assert setup.turned("star1").problem.probes == 0
