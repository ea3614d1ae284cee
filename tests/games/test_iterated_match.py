"""The iterated game against its paper."""

import pytest

from gammon import search
from gammon.games import iterated_match
from gammon.games.nothing import NOTHING
from tests.twins import payoff


@pytest.mark.parametrize(
    ("strategy", "sixteenths"),
    [
        (iterated_match.ALWAYS_GAMBLE, [5, 6, 5]),
        (iterated_match.SAFE_WHEN_AHEAD, [10, 2, 4]),
        (iterated_match.FREE, [10, 2, 4]),
    ],
)
def test_iterated_game_of_the_paper(strategy, sixteenths):
    game = iterated_match.game(strategy)
    found = search.chance_value(game, NOTHING, iterated_match.root(4), 16, "star1", leaves=True)
    leaves = found.leaves
    results = leaves.signs * [payoff(game, row) for row in leaves.rows]
    chances = [16 * leaves.probabilities[results == result].sum() for result in (1, 0, -1)]
    assert chances == pytest.approx(sixteenths)


def test_a_safe_game_guarantees_the_draw():
    question = (iterated_match.game(), NOTHING, iterated_match.root(1), 0, 3)
    assert search.decide(*question, "guaranteed").values.tolist() == [-1, 0]
    assert search.decide(*question, "possible").values.tolist() == [1, 0]
