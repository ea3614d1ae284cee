"""The chances of bearing off: a network and a search take them from the tables."""

import numpy as np
import pytest

from gammon.engine import Engine
from gammon.eval import nnue
from gammon.eval.bearoff import FIRST_WHOLE, N_TWO_SIDED
from gammon.eval.evaluators import load_evaluator
from gammon.formats.position import Position
from tests.eval.bearoff_tables import SIDES, points_of, rank_of_side, tables


def test_the_network_gives_way_where_all_are_at_home():
    _, one, two = tables()
    leaf = load_evaluator("leaf")
    own, their = SIDES[200], SIDES[77]
    found = nnue.probabilities(np.array([points_of(own, their)], np.int8), leaf.weights)[0]
    assert found[0] == pytest.approx(two[200, 77], abs=1e-6)
    assert not found[1:].any()
    # With all checkers left on one side, it can lose a gammon.
    whole, few = (0, 0, 0, 0, 0, 15), (2, 0, 0, 0, 0, 0)
    rank = rank_of_side(*whole) - FIRST_WHOLE
    rows = np.array([points_of(whole, few), points_of(few, whole)], np.int8)
    found = nnue.probabilities(rows, leaf.weights)
    assert found[0, 0] == pytest.approx(0.0, abs=1e-4)
    assert found[0, 3] == pytest.approx(1 - one[rank, 0], abs=1e-6)
    assert found[1, 1] == 1.0


def test_search_plays_by_the_table():
    rng = np.random.default_rng(5)
    _, _, two = tables()
    for own, their in rng.integers(1, N_TWO_SIDED, (30, 2)):
        position = Position(points_of(SIDES[own], SIDES[their]))
        assert Engine(depth=1).evaluate(position).equity == pytest.approx(
            2 * two[own, their] - 1, abs=2e-6
        )
        assert Engine(depth=3).evaluate(position).equity == pytest.approx(
            2 * two[own, their] - 1, abs=2e-6
        )
