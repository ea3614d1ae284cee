"""The exact tables of races: one roll of the slow generator ahead, and sides that are known."""

from functools import cache
from itertools import combinations_with_replacement

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gammon.eval.bearoff_build import sides
from gammon.eval.race_tables import build_back, build_few, rank_of_few
from gammon.rules.dice import PROBABILITIES, ROLLS
from tests.engine.eval.bearoff_tables import rank_of_side, tables
from tests.engine.rules.slow_plays import enumerate_plays

#: The points of up to three checkers, 0 for one that is off, by rank: the highest counts first.
RANKED = sorted(combinations_with_replacement(range(25), 3), key=lambda each: each[::-1])


def rank_of_points(counts):
    """Return the rank of a side of up to three checkers, from its counts on points 1 to 24."""
    points = [p for p, count in enumerate(counts, 1) for _ in range(count)]
    return RANKED.index((*[0] * (3 - len(points)), *points))


def rank_back(counts):
    return rank_of_side(*counts[18:])


def one_roll_ahead(table, counts, rank):
    means = table @ np.arange(1, 33)
    expected = np.zeros(32)
    for chance, roll in zip(PROBABILITIES, ROLLS, strict=True):
        after = {rank(play[1:25]) for play in enumerate_plays((0, *counts, 0), roll)}
        best = min(after, key=lambda each: means[each])
        expected += chance * (np.roll(table[best], 1) if best else np.eye(32)[0])
    return expected


@cache
def fewest(points):
    """The mean number of rolls of a side that plays for the fewest, by the slow generator."""
    if not any(points):
        return 0.0
    return 1.0 + sum(
        chance * min(map(fewest, enumerate_plays(points, roll)))
        for roll, chance in zip(ROLLS, PROBABILITIES, strict=True)
    )


def test_the_ranks_of_few_checkers_are_those_of_their_points():
    for rank, points in enumerate(RANKED):
        state = np.zeros(26, np.int8)
        for p in points:
            state[p] += p > 0
        assert rank_of_few(state, False) == rank
        assert rank_of_few(-state[::-1], True) == rank


@given(st.lists(st.integers(1, 24), min_size=1, max_size=3))
def test_few_checkers_are_a_roll_ahead_of_those_that_they_become(points):
    table, counts = build_few_once(), tuple(points.count(p) for p in range(1, 25))
    expected = one_roll_ahead(table, counts, rank_of_points)
    assert table[rank_of_points(counts)] == pytest.approx(expected, abs=1e-6)


@cache
def build_few_once():
    return build_few()


def test_the_table_of_few_checkers():
    """It has the rows of the bearoffs, and figures that are counted by hand."""
    table = build_few_once()
    assert not table[0].any()
    assert table[1:].sum(axis=1) == pytest.approx(1, abs=1e-5)
    for points in combinations_with_replacement(range(7), 3):
        counts = [points.count(p) for p in range(1, 25)]
        home = tables()[0][rank_of_side(*counts[:6])]
        assert table[rank_of_points(counts)] == pytest.approx(home, abs=1e-6)
    # A checker on the 11 point is off by 6-5, 3-3, 4-4, 5-5 or 6-6.
    assert table[RANKED.index((0, 0, 11)), 0] == pytest.approx(6 / 36)
    assert table[RANKED.index((0, 0, 24)), 0] == pytest.approx(1 / 36)
    # Three on the 24 point, by 6-6 three times in a row.
    assert table[-1, :3] == pytest.approx([0, 0, 1 / 36**3])


def test_the_table_of_checkers_that_leave_the_other_home():
    table = build_back()
    assert table.shape == (924, 32)
    assert not table[0].any()
    assert table[1:].sum(axis=1) == pytest.approx(1, abs=1e-5)
    for rank in range(1, 924, 160):
        counts = (*[0] * 18, *(int(c) for c in sides()[rank]))
        expected = one_roll_ahead(table, counts, rank_back)
        assert table[rank] == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("places", [(24,), (13,), (24, 18), (16, 3), (21, 20), (9, 9, 1)])
def test_mean_rolls_are_those_of_play_for_the_fewest(places):
    counts = tuple(places.count(p) for p in range(1, 25))
    mean = build_few_once()[rank_of_points(counts)] @ np.arange(1, 33)
    assert mean == pytest.approx(fewest((0, *counts, 0)), abs=1e-5)
