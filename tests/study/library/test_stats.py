"""Statistics, questions and errors: those of the reviews, added up by hand."""

import shutil
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from itertools import chain
from pathlib import Path
from random import Random

import pytest

from gammon.base.errors import FormatError, SettingError
from gammon.formats.position import Position
from gammon.rules.board import OPENING
from gammon_study.library.library import Library
from gammon_study.library.selection import OF_DECISIONS, Selection, board_pattern
from gammon_study.library.stats import _OF_MATCHES, Error, groups_of, largest_errors, trend_of
from gammon_study.match_files.match_file import write_transcript
from gammon_study.reviews.choice import ALIKE, Choice, ChoiceKind
from gammon_study.reviews.names import GROUPS, KINDS, PHASES, THEMES
from gammon_study.reviews.review import Review
from gammon_study.reviews.totals import errors_of
from tests.matches import random_match, reviewed_file
from tests.study.library.libraries import FILES, added

# Statistics: those of the reviews, added up by hand.


@pytest.fixture(scope="module")
def reviews() -> list[Review]:
    return [reviewed_file(path) for path in FILES]


def choices(reviews: list[Review]) -> list[Choice]:
    return list(chain.from_iterable(each.choices for each in reviews))


def test_all(library: Library, reviews: list[Review]) -> None:
    (group,) = groups_of(library, Selection())
    sums = errors_of(choices(reviews))
    assert (group.matches, group.counted) == (3, sums.counted)
    assert group.pr == pytest.approx(sums.pr)
    assert (group.luck, group.won) == (None, None), "both sides have no luck together"
    name = reviews[0].transcript.players[1]
    (alone,) = groups_of(library, Selection(player=name), "match")
    assert alone.luck == pytest.approx(reviews[0].totals(1).luck)
    assert alone.won == ((reviews[0].result(1) or 0) > 0)


def test_players_and_opponents(library: Library, reviews: list[Review]) -> None:
    mine = {each.name: each for each in groups_of(library, Selection(), "player")}
    against = {each.name: each for each in groups_of(library, Selection(), "opponent")}
    assert len(mine) == 6
    for found in reviews:
        for side, name in enumerate(found.transcript.players):
            totals = found.totals(side)
            assert mine[name].pr == pytest.approx(totals.all.pr)
            assert mine[name].luck == pytest.approx(totals.luck)
            assert mine[name].won == ((found.result(side) or 0) > 0)
            other = found.transcript.players[1 - side]
            assert against[other]._replace(name=name) == mine[name]
    errors = [each.error for each in groups_of(library, Selection(), "player")]
    assert errors == sorted(errors, reverse=True)


def test_plays_doubles_and_takes_apart(library: Library, reviews: list[Review]) -> None:
    """As the totals of the reviews have them, and as their JSON does."""
    groups = {each.name: each for each in groups_of(library, Selection(), "player")}
    for found in reviews:
        for side, name in enumerate(found.transcript.players):
            totals = found.totals(side)
            for part in ("plays", "doubles", "takes"):
                mine, wanted = getattr(groups[name], part), getattr(totals, part)
                assert (mine.counted, mine.wrong) == (wanted.counted, wanted.wrong)
                assert mine.bad == sum(wanted.marks[1:])
                assert mine.error == pytest.approx(wanted.error)
                assert mine.pr == (None if wanted.pr is None else pytest.approx(wanted.pr))
    (part,) = groups_of(library, Selection(theme="prime"))
    assert (part.plays, part.doubles, part.takes) == (None, None, None)
    assert groups_of(library, Selection(), "kind")[0].plays is None


def test_the_parts_of_a_player_with_two_spellings_are_one(library: Library, tmp_path: Path) -> None:
    with Library(shutil.copy(library.path, tmp_path)) as some:
        for match, name in ((1, "\xc9mile"), (2, "\xe9MILE")):
            some.ask("UPDATE side SET name = ? WHERE side = 0 AND match = ?", [name, match])
        groups = groups_of(some, Selection(), "player")
        assert sorted(group.matches for group in groups) == [1, 1, 1, 1, 2]
        for group in groups:
            assert group.plays is not None
            assert group.doubles is not None
            assert group.takes is not None
            parts = group.plays, group.doubles, group.takes
            assert sum(part.counted for part in parts) == group.counted
            assert sum(part.error for part in parts) == pytest.approx(group.error)


def test_errors_alone_have_no_pr(library: Library, reviews: list[Review]) -> None:
    """But how many decisions of their kind there were."""
    kinds = {
        "missed double": "no double",
        "wrong double": "double",
        "wrong take": "take",
        "wrong pass": "pass",
    }
    themes = {each.name: each for each in groups_of(library, Selection(), "theme")}
    assert {"missed double", "wrong take"} <= themes.keys()
    for name, group in themes.items():
        if name not in kinds:
            assert group.decisions is None
            assert group.pr == pytest.approx(500.0 * group.error / group.counted)
            continue
        of_kind = [c for c in choices(reviews) if c.kind == kinds[name]]
        assert group.decisions == sum(c.counted for c in of_kind)
        assert group.wrong == sum(c.error >= 0.001 for c in of_kind)
        assert (group.pr, group.pr_class) == (None, None)
        with pytest.raises(SettingError, match="only errors"):
            trend_of(library, Selection(theme=name))
    (missed,) = groups_of(library, Selection(theme="missed double"))
    assert (missed.decisions, missed.pr) == (themes["missed double"].decisions, None)
    for each in groups_of(library, Selection(theme="missed double"), "player"):
        (mine,) = groups_of(library, Selection(theme="missed double", player=each.name))
        assert each.decisions == mine.decisions
        assert mine.decisions is not None
        assert mine.decisions >= mine.wrong > 0
    name = reviews[0].transcript.players[0]
    own = {e.name: e for e in groups_of(library, Selection(player=name), "theme")}
    (alone,) = groups_of(library, Selection(player=name, theme="missed double"))
    assert own["missed double"].decisions == alone.decisions


def test_the_luck_of_all_is_unknown_where_that_of_a_match_is(library: Library, tmp_path: Path) -> None:
    path = shutil.copy(library.path, tmp_path)
    with Library(path) as some:
        some.ask("UPDATE side SET name = 'Ann' WHERE side = 0")
        some.ask("UPDATE side SET luck = NULL WHERE match = 1")
        lucks = [each.luck for each in groups_of(some, Selection(player="Ann"), "match")]
        assert [luck is None for luck in lucks] == [True, False, False]
        assert groups_of(some, Selection(player="Ann"))[0].luck is None


@pytest.mark.parametrize("by", ["kind", "phase"])
def test_parts_add_up(library: Library, reviews: list[Review], by: str) -> None:
    groups = groups_of(library, Selection(), by)
    sums = errors_of(choices(reviews))
    assert sum(each.choices for each in groups) == sums.choices
    assert sum(each.error for each in groups) == pytest.approx(sums.error)
    if by == "phase":
        assert {each.name for each in groups} <= set(PHASES)


def test_one_part(library: Library, reviews: list[Review]) -> None:
    """A part of the decisions has no luck."""
    themes = {each.name: each for each in groups_of(library, Selection(), "theme")}
    assert set(themes) <= set(THEMES)
    (prime,) = groups_of(library, Selection(theme="prime"))
    assert prime._replace(name="prime") == themes["prime"]
    assert (prime.luck, prime.won) == (None, None)
    (mine,) = groups_of(library, Selection(player="Ann", kind="cube"))
    assert (mine.luck, mine.won) == (None, None)
    (cube,) = groups_of(library, Selection(kind="cube"))
    plays, every = groups_of(library, Selection(kind="play")), groups_of(library, Selection())
    assert cube.counted + plays[0].counted == every[0].counted
    for asked in Selection(theme="prime"), Selection(kind="cube"), Selection(phase="race"):
        for by in OF_DECISIONS:
            with pytest.raises(SettingError, match=f"by '{by}': expected no theme"):
                groups_of(library, asked, by)


def test_days_and_lengths(library: Library) -> None:
    assert [each.name for each in groups_of(library, Selection(), "month")] == [
        "2026-01",
        "2026-02",
        "2026-11",
    ]
    assert [each.name for each in groups_of(library, Selection(), "length")] == ["3", "5"]

    def months(**asked: str) -> list[str]:
        return [each.name for each in groups_of(library, Selection(**asked), "month")]

    assert months(since="2026-02") == ["2026-02", "2026-11"]
    assert months(until="2026-02") == ["2026-01", "2026-02"]
    assert months(since="2026-02-04", until="2026-11-21") == []
    (short,) = groups_of(library, Selection(length=3))
    assert short.matches == 1
    assert groups_of(library, Selection(player="ANN", opponent="bob"))[0].matches == 1


def test_players_are_one_in_any_case_of_any_letters(tmp_path: Path) -> None:
    paths = []
    for number, name in enumerate(("\N{LATIN CAPITAL LETTER E WITH ACUTE}MILE", "\xe9mile")):
        match = replace(random_match(1, number), players=(name, "Bob"))
        paths.append(tmp_path / f"{number}.sgf")
        write_transcript(match, paths[-1])
    with Library(tmp_path / "l.db", make=True) as library:
        added(library, *paths)
        for by in ("player", "opponent"):
            found = groups_of(library, Selection(), by)
            assert sorted(each.matches for each in found) == [2, 2]
        for asked in (Selection(player="\xc9mile"), Selection(opponent="\xc9mile")):
            assert groups_of(library, asked)[0].matches == 2


def test_the_trend_goes_by_days(library: Library) -> None:
    trend = trend_of(library, Selection())
    days = [each.played for each in trend]
    assert days == sorted(days)
    months = {each.name: each.pr for each in groups_of(library, Selection(), "day")}
    assert [each.pr for each in trend] == [months[str(day)] for day in days]
    assert trend[-1].mean == pytest.approx(groups_of(library, Selection())[0].pr)


def test_a_match_that_somebody_lost_without_a_decision_counts(tmp_path: Path) -> None:
    path = tmp_path / "resigned.sgf"
    path.write_text("(;FF[4]GM[6]PB[Ann]PW[Ben]RU[Crawford]MI[length:3]RE[B+3R];B[31qtst])")
    with Library(tmp_path / "l.db", make=True) as library:
        added(library, path)
        found = {each.name: each for each in groups_of(library, Selection(), "player")}
        assert [(found[name].matches, found[name].won) for name in ("Ann", "Ben")] == [(1, 1), (1, 0)]
        assert (found["Ben"].choices, found["Ben"].pr) == (0, None)
        (point,) = trend_of(library, Selection(player="Ben"))
        assert (point.pr, point.mean) == (None, None)


def test_other_groups_are_refused(library: Library) -> None:
    for by in GROUPS:
        groups_of(library, Selection(), by)
    with pytest.raises(SettingError, match="by 'colour': expected one of all, player"):
        groups_of(library, Selection(), "colour")


def test_an_empty_library(tmp_path: Path) -> None:
    with Library(tmp_path / "l.db", make=True) as library:
        added(library)
        assert [groups_of(library, Selection(), by) for by in GROUPS] == [[]] * len(GROUPS)
        assert trend_of(library, Selection()) == []


# Questions: their conditions, and patterns of boards.


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
        (Selection(until="2026-1"), "until"),
        (Selection(until="2026-02-31"), "until"),
        *(
            (Selection(score=score), f"score '{score}': expected points away")
            for score in ("3", "0-3", "3-00", "65-1", "1-99")
        ),
        (Selection(board="x"), "board 'x'"),
    ],
)
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


# Errors: those of the reviews, by what they are about.


@pytest.fixture(scope="module")
def every(library: Library) -> list[Error]:
    return largest_errors(library, Selection())[0]


def test_they_are_those_of_the_reviews(library: Library, every: list[Error]) -> None:
    expected = sorted(
        (
            (found.transcript.players[each.player], each.xgid, each.made, each.best, each.error)
            for found in (reviewed_file(path) for path in FILES)
            for each in found.choices
            if each.error >= ALIKE
        ),
        key=lambda each: -each[-1],
    )
    assert [(e.player, e.xgid, e.made, e.best, e.error) for e in every] == expected
    shown, count, lost = largest_errors(library, Selection(), 5)
    assert (shown, count) == (every[:5], len(every))
    assert lost == pytest.approx(sum(each.error for each in every))
    said = [each.explanation for each in every if each.explanation]
    assert len(said) > len(every) / 2
    assert all(why.endswith(".") for why in said)


@pytest.mark.parametrize(
    ("asked", "test"),
    [
        (Selection(player="gnubg"), lambda e: e.player == "gnubg"),
        (Selection(opponent="gnubg"), lambda e: e.opponent == "gnubg"),
        (Selection(theme="blitz"), lambda e: "blitz" in e.themes),
        (Selection(theme="race"), lambda e: "race" in e.themes),
        (Selection(phase="opening"), lambda e: e.phase == "opening"),
        (Selection(kind="take"), lambda e: e.kind == "take"),
        (Selection(kind="cube"), lambda e: e.kind != "play"),
        (Selection(least=0.05, most=0.1), lambda e: 0.05 <= e.error <= 0.1),
        (Selection(length=3), lambda e: e.length == 3),
        (Selection(since="2026-11"), lambda e: e.played >= "2026-11"),
        (Selection(board="bar=1+"), lambda e: Position.parse(e.xgid).points[25] >= 1),
        (
            Selection(board="o20=0 6=3"),
            lambda e: Position.parse(e.xgid).points[6] == 3 and Position.parse(e.xgid).points[20] >= 0,
        ),
        (
            Selection(score="5-3", kind="play"),
            lambda e: e.kind == "play" and Position.parse(e.xgid).context.terms().away == (5, 3),
        ),
    ],
)
def test_filters(
    library: Library, every: list[Error], asked: Selection, test: Callable[[Error], bool]
) -> None:
    found, count, _ = largest_errors(library, asked)
    assert found == [each for each in every if test(each)]
    assert 0 < count < len(every)


def test_how_many_is_a_number(library: Library) -> None:
    assert len(largest_errors(library, Selection(), 1).errors) == 1
    with pytest.raises(SettingError, match="most -1: expected a whole number"):
        largest_errors(library, Selection(), -1)


def test_texts_are_values_not_sql(library: Library) -> None:
    name = "x' OR 1 --"
    assert largest_errors(library, Selection(player=name, opponent=name)) == ([], 0, 0.0)
