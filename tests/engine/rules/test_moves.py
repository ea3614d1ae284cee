"""Plays recovered as moves."""

from gammon.rules.board import OPENING, Points
from gammon.rules.dice import ROLLS
from gammon.rules.moves import Move
from tests.conftest import Played
from tests.engine.rules.slow_plays import enumerate_plays


def apply(points: Points, moves: tuple[Move, ...]) -> Points:
    after = list(points)
    for move in moves:
        after[move.source] -= 1
        if move.hit:
            assert after[move.target] == -1
            after[move.target] = 0
            after[0] -= 1
        if move.target:
            after[move.target] += 1
    return tuple(after)


def test_moves_lead_to_their_position(played: Played) -> None:
    for number, points in enumerate(played(300, 3)):
        dice = ROLLS[number % 21]
        for after, moves in enumerate_plays(points, dice).items():
            assert apply(points, moves) == after


def test_one_checker_is_preferred_to_two() -> None:
    # 13/7 is 13/8, 8/7 (the checker on 8 stays) or 13/12, 12/7: one checker either way.
    after = list(OPENING)
    after[13] -= 1
    after[7] += 1
    moves = enumerate_plays(OPENING, (5, 1))[tuple(after)]
    assert moves[0].source == 13
    assert moves[1].source == moves[0].target
    assert moves[1].target == 7
