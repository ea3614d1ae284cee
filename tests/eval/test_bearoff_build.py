"""The bearoff tables against definitions."""

from functools import cache

import numpy as np
import pytest

from gammon.eval.bearoff import FIRST_WHOLE, HOME, N_SIDES, N_TWO_SIDED, ROLLS_KEPT
from gammon.rules.dice import PROBABILITIES, ROLLS
from gammon.rules.moves import enumerate_plays
from tests.eval.bearoff_tables import SIDES, points_of, rank_of_side, tables


def after(own, dice):
    """Return what a side can be after a roll, by the slow generator of plays."""
    points = list(points_of(own))
    points[24] = -1
    return {tuple(play[1 : HOME + 1]) for play in enumerate_plays(tuple(points), dice)}


@cache
def rolls_needed(own):
    """Return the distribution of the rolls that a side needs, and its mean: the twin."""
    out = np.zeros(ROLLS_KEPT)
    for dice, chance in zip(ROLLS, PROBABILITIES, strict=True):
        plays = after(own, dice)
        if any(sum(play) == 0 for play in plays):
            out[0] += chance
            continue
        best = min((rolls_needed(play) for play in plays), key=lambda found: found[1])
        out[1:] += chance * best[0][:-1]
    return out, out @ np.arange(1, ROLLS_KEPT + 1)


@cache
def win(own, their):
    """Return the chance of the player on roll to be done first, by exact play: the twin."""
    value = 0.0
    for dice, chance in zip(ROLLS, PROBABILITIES, strict=True):
        best = max(
            1.0 if sum(play) == 0 else 1.0 - win(their, play) for play in after(own, dice)
        )
        value += chance * best
    return value


def test_ranks_count_the_sides():
    assert len(SIDES) == N_SIDES == len(np.unique(SIDES, axis=0))
    assert SIDES.sum(axis=1).max() == 15
    assert (SIDES[:N_TWO_SIDED].sum(axis=1) <= 6).all()
    assert (SIDES[N_TWO_SIDED:].sum(axis=1) > 6).all()
    assert not SIDES[0].any()


@pytest.mark.parametrize("rank", [1, 6, 25, 100, 300, 700])
def test_one_sided_against_the_twin(rank):
    off, _, _ = tables()
    expected, mean = rolls_needed(tuple(int(c) for c in SIDES[rank]))
    assert off[rank] == pytest.approx(expected, abs=1e-6)
    assert mean > 1


def test_one_sided_chances_are_whole():
    off, one, _ = tables()
    assert off[1:].sum(axis=1) == pytest.approx(1.0, abs=1e-5)
    assert one.sum(axis=1) == pytest.approx(1.0, abs=1e-5)
    assert (np.flatnonzero(SIDES.sum(axis=1) == 15) >= FIRST_WHOLE).all()
    assert len(one) == N_SIDES - FIRST_WHOLE
    # Fifteen checkers on the ace point: two a roll, four with a double.
    ace = rank_of_side(15, 0, 0, 0, 0, 0)
    assert one[ace - FIRST_WHOLE, 0] == pytest.approx(1.0)
    assert off[ace, 3] == pytest.approx(6.0**-4, abs=1e-6)


@pytest.mark.parametrize(("own", "their"), [(1, 1), (6, 3), (30, 12), (5, 60), (83, 83)])
def test_two_sided_against_the_twin(own, their):
    _, _, two = tables()
    sides = (tuple(int(c) for c in SIDES[rank]) for rank in (own, their))
    assert two[own, their] == pytest.approx(win(*sides), abs=1e-6)


def test_known_values():
    _, _, two = tables()
    assert two[1, 1] == pytest.approx(1 - 0.25 * 0.75)  # a checker each on the six point
