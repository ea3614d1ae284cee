"""Decks and the judged decisions, and files for other programs."""

import csv
import re
from collections import Counter
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from gammon.base.errors import FormatError
from gammon.engine.engine import Engine
from gammon.formats.play import find_play
from gammon.formats.position import Position
from gammon.rules.board import PHASES
from gammon_study.library.decks import BOOK, Card, new_cards
from gammon_study.library.export import FORMATS, write_matches
from gammon_study.library.judged_decisions import _FILE, judged_decisions, text_of_decisions
from gammon_study.library.library import Library
from gammon_study.library.selection import Selection
from gammon_study.library.stats import largest_errors
from gammon_study.match_files.match_file import read_transcript, write_transcript
from gammon_study.reviews.names import DECKS
from tests.damage import damages
from tests.matches import random_match
from tests.study.library.libraries import FILES, added

# Decks: each card asks what can be asked of its position.

PAGE = Path(__file__).parents[3] / "docs" / "analyze.md"


def some(deck: str, library: Library, count: int = 40, seed: int = 1) -> list[Card]:
    return list(islice(new_cards(deck, library, Selection(), seed), count))


def test_the_book_has_the_best_plays_of_its_page() -> None:
    table = PAGE.read_text().split("<!-- table first-rolls -->")[1].split("<!-- end -->")[0]
    best = dict(re.findall(r"^\| (\d\d) \| ([^|]+) \|", table, re.MULTILINE))
    assert len(best) == 21
    assert {roll: play for roll, play in best.items() if roll[0] != roll[1]} == BOOK


@pytest.mark.parametrize("deck", DECKS)
def test_cards_follow_from_the_seed(library: Library, deck: str) -> None:
    cards = some(deck, library)
    assert cards == some(deck, library)
    assert len(set(cards)) == len(cards)
    if deck not in ("errors", "reference", "notes"):
        assert cards != some(deck, library, seed=2)
    for card in cards:
        position = Position.parse(card.xgid)
        assert card.deck == deck
        assert (card.ask == "play") == (position.dice is not None)
        assert (card.ask == "take") == (position.context.offer == "D")


def test_errors_are_those_of_the_library(library: Library) -> None:
    found, count, _ = largest_errors(library, Selection(player="gnubg"))
    cards = list(new_cards("errors", library, Selection(player="gnubg"), 1))
    assert [card.xgid for card in cards] == [error.xgid for error in found]
    assert len(cards) == count
    assert cards[0].note.startswith(f"gnubg against {found[0].opponent}")
    kinds = {error.kind: card.ask for error, card in zip(found, cards, strict=True)}
    assert (
        kinds.items()
        <= {"play": "play", "no double": "double", "double": "double", "take": "take", "pass": "take"}.items()
    )


def test_openings_and_replies_are_complete(library: Library) -> None:
    assert len(some("openings", library, 99)) == 15
    replies = some("replies", library, 999)
    assert len({card.xgid for card in replies}) == 15 * 21
    before = find_play(Position.opening(), (3, 1), "8/5 6/5").position
    assert before.with_dice((6, 6)).xgid in {card.xgid for card in replies}


def test_cubes_of_races_are_close_and_exact(library: Library) -> None:
    cubes = [card for card in some("races", library, 60) if card.ask in ("double", "take")]
    assert len(cubes) > 10
    engines = [Engine(depth=depth) for depth in (1, 5)]
    for card in cubes[:10]:
        one, deep = (engine.cube(Position.parse(card.xgid)) for engine in engines)
        assert one.no_double == deep.no_double
        gain = one.gain if card.ask == "double" else one.answer_gain
        assert gain is not None
        assert abs(gain) < 0.15


# Files for other programs.


def test_errors(library: Library) -> None:
    found, _, _ = largest_errors(library, Selection(kind="play"), 7)
    rows = list(csv.DictReader(FORMATS[".csv"](found).splitlines()))
    for row, error in zip(rows, found, strict=True):
        assert (row["xgid"], float(row["error"])) == (error.xgid, error.error)
        assert row["themes"] == ", ".join(error.themes)
    ids = FORMATS[".txt"](found).splitlines()
    assert [Position.parse(each).xgid for each in ids] == [error.xgid for error in found]


def test_a_spreadsheet_runs_no_name(library: Library) -> None:
    (error,), _, _ = largest_errors(library, Selection(), 1)
    text = FORMATS[".csv"]([error._replace(player='=HYPERLINK("x")', opponent="@a")])
    (row,) = csv.DictReader(text.splitlines())
    assert (row["player"], row["opponent"]) == ('\'=HYPERLINK("x")', "'@a")


def test_matches_are_those_that_were_added(library: Library, tmp_path: Path) -> None:
    paths = list(write_matches(library, Selection(), tmp_path / "out"))
    assert [path.suffix for path in paths] == [".mat"] * len(FILES)
    written = {(t.players, t.games) for t in map(read_transcript, paths)}
    assert written == {(t.players, t.games) for t in map(read_transcript, FILES)}
    (one,) = write_matches(library, Selection(player="ann"), tmp_path / "one")
    assert one.name.endswith("2026-02-03-Ann-Bob.mat")
    assert list(write_matches(library, Selection(player="Zoe"), tmp_path / "none")) == []
    assert list((tmp_path / "none").iterdir()) == [], "a folder without matches"


@pytest.mark.parametrize(
    "asked",
    [Selection(least=least) for least in (0.5, 5.0)] + [Selection(theme="back game"), Selection(kind="pass")],
)
def test_matches_are_those_that_have_such_errors(library: Library, tmp_path: Path, asked: Selection) -> None:
    paths = write_matches(library, asked, tmp_path)
    found = largest_errors(library, asked).errors
    assert [int(path.name[:5]) for path in paths] == sorted({error.match for error in found})


def test_names_of_any_letters_make_names_of_files(tmp_path: Path) -> None:
    match = random_match(1, 4)
    names = "\N{CYRILLIC CAPITAL LETTER ZHE}" * 60, "\N{CYRILLIC CAPITAL LETTER YA}" * 60
    write_transcript(replace(match, players=names), tmp_path / "long.sgf")
    with Library(tmp_path / "l.db", make=True) as other:
        assert [each.what for each in added(other, tmp_path / "long.sgf")] == ["reviewed"]
        (path,) = write_matches(other, Selection(), tmp_path / "out")
    assert read_transcript(path).games
    assert path.name.startswith("00001-\N{CYRILLIC CAPITAL LETTER ZHE}")


# The judged decisions.


def test_reference_file():
    decisions = judged_decisions()
    counts = Counter(each.phase for each in decisions)
    assert counts == dict(zip(PHASES, (1430, 360, 360, 60), strict=True))
    assert all(len(each.equities) > 1 for each in decisions)
    assert sum(each.trials > 0 for each in decisions) == 398
    assert all(-3.1 <= value <= 3.1 for each in decisions for value in each.equities.values())


def test_a_written_file_is_read_again(tmp_path: Path):
    path = tmp_path / "judged_decisions.csv"
    some = [each._replace(trials=36 * n) for n, each in enumerate(judged_decisions()[::300])]
    path.write_text(text_of_decisions(some))
    for found, expected in zip(judged_decisions(path), some, strict=True):
        assert found._replace(equities={}) == expected._replace(equities={})
        assert found.equities == pytest.approx(expected.equities)


HEAD = b"position,dice,equities,trials\n"
OPENING = b"4HPwATDgc/ABMA,31,%b,36\n" % b" ".join([b"0"] * 16)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (None, "cannot be read"),
        (b"", "is empty"),
        (HEAD, "is empty"),
        (b"\xff\xfe", "cannot be read"),
        (HEAD + b"\0\n", "damaged in line 2|cannot be read"),
        (b"a,b,c\n1,2,3\n", "damaged in line 2"),
        (HEAD + b"4HPwATDgc/ABMA\n", "line 2"),
        (HEAD + OPENING.replace(b"31", b""), "line 2"),
        (HEAD + OPENING.replace(b"31", b"3"), "line 2"),
        (HEAD + OPENING.replace(b"31", b"71"), "line 2"),
        (HEAD + OPENING.replace(b"31", b"xy"), "line 2"),
        (HEAD + OPENING + OPENING.replace(b" 0,", b","), "line 3"),
        (HEAD + OPENING.replace(b" 0,", b" 40000,"), "line 2"),
        (HEAD + OPENING.replace(b" 0,", b" 1e3,"), "line 2"),
        (HEAD + OPENING.replace(b" 0,", b" %b," % (b"9" * 5000)), "line 2"),
        (HEAD + OPENING.replace(b",36", b""), "line 2"),
        (HEAD + OPENING.replace(b",36", b",-36"), "line 2"),
        (HEAD + OPENING.replace(b",36", b",x"), "line 2"),
        (HEAD + OPENING.replace(b"4HPw", b"4HP\xc3\xa4"), "line 2"),
        (HEAD + b"A" * 200_000 + b"\n", "cannot be read"),
    ],
)
def test_a_damaged_file_is_told_in_one_line(tmp_path: Path, data: bytes | None, words: str):
    path = tmp_path / "judged_decisions.csv"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(FormatError, match=words) as caught:
        judged_decisions(path)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


def test_flipped_bits_and_cuts_are_noticed_or_another_equity(tmp_path: Path):
    whole = b"".join(_FILE.read_bytes().splitlines(keepends=True)[:20])
    path = tmp_path / "judged_decisions.csv"
    for damaged in damages(whole, 100):
        path.write_bytes(damaged.data)
        judged_decisions.cache_clear()
        try:
            judged_decisions(path)
        except FormatError as error:
            assert "\n" not in str(error)
