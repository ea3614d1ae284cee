"""Drills: what answers lose, and when cards come again."""

import json
import re
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Thread

import pytest

from gammon.base.errors import FormatError, GammonError
from gammon.engine.bearoff import bearoff
from gammon.formats.position import Position
from gammon_study.library.decks import Card, reference_positions
from gammon_study.library.drill import GIVEN_UP, Drill
from gammon_study.library.library import Library
from gammon_study.library.matches import remove_matches
from gammon_study.library.notes import write_note
from gammon_study.library.selection import Selection
from gammon_study.library.stats import largest_errors
from gammon_study.reviews.names import USUAL_DECKS
from tests.study.library.libraries import of_version

BEGUN = datetime(2026, 11, 25, 12, 0, tzinfo=UTC)
OPENING = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
RACE = "XGID=-CB----------------aab----:0:0:1:00:0:0:0:0:10"


class Clock:
    """Tells the time that it is set to."""

    def __init__(self) -> None:
        self.time = BEGUN

    def __call__(self) -> datetime:
        return self.time


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Library]:
    with Library(tmp_path / "l.db", make=True) as library:
        yield library


@pytest.fixture
def copied(library: Library, tmp_path: Path) -> Path:
    """The file of a library of three matches, which this test may change."""
    return Path(shutil.copy(library.path, tmp_path / "l.db"))


def drill(library: Library, clock: Clock, *decks: str) -> Drill:
    return Drill(library, decks or USUAL_DECKS, Selection(), depth=1, now=clock)


def test_plays_are_judged_by_the_search(opened: Library, clock: Clock) -> None:
    found, card = drill(opened, clock), Card("play", OPENING, "openings")
    right = found.answered(card, "6/5 8/5")
    assert right.choice is not None
    assert (right.grade, right.lost, right.choice.best) == (3, 0.0, "8/5 6/5")
    wrong = found.answered(card, " 24/23 24/21 ")
    assert wrong.choice is not None
    assert wrong.grade == 1
    assert wrong.lost > 0.15
    assert wrong.choice.made in [each.play for each in wrong.choice.plays]
    unknown = found.answered(card, GIVEN_UP)
    assert unknown.choice is not None
    assert (unknown.grade, unknown.lost, unknown.choice.made) == (1, 0.0, "8/5 6/5")


def test_own_errors_lose_what_the_review_says(copied: Path, clock: Clock) -> None:
    """The library is of depth 1, and so is the judge."""
    with Library(copied) as library:
        found = drill(library, clock, "errors")
        errors, _, _ = largest_errors(library, Selection(), 30)
        for error in errors:
            card = found.next()
            assert card is not None
            assert card.xgid == error.xgid
            answer = found.answered(card, error.made)
            assert answer.choice is not None
            assert answer.lost == pytest.approx(error.error, abs=1e-6)
            assert answer.choice.best == error.best


@pytest.mark.parametrize(
    ("said", "grade"),
    [("7", 3), ("8", 1), ("7.0", 3), ("?", 1), ("+7.", 3), ("-7", 1), (".7", 1), ("9" * 400, 1)],
)
def test_pips(opened: Library, clock: Clock, said: str, grade: int) -> None:
    answer = drill(opened, clock).answered(Card("pips", RACE, "races"), said)
    assert (answer.grade, answer.right, answer.lost) == (grade, 7.0, 0.0)


def test_effective_pips_are_right_within_one(opened: Library, clock: Clock) -> None:
    card, epc = Card("epc", RACE, "races"), bearoff(Position.parse(RACE)).own.epc
    for off, grade in ((0.0, 3), (0.99, 3), (-1.01, 2), (1.99, 2), (-2.01, 1)):
        answer = drill(opened, clock).answered(card, str(epc + off))
        assert (answer.grade, answer.right) == (grade, epc)


def test_doubles_and_takes(opened: Library, clock: Clock) -> None:
    """X has one checker on the 5-point and is off with 31 of 36 rolls; O has one on the 1."""
    position = Position.parse("XGID=-----A------------------a-:0:0:1:00:0:0:0:0:10")
    card = Card("double", position.xgid, "races")
    found = drill(opened, clock)
    assert found.answered(card, "d").grade == 3
    missed = found.answered(card, "No")
    assert missed.grade == 1
    assert missed.choice is not None
    assert missed.choice.best == "double"
    assert missed.lost == pytest.approx(1.0 - 26 / 36, abs=1e-6)
    offered = position.xgid.replace(":00:", ":D:")
    take = found.answered(Card("take", offered, "races"), "t")
    assert take.grade == 1
    assert take.choice is not None
    assert take.choice.best == "pass"
    assert found.answered(Card("take", offered, "races"), "PASS").grade == 3


@pytest.mark.parametrize(
    ("ask", "said", "words"),
    [
        ("play", "8/5", "not a legal play"),
        ("play", "words", "words"),
        ("play", "", "''"),
        ("double", "maybe", "expected n for no double or d for double"),
        ("take", "d", "expected t for take or p for pass"),
        ("double", "", "''"),
        ("pips", "many", "expected a number"),
        ("epc", "", "expected a number"),
        ("pips", "nan", "expected a number"),
        ("epc", "-inf", "expected a number"),
        ("pips", "1e999", "expected a number"),
        ("pips", "1_67", "expected a number"),
        ("pips", "\u0661\u0666\u0667", "expected a number"),
        ("epc", ".", "expected a number"),
    ],
)
def test_other_answers_are_refused_and_not_kept(
    opened: Library, clock: Clock, ask: str, said: str, words: str
) -> None:
    card = Card(ask, OPENING if ask == "play" else RACE, "races")
    with pytest.raises(GammonError, match=words):
        drill(opened, clock).answered(card, said)
    assert opened.ask("SELECT * FROM card") == []


def test_the_cards_of_today_are_counted(opened: Library, clock: Clock) -> None:
    """By the local clock, and without those that are due again."""
    found = drill(opened, clock, "openings")
    assert found.today() == 0
    for count in (1, 2):
        card = found.next()
        assert card is not None
        last = found.answered(card, GIVEN_UP)
        assert found.today() == count
    assert drill(opened, clock, "races").today() == 0
    clock.time = last.due
    assert (found.today(), len(found.due())) == (0, 2)
    clock.time = BEGUN
    midnight = BEGUN.astimezone().replace(hour=0, minute=0) + timedelta(days=1)
    opened._base.execute("UPDATE card SET due = '2027-01-01 00:00:00+00:00'")
    for seconds, count in ((-1, 2), (0, 0)):
        clock.time = midnight.astimezone(UTC) + timedelta(seconds=seconds)
        assert found.today() == count


def test_cards_come_again_when_they_are_due(opened: Library, clock: Clock) -> None:
    found = drill(opened, clock, "openings")
    first = found.next()
    assert first is not None
    answer = found.answered(first, GIVEN_UP)
    assert answer.due > BEGUN
    assert found.due() == []
    second = found.next()
    assert second not in (None, first)
    clock.time = answer.due
    assert found.due() == [first]
    assert drill(opened, clock, "openings").next() == first
    assert drill(opened, clock, "races").due() == []
    (row,) = opened.ask("SELECT * FROM card")
    assert (row["answers"], row["deck"], row["ask"]) == (1, "openings", "play")


def test_notes_have_no_full_stop_neither_those_that_were_kept_with_one(opened: Library, clock: Clock) -> None:
    found = drill(opened, clock, "replies")
    first = found.next()
    assert first is not None
    assert re.fullmatch(r"It answers \d\d, [0-9/ ]+", first.note)
    answer = found.answered(first._replace(note=f"{first.note}."), GIVEN_UP)
    clock.time = answer.due
    assert found.due() == [first]


def test_errors_that_come_again_are_those_that_are_meant(copied: Path, clock: Clock) -> None:
    with Library(copied) as library:
        found = drill(library, clock, "errors")
        card = found.next()
        assert card is not None
        clock.time = found.answered(card, GIVEN_UP).due
        (error, *_), _, _ = largest_errors(library, Selection())
        meant = Selection(), Selection(player=error.player), Selection(opponent=error.player)
        found = [Drill(library, ["errors"], each, depth=1, now=clock) for each in meant]
        assert [each.due() for each in found] == [[card], [card], []]
        remove_matches(library, [error.match])
        assert drill(library, clock, "errors").due() == []


@pytest.mark.parametrize("deck", ["errors", "reference", "notes"])
def test_a_card_of_several_decks_comes_again_in_each(copied: Path, clock: Clock, deck: str) -> None:
    with Library(copied) as library:
        (error, *_), _, _ = largest_errors(library, Selection())
        (position, *_), _, _ = reference_positions(library, Selection(), 1)
        assert position.error == error
        write_note(library, error.xgid, "both")
        first = drill(library, clock, deck)
        card = first.next()
        assert card is not None
        assert card.xgid == error.xgid
        due = first.answered(card, GIVEN_UP).due
        for other, count in (("errors", 1), ("reference", 1), ("notes", 1), ("openings", 0)):
            assert drill(library, clock, other).today() == count
        clock.time = due
        for other in ("errors", "reference", "notes"):
            next_card = drill(library, clock, other).next()
            assert next_card is not None
            assert next_card[:3] == card[:3]
        assert drill(library, clock, "openings").due() == []
        meant = Selection(opponent=error.player)
        assert Drill(library, ["errors"], meant, depth=1, now=clock).due() == []


def test_a_card_has_the_note_of_now(opened: Library, clock: Clock) -> None:
    write_note(opened, OPENING, "first")
    found = drill(opened, clock, "notes")
    card = found.next()
    assert card is not None
    clock.time = found.answered(card, GIVEN_UP).due
    write_note(opened, OPENING, "second")
    assert [card.note for card in drill(opened, clock, "notes").due()] == ["second"]
    write_note(opened, OPENING, "")
    assert drill(opened, clock, "notes").due() == []


def test_who_knows_it_waits_longer(opened: Library, clock: Clock) -> None:
    found = drill(opened, clock)
    card = Card("pips", RACE, "races")
    gaps = []
    for _ in range(4):
        answer = found.answered(card, "7")
        gaps.append(answer.due - clock.time)
        clock.time = answer.due
    assert gaps == sorted(gaps)
    assert gaps[-1] > timedelta(days=5)
    assert found.answered(card, "6").due - clock.time < timedelta(hours=1)


def test_answers_at_the_same_time_all_count(
    opened: Library, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    card, found = Card("pips", RACE, "races"), drill(opened, clock)

    def beside() -> None:
        with Library(opened.path) as library:
            drill(library, clock).answered(card, "7")

    other = Thread(target=beside)
    keep = opened.keep_card

    def late(row: dict[str, object]) -> None:
        other.start()
        other.join(0.5)  # it waits, or has come between
        keep(row)

    monkeypatch.setattr(opened, "keep_card", late)
    found.answered(card, "7")
    other.join()
    (row,) = opened.ask("SELECT answers FROM card")
    assert row["answers"] == 2


def test_each_new_card_comes_once_and_then_there_is_none(opened: Library, clock: Clock) -> None:
    found = drill(opened, clock, "openings")
    seen = [found.next() for _ in range(16)]
    assert seen[-1] is None
    assert len({card.xgid for card in seen if card}) == 15


def test_a_card_that_is_damaged_is_told(opened: Library, clock: Clock) -> None:
    found, card = drill(opened, clock), Card("pips", RACE, "races")
    found.answered(card, "7")
    kept = json.loads(opened.ask("SELECT state FROM card")[0]["state"])
    known = {"state": 2, "stability": 2.0, "difficulty": 2.0}
    odd = [{"stability": -1}, {"difficulty": None}, {"last_review": 3}, {"state": 9}]
    odd += [{"last_review": "2026-11-22"}, {"stability": float("nan")}]  # a time without a zone
    states = ["", "[]", "[" * 2_000_000, json.dumps({"due": 3})]
    for state in [json.dumps(kept | known | each) for each in odd] + states:
        with opened.writing():
            opened._base.execute("UPDATE card SET state = ?", [state])
        with pytest.raises(FormatError, match="a card is damaged"):
            found.answered(card, "7")
        if state in states:  # the others have the time of the answer
            assert found.today() == 0


def test_a_card_that_was_answered_under_a_wrong_clock_comes_again(opened: Library, clock: Clock) -> None:
    card = Card("pips", RACE, "races")
    clock.time = datetime(2226, 1, 1, tzinfo=UTC)
    for _ in range(3):
        late = drill(opened, clock, "races").answered(card, "7")
    assert late.due > clock.time
    clock.time = BEGUN
    assert drill(opened, clock, "races").due() == [card]
    due = drill(opened, clock, "races").answered(card, "7").due
    assert BEGUN < due < BEGUN + timedelta(days=1), "what was learned then counts for nothing"
    assert drill(opened, clock, "races").due() == []
    clock.time = due
    assert drill(opened, clock, "races").due() == [card]


def test_a_library_of_before_gets_the_table(copied: Path, clock: Clock) -> None:
    with Library(of_version(copied, copied.with_name("old.db"), 2)) as library:
        assert drill(library, clock, "errors").next() is not None
        assert len(library.ask("SELECT id FROM match")) == 3


def test_a_card_that_asks_for_something_else_stays(opened: Library, clock: Clock) -> None:
    found = drill(opened, clock)
    found.answered(Card("pips", RACE, "races"), "7")
    with opened.writing():
        opened._base.execute("UPDATE card SET ask = 'weather', due = '2000-01-01'")
    assert found.due() == []
