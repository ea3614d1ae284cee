"""Strength: the shipped network against the baseline."""

import pytest

from gammon.eval import nnue
from gammon.eval.baseline import BASELINE
from gammon.eval.model_file import load_model
from gammon.eval.packed import pack
from gammon.search.game import Evaluator
from gammon.train.strength import compare


def test_the_shipped_network_beats_the_baseline() -> None:
    leaf = Evaluator(nnue.values, pack(load_model("leaf").weights))
    strength = compare(leaf, BASELINE, 2000, seed=5)
    assert strength.points - 4 * strength.error > 1.0
    opposite = compare(BASELINE, leaf, 2000, seed=5)
    assert opposite.points == pytest.approx(-strength.points), "the seats are not symmetric"
