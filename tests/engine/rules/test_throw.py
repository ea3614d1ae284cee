"""Dice as a function of the seed, the game and the turn."""

import numpy as np

from gammon.rules.dice import N_ROLLS, PROBABILITIES, throw


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
