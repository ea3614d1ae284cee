"""Quick games: the shipped network against the baseline, and against the loop of matches."""

import numpy as np
import pytest

from gammon.eval.baseline import BASELINE
from gammon.eval.evaluators import load_evaluator
from gammon.match import game as loop
from gammon.match.game import play_pairs
from gammon.match.player import OwnMind, Player
from gammon.match.quick import compare, numbers_at_depth_1
from gammon.match.result import Numbers
from gammon.rules.board import OPENING
from gammon.rules.dice import throw
from gammon.rules.terms import CUBELESS, Score

LEAF = load_evaluator("leaf", bearoff=False)
WITHOUT = Score(live=False, payoffs=CUBELESS.payoffs)


def test_the_shipped_network_beats_the_baseline() -> None:
    points = compare(LEAF, BASELINE, 2000, seed=5).points
    assert points.mean - 4 * points.error > 1.0
    opposite = compare(BASELINE, LEAF, 2000, seed=5).points
    assert opposite.mean == pytest.approx(-points.mean), "the seats are not symmetric"


def test_games_are_those_of_the_loop_of_matches(monkeypatch) -> None:
    def roll(seed, pair, turn, game):
        return throw(np.uint64(seed), np.uint64(pair), np.uint64(turn))

    monkeypatch.setattr(loop, "roll_at", roll)  # the first roll may be a double
    minds = tuple(OwnMind(Player(), leaf, cubeless=True) for leaf in (LEAF, BASELINE))
    played = play_pairs(minds, range(30), 7, None, WITHOUT).games
    assert any(each["rolls"][0] == each["rolls"][1] for each in played)
    found = numbers_at_depth_1(LEAF, BASELINE, 60, seed=7)
    for fast, slow in zip(found, Numbers.of(played), strict=True):
        assert np.array_equal(fast, slow)


def test_pairs_begin_where_they_are_told_to() -> None:
    last = [0, 1, *[0] * 22, -1, 0]  # who is on roll wins
    starts = np.array([OPENING, last], np.int8)
    opening = numbers_at_depth_1(LEAF, BASELINE, 8, seed=7)
    found = numbers_at_depth_1(LEAF, BASELINE, 8, 7, starts)
    first = np.array([0, 1, 4, 5])
    assert np.array_equal(found.points[first], opening.points[first])
    assert found.points[[2, 3, 6, 7]].tolist() == [1.0, -1.0, 1.0, -1.0]
    assert found.turns[[2, 3, 6, 7]].tolist() == [1.0] * 4
