"""Luck is fair."""

import numpy as np
import pytest

from gammon.eval.baseline import BASELINE
from gammon.eval.evaluators import load_evaluator
from gammon.games.backgammon import BACKGAMMON, backgammon
from gammon.match.luck import luck_of, roll_values
from gammon.rules.board import OPENING, flipped
from gammon.rules.dice import PROBABILITIES, ROLLS
from gammon.rules.stakes import GAMMON_GO, MONEY
from gammon.search import NOT_OVER
from tests.twins import payoff, replies, static_values


def test_luck_is_0_on_the_mean():
    states = [OPENING, flipped(OPENING), (*OPENING[:24], 0, 2)]
    rolls = range(21)
    for state in states:
        lucks = luck_of(BACKGAMMON, BASELINE, [state] * 21, rolls, first=False)
        assert PROBABILITIES @ lucks == pytest.approx(0.0, abs=1e-12)
        assert np.ptp(lucks) > 0.1
        first = luck_of(BACKGAMMON, BASELINE, [state] * 21, rolls, first=True)
        others = [high != low for high, low in ROLLS]
        assert first[others].mean() == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("stakes", [MONEY, GAMMON_GO, GAMMON_GO.turned()], ids=str)
def test_rolls_are_worth_their_best_plays(stakes, played):
    game, judge = backgammon(stakes), load_evaluator("probe", bearoff=False)
    near = (0, 1, 1, *[0] * 21, -15, 0)
    states = np.array([near, *played(24, 6)[::4]], np.int8)
    found = roll_values(game, judge, states)
    for state, worth in zip(states, found, strict=True):
        for outcome in range(21):
            rows = replies(game, state, outcome)
            values = static_values(game, judge, state, rows, -game.stake)
            paid = np.array([payoff(game, row, -game.stake) for row in rows])
            values = np.where(paid == NOT_OVER, values, paid)
            assert worth[outcome] == pytest.approx(-values.min(), abs=1e-6)
    assert stakes.win_gammon in found[0], "a gammon is won at once"
