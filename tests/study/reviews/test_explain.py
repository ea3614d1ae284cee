"""Explanations: each clause is a count or a chance, held to a plain twin."""

import csv
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from gammon import legal_plays
from gammon.eval.equity import Probabilities
from gammon.formats.position import Position
from gammon.rules.board import OPENING, SIZE, Points, flipped, pip_counts
from gammon.rules.dice import ROLLS, WEIGHTS
from gammon.rules.plays import MAX_ROWS
from gammon_study.reviews.choice import ALIKE, Choice, ChoiceKind, ReviewedPlay
from gammon_study.reviews.explain import explained, why
from gammon_study.reviews.reasons_kernel import shots_at
from gammon_study.reviews.review import Review, review
from gammon_study.reviews.themes import after_play, boards_of, themes_of
from tests.boards import points_of
from tests.engine.rules.slow_plays import enumerate_plays
from tests.matches import MATCH5


@pytest.fixture(scope="module")
def found() -> Review:
    return review(MATCH5, depth=1)


def plays_with_errors(found: Review) -> list[Choice]:
    return [c for c in found.choices if c.kind is ChoiceKind.PLAY and c.error >= ALIKE]


def shots_left(points: Points) -> int:
    """How many of the opponent's 36 rolls can hit."""
    rows = np.empty((MAX_ROWS, SIZE), np.int8)
    found: int = shots_at(boards_of(points, flipped(points)), rows)
    return found


def shots_twin(points: Points) -> int:
    """By all plays of each roll, as the rules in plain Python have them."""
    other = flipped(points)
    return sum(
        weight
        for weight, dice in zip(WEIGHTS, ROLLS, strict=True)
        if any(
            move.hit and move.target > 6  # which is outside the opponent's home board
            for moves in enumerate_plays(other, dice).values()
            for move in moves
        )
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
                         (9, 5), (10, 3), (11, 2), (12, 3), (15, 1), (16, 1)],
)  # fmt: skip
def test_shots_at_a_distance_are_those_of_every_book(place: int, shots: int) -> None:
    """One blot, and one checker that may hit it with nothing between."""
    assert shots_left(points_of({1 + place: 1}, {1: 1, 24: 13})) == shots


def test_nothing_to_hit() -> None:
    assert shots_left(OPENING) == 0
    assert shots_left(points_of({1: 1}, {24: 1})) == 0


def test_nobody_fears_a_hit_in_the_opponents_home_board() -> None:
    """31 played 24/23 13/10: 9 pips to the 10-point are 5 shots, the back checkers none."""
    split = after_play(OPENING, "24/23 13/10")
    assert shots_left(after_play(OPENING, "24/23")) == 0
    assert shots_left(split) == shots_left(after_play(OPENING, "13/10")) == 5
    behind = {1: 1, 24: 13}
    assert [shots_left(points_of({place: 1}, behind)) for place in (17, 18)] == [1, 0]
    assert shots_left(points_of({18: 1}, {12: 1, 24: 13})) == 17
    for place in range(19, 25):
        assert shots_left(points_of({place: 1}, {place - 6: 1, 24 - place % 2: 13})) == 0


def reasons_in(said: str) -> set[str]:
    """The reasons in what is said of a play, by the names of reasons.csv."""
    patterns = {
        "wins": r"[Ww]ins [\d.]+ % less", "gammons won": r"[Ww]ins [\d.]+ % fewer gammons",
        "gammons lost": r"[Ll]oses [\d.]+ % more gammons", "but": ", but ",
        "cube": "[Tt]he cube makes", "shots": "[Ss]hots left", "blots": "[Bb]lots",
        "home": "[Pp]oints at home", "bar": "[Tt]heir checkers on the bar",
        "back": "[Cc]heckers back",
        "off": "[Cc]heckers off", "makes": "[Mm]akes (no point|the [0-9]|their)",
    }  # fmt: skip
    return {name for name, pattern in patterns.items() if re.search(pattern, said)}


LABELLED = [
    line
    for line in (Path(__file__).parents[2] / "golden" / "reasons.csv").read_text().splitlines()
    if not line.startswith("#")
]


@pytest.mark.parametrize("by", ["eye", "twin"])
def test_reasons_are_those_of_the_labels_and_no_others(by: str) -> None:
    seen: Counter[str] = Counter()
    for row in csv.DictReader(LABELLED):
        if row["by"] != by:
            continue
        plays = tuple(
            ReviewedPlay(row[name], 0.0, Probabilities(*map(float, row[chances].split())))
            for name, chances in (("best", "best_chances"), ("made", "made_chances"))
        )
        choice = Choice(
            0, 0, 0, ChoiceKind.PLAY, row["xgid"], row["made"], row["best"],
            float(row["loss"]), 0.0, True, True, 3, plays=plays,
        )  # fmt: skip
        said = why(choice, Position.parse(row["xgid"]))
        wanted = set(filter(None, row["reasons"].split("; ")))
        assert reasons_in(said) == wanted, f"{row['xgid']} {row['made']}: {said}"
        seen.update(wanted or {"nothing"})
    assert (
        sum(row["by"] == by for row in csv.DictReader(LABELLED)) == {"eye": 26, "twin": 274}[by]
    )
    names = {"wins", "gammons won", "gammons lost", "but", "shots", "home", "back", "makes"}
    assert names <= seen.keys()
    if by == "twin":
        assert names | {"cube", "blots", "bar", "off", "nothing"} == seen.keys()


def play_choice(xgid: str, loss: float, made: Probabilities, best: Probabilities) -> Choice:
    position = Position.parse(xgid)
    assert position.dice is not None
    names = [each.notation for each in legal_plays(position, position.dice)[:2]]
    plays = tuple(
        ReviewedPlay(name, 0.0, chances)
        for name, chances in zip(names, (best, made), strict=True)
    )
    return Choice(
        0, 0, 0, ChoiceKind.PLAY, xgid, names[1], names[0], loss, 0.0, True, True, 3,
        plays=plays,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("context", "cube"), [("0:0:1:31:0:0:0:0:10", True), ("0:0:1:31:4:4:0:5:10", False),
                          ("0:0:1:31:3:4:1:5:10", False)],
)  # fmt: skip
def test_a_play_that_wins_more_is_an_error_by_the_cube(context: str, cube: bool) -> None:
    """Without a cube that can be turned, there is no such reason, and none is said."""
    xgid = f"XGID=-b----E-C---eE---c-e----B-:{context}"
    made, best = Probabilities(0.55, 0.1, 0, 0.1, 0), Probabilities(0.52, 0.1, 0, 0.1, 0)
    choice = play_choice(xgid, 0.076, made, best)
    said = why(choice, Position.parse(xgid))
    why_not = "the cube makes the difference: without it this is worth 0.060 more"
    assert said == (f"Wins 3.0 % more, but {why_not}." if cube else "")


@pytest.mark.parametrize(
    ("context", "counts"), [("0:0:1:31:0:0:0:0:10", True), ("0:0:1:31:0:0:1:0:10", False),
                            ("1:1:1:31:0:0:1:0:10", True), ("0:0:1:31:4:4:0:5:10", False)],
)  # fmt: skip
def test_gammons_that_count_nothing_are_no_reason(context: str, counts: bool) -> None:
    xgid = f"XGID=-b----E-C---eE---c-e----B-:{context}"
    made, best = Probabilities(0.5, 0.1, 0, 0.15, 0), Probabilities(0.52, 0.2, 0, 0.1, 0)
    said = why(play_choice(xgid, 0.2, made, best), Position.parse(xgid))
    assert said.startswith("Wins 2.0 % less")
    assert ("gammons" in said) == counts


def test_a_right_choice_needs_no_reason(found: Review) -> None:
    for choice in found.choices:
        position = Position.parse(choice.xgid)
        said = why(choice, position)
        assert choice.error >= ALIKE or not said
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
        assert choice.chances is not None
        _, won, _, lost, _ = (round(100 * chance) for chance in choice.chances)
        assert ("gammon" in said) == (won > 0 or lost > 0)
        if choice.kind is ChoiceKind.TAKE:
            assert f"Pass -1.000, take {-choice.values.double_take:+.3f}." in said
        else:
            double = "redouble" if position.context.cube_owner else "double"
            assert choice.made in (double, f"no {double}")
            assert f"No {double} is worth {choice.values.no_double:+.3f}, a {double} " in said
    assert {ChoiceKind.NO_DOUBLE, ChoiceKind.TAKE} <= kinds
