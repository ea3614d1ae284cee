"""Equities, and the order of plays, beside plain numpy."""

from itertools import pairwise

import numpy as np
import pytest

from gammon.core.values import best_first, scale_at, without_cube, write_result_equities
from gammon.eval.equity import results_of_cumulative
from gammon.formats.met_file import read_met
from gammon.rules.match_equity import params_of
from gammon.rules.outcome import POINTS
from gammon.rules.terms import Terms, stake_of
from gammon.search import BOUND, EXACT, STATIC

MET = read_met()
TERMS = [
    Terms(),
    Terms(jacoby=True),
    Terms(jacoby=True, cube=2, owner=1),
    Terms(cube=4, owner=-1),
    Terms(7, (3, 5), cube=2, owner=1),
    Terms(5, (1, 4), crawford=True),
    Terms(5, (1, 4)),
    Terms(64, (64, 2), cube=64, owner=-1),
    Terms(1, (1, 1)),
]


@pytest.mark.parametrize("terms", TERMS, ids=str)
def test_worths_are_on_a_scale_on_which_a_game_is_1(terms: Terms) -> None:
    params, worths = params_of(terms, MET), np.empty(6)
    write_result_equities(stake_of(terms), params, worths)
    wanted = POINTS if not terms.jacoby or terms.cube > 1 else np.sign(POINTS)
    if terms.length:
        mwc = [MET.after(terms, int(each) * terms.cube) for each in POINTS]
        wanted = np.array([MET.emg(each, terms) for each in mwc])
    assert worths == pytest.approx(wanted, abs=1e-12)
    zero, unit = scale_at(stake_of(terms), params)
    if not terms.length:
        assert (zero, unit) == (0.0, 1.0)
    assert unit > 0.0


def test_a_score_at_which_nothing_is_at_stake_has_a_unit_all_the_same() -> None:
    params = params_of(Terms(1, (1, 1)), MET)
    params[7:] = 0.5
    assert scale_at(2, params) == (0.5, 1.0)


def test_without_the_cube() -> None:
    rng = np.random.default_rng(1)
    chances = np.sort(rng.random((50, 5)), axis=1)[:, ::-1].copy()
    worths, found = rng.normal(size=6), np.empty(50)
    without_cube(chances, worths, found)
    wanted = (results_of_cumulative(chances) * worths).sum(axis=1)
    assert found == pytest.approx(wanted, abs=1e-14)


@pytest.mark.parametrize("cube", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_the_order_is_that_of_sorted_keys(seed: int, cube: bool) -> None:
    rng = np.random.default_rng(seed)
    sizes = rng.integers(0, 40, 6)
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    n = int(offsets[-1])
    # Few values, some of which differ by rounding alone, so that every key decides somewhere.
    equities = rng.integers(0, 3, n) / 4 + rng.integers(0, 2, n) * 1e-13
    without = rng.integers(0, 3, n) / 4
    kinds = rng.choice([EXACT, BOUND, STATIC], n).astype(np.int8)
    order = np.arange(n)
    for begin, end in pairwise(offsets.tolist()):
        rng.shuffle(order[begin:end])
    wanted = []
    for begin, end in pairwise(offsets.tolist()):
        part = order[begin:end]
        keys = [-equities[part]]
        if cube:
            rounded = -equities[part].round(9)
            keys = [-without[part], kinds[part] != EXACT, rounded]
        wanted += part[np.lexsort([*keys, kinds[part] == STATIC])].tolist()
    best_first(equities, kinds, without, cube, offsets, order)
    assert order.tolist() == wanted
