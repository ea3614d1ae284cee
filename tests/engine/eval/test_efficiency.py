"""The efficiency of the cube, plain and compiled, and bearoffs whose values are known."""

import numpy as np
import pytest

from gammon.base.errors import SettingError
from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float64Vector
from gammon.compiled.vector import filled, load, store
from gammon.eval.efficiency import (
    BY_OWNER,
    KNOWN,
    N_OUTPUTS,
    cube_efficiency,
    efficiency_in_race,
    efficiency_in_races,
    efficiency_of,
)
from gammon.eval.janowski import match_value, money_value
from gammon.formats.met_file import read_met
from gammon.rules.board import OPENING, Points
from gammon.rules.match_equity import params_of
from gammon.rules.outcome import N_RESULTS
from gammon.rules.terms import Terms, stake_of
from tests.boards import by_counts, by_sides
from tests.engine.eval.folds import folded


@kernel()
def in_lanes(
    win: Float64Vector, owner: int, worth: Float64Vector, most: float, found: Float64Vector
) -> None:
    """Write the efficiencies that the worth of eight races shows."""
    store(
        found,
        0,
        efficiency_in_races(load(win, 0, 8), owner, load(worth, 0, 8), filled(most, 8)),
    )


def compiled_efficiency(win: float, owner: int, worth: float, most: float = 0.6) -> float:
    """Return what the lanes of eight races that are alike have in common."""
    found = np.zeros(8)
    in_lanes(np.full(8, win), owner, np.full(8, worth), most, found)
    assert (found == found[0]).all()
    return float(found[0])


@pytest.mark.parametrize(
    ("points", "roller", "mean"),
    [
        (OPENING, 0.68, 0.68),
        (by_sides({6: 3, 20: 2}, {10: 2}), 0.68, 0.68),
        # One checker is not at home: .55 + .00125 of the pips, from .6 to .7.
        (by_sides({7: 1, 6: 13}, {6: 15}), 0.55 + 0.00125 * 85, 0.55 + 0.00125 * 87.5),
        (by_sides({6: 15}, {7: 1, 6: 2}), 0.55 + 0.00125 * 90, 0.55 + 0.00125 * 54.5),
        (by_sides({8: 2}, {6: 15}), 0.60, 0.55 + 0.00125 * 53),
        (by_sides({12: 12}, {12: 12}), 0.70, 0.70),
        (by_counts((0, 0, 0, 0, 0, 15), (0, 0, 0, 0, 15)), 0.60, 0.60),
        (by_counts((1,), (0, 0, 0, 0, 15)), 0.60, 0.60),
    ],
)  # fmt: skip
def test_by_the_kind_of_position(points: Points, roller: float, mean: float) -> None:
    assert cube_efficiency(points) == cube_efficiency(points, "roller") == pytest.approx(roller)
    assert cube_efficiency(points, "mean") == pytest.approx(mean)


def test_another_word_is_refused() -> None:
    with pytest.raises(SettingError, match="pips 'own': expected one of roller, mean"):
        cube_efficiency(OPENING, "own")


@pytest.mark.smoke
def test_compiled(played) -> None:
    boards = played(3000, seed=5)
    assert {cube_efficiency(points) for points in boards} > {0.68, 0.60}
    for points in boards:
        state = np.array(points, np.int8)
        assert efficiency_of(state) == pytest.approx(cube_efficiency(points), abs=1e-12)


def test_the_efficiency_that_an_exact_value_shows() -> None:
    """It is the one with which the model for money has that value, from 0 to .6."""
    random = np.random.default_rng(2)
    clear = 0
    for _ in range(3000):
        win, owner, x = (
            random.random(),
            int(random.integers(-1, 2)),
            1.5 * random.random() - 0.4,
        )
        terms = Terms(cube=2 if owner else 1, owner=owner)
        results = [0.0, 0.0, 1.0 - win, win, 0.0, 0.0]
        exact = money_value(results, terms, x)
        room = money_value(results, terms, 1.0) - money_value(results, terms, 0.0)
        found = efficiency_in_race(win, owner, exact)
        assert compiled_efficiency(win, owner, exact) == found
        if abs(room) > 2e-4:
            clear += 1
            assert found == pytest.approx(min(max(x, 0.0), 0.6), abs=1e-9)
    assert clear > 2500


def test_where_live_and_dead_cube_are_the_same_the_exact_value_shows_nothing() -> None:
    for win, owner in ((0.5, 0), (0.50001, 0), (1.0, 1), (0.0, -1), (0.0, 1)):
        for exact in (-0.3, 0.0, 0.3):
            assert efficiency_in_race(win, owner, exact) == 0.6
            assert compiled_efficiency(win, owner, exact) == 0.6


MET = read_met()


def drawn_outputs(count: int) -> np.ndarray:
    """Drawn rows float32 [count, 10]: one known, one not, one with efficiencies by owner."""
    random = np.random.default_rng(4)
    win = random.random(count)
    rows = np.zeros((count, N_OUTPUTS), np.float32)
    rows[:, 2], rows[:, 3] = 1.0 - win, win
    rows[:, N_RESULTS] = 0.65
    known, learned = rows[::3], rows[2::3]
    known[:, N_RESULTS] = KNOWN
    exact = np.clip(2 * win[::3, None] - 1 + random.uniform(-0.1, 0.1, (len(known), 3)), -1, 1)
    known[:, N_RESULTS + 1 :] = exact
    learned[:, N_RESULTS] = BY_OWNER
    learned[:, N_RESULTS + 1 :] = random.random((len(learned), 3))
    return rows


@pytest.mark.parametrize("jacoby", [False, True])
def test_for_money_the_value_is_the_known_one(jacoby: bool) -> None:
    rows = drawn_outputs(60)
    others = np.ascontiguousarray(rows[1::3, : N_RESULTS + 1])
    params = params_of(Terms(jacoby=jacoby))
    for stake, column in ((1, 7), (0, 8), (-1, 9)):
        values = folded(rows, stake, params)
        assert np.array_equal(values[::3], rows[::3, column])
        assert np.array_equal(values[1::3], folded(others, stake, params))
        terms = Terms(cube=2 if stake else 1, owner=stake, jacoby=jacoby)
        for row, value in zip(rows[2::3].astype(float), values[2::3], strict=True):
            expected = money_value(row[:6].tolist(), terms, row[column])
            if stake < 0:
                expected = min(expected, money_value(row[:6].tolist(), Terms(), row[8]))
            assert value == pytest.approx(expected, abs=2e-7)


def test_a_cube_that_may_not_be_turned_has_the_cubeless_value() -> None:
    rows = drawn_outputs(60)
    values = folded(rows, 0, params_of(Terms(live=False)))
    assert values == pytest.approx(rows[:, 3] - rows[:, 2], abs=1e-7)


@pytest.mark.parametrize(
    "terms",
    [
        Terms(7, (7, 7)), Terms(7, (3, 5), cube=2, owner=1), Terms(9, (8, 6), cube=2, owner=-1),
        Terms(5, (2, 2)), Terms(7, (4, 1)), Terms(7, (1, 4), crawford=True), Terms(5, (1, 1)),
    ],
    ids=str,
)  # fmt: skip
def test_in_a_match_it_gives_the_efficiency(terms: Terms) -> None:
    rows = drawn_outputs(60)
    for at, sign in ((terms, 1), (terms.turned(), -1)):
        found = folded(rows, sign * stake_of(terms), params_of(terms, MET))
        for row, value in zip(rows.astype(float), found, strict=True):
            efficiency = row[N_RESULTS]
            if efficiency == KNOWN:
                efficiency = efficiency_in_race(row[3], at.owner, row[8 - at.owner])
            elif efficiency == BY_OWNER:
                efficiency = row[8 - at.owner]
            expected = 2.0 * match_value(row[:6].tolist(), at, efficiency, MET) - 1.0
            assert value == pytest.approx(expected, abs=2e-7)
