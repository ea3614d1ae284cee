"""Explanations: each clause is a count or a chance, held to a plain twin."""

import re

import pytest

from gammon.formats.position import Position
from gammon.reviews.choice import ALIKE, Choice, ChoiceKind
from gammon.reviews.explain import explained, shots_left, why
from gammon.reviews.review import Review, review
from gammon.reviews.themes import after_play, themes_of
from gammon.rules.board import OPENING, Points, flipped, pip_counts
from gammon.rules.dice import ROLLS, WEIGHTS
from tests.boards import points_of
from tests.matches import MATCH5
from tests.rules.slow_plays import enumerate_plays


@pytest.fixture(scope="module")
def found() -> Review:
    return review(MATCH5, depth=1)


def plays_with_errors(found: Review) -> list[Choice]:
    return [c for c in found.choices if c.kind is ChoiceKind.PLAY and c.error >= ALIKE]


def shots_twin(points: Points) -> int:
    """By all plays of each roll, as the rules in plain Python have them."""
    other = flipped(points)
    return sum(
        weight
        for weight, dice in zip(WEIGHTS, ROLLS, strict=True)
        if any(move.hit for moves in enumerate_plays(other, dice).values() for move in moves)
    )


def test_shots_are_those_of_all_plays(found: Review) -> None:
    boards = {
        after_play(Position.parse(c.xgid).points, play)
        for c in plays_with_errors(found)[:40]
        for play in (c.made, c.best)
    }
    counts = [shots_left(board) for board in boards]
    assert counts == [shots_twin(board) for board in boards]
    assert len(set(counts)) > 8


@pytest.mark.parametrize(
    ("place", "shots"), [(1, 11), (2, 12), (3, 14), (4, 15), (5, 15), (6, 17), (7, 6), (8, 6),
                         (9, 5), (10, 3), (11, 2), (12, 3), (15, 1), (16, 1), (18, 1), (20, 1)],
)  # fmt: skip
def test_shots_at_a_distance_are_those_of_every_book(place: int, shots: int) -> None:
    """One blot, and one checker that may hit it with nothing between."""
    assert shots_left(points_of({1 + place: 1}, {1: 1, 24: 13})) == shots


def test_nothing_to_hit() -> None:
    assert shots_left(OPENING) == 0
    assert shots_left(points_of({1: 1}, {24: 1})) == 0


def test_a_right_choice_needs_no_reason(found: Review) -> None:
    for choice in found.choices:
        position = Position.parse(choice.xgid)
        said = why(choice, position)
        assert bool(said) == (choice.error >= ALIKE)
        assert explained(choice, position) == (said, tuple(themes_of(choice, position)))


def test_what_is_said_of_a_play(found: Review) -> None:
    verbs = {"wins": 0, "gammons won": 1, "gammons lost": 3}
    told = 0
    for choice in plays_with_errors(found):
        position = Position.parse(choice.xgid)
        said = why(choice, position)
        chances = {each.play: each.probabilities for each in choice.plays}
        difference = [
            a - b for a, b in zip(chances[choice.made], chances[choice.best], strict=True)
        ]
        for share, words, what in re.findall(
            r"[Ww]ins ([\d.]+) % (more|less|fewer)( gammons)?", said
        ):
            index = verbs["gammons won"] if what else verbs["wins"]
            sign = 1 if words == "more" else -1
            assert 100 * difference[index] == pytest.approx(sign * float(share), abs=0.051)
            told += 1
        for share, words in re.findall(r"[Ll]oses ([\d.]+) % (more|fewer) gammons", said):
            sign = 1 if words == "more" else -1
            assert 100 * difference[3] == pytest.approx(sign * float(share), abs=0.051)
        for one, other in re.findall(r"hots left of 36: (\d+) \(best (\d+)\)", said):
            after = [after_play(position.points, play) for play in (choice.made, choice.best)]
            assert [int(one), int(other)] == [shots_twin(each) for each in after]
            told += 1
        assert max(abs(each) for each in difference[:2]) < 0.005 or "%" in said
    assert told > 20


def test_what_is_said_of_the_cube(found: Review) -> None:
    kinds = set()
    for choice in found.choices:
        if choice.values is None or choice.error < ALIKE:
            continue
        position = Position.parse(choice.xgid)
        said = why(choice, position)
        kinds.add(choice.kind)
        own, their = pip_counts(position.points)
        assert f"Pips {own} to {their}." in said
        if choice.kind is ChoiceKind.TAKE:
            assert f"A take is worth {-choice.values.double_take:+.3f}" in said
        else:
            double = "redouble" if position.context.cube_owner else "double"
            assert choice.made in (double, f"no {double}")
            assert f"No {double} is worth {choice.values.no_double:+.3f}, a {double} " in said
    assert {ChoiceKind.NO_DOUBLE, ChoiceKind.TAKE} <= kinds
