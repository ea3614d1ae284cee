"""Plays with their moves: the compiled ones are those of plain Python, in their order."""

import random

import pytest

from gammon.rules.board import OPENING, Points
from gammon.rules.ways import plays_of
from tests.engine.rules.slow_plays import enumerate_plays


def drawn(rng: random.Random) -> Points:
    """Any position: checkers of both sides, where they may stand."""
    points = [0] * 26
    for side in (1, -1):
        free = [p for p in range(26) if points[p] == 0 and p != (0 if side > 0 else 25)]
        for _ in range(rng.randint(1, 15)):
            points[rng.choice(free[: rng.randint(1, len(free))])] += side
    return tuple(points)


@pytest.mark.parametrize("seed", range(4))
def test_of_any_positions_and_rolls(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(100):
        points, dice = drawn(rng), (rng.randint(1, 6), rng.randint(1, 6))
        assert [*plays_of(points, dice).items()] == [*enumerate_plays(points, dice).items()]


def test_of_a_roll_with_very_many_plays() -> None:
    """Fifteen checkers, far from home and from each other, play four steps of a double."""
    points = (-1, *[0] * 9, *[1] * 15, 0)
    plays = plays_of(points, (1, 1))
    assert len(plays) == 1654
    assert plays == enumerate_plays(points, (1, 1))


def test_of_the_opening() -> None:
    assert len(plays_of(OPENING, (3, 1))) == 16
