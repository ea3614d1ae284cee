"""Strength: the shipped network against the baseline."""

import pytest

from gammon.eval.baseline import BASELINE
from gammon.eval.evaluators import load_evaluator
from gammon.train.strength import compare


def test_the_shipped_network_beats_the_baseline() -> None:
    leaf = load_evaluator("leaf", bearoff=False)
    strength = compare(leaf, BASELINE, 2000, seed=5)
    assert strength.points - 4 * strength.error > 1.0
    opposite = compare(BASELINE, leaf, 2000, seed=5)
    assert opposite.points == pytest.approx(-strength.points), "the seats are not symmetric"
