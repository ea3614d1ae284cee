"""The chances of bearing off: a network and a search take them from the tables."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gammon.engine.engine import Engine
from gammon.eval.bearoff import both_at_home
from gammon.eval.evaluators import load_evaluator
from gammon.eval.integer_network_kernel import probabilities
from gammon.formats.position import Position
from gammon.rules.home import FIRST_WHOLE, N_TWO_SIDED, at_home
from tests.boards import by_counts
from tests.conftest import positions
from tests.engine.eval.bearoff_tables import SIDES, rank_of_side, tables
from tests.engine.eval.planes import planes_of


def test_the_network_gives_way_where_all_are_at_home():
    _, one, two = tables()
    leaf = load_evaluator("leaf")
    own, their = SIDES[200], SIDES[77]
    found = probabilities(np.array([by_counts(own, their)], np.int8), leaf.weights)[0]
    assert found[0] == pytest.approx(two[200, 77], abs=1e-6)
    assert not found[1:].any()
    # With all checkers left on one side, it can lose a gammon.
    whole, few = (0, 0, 0, 0, 0, 15), (2, 0, 0, 0, 0, 0)
    rank = rank_of_side(*whole) - FIRST_WHOLE
    rows = np.array([by_counts(whole, few), by_counts(few, whole)], np.int8)
    found = probabilities(rows, leaf.weights)
    assert found[0, 0] == pytest.approx(0.0, abs=1e-4)
    assert found[0, 3] == pytest.approx(1 - one[rank, 0], abs=1e-6)
    assert found[1, 1] == 1.0


@given(st.lists(positions(), max_size=12), st.lists(st.integers(1, 54_263), max_size=4))
def test_who_is_at_home_of_sixteen(boards, sides):
    rows = [*boards, *(by_counts(SIDES[side], SIDES[9]) for side in sides)]
    found = both_at_home(planes_of(rows))
    for lane, points in enumerate(rows):
        state = np.array(points, np.int8)
        expected = at_home(state, False) and at_home(state, True)
        assert bool(found & (1 << lane)) == expected
        assert expected or lane < len(boards)


def test_search_plays_by_the_table():
    rng = np.random.default_rng(5)
    _, _, two = tables()
    for own, their in rng.integers(1, N_TWO_SIDED, (30, 2)):
        position = Position(by_counts(SIDES[own], SIDES[their]))
        assert Engine(depth=1, cubeless=True).evaluate(position).equity == pytest.approx(
            2 * two[own, their] - 1, abs=2e-6
        )
        assert Engine(depth=3, cubeless=True).evaluate(position).equity == pytest.approx(
            2 * two[own, their] - 1, abs=2e-6
        )


def test_what_the_tables_are_rounded_by_makes_no_chance_negative():
    """Of two of these positions sums of the tables leave a little less than nothing."""
    xgids = "-EABCC--------------a-a---", "-ACDBE-------------d-b-ed-"
    rows = [Position.parse(f"XGID={xgid}:0:0:1:00:0:0:0:0:10").points for xgid in xgids]
    rng = np.random.default_rng(6)
    drawn = rng.integers(1, len(SIDES), (400, 2))
    rows += [by_counts(SIDES[own], SIDES[their]) for own, their in drawn]
    found = probabilities(np.array(rows, np.int8), load_evaluator("leaf").weights)
    assert found.min() == 0.0
    assert found.max() <= 1.0
    assert (np.diff(found[:, :3]) <= 0.0).all()
    assert (found[:, 4] <= found[:, 3]).all()
