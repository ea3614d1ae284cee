"""The chances of the six results over principal leaves."""

import numpy as np
import pytest

from gammon.eval.equity import Probabilities, equity
from gammon.eval.principal import chances_of, leaf_mean
from gammon.rules.board import OPENING
from gammon.search.leaves import Leaves

#: The chances that the estimate gives to positions whose game goes on.
SAID = (0.6, 0.2, 0.1, 0.15, 0.05)
#: Finished games: the player on roll has all checkers left, or a few, in the own home.
LOST_GAMMON = (0, 0, 0, 0, 0, 0, 15, *[0] * 19)
LOST_SINGLE = (0, 0, 3, *[0] * 23)


def mean(rows, probabilities, signs):
    def estimate(points):
        return np.tile(np.array(SAID, np.float32), (len(points), 1))

    return leaf_mean(
        estimate, Leaves(np.array(rows, np.int8), np.array(probabilities), np.array(signs))
    )


def test_one_leaf_is_what_is_said_of_it():
    assert mean([OPENING], [1.0], [1.0]) == pytest.approx(SAID)


def test_a_leaf_of_the_opponent_is_seen_from_the_other_side():
    assert mean([OPENING], [1.0], [-1.0]) == pytest.approx((0.4, 0.15, 0.05, 0.2, 0.1))


def test_finished_games_are_certain():
    assert mean([LOST_GAMMON], [1.0], [1.0]) == (0, 0, 0, 1, 0)
    assert mean([LOST_GAMMON], [1.0], [-1.0]) == (1, 1, 0, 0, 0)
    assert mean([LOST_SINGLE], [1.0], [-1.0]) == (1, 0, 0, 0, 0)


def test_leaves_count_as_often_as_chance_leads_there():
    found = mean([OPENING, LOST_GAMMON, LOST_SINGLE], [0.5, 0.3, 0.2], [1.0, -1.0, 1.0])
    assert isinstance(found, Probabilities)
    assert found == pytest.approx((0.6, 0.4, 0.05, 0.075, 0.025))
    assert found.equity == pytest.approx(0.5 * equity(np.array(SAID)) + 0.3 * 2 - 0.2)


def test_static_chances_are_certain_after_the_end_of_a_game():
    def estimate(points):
        return np.tile(np.array(SAID, np.float32), (len(points), 1))

    found = chances_of(estimate, np.array([OPENING, LOST_GAMMON], np.int8))
    assert found[0] == pytest.approx(SAID)
    assert found[1].tolist() == [0, 0, 0, 1, 0]
