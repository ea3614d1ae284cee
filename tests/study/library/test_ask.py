"""Questions: their conditions, and patterns of boards."""

import sqlite3
from random import Random

import pytest

from gammon.base.errors import FormatError, SettingError
from gammon.formats.position import Position
from gammon.rules.board import OPENING
from gammon_study.library.ask import OF_DECISIONS, Selection, board_pattern
from gammon_study.library.stats import _OF_MATCHES
from gammon_study.reviews.choice import ChoiceKind
from gammon_study.reviews.names import GROUPS, KINDS


def fits(board: str, pattern: str) -> bool:
    (found,) = sqlite3.connect(":memory:").execute("SELECT ? GLOB ?", [board, pattern])
    return bool(found[0])


def board_of(points: tuple[int, ...]) -> str:
    return Position(points).xgid[5:31]


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("6=5", True), ("6=5+", True), ("6=6+", False), ("6=5-", True), ("6=4-", False),
        ("x6=2+, 8=3", True), ("24=2 13=5 o1=2 o19=5", True), ("o1=3-", True), ("o1=1-", False),
        ("o6=0", True), ("6=0", False), ("7=0", True), ("o7=0 7=0", True), ("bar=0", True),
        ("bar=1+", False), ("obar=0", True), ("OBAR=1", False), ("o12=0", False),
        ("12=0", True), ("12=0+", True), ("", True), ("6=4+ 6=6-", True), ("6=2+ 6=4-", False),
        ("o7=0 6=6+ 7=0", False), ("6=5 o6=0", True),
    ],
)  # fmt: skip
def test_a_pattern_of_the_opening(pattern: str, found: bool) -> None:
    assert fits(board_of(OPENING), board_pattern(pattern)) == found


def test_patterns_count_as_one_would() -> None:
    """Against a plain count, on random boards."""
    random = Random(1)
    for _ in range(300):
        points = [0] * 26
        for side in (1, -1):
            for _ in range(random.randint(1, 15)):
                place = random.randint(1, 24)
                if points[place] * side >= 0:
                    points[place] += side
        if not (max(points) > 0 > min(points)):
            continue
        place, number, more = random.randint(1, 24), random.randint(0, 4), random.choice("+- ")
        side = random.choice((1, -1))
        count = max(side * points[place], 0)
        expected = {"+": count >= number, "-": count <= number, " ": count == number}[more]
        text = f"{'o' if side < 0 else ''}{place}={number}{more}"
        assert fits(board_of(tuple(points)), board_pattern(text)) == expected, text


@pytest.mark.parametrize("text", ["6", "6=", "25=1", "0=1", "6=16", "y6=1", "6=2*", "[a]=1"])
def test_other_patterns_are_refused(text: str) -> None:
    with pytest.raises(FormatError, match="expected parts such as"):
        board_pattern(text)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (Selection(since="soon"), "since 'soon': expected a day"),
        (Selection(since="2026-13"), "since '2026-13'"),
        (Selection(until="2026-1"), "until"), (Selection(until="2026-02-31"), "until"),
        *((Selection(score=score), f"score '{score}': expected points away")
          for score in ("3", "0-3", "3-00", "65-1", "1-99")),
        (Selection(board="x"), "board 'x'"),
    ],
)  # fmt: skip
def test_a_question_that_is_not_one(asked: Selection, words: str) -> None:
    with pytest.raises((SettingError, FormatError), match=words):
        asked.of_errors()


@pytest.mark.parametrize("text", ["6=2+ 6=1-", "6=2 o6=1", "o6=0 6=0 o6=1"])
def test_parts_that_contradict_each_other_are_refused(text: str) -> None:
    with pytest.raises(FormatError, match="contradicts a part before it"):
        board_pattern(text)


def test_a_board_without_parts_is_any_board() -> None:
    where, values = Selection(board="").of_errors()
    assert ("GLOB" in where, values["board"]) == (True, "?" * 26)


def test_parts() -> None:
    assert Selection().part() == ("all", "all")
    assert Selection(theme="prime").part() == ("theme", "prime")
    assert Selection(kind="cube").part() == ("all", "cube")
    for part in OF_DECISIONS:
        with pytest.raises(SettingError, match="'x': expected one of"):
            Selection(**{part: "x"})
    with pytest.raises(SettingError, match="theme and kind: expected one of them"):
        Selection(theme="prime", kind="play").part()


def test_names_are_those_that_there_are() -> None:
    assert (*(kind.value for kind in ChoiceKind), "cube") == KINDS
    assert {*_OF_MATCHES, *OF_DECISIONS} == {*GROUPS}
