"""Games with parameters, and with results that are worth another amount to each side."""

from itertools import product

import numpy as np
import pytest

from gammon import search
from gammon.search import Options, Table
from gammon.search.game import first_output, same_bounds
from tests.engine.search import tug
from tests.engine.search.asked import CLOSE, STARS
from tests.twins import defined_value, payoff, replies, static_value

#: The worth of being ahead, and of a crooked rope, to one side and to the other.
WORTH = [(1, 0.5, 1, 0.5), (1, 1, 3, 0.25), (2, -1, 0.5, 1.5), (0, 1, 0, -1)]


def test_a_turned_game_begins_with_the_other_player():
    game = tug.game(1, 1, 3, 0.25)._replace(low=-5.0, high=2.0)
    other = game.turned()
    assert (other.low, other.high, other.stake) == (-2.0, 5.0, -1)
    assert other.turned() == game


def test_the_first_output_is_the_value_unless_something_else_is_said():
    values, limits = np.zeros(2, np.float32), np.array([-1.0, 2.0])
    outputs = np.array([[0.25, 7], [-3, 8], [9, 9]], np.float32)
    first_output(outputs, 2, -1, np.zeros(1), values)
    assert values.tolist() == [0.25, -3]
    same_bounds(np.zeros(1, np.int8), 1, np.zeros(1), limits)
    assert limits.tolist() == [-1, 2]


def test_both_sides_are_told_their_stake():
    game = tug.game(1, 0, 3, 0)
    assert payoff(game, tug.root(5), 1) == 1
    assert payoff(game, tug.root(-5), -1) == -3
    assert static_value(game, tug.LEAF, tug.root(1), -1) == pytest.approx(3 / 5)


@pytest.mark.smoke
def test_one_table_for_both_sides():
    for worth in WORTH:
        table = Table.allocate(tug.game(*worth), 0.01)  # one for all that follows
        games = tug.game(*worth), tug.game(*worth).turned()
        setups = [[search.Setup(game, tug.LEAF, name) for name in STARS] for game in games]
        for depth, (game, stars), ahead in product(
            (0, 2, 4), zip(games, setups, strict=True), range(-4, 5)
        ):
            state = tug.root(ahead)
            expected = defined_value(game, tug.LEAF, state, depth, game.stake)
            for setup in stars:
                found = setup.value(state, depth, table=table)
                assert found.value == pytest.approx(expected, abs=CLOSE)


@pytest.mark.parametrize("worth", WORTH, ids=str)
def test_all_algorithms_decide_by_the_stakes(worth):
    for game in (tug.game(*worth), tug.game(*worth).turned()):
        setups = [search.Setup(game, tug.LEAF, algorithm) for algorithm in search.ALGORITHMS]
        for ahead, depth in product((-4, -1, 0, 3, 4), (1, 3, 5)):
            state, outcome = tug.root(ahead), (ahead + depth) % 3
            expected = sorted(
                -defined_value(game, tug.LEAF, row, depth - 1, -game.stake)
                for row in replies(game, state, outcome)
            )
            for setup in setups:
                found = setup.decide(
                    state, outcome, depth, top=2, leaves=True, table=Table.allocate(game, 0.01)
                )
                assert found.exact.all()
                assert np.sort(found.values) == pytest.approx(expected, abs=CLOSE)
                assert len(found.leaves) == 2


@pytest.mark.parametrize("options", [Options(), Options(divide=False), Options(deepen=False)])
def test_decisions_with_one_table_and_with_threads(options):
    for worth in WORTH:
        game = tug.game(*worth)
        table = Table.allocate(game, 0.01)
        plain = search.Setup(game, tug.LEAF, "expectimax")
        setup = search.Setup(game, tug.LEAF, options=options)
        for ahead, depth in product(range(-4, 5, 2), (5, 7)):
            question = (tug.root(ahead), 1, depth)
            oracle = plain.decide(*question).values.max()
            for threads in (1, 2) if options.divide else (1,):
                found = setup.decide(*question, table=table, threads=threads)
                assert found.values.max() == pytest.approx(oracle, abs=CLOSE)
