"""Luck is fair."""

import numpy as np
import pytest

from gammon.eval.baseline import BASELINE
from gammon.games.backgammon import BACKGAMMON, backgammon
from gammon.match.luck import luck_of, roll_values
from gammon.rules.board import OPENING, flipped
from gammon.rules.dice import PROBABILITIES, ROLLS


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
