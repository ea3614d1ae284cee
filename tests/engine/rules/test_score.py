"""Scores, against a plain count of points."""

import numpy as np
import pytest

from gammon.rules.terms import Score, Terms


@pytest.mark.smoke
@pytest.mark.parametrize("length", [1, 2, 3, 5, 7])
def test_matches_against_a_plain_count(length):
    random = np.random.default_rng(length)
    seen = set()
    for _ in range(200):
        score, a, b, crawford_games = Score(length), 0, 0, 0
        while a < length and b < length:
            assert not score.over
            someone_is_1_away = length - a == 1 or length - b == 1
            crawford = length > 1 and someone_is_1_away and crawford_games == 0
            crawford_games += crawford
            expected = Terms(length, (length - a, length - b), crawford)
            assert score.terms(0) == expected.checked()
            assert score.terms(1) == expected.turned()
            seen.add((crawford, expected.post_crawford))
            won = int(random.choice((-4, -2, -1, 1, 2, 3)))
            score = score.after(won)
            a, b = a + max(won, 0), b + max(-won, 0)
            assert score.points == (a, b)
        assert score.over
        assert crawford_games <= 1
    assert seen == {1: {(False, True)}}.get(
        length, {(False, False), (True, False), (False, True)}
    )


def test_a_money_game_is_over_after_it():
    score = Score(jacoby=True)
    assert score.terms(0) == score.terms(1) == Terms(jacoby=True)
    assert not score.over
    assert score.after(-2).over
    assert score.after(1).over


@pytest.mark.parametrize("length", [0, 5])
def test_a_dead_cube_stays_dead(length):
    score = Score(length, live=False)
    for _ in range(3):
        for side in (0, 1):
            assert score.terms(side) == Score(length, score.points).terms(side)._replace(
                live=False
            )
            assert score.terms(side).dead
        score = score.after(1)
