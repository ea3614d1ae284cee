"""The bearoff tables against definitions, and their file against damage."""

from functools import cache

import numpy as np
import pytest

from gammon.engine import Engine
from gammon.errors import GammonError
from gammon.eval import bearoff_build, bearoff_file, nnue
from gammon.eval.bearoff import FIRST_WHOLE, HOME, N_SIDES, N_TWO_SIDED, ROLLS_KEPT
from gammon.eval.evaluators import load_evaluator
from gammon.formats.position import Position
from gammon.rules.dice import PROBABILITIES, ROLLS
from gammon.rules.moves import enumerate_plays

SIDES = bearoff_build.sides()


@cache
def tables():
    return *bearoff_build.build_one_sided(), bearoff_build.build_two_sided()


def rank_of_side(*counts):
    return int(np.flatnonzero((counts == SIDES).all(axis=1))[0])


def points_of(own, their=()):
    """Return a position from the counts of both home boards."""
    points = [0] * 26
    for p, count in enumerate(own):
        points[1 + p] = int(count)
    for p, count in enumerate(their):
        points[24 - p] = -int(count)
    return tuple(points)


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


def test_a_damaged_file_is_noticed(tmp_path, monkeypatch):
    path = bearoff_file.build_file(tmp_path / "deep" / "bearoff.npy")
    off, one, two = tables()
    flat = bearoff_file.load_file(path)
    assert isinstance(flat, np.memmap)
    assert np.array_equal(flat, np.concatenate([table.ravel() for table in (off, one, two)]))
    del flat
    with path.open("r+b") as file:
        file.seek(5_000_000)
        file.write(b"\x00\x01")
    with pytest.raises(GammonError, match="damaged"):
        bearoff_file.load_file(path)
    monkeypatch.setattr(bearoff_file, "default_path", lambda: path)
    bearoff_file.tables.cache_clear()
    assert np.array_equal(bearoff_file.tables()[-two.size :], two.ravel())
    bearoff_file.tables.cache_clear()
    with pytest.raises(GammonError, match="cannot be read"):
        bearoff_file.load_file(tmp_path / "none.npy")
