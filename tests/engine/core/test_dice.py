"""The dice of rollouts: fair, spread evenly, and the same for the same seed."""

from collections import Counter

import numpy as np
import pytest

from gammon.core.dice import DIGITS, TURNS, roll_of_trial, shuffles_of
from gammon.rules.dice import ROLLS, WEIGHTS, throw

SEED = 5


@pytest.fixture(scope="module")
def shuffles():
    return shuffles_of(SEED)


def twin(shuffles, trial, turn):
    """The roll by the definition of the digits."""
    digits = [trial // 36**k % 36 for k in range(DIGITS)]
    face = 0
    for k in range(min(turn + 1, DIGITS)):
        face = shuffles[turn, k][(digits[k] + face) % 36]
    dice = sorted(divmod(int(face), 6), reverse=True)
    return ROLLS.index((dice[0] + 1, dice[1] + 1))


def test_each_row_is_a_shuffle(shuffles):
    assert (np.sort(shuffles, axis=-1) == np.arange(36)).all()
    assert len({row.tobytes() for row in shuffles.reshape(-1, 36)}) == TURNS * DIGITS
    assert (shuffles_of(SEED) == shuffles).all()
    assert (shuffles_of(SEED + 1) != shuffles).any()


def test_rolls_are_those_of_the_digits(shuffles):
    for trial in (0, 1, 35, 36, 1295, 1296, 50_000, 36**6 + 7):
        for turn in (0, 1, 2, 5, 6, 127):
            found = roll_of_trial(shuffles, np.uint64(SEED), trial, turn)
            assert found == twin(shuffles, trial, turn)
    late = roll_of_trial(shuffles, np.uint64(SEED), 17, TURNS)
    assert late == throw(np.uint64(SEED), np.uint64(17), np.uint64(TURNS))


@pytest.mark.parametrize("turn", [0, 1, 6, 40])
def test_36_trials_have_each_throw_once_in_every_turn(shuffles, turn):
    for first in (0, 36, 36 * 41):
        rolls = [twin(shuffles, first + i, turn) for i in range(36)]
        assert Counter(rolls) == dict(enumerate(WEIGHTS))


def test_1296_trials_have_each_pair_of_throws_once(shuffles):
    pairs = Counter((twin(shuffles, i, 0), twin(shuffles, i, 1)) for i in range(1296, 2 * 1296))
    assert pairs == {(a, b): WEIGHTS[a] * WEIGHTS[b] for a in range(21) for b in range(21)}


def test_turns_do_not_tell_of_each_other():
    """Over seeds, the throw of a turn is as likely after any other one."""
    both = Counter()
    for seed in range(300):
        shuffles = shuffles_of(seed)
        both.update((twin(shuffles, i, 2), twin(shuffles, i, 3)) for i in range(36))
    doubles = sum(count for (a, b), count in both.items() if WEIGHTS[a] == WEIGHTS[b] == 1)
    expected = 300 * 36 / 36
    assert abs(doubles - expected) < 4 * expected**0.5
