"""The bearoff tables against definitions."""

from functools import cache

import numpy as np
import pytest

from gammon.eval import bearoff_build
from gammon.eval.bearoff import ROLLS_KEPT
from gammon.rules.dice import PROBABILITIES, ROLLS
from gammon.rules.home import FIRST_WHOLE, N_SIDES, N_TWO_SIDED
from tests.engine.eval.bearoff_tables import (
    SIDES,
    after,
    exact_rows,
    mean_of_best,
    rank_of_side,
    tables,
    with_cube,
)


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
    return mean_of_best(own, lambda play: 1.0 - win(their, play) if sum(play) else 1.0)


@cache
def rolled(own, their, owner):
    """Return the worth of rolling to the player on roll, with the cube: the twin.

    The owner is 1 for that player, 0 for nobody, -1 for the opponent.
    """
    return mean_of_best(own, lambda play: -on_turn(their, play, -owner) if sum(play) else 1.0)


def on_turn(own, their, owner):
    """Return the worth of a position to the player on roll, who may double."""
    no_double = rolled(own, their, owner)
    if owner < 0:
        return no_double
    return max(no_double, min(2.0 * rolled(own, their, -1), 1.0))


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


@pytest.mark.parametrize(("own", "their"), [(1, 1), (6, 3), (30, 12), (5, 60), (83, 83)])
def test_the_table_with_the_cube_against_the_twin(own, their):
    sides = [tuple(int(c) for c in SIDES[rank]) for rank in (own, their)]
    expected = [rolled(*sides, owner) for owner in (1, 0, -1)]
    assert with_cube()[own * N_TWO_SIDED + their] == pytest.approx(expected, abs=1e-7)


def test_known_values_with_the_cube():
    _, _, two = tables()
    for own_side, their_side, row in exact_rows("bearoff_money.csv"):
        own, their = rank_of_side(*own_side), rank_of_side(*their_side)
        expected = [float(row[name]) for name in ("own", "centred", "opponents")]
        assert with_cube()[own * N_TWO_SIDED + their] == pytest.approx(expected, abs=1e-6)
        assert 2 * two[own, their] - 1 == pytest.approx(float(row["cubeless"]), abs=1e-6)


def test_no_cube_is_better_than_ones_own_nor_worse_than_the_opponents():
    mine, centred, his = with_cube().T
    assert (mine >= centred).all()
    assert (centred >= his).all()
    _, _, two = tables()
    played = np.outer(SIDES[:N_TWO_SIDED].any(axis=1), SIDES[:N_TWO_SIDED].any(axis=1)).ravel()
    cubeless = np.where(played, 2 * two.ravel() - 1, 0)
    assert (mine >= cubeless - 1e-6).all()
    assert (his <= cubeless + 1e-6).all()
    assert (centred < cubeless - 0.2).any(), "a centred cube can be worth less than none"


def test_plays_that_there_is_room_for():
    ranks, many = bearoff_build.two_sided_plays()
    assert many.max() == ranks.shape[2]
