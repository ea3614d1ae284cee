"""Dice of a match: both seats have the same, and no game begins with a double."""

import numpy as np

from gammon.match.dice import noise_seed, roll_at, starter_of
from gammon.rules.dice import ROLLS


def test_a_game_does_not_begin_with_a_double():
    firsts = [roll_at(1, pair, 0) for pair in range(600)]
    assert all(ROLLS[outcome][0] != ROLLS[outcome][1] for outcome in firsts)
    assert len(set(firsts)) == 15


def test_other_seeds_pairs_and_games_have_other_dice():
    def dice(*numbers, game=0):
        return [roll_at(*numbers, turn, game) for turn in range(9)]

    assert len({str(each) for each in (dice(1, 3), dice(2, 3), dice(1, 4))}) == 3
    assert dice(1, 3, game=1) != dice(1, 3)


def test_who_begins_is_fair():
    seats = [starter_of(3, pair, game) for pair in range(300) for game in range(1, 4)]
    assert 0.45 < np.mean(seats) < 0.55
    assert {starter_of(3, pair, 0) for pair in range(9)} == {0}


def test_each_player_errs_in_its_own_way_in_each_game():
    some = [
        noise_seed(seed, match, side, game)
        for seed in (1, 2) for match in (0, 1, 2) for side in (0, 1) for game in (0, 1)
    ]  # fmt: skip
    assert len(set(some)) == len(some)
