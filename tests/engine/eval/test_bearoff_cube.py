"""Exact cube decisions in bearoffs: which positions are covered, and what they are worth."""

import numpy as np
import pytest
from hypothesis import given

from gammon.eval.bearoff import N_NUMBERS, N_OWNERS, with_cube
from gammon.eval.bearoff_cube import ExactCube, covers, exact_cube, exact_money
from gammon.eval.bearoff_file import bearoff_tables
from gammon.eval.bearoff_match import match_values
from gammon.eval.race_cube import N_TABLES
from gammon.formats.met_file import read_met
from gammon.rules.board import OPENING, Points
from gammon.rules.terms import Terms
from tests.boards import by_counts
from tests.conftest import positions
from tests.engine.eval.bearoff_tables import SIDES, exact_rows, rank_of_side, tables

MET = read_met()
TABLES = np.array(bearoff_tables())


def in_table(points: Points) -> list[float] | None:
    """The values that the kernel finds, or None."""
    out = np.full(N_OWNERS, np.nan, np.float32)
    known = with_cube(np.array(points, np.int8), TABLES, N_NUMBERS, out)
    return out.tolist() if known else None


@given(positions())
def test_what_is_covered(points: Points) -> None:
    own = [place for place in range(1, 26) if points[place] > 0]
    their = [place for place in range(25) if points[place] < 0]
    few = sum(max(n, 0) for n in points) <= 6 and sum(max(-n, 0) for n in points) <= 6
    expected = few and max(own) <= 6 and min(their) >= 19
    assert covers(points) == expected == (in_table(points) is not None)


def test_bearoffs_that_are_covered() -> None:
    random = np.random.default_rng(3)
    for own, their in random.integers(1, 5000, (300, 2)):
        points = by_counts(SIDES[own], SIDES[their])
        expected = SIDES[own].sum() <= 6 and SIDES[their].sum() <= 6
        assert covers(points) == expected == (in_table(points) is not None)
    assert not covers(OPENING)
    assert not covers(by_counts((2,)))
    assert not covers(by_counts((), (2,)))
    assert covers(by_counts((0, 0, 0, 0, 0, 6), (6,)))


def test_money() -> None:
    _, _, two = tables()
    for own, their, row in exact_rows("bearoff_money.csv"):
        points = by_counts(own, their)
        names = {1: "own", 0: "centred", -1: "opponents"}
        values = {owner: float(row[name]) for owner, name in names.items()}
        for owner, value in values.items():
            terms = Terms(cube=4 if owner else 1, owner=owner)
            assert exact_money(points, terms) == pytest.approx(value, abs=1e-6)
            found = exact_cube(points, terms)
            assert found.no_double == exact_money(points, terms)
            if owner < 0:
                assert found[1:] == (None, None)
            else:
                assert found[1:] == pytest.approx((2.0 * values[-1], 1.0), abs=2e-6)
        assert in_table(points) == pytest.approx(list(values.values()), abs=1e-6)
        rules = Terms(jacoby=True, beavers=True)
        assert exact_cube(points, rules) == exact_cube(points, Terms())
        cubeless = exact_cube(points, Terms(live=False))
        win = two[rank_of_side(*own), rank_of_side(*their)]
        assert cubeless == ExactCube(pytest.approx(2.0 * win - 1.0), None, None)


def test_matches() -> None:
    own, their = (0, 0, 1, 1), (0, 2)
    own_side, their_side = (*own, 0, 0), (*their, 0, 0, 0, 0)
    ranks = rank_of_side(*own_side), rank_of_side(*their_side)
    for terms in (Terms(7, (3, 3)), Terms(7, (1, 3), crawford=True)):
        found = exact_cube(by_counts(own, their), terms, MET)
        assert found == match_values(*ranks, terms, MET)
        assert (found.double_take is None) == terms.crawford


def test_the_tables_have_their_size() -> None:
    assert TABLES.size == N_TABLES
