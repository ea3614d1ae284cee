"""Boards in groups by their terms."""

import numpy as np
import pytest

from gammon.answers.groups import by_terms
from gammon.answers.worth import Worth
from gammon.formats.met_file import read_met
from gammon.rules.terms import Terms


def test_only_the_owner_tells_terms_for_money_apart():
    money = [
        Terms(), Terms(cube=2, owner=1), Terms(cube=8, owner=1), Terms(cube=2, owner=-1),
        Terms(cube=4, owner=-1),
    ]  # fmt: skip
    assert list(by_terms(money).values()) == [[0], [1, 2], [3, 4]]
    assert all(each.checked() for each in by_terms(money))
    last = Terms(cube=64, owner=1, live=False)
    assert len(by_terms([last, Terms(cube=2, owner=1)])) == 2


def test_in_a_match_all_of_the_terms_count():
    match = [
        Terms(7, (3, 5), cube=2, owner=1), Terms(7, (3, 5), cube=4, owner=1),
        Terms(7, (5, 3), cube=2, owner=1), Terms(7, (3, 5), cube=2, owner=1),
    ]  # fmt: skip
    assert by_terms(match) == {match[0]: [0, 3], match[1]: [1], match[2]: [2]}


@pytest.mark.parametrize("at", [Terms(), Terms(7, (3, 5), cube=2, owner=1)], ids=str)
def test_a_point_in_the_values_of_the_game(at):
    """Equity 1 and -1 are the worth of winning and of losing a single game."""
    game, state = Worth.cubeful(at).game, np.zeros(26, np.int8)
    state[1] = 1  # the opponent has borne off all, and won a single game
    lost = game.terminal(state, game.stake, game.params)
    won = -game.terminal(state, -game.stake, game.params)
    if at.length:
        assert 0.5 * (1.0 + won) == pytest.approx(read_met().after(at, at.cube))
    assert Worth.cubeful(at).unit == pytest.approx(0.5 * (won - lost))
