"""Notes and tags on positions, remarks of match files, the user's own name, and pasted positions."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gammon.base.errors import FormatError, GammonError, SettingError
from gammon.formats.position import Position
from gammon_study.library.add import add_matches, merge
from gammon_study.library.decks import new_cards
from gammon_study.library.drill import judged_position
from gammon_study.library.library import Library
from gammon_study.library.matches import own_name, rename_player, set_own_name
from gammon_study.library.notes import Note, find_notes, note_on, notes_by_position, write_note
from gammon_study.library.record import board_of
from gammon_study.library.selection import Selection
from gammon_study.library.stats import largest_errors
from gammon_study.match_files.match_file import read_transcript, write_transcript
from gammon_study.match_files.transcript import Remark
from tests.matches import HAND

OPENING = Position.opening().xgid
ROLLED = Position.opening().with_dice((3, 1)).xgid


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Library]:
    with Library(tmp_path / "notes.db", make=True) as library:
        yield library


def texts(library: Library, **conditions: Any) -> list[str]:
    return [note.text for note in find_notes(library, **conditions).notes]


def test_a_note_is_found_by_each_of_its_parts(empty: Library) -> None:
    write_note(empty, ROLLED, "Make the 5 point, 100 %", ["openings", "to ask"])
    write_note(empty, OPENING, "nothing_to do")
    both = ["Make the 5 point, 100 %", "nothing_to do"]
    assert sorted(texts(empty)) == both
    assert texts(empty, text="5 POINT") == texts(empty, text="penin") == texts(empty, text="0 %") == both[:1]
    assert texts(empty, tag="to ask") == both[:1]
    assert texts(empty, text="g_t") == both[1:]  # not any character
    assert texts(empty, tag="to") == texts(empty, text="5_p") == texts(empty, theme="race") == []
    assert sorted(texts(empty, theme="opening")) == sorted(texts(empty, board="6=5 24=2")) == both
    assert sorted(texts(empty, place=board_of(Position.opening()))) == both
    assert texts(empty, board="6=4") == []


def test_a_note_is_changed_and_taken_away(empty: Library) -> None:
    write_note(empty, ROLLED, "first", ["a", "b"])
    changed = write_note(empty, ROLLED, tags=["-a", "c"])
    assert (changed.text, changed.tags) == ("first", ("b", "c"))
    assert note_on(empty, ROLLED) == changed == notes_by_position(empty)[ROLLED]
    assert write_note(empty, ROLLED, "two\nlines").text == "two lines"
    write_note(empty, ROLLED, "", ["-b", "-c"])
    assert note_on(empty, ROLLED) is None
    for tag in ("", "-", "a,b", "x" * 61):
        with pytest.raises(SettingError, match="tag"):
            write_note(empty, ROLLED, tags=[tag])
    with pytest.raises(SettingError, match="at most 10,000"):
        write_note(empty, ROLLED, "x" * 10_001)
    with pytest.raises(FormatError):
        write_note(empty, "XGID=nothing", "x")


def test_remarks_of_files_are_found_and_stay(tmp_path: Path) -> None:
    match = read_transcript(HAND)
    remarks = {(0, 2): Remark("too greedy", "bad"), (0, 3): Remark("", "flagged")}
    path = tmp_path / "marked.sgf"
    write_transcript(replace(match, remarks=remarks), path)
    with Library(tmp_path / "l.db", make=True) as library, Library(tmp_path / "o.db", make=True) as other:
        assert [added.what for added in add_matches(library, [path], depth=1)] == ["reviewed"]
        assert texts(library) == ["[bad] too greedy", "[flagged]"]
        (note,) = find_notes(library, "GREEDY").notes
        moments = list(match.games[0].moments())
        assert note == Note(moments[2].position.xgid, "[bad] too greedy", (), note.themes, None, 1, 1)
        assert [added.what for added in merge(other, library)] == ["merged"]
        assert texts(other) == texts(library)
        of_errors = {error.xgid: error.remark for error in largest_errors(library, Selection()).errors}
        expected = {moments[place].position.xgid: remark.words for (_, place), remark in remarks.items()}
        assert {xgid: text for xgid, text in of_errors.items() if text} == {
            xgid: text for xgid, text in expected.items() if xgid in of_errors
        }
        library.remove(1)
        assert texts(library) == []


def test_a_merge_keeps_the_later_note(tmp_path: Path) -> None:
    with Library(tmp_path / "l.db", make=True) as library, Library(tmp_path / "o.db", make=True) as other:
        for each, text, changed in ((library, "old", "2026-01-01"), (other, "new", "2026-01-02")):
            write_note(each, ROLLED, text)
            each.ask("UPDATE note SET changed = ?", [changed])
        write_note(other, OPENING, "only there")
        for _ in range(2):
            assert list(merge(library, other)) == []
            assert sorted(texts(library)) == ["new", "only there"]
        list(merge(other, library))
        assert sorted(texts(other)) == ["new", "only there"]


def test_the_deck_of_notes_asks_for_what_there_is_to_decide(empty: Library) -> None:
    offered = Position.opening().with_offer(True).xgid
    crawford = OPENING.replace(":00:0:0:0:0:", ":00:6:0:1:7:")  # nothing to decide
    for xgid in (ROLLED, OPENING, offered, crawford):
        write_note(empty, xgid, "note")
    cards = list(new_cards("notes", empty, Selection(), 1))
    assert {(card.ask, card.xgid) for card in cards} == {
        ("play", ROLLED), ("double", OPENING), ("take", offered),
    }  # fmt: skip


def test_who_i_am(library: Library, tmp_path: Path) -> None:
    assert own_name(library) is None
    with Library(tmp_path / "l.db", make=True) as own:
        list(merge(own, library))
        name = own.ask("SELECT name FROM side")[0]["name"]
        set_own_name(own, name)
        rename_player(own, name.upper(), "Me Myself")
        assert own_name(own) == "Me Myself"
        rename_player(own, "me myself", None)
        assert own_name(own) == name


def test_pasted_positions_are_judged() -> None:
    error, studied = judged_position(f"a sentence with {ROLLED}", 1)
    assert (error.kind, error.made, error.best, error.error) == ("play", "8/5 6/5", "8/5 6/5", 0.0)
    assert studied.choice.plays[0].play == error.best
    error, _ = judged_position(OPENING, 1)
    assert (error.kind, error.best) == ("no double", "no double")
    offered = Position.opening().with_offer(True).xgid
    error, _ = judged_position(offered, 1)
    assert (error.kind, error.xgid, error.best) == ("take", offered, "take")
    for text in ("nothing", OPENING.replace(":0:0:1:00", ":1:-1:1:00")):
        with pytest.raises(GammonError):
            judged_position(text, 1)
