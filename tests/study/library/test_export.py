"""Files for other programs."""

import csv
from dataclasses import replace
from pathlib import Path

import pytest

from gammon.formats.position import Position
from gammon_study.library.ask import Selection
from gammon_study.library.errors import errors_found
from gammon_study.library.export import FORMATS, write_matches
from gammon_study.library.library import Library
from gammon_study.match_files.match_file import read_transcript, write_transcript
from tests.matches import random_match
from tests.study.library.libraries import FILES, added


def test_errors(library: Library) -> None:
    found, _, _ = errors_found(library, Selection(kind="play"), 7)
    rows = list(csv.DictReader(FORMATS[".csv"](found).splitlines()))
    for row, error in zip(rows, found, strict=True):
        assert (row["xgid"], float(row["error"])) == (error.xgid, error.error)
        assert row["themes"] == ", ".join(error.themes)
    ids = FORMATS[".txt"](found).splitlines()
    assert [Position.parse(each).xgid for each in ids] == [error.xgid for error in found]


def test_a_spreadsheet_runs_no_name(library: Library) -> None:
    (error,), _, _ = errors_found(library, Selection(), 1)
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
    [Selection(least=least) for least in (0.5, 5.0)]
    + [Selection(theme="back game"), Selection(kind="pass")],
)
def test_matches_are_those_that_have_such_errors(
    library: Library, tmp_path: Path, asked: Selection
) -> None:
    paths = write_matches(library, asked, tmp_path)
    found = errors_found(library, asked).errors
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
