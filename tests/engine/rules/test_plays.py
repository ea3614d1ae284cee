"""Plays and their moves: the compiled generators against golden counts and slow twins."""

import random

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gammon.rules.board import OPENING, Move, Points, flipped, off_counts
from gammon.rules.dice import ROLLS
from gammon.rules.plays import MAX_ROWS, MAX_SUCCESSORS, successors
from gammon.rules.sequences import plays_of
from tests.boards import opening_counts, points_of
from tests.conftest import Played, positions
from tests.naive.plays import enumerate_plays

# The compiled generator against golden counts and its slow twin.

ROWS = np.empty((MAX_ROWS, 26), np.int8)


def generated(points: Points, outcome: int) -> list[Points]:
    n = successors(np.array(points, np.int8), outcome, ROWS)
    return [tuple(int(count) for count in row) for row in ROWS[:n]]


@pytest.mark.smoke
def test_opening_counts_are_those_of_two_other_programs() -> None:
    ours = {f"{high}{low}": len(generated(OPENING, k)) for k, (high, low) in enumerate(ROLLS)}
    assert ours == opening_counts()
    assert sum(ours.values()) == 447


def test_second_turn_counts() -> None:
    first = {row for outcome in range(21) for row in generated(OPENING, outcome)}
    assert len(first) == 406
    assert sum(len(generated(points, k)) for points in first for k in range(21)) == 183_632


def agrees(points: Points, outcome: int) -> None:
    rows = generated(points, outcome)
    assert len(rows) == len(set(rows)), "a successor was written twice"
    assert set(rows) == {flipped(after) for after in enumerate_plays(points, ROLLS[outcome])}


@pytest.mark.smoke
def test_twin_on_played_positions(played: Played) -> None:
    rng = np.random.default_rng(5)
    for points in played(3000, 11):
        agrees(points, rng.integers(21))


@given(positions(), st.integers(0, 20))
# Two checkers leave with either die; both orders of one checker; a blot on one middle point.
@example(points_of({5: 1, 4: 1}, {20: 2}), 19)
@example(points_of({8: 1, 13: 1}, {24: 2}), 15)
@example(points_of({13: 1}, {12: 1, 20: 2}), 15)
@example(points_of({13: 1}, {12: 1, 7: 1}), 15)
@example(points_of({25: 1, 6: 2}, {20: 2, 19: 2}), 20)
@example(points_of({25: 2, 6: 2}, {20: 1, 0: 1}), 17)
def test_twin_on_any_position(points: Points, outcome: int) -> None:
    agrees(points, outcome)


def test_most_successors_fit() -> None:
    # Fifteen blots far apart and nothing in the way: every spread of four steps is legal.
    spread = (0, *[1 if p >= 10 else 0 for p in range(1, 25)], 0)
    state = [-1 if p == 0 else c for p, c in enumerate(spread)]
    n = len(generated(tuple(state), 0))
    assert 1000 < n <= MAX_SUCCESSORS


@pytest.mark.parametrize(
    ("points", "dice", "count", "why"),
    [
        (points_of({25: 1}, dict.fromkeys(range(19, 25), 2)), (6, 5), 1, "shut out"),
        (points_of({2: 1, 1: 1}, {24: 1}), (6, 5), 1, "both leave"),
        (points_of({7: 1, 1: 1}, {24: 1}), (6, 5), 1, "7/1/off and 7/2/off leave the same"),
    ],
)
def test_small_cases(points: Points, dice: tuple[int, int], count: int, why: str) -> None:
    outcome = ROLLS.index(dice)
    agrees(points, outcome)
    assert len(generated(points, outcome)) == count, why


def test_only_one_die_must_be_the_larger() -> None:
    # From 14 either the 6 or the 5 can be played, but not both: 3 is held.
    points = points_of({14: 1}, {3: 2, 20: 2})
    rows = generated(points, ROLLS.index((6, 5)))
    assert [flipped(row) for row in rows] == [points_of({8: 1}, {3: 2, 20: 2})]


@given(positions(), st.integers(0, 20))
def test_checkers_are_conserved(points: Points, outcome: int) -> None:
    own, their = off_counts(points)
    state = np.array(points, np.int8)
    n = successors(state, outcome, ROWS)
    assert tuple(state) == points, "the input was changed"
    for row in ROWS[:n]:
        their_after, own_after = off_counts([int(c) for c in row])
        assert their_after == their
        assert own <= own_after <= own + 4


# Plays with their moves: the compiled ones are those of plain Python, in their order.


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


# Plays recovered as moves.


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
