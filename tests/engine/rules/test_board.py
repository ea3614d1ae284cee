"""Positions, sides at home, the results of games, and the 21 rolls."""

import math
from collections import Counter
from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gammon.base.checks import shown
from gammon.base.errors import FormatError, IllegalPositionError, SettingError
from gammon.rules.board import (
    CHECKERS,
    OPENING,
    Points,
    check_points,
    flipped,
    has_contact,
    is_over,
    off_counts,
    phase_of,
    pip_counts,
)
from gammon.rules.dice import (
    HIGH,
    LOW,
    N_ROLLS,
    PROBABILITIES,
    ROLLS,
    WEIGHTS,
    checked_dice,
    outcome_of,
    parse_dice,
    throw,
)
from gammon.rules.home import (
    FIRST_WHOLE,
    HOME,
    MOST_CHECKERS,
    N_SIDES,
    N_TWO_SIDED,
    at_home,
    rank_from,
    rank_of,
)
from gammon.rules.outcome import IN_PLAY, POINTS, count_possible, result_of, results_left
from gammon.rules.outcome import points_of as outcome_points_of
from tests import boards
from tests.boards import by_sides, points_of
from tests.conftest import positions

# Checks of positions.

WRONG = {
    "sixteen": (0, 16, *[0] * 22, -1, 0),
    "sixteen of theirs": (0, 1, *[0] * 22, -16, 0),
    "own bar": (0, 1, *[0] * 23, -1),
    "their bar": (1, *[0] * 23, -1, 0),
    "empty": (0,) * 26,
}


@given(positions())
def test_both_checks_agree_on_what_can_stand(points: Points) -> None:
    assert check_points(points, "x") == points
    assert count_possible(np.array([points, points], np.int8), False) == 2
    assert flipped(flipped(points)) == points
    assert pip_counts(flipped(points)) == pip_counts(points)[::-1]
    assert off_counts(flipped(points)) == off_counts(points)[::-1]


@pytest.mark.parametrize("points", WRONG.values(), ids=WRONG)
def test_both_checks_agree_on_what_cannot(points: Points) -> None:
    with pytest.raises(IllegalPositionError, match="'x'"):
        check_points(points, "x")
    assert count_possible(np.array([OPENING, points, OPENING], np.int8), False) == 1


def test_a_finished_game_stands_but_is_not_in_play() -> None:
    over = (0, 3, *[0] * 24)
    assert check_points(over, "x") == over
    assert is_over(over)
    assert count_possible(np.array([over], np.int8), False) == 0


def test_contact() -> None:
    assert has_contact(OPENING)
    assert not has_contact(points_of({6: 15}, {20: 15}))
    assert has_contact(points_of({6: 14, 21: 1}, {20: 15}))


@pytest.mark.parametrize(
    ("own", "their", "phase"),
    [
        ({6: 5, 8: 5, 13: 5}, {6: 5, 8: 5, 10: 5}, "race"),
        ({6: 5, 3: 5, 1: 5}, {6: 5, 4: 5, 1: 2}, "bearoff"),
        ({6: 5, 3: 5, 1: 5}, {6: 5, 4: 5, 7: 2}, "race"),
        ({25: 1, 6: 14}, {6: 15}, "contact"),
        ({24: 2, 22: 2, 6: 11}, {2: 3, 4: 3, 5: 3, 6: 6}, "back game or crashed"),
        ({24: 1, 2: 7, 1: 7}, {7: 15}, "back game or crashed"),
        ({24: 1, 1: 14}, {7: 15}, "contact"),
    ],
)
def test_phases(own, their, phase):
    points = by_sides(own, their)
    assert phase_of(points) == phase
    assert phase_of(flipped(points)) == phase


def test_the_opening_is_contact():
    assert phase_of(OPENING) == "contact"


# Sides at home: who they are, and their ranks, beside plain Python.

#: All sides, by the sums of their counts up to each point, the last of these sums first.
SUMS = sorted(each[::-1] for each in combinations_with_replacement(range(CHECKERS + 1), HOME))
SIDES = [tuple(side) for side in np.diff(np.array(SUMS)[:, ::-1], prepend=0).tolist()]


def test_the_numbers_of_sides() -> None:
    checkers = [sum(side) for side in SIDES]
    assert len(SIDES) == N_SIDES
    assert checkers.index(CHECKERS) == FIRST_WHOLE
    assert max(checkers[:N_TWO_SIDED]) == MOST_CHECKERS < checkers[N_TWO_SIDED]


@given(st.integers(0, N_SIDES - 1), st.integers(0, N_SIDES - 1), st.integers(1, 19))
def test_a_rank_is_the_place_among_all_sides(own: int, their: int, point: int) -> None:
    state = np.zeros(26, np.int8)
    state[1 : 1 + HOME] = SIDES[own]
    state[19:25] -= np.array(SIDES[their][::-1], np.int8)
    assert (rank_of(state, False), rank_of(state, True)) == (own, their)
    # The same checkers on any six points.
    state[:] = 0
    state[point : point + HOME] = SIDES[own]
    assert rank_from(state, False, point) == own
    assert rank_from(-state[::-1].copy(), True, point) == own


@given(positions())
def test_who_is_at_home(points: Points) -> None:
    state = np.array(points, np.int8)
    assert at_home(state, False) == all(points[p] <= 0 for p in range(HOME + 1, 26))
    assert at_home(state, True) == all(points[25 - p] >= 0 for p in range(HOME + 1, 26))


# The results of finished games, and those that can still come.


@pytest.mark.parametrize(
    ("left", "result"),
    [
        ({1: 1}, 2),
        ({6: 14}, 2),
        ({6: 15}, 1),
        ({18: 15}, 1),
        ({6: 14, 19: 1}, 0),
        ({6: 14, 24: 1}, 0),
        ({6: 14, 25: 1}, 0),
        ({6: 13, 25: 1}, 2),
    ],
)
def test_the_loser_pays(left: dict[int, int], result: int) -> None:
    points = boards.points_of(left, {})
    state, seen = np.array(points, np.int8), np.array(flipped(points), np.int8)
    assert result_of(state) == result
    assert result_of(seen) == 5 - result
    assert outcome_points_of(state) == -outcome_points_of(seen) == [-3, -2, -1][result] == POINTS[result]


@given(positions())
def test_a_game_with_checkers_on_both_sides_goes_on(points: Points) -> None:
    assert result_of(np.array(points, np.int8)) == IN_PLAY
    assert result_of(np.array(OPENING, np.int8)) == IN_PLAY


@given(positions())
def test_a_finished_game_by_its_definition(points: Points) -> None:
    """The opponent has borne off the last checker."""
    left = [max(count, 0) for count in points]
    home = sum(left[19:]) > 0  # the opponent's, or the bar
    expected = 2 if sum(left) < 15 else 0 if home else 1
    assert result_of(np.array(left, np.int8)) == expected
    assert result_of(np.array(flipped(left), np.int8)) == 5 - expected


@pytest.mark.smoke
@given(positions())
def test_who_has_borne_off_cannot_lose_a_gammon(points: Points) -> None:
    lowest, highest = results_left(np.array(points, np.int8))
    own, their = sum(c for c in points if c > 0), -sum(c for c in points if c < 0)
    assert lowest == (0 if own == 15 else 2)
    assert highest == (5 if their == 15 else 3)


# The 21 rolls, and dice as people type them.

THROWS = list(product(range(1, 7), repeat=2))


@pytest.mark.parametrize("dice", THROWS, ids=str)
def test_the_outcome_of_a_throw_is_the_number_of_its_roll(dice: tuple[int, int]) -> None:
    outcome = outcome_of(dice)
    assert ROLLS[outcome] == (HIGH[outcome], LOW[outcome]) == (max(dice), min(dice))


def test_probabilities_are_those_of_two_fair_dice() -> None:
    ways = Counter(map(outcome_of, THROWS))
    assert [ways[outcome] for outcome in range(21)] == list(WEIGHTS)
    assert PROBABILITIES.sum() == pytest.approx(1.0, abs=1e-15)
    assert np.array_equal(PROBABILITIES * 36, WEIGHTS)


@pytest.mark.parametrize("dice", [(3, 1), [3, 1], np.array([3, 1], np.int8), (np.int64(3), 1)])
def test_dice_become_pythons(dice: Any) -> None:
    found = checked_dice(dice)
    assert found == (3, 1)
    assert {type(found), *map(type, found)} == {tuple, int}


@pytest.mark.parametrize(
    "dice",
    [
        (0, 1), (1, 7), (3,), (1, 2, 3), (2.5, 1), (3.0, 1.0), ("3", "1"), (True, 1), "31", 31,
        None, (3, math.nan), {3, 1}, np.array(3), np.array([3.0, 1.0]), np.array([[3], [1]]),
    ],
    ids=str,
)  # fmt: skip
def test_wrong_dice_are_refused(dice: Any) -> None:
    with pytest.raises(SettingError) as caught:
        outcome_of(dice)
    assert f"dice {shown(dice)}: expected two numbers" in str(caught.value)


@pytest.mark.parametrize("text", ["31", "3-1", "3 1", "3,1", "3/1", " 3, 1 "])
def test_spellings(text: str) -> None:
    assert parse_dice(text) == (3, 1)
    assert parse_dice(text[::-1]) == (1, 3), "the order is kept"


@pytest.mark.parametrize("text", ["", "3", "311", "70", "3.1", "3\n1", "six one", "\u0663\u0661"])
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse_dice(text)
    assert f"dice {text!r}: expected two digits" in str(caught.value)


def thrown(seed: int, games: int, turns: int) -> np.ndarray:
    """The outcomes of a seed, int64 [games, turns]."""
    return np.array(
        [
            [throw(np.uint64(seed), np.uint64(game), np.uint64(turn)) for turn in range(turns)]
            for game in range(games)
        ]
    )


def test_the_same_seed_throws_the_same() -> None:
    first = thrown(7, 4, 25)
    assert np.array_equal(first, thrown(7, 4, 25))
    assert not np.array_equal(first, thrown(8, 4, 25))


def test_games_and_turns_have_dice_of_their_own() -> None:
    square = thrown(7, 25, 25)
    assert len({tuple(row) for row in square}) == 25
    assert len({tuple(column) for column in square.T}) == 25
    assert not np.array_equal(square, square.T), "game and turn do not stand for each other"


def test_the_dice_are_fair() -> None:
    square = thrown(1, 60, 600)
    counts = np.bincount(square.ravel(), minlength=N_ROLLS)
    assert len(counts) == N_ROLLS
    expected = square.size * PROBABILITIES
    sigma = np.sqrt(expected * (1 - PROBABILITIES))
    assert (np.abs(counts - expected) < 4 * sigma).all()
