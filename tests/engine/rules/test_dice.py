"""The 21 rolls, and dice as people type them."""

import math
from collections import Counter
from itertools import product
from typing import Any

import numpy as np
import pytest

from gammon.base.checks import shown
from gammon.base.errors import FormatError, SettingError
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


@pytest.mark.parametrize(
    "text", ["", "3", "311", "70", "3.1", "3\n1", "six one", "\u0663\u0661"]
)
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
