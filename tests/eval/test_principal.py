"""Chances from principal leaves, against sums done by hand."""

import numpy as np
import pytest

from gammon.eval.principal import leaf_mean
from gammon.rules.board import OPENING
from gammon.search import Leaves

#: What the estimate says of any position, to its player on roll.
SAID = (0.6, 0.2, 0.05, 0.1, 0.01)
#: The player on roll has lost a gammon, and a single game.
GAMMON, SINGLE = (0, 0, 0, 0, 0, 0, 15, *[0] * 19), (0, 3, *[0] * 24)


def estimate(rows):
    return np.tile(np.array(SAID, np.float32), (len(rows), 1))


def test_a_leaf_in_play_is_what_the_estimate_says():
    rows = np.array([OPENING], np.int8)
    own = leaf_mean(estimate, Leaves(rows, np.ones(1), np.ones(1)))
    assert own == pytest.approx(SAID)
    other = leaf_mean(estimate, Leaves(rows, np.ones(1), -np.ones(1)))
    assert other == pytest.approx((0.4, 0.1, 0.01, 0.2, 0.05))
    assert other.equity == pytest.approx(-own.equity)


def test_finished_games_are_certain():
    rows = np.array([GAMMON, SINGLE, OPENING], np.int8)
    found = leaf_mean(estimate, Leaves(rows, np.array([0.5, 0.25, 0.25]), np.array([-1, 1, 1])))
    # The opponent of the first leaf has won a gammon; the player has lost the second one.
    assert found.win == pytest.approx(0.5 + 0.25 * 0.6)
    assert found.win_gammon == pytest.approx(0.5 + 0.25 * 0.2)
    assert found.win_backgammon == pytest.approx(0.25 * 0.05)
    assert found.lose_gammon == pytest.approx(0.25 * 0.1)
    assert found.lose_backgammon == pytest.approx(0.25 * 0.01)
