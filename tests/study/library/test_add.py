"""Adding: what becomes of each file, and that nothing is lost or twice."""

import gzip
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from shutil import copy
from typing import Any

import pytest

from gammon.base.errors import FormatError, SettingError, UnfinishedError
from gammon.base.store import Unit
from gammon.formats.met_file import read_met
from gammon.formats.position import Position
from gammon.search import Stop
from gammon.view.tables import plain_text
from gammon_study.library.add import add_match, add_matches, match_files, read_review, refresh
from gammon_study.library.library import Library
from gammon_study.library.notes import note_on, write_note
from gammon_study.library.record import begins, review_of_stored, tables_of
from gammon_study.library.selection import Selection
from gammon_study.library.stats import groups_of
from gammon_study.match_files import match_file
from gammon_study.match_files.match_file import read_transcript, write_transcript
from gammon_study.match_files.transcript import Remark, Transcript
from gammon_study.reviews import imported
from gammon_study.reviews.choice import ChoiceKind
from gammon_study.reviews.imported import depth_of, imported_results, level_words
from gammon_study.reviews.review import review, review_passes
from gammon_study.reviews.task import review_unit
from gammon_study.view.review import review_view
from tests.boards import FLAT, written
from tests.matches import HAND, MATCH5, MATCH5_SGF, SAMPLE, SAMPLE_XG, SHORT, random_match, reviewed_file
from tests.study.library.libraries import FILES, added


def test_files_of_folders(tmp_path: Path) -> None:
    deep = tmp_path / "deep"
    deep.mkdir()
    for name in ("b.MAT", "a.txt", "deep/c.sgf", "deep/d.xg", "deep/e.bgf"):
        (tmp_path / name).touch()
    names = [path.name for path in match_files([tmp_path, tmp_path / "a.txt", deep])]
    assert names == ["c.sgf", "d.xg", "e.bgf", "b.MAT", "a.txt"]


def test_a_match_that_is_there_is_known(tmp_path: Path) -> None:
    other = copy(HAND, tmp_path / "other.mat")
    odd = Path(copy(MATCH5, tmp_path / os.fsdecode(b"\xff.mat")))
    with Library(tmp_path / "l.db", make=True) as library:
        first = added(library, HAND, Path(other), odd)
        assert {Path(each.file).name: each.what for each in first} == {
            "hand.mat": "reviewed",
            "other.mat": "already there",
            odd.name: "reviewed",
        }
        (row,) = library.ask("SELECT file FROM match WHERE length = 5")
        assert row["file"] == str(odd.with_name("\N{REPLACEMENT CHARACTER}.mat"))
        again = added(library, HAND, MATCH5_SGF)
        assert [each.what for each in again] == ["already there", "already there"]
        assert library.ask("SELECT COUNT(*) AS n FROM match") == [{"n": 2}]


def test_what_a_review_has_analyzed_is_not_analyzed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache: dict[str, Any] = {}
    everything = "SELECT * FROM match JOIN kept ON id = kept.match JOIN error ON id = error.match"
    with Library(tmp_path / "files.db", make=True) as files, Library(tmp_path / "l.db", make=True) as library:
        added(files, HAND)
        stopped = Stop()

        def stop(done: int, total: int) -> None:
            if done:
                stopped.set()

        with pytest.raises(UnfinishedError):
            add_match(library, str(HAND), HAND.read_bytes(), cache, stopped, depth=3, on_done=stop)
        assert library.ask("SELECT * FROM match") == []
        assert cache
        list(review_passes(read_transcript(HAND), cache, Stop(), depth=1))
        monkeypatch.setattr("gammon_study.reviews.review.review_unit", None)
        done: list[tuple[int, int]] = []
        fate = add_match(
            library, str(HAND), HAND.read_bytes(), cache, Stop(), 1, on_done=lambda *of: done.append(of)
        )
        assert fate.what == "reviewed"
        assert done[0][0] == 0
        assert done[-1] == (done[0][1],) * 2
        rows, expected = library.ask(everything), files.ask(everything)
        assert [row | {"added": ""} for row in rows] == [row | {"added": ""} for row in expected]
        again = add_match(library, "other.mat", HAND.read_bytes(), {}, Stop(), 1)
        assert again.what == "already there"
        bad = add_match(library, "x.mat", b"Dear diary", {}, Stop(), 1)
        assert (bad.file, bad.what) == ("x.mat", "left out")
        assert bad.detail.startswith("'x.mat': ")


def halves(path: Path, tmp_path: Path) -> list[Path]:
    """Write a match as it was saved in its first game, in its last one, and whole."""
    whole = read_transcript(path)
    last = whole.games[-1]
    paths = []
    for name, games in (
        ("begun", [replace(whole.games[0], actions=whole.games[0].actions[:5])]),
        ("late", [*whole.games[:-1], replace(last, actions=last.actions[:-2])]),
        ("whole", list(whole.games)),
    ):
        games[-1] = replace(games[-1], winner=None, points=0) if name != "whole" else last
        paths.append(tmp_path / f"{name}.mat")
        write_transcript(replace(whole, games=tuple(games)), paths[-1])
    return paths


def test_a_match_goes_on_where_a_part_of_it_is_there(tmp_path: Path) -> None:
    begun, late, whole = halves(HAND, tmp_path)
    tables = "SELECT *, round(error, 9) AS error, 0 AS cost FROM sums ORDER BY part, name, side"
    at_once = Library(tmp_path / "once.db", make=True)
    with Library(tmp_path / "l.db", make=True) as other, at_once as library:
        added(library, whole)
        found = [added(other, path)[0].what for path in (begun, late, whole, late, begun)]
        assert found == ["reviewed", "continued", "continued", "already there", "already there"]
        assert other.ask("SELECT id FROM match") == [{"id": 1}]
        assert other.ask(tables) == library.ask(tables)
        # Neither order of two files in one call leaves both there.
        for order in ((late, whole), (whole, late)):
            with Library(tmp_path / f"{order[0].stem}.db", make=True) as both:
                added(both, *order)
                assert both.ask("SELECT digest FROM match") == other.ask("SELECT digest FROM match")


def test_other_matches_of_the_same_players_are_no_part(tmp_path: Path) -> None:
    """One roll of the first game differs, after the actions that both share."""
    one = read_transcript(MATCH5)
    first = one.games[0]
    actions = list(first.actions[:9])
    two = replace(one, games=(replace(first, actions=tuple(actions[:8])),))
    other = replace(one, games=(replace(first, actions=tuple(actions)),), length=7)
    assert begins(two, one)
    assert not begins(one, two)
    assert not begins(two, other)
    turned = replace(one, players=(one.players[1], one.players[0]))
    assert not begins(turned, one)


def test_a_file_that_was_read_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its bytes, whatever its name; also one whose match came from another file."""
    moved = copy(MATCH5, tmp_path / "moved.mat")
    with Library(tmp_path / "l.db", make=True) as library:
        added(library, MATCH5, MATCH5_SGF)
        added(library, MATCH5_SGF)
        monkeypatch.setattr("gammon_study.library.add.parse_file", None)
        found = added(library, MATCH5, Path(moved), MATCH5_SGF)
        assert [each.what for each in found] == ["already there"] * 3


def test_bad_files_are_left_out_with_a_line_each(tmp_path: Path) -> None:
    bad = tmp_path / "bad.mat"
    bad.write_bytes(bytes(range(256)))
    longest = tmp_path / "long.mat"
    longest.write_text(HAND.read_text().replace("3 point match", "99 point match"))
    with Library(tmp_path / "l.db", make=True) as library:
        found = added(library, tmp_path / "none.mat", bad, longest, tmp_path, HAND)
        assert [each.what for each in found] == ["left out"] * 4 + ["reviewed"]
        for each in found[:4]:
            assert each.detail
            assert "\n" not in each.detail
        assert "99" in found[2].detail


@pytest.mark.parametrize("what", ["good", "cut", "other", "no text", "too large", "no gzip", "deep"])
def test_a_library_that_a_page_saved(what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The matches in the file are added; a damaged file is left out."""
    matches = [{"file": f"\x1b{match.name}\n", "text": match.read_text()} for match in (HAND, SAMPLE)]
    library: Any = {"format": "gammon-library-1", "matches": matches}
    if what == "other":
        library["format"] = "another"
    if what == "no text":
        matches[1]["text"] = 5
    packed = gzip.compress(b"[" * 100_000 if what == "deep" else json.dumps(library).encode())
    saved = tmp_path / "my.json.gz"
    saved.write_bytes({"cut": packed[:-20], "no gzip": b"x"}.get(what, packed))
    if what == "too large":
        monkeypatch.setattr(match_file, "_LONGEST_SAVED", 100)
    with Library(tmp_path / "l.db", make=True) as library:
        fates = added(library, saved, HAND)
    whats = [(fate.file, fate.what) for fate in fates]
    if what == "good":
        assert {*whats} == {
            (f"{saved}: hand.mat", "reviewed"),
            (f"{saved}: sample.mat", "reviewed"),
            (str(HAND), "already there"),
        }
    else:
        assert whats == [(str(saved), "left out"), (str(HAND), "reviewed")]
        assert fates[0].detail.endswith("expected a library that the page without a server saved")


def test_a_file_whose_analysis_cannot_be_taken_leaves_the_others_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(transcript: Transcript, *rest: object) -> list[None]:
        if transcript.length == 5:
            raise FormatError("an action against the rules")
        return []

    monkeypatch.setattr("gammon_study.library.add.imported_results", refuse)
    with Library(tmp_path / "l.db", make=True) as library:
        found = added(library, MATCH5, HAND)
        assert [(each.what, each.detail) for each in found] == [
            ("left out", "an action against the rules"),
            ("reviewed", "gammon, depth 1"),
        ]


def test_who_analyzed_a_file_may_be_unknown(tmp_path: Path) -> None:
    plays = (
        f"{play} E ver 3 0.5 0.1 0.01 0.1 0.01 {equity} 0C 0 1 0.0 1"
        for play, equity in (("lnab", -0.01), ("accd", -0.02))
    )
    path = tmp_path / "short.sgf"
    path.write_text(f"(;GM[6]MI[length:1]PW[A]PB[B];B[21lnab]A[0][{']['.join(plays)}])")
    with Library(tmp_path / "l.db", make=True) as library:
        (found,) = added(library, path)
        assert (found.what, found.detail) == ("kept as analyzed", "another program")
        library.ask("UPDATE match SET rules = 0, analysis = ''")
        assert refresh(library) == 1
        assert library.ask("SELECT analysis FROM match") == [{"analysis": found.detail}]


def test_a_match_that_was_repaired_is_one_match(tmp_path: Path) -> None:
    """Its last game could be read no further, but its winner is known."""
    text = HAND.read_text()
    rows = text[: text.index("\n  4) ")]
    broken, whole = tmp_path / "broken.mat", tmp_path / "whole.mat"
    broken.write_text(f"{rows}\n  4) 22: 13/12\n      Wins 1 point\n")
    whole.write_text(text)
    assert read_transcript(broken).games[0].winner == 0
    for order in ((broken, whole), (whole, broken)):
        with Library(tmp_path / f"{order[0].stem}.db", make=True) as library:
            found = [added(library, path)[0].what for path in order]
            second = "continued" if order[0] == broken else "already there"
            assert found == ["reviewed", second]
            assert library.ask("SELECT id FROM match") == [{"id": 1}]


def test_names_in_either_form_of_an_accent_are_one_player(tmp_path: Path) -> None:
    one, other = tmp_path / "one.mat", tmp_path / "other.mat"
    one.write_text(SHORT.replace("Ann", "Zo\u00eb"))
    other.write_text(SHORT.replace("Ann", "Zoe\u0308"))
    with Library(tmp_path / "l.db", make=True) as library:
        found = [added(library, path)[0].what for path in (one, other)]
        assert found == ["reviewed", "already there"]
        for name in ("zo\u00eb", "ZOE\u0308"):
            (group,) = groups_of(library, Selection(player=name))
            assert group.matches == 1


def test_workers_give_the_same_library(tmp_path: Path, library: Library) -> None:
    tables = "SELECT name, part, sums.error AS e FROM sums ORDER BY part, name, round(e, 9)"
    with Library(tmp_path / "l.db", make=True) as other:
        found = list(add_matches(other, FILES, depth=1, workers=2))
        assert {each.what for each in found} == {"reviewed"}
        assert other.ask(tables) == library.ask(tables)


def test_a_level_says_that_it_analyzed(tmp_path: Path) -> None:
    path = tmp_path / "short.mat"
    path.write_text(SHORT)
    with Library(tmp_path / "l.db", make=True) as library:
        (found,) = add_matches(library, [path], level="roller", seed=2)
        assert (found.what, found.detail) == ("reviewed", "gammon, roller")
        (row,) = library.ask("SELECT id FROM match")
        kept = review_of_stored(library.stored_match(row["id"]))
        assert kept.level == "roller"
        assert kept.choices == review(path, level="roller", seed=2).choices


def test_progress_is_told(tmp_path: Path) -> None:
    said: list[tuple[float, int, str]] = []
    with Library(tmp_path / "l.db", make=True) as library:
        list(add_matches(library, [HAND, MATCH5], depth=1, on_file=lambda *each: said.append(each)))
    assert said[:2] == [(0, 2, "reading hand.mat"), (0, 2, f"reading {MATCH5.name}")], "none is done yet"
    assert [done for done, *_ in said] == sorted(done for done, *_ in said)
    assert said[-1][:2] == (2, 2)


def test_a_depth_that_there_is_not_is_refused_first(tmp_path: Path) -> None:
    refused = pytest.raises(SettingError, match="depth 2")
    with Library(tmp_path / "l.db", make=True) as library, refused:
        list(add_matches(library, [HAND], depth=2))


def test_one_path_is_no_list_of_files(tmp_path: Path) -> None:
    refused = pytest.raises(SettingError, match="expected a list of them")
    with Library(tmp_path / "l.db", make=True) as library, refused:
        list(add_matches(library, HAND))  # type: ignore[arg-type]


def test_rows_by_old_rules_are_made_again(tmp_path: Path) -> None:
    with Library(tmp_path / "l.db", make=True) as library:
        added(library, HAND)
        before = library.ask("SELECT * FROM sums ORDER BY part, name, side")
        note = write_note(library, Position.opening().xgid, "a note")
        with library.writing():
            library._base.execute("UPDATE match SET rules = 0")
            library._base.execute("UPDATE note SET themes = ',race,'")
            library._base.execute("UPDATE sums SET name = 'an old theme' WHERE name = 'run'")
            library._base.execute("UPDATE match SET digest = 'of old', stem = ''")
        assert refresh(library) == 1
        assert library.ask("SELECT * FROM sums ORDER BY part, name, side") == before
        assert note_on(library, note.xgid) == note
        assert refresh(library) == 0
        with library.writing():
            library._base.execute("DELETE FROM seen")
        assert added(library, HAND)[0].what == "already there"


def test_a_match_that_is_damaged_keeps_no_other_from_new_rules(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with Library(tmp_path / "l.db", make=True) as library:
        added(library, HAND, MATCH5)
        rows = library.ask("SELECT * FROM sums WHERE match = 1")
        with library.writing():
            library._base.execute("UPDATE match SET rules = 0, stem = 'of old'")
            library._base.execute("UPDATE kept SET settings = '{}' WHERE match = 1")
        assert refresh(library) == 1
        assert [each.message for each in caplog.records] == [
            f"'{library.path}': match 1 is damaged: its figures were computed by an earlier gammon"
        ]
        stems = [row["stem"] for row in library.ask("SELECT stem FROM match ORDER BY id")]
        assert [stem == "of old" for stem in stems] == [True, False]
        assert refresh(library) == 0
        assert len(caplog.records) == 1, "what is damaged is looked at once"
        assert library.ask("SELECT * FROM sums WHERE match = 1") == rows


@pytest.mark.parametrize(("least", "reviewed"), [(200, 0), (1, 1)])
def test_a_session_that_is_too_large_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, least: int, reviewed: int
) -> None:
    """If that is sure, it is told before the review."""
    reviews = []

    def some(unit: Unit) -> list[Any]:
        reviews.append(unit)
        return review_unit(unit)

    monkeypatch.setattr("gammon_study.library.add.review_unit", some)
    monkeypatch.setattr("gammon_study.library.add._LEAST", least)
    with Library(tmp_path / "l.db", make=True) as library:
        most = {"transcript": 10_000, "results": 10_000}
        monkeypatch.setattr("gammon_study.library.library._MOST", most)
        found = added(library, HAND)
        assert [each.what for each in found] == ["left out"]
        assert found[0].detail.startswith(f"'{HAND}' is too large for a library")
        assert library.ask("SELECT * FROM match") == []
    assert bool(reviews) == reviewed


def renamed(path: Path, folder: Path, players: tuple[str, str]) -> Path:
    """Write a match with other names."""
    match = replace(read_transcript(path), players=players)
    new = folder / f"named-{len(list(folder.iterdir()))}.sgf"
    write_transcript(match, new)
    return new


def test_names_in_another_case_are_the_same_match(tmp_path: Path) -> None:
    one = renamed(HAND, tmp_path, ("\xc9mile", "Bob"))
    other = renamed(HAND, tmp_path, ("\xe9MILE", "BOB"))
    begun = renamed(cut(2, tmp_path / "cut.sgf"), tmp_path, ("Ann", "\xc9mile"))
    rest = renamed(cut(4, tmp_path / "cut.sgf"), tmp_path, ("ANN", "\xe9mile"))
    less = renamed(cut(1, tmp_path / "cut.sgf"), tmp_path, ("ann", "\xc9MILE"))
    with Library(tmp_path / "l.db", make=True) as library:
        found = [added(library, path)[0].what for path in (one, other, begun, rest, less)]
        assert found == ["reviewed", "already there", "reviewed", "continued", "already there"]


def test_doubles_of_earlier_rules_become_one_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of names that differ in case; another match of the same players stays."""
    files = [renamed(HAND, tmp_path, (name, "Bob")) for name in ("Ann", "ANN")]
    files.append(renamed(MATCH5, tmp_path, ("ann", "bob")))
    with Library(tmp_path / "l.db", make=True) as library:
        with monkeypatch.context() as before:
            before.setattr("gammon_study.library.record.folded", str)
            assert [each.what for each in added(library, *files)] == ["reviewed"] * 3
        library.ask("UPDATE match SET rules = 5")
        assert refresh(library) == 3
        assert [row["length"] for row in library.ask("SELECT length FROM match")] == [3, 5]
        assert [each.what for each in added(library, *files)] == ["already there"] * 3
        assert library.ask("SELECT COUNT(DISTINCT match) AS n FROM seen") == [{"n": 2}]


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal")
def test_killed_while_it_adds_nothing_is_lost_and_nothing_twice(tmp_path: Path) -> None:
    """Each run is killed once it has added a match, until a run comes to the end."""
    folder, path = tmp_path / "matches", tmp_path / "l.db"
    folder.mkdir()
    for seed in range(3):
        write_transcript(random_match(1, seed), folder / f"{seed}.mat")
    copy(SAMPLE, folder)
    call = [
        sys.executable, "-m", "gammon", "study", "add", str(folder), "--library", str(path),
        "--depth", "1", "--workers", "1",
    ]  # fmt: skip
    Library(path, make=True).__exit__()
    kills = 0
    with Library(path) as library:
        while len(library.ask("SELECT id FROM match")) < 2:
            before = len(library.ask("SELECT id FROM match"))
            process = subprocess.Popen(call, stdout=subprocess.DEVNULL)
            while len(library.ask("SELECT id FROM match")) == before:
                assert process.poll() is None
                time.sleep(0.005)
            process.kill()
            process.wait()
            kills += 1
        subprocess.run(call, check=True, stdout=subprocess.DEVNULL)
        assert kills
        assert library.ask("PRAGMA integrity_check") == [{"integrity_check": "ok"}]
        rows = library.ask(
            "SELECT (SELECT COUNT(*) FROM kept WHERE match = id) AS kept, "
            "(SELECT COUNT(*) FROM side WHERE match = id) AS sides, "
            "(SELECT SUM(choices) FROM sums WHERE match = id AND part = 'all' AND "
            "sums.name = 'all') AS choices FROM match"
        )
        assert len(rows) == 4
        assert all((row["kept"], row["sides"]) == (1, 2) and row["choices"] for row in rows)


@pytest.mark.nightly
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_fifty_kills_at_any_time_leave_what_an_undisturbed_run_leaves(tmp_path: Path) -> None:
    files, chance = [], random.Random(3)
    for seed in range(8):
        files.append(tmp_path / f"{seed}.sgf")
        match = random_match(1, seed)
        write_transcript(replace(match, remarks={(0, 1): Remark(f"{seed}", "bad")}), files[-1])

    def rows(path: Path) -> dict[str, list[tuple[Any, ...]]]:
        tables = "match", "kept", "side", "sums", "bias", "error", "remark", "seen"
        with closing(sqlite3.connect(path)) as base:
            assert base.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            base.execute("UPDATE match SET added = ''")
            return {table: sorted(base.execute(f"SELECT * FROM {table}")) for table in tables}

    whole = tmp_path / "whole.db"
    with Library(whole, make=True) as library:
        assert {became.what for became in added(library, *files)} == {"reviewed"}
    expected, begun, ended = rows(whole), time.monotonic(), 0
    with Library(tmp_path / "timed.db", make=True) as library:
        added(library, *files)
    usual = time.monotonic() - begun
    path, kills, partly = tmp_path / "0.db", 0, 0
    while kills < 50:
        process = os.fork()
        if not process:
            with Library(path, make=True) as library:
                added(library, *files)
            os._exit(0)
        time.sleep(chance.uniform(0.0, 0.5 * usual))
        os.kill(process, signal.SIGKILL)
        killed = os.waitpid(process, 0)[1] == signal.SIGKILL
        kills += killed
        if path.exists() and path.stat().st_size:
            with closing(sqlite3.connect(path)) as base:
                tables = base.execute("SELECT 1 FROM sqlite_master").fetchall()
                count = base.execute("SELECT COUNT(*) FROM match").fetchone()[0] if tables else 0
                partly += 0 < count < len(files)
        if not killed:  # all matches are there: begin another library
            assert rows(path) == expected
            ended += 1
            path = tmp_path / f"{ended}.db"
    assert partly > 10
    with Library(path, make=True) as library:
        added(library, *files)
    assert rows(path) == expected


def test_a_match_that_was_resigned_before_its_first_roll_is_added(tmp_path: Path) -> None:
    path = tmp_path / "resigned.sgf"
    path.write_text("(;FF[4]GM[6]PB[Ann]PW[Ben]RU[Crawford]RE[B+1R])")
    with Library(tmp_path / "l.db", make=True) as library:
        found = added(library, HAND, path)
        assert {Path(each.file).name: each.what for each in found} == {
            "hand.mat": "reviewed",
            "resigned.sgf": "reviewed",
        }
        assert library.ask("SELECT COUNT(*) AS n FROM match") == [{"n": 2}]
        assert added(library, path)[0].what == "already there"


def cut(count: int, path: Path) -> Path:
    """Write the beginning of a match."""
    whole = read_transcript(MATCH5)
    first = replace(whole.games[0], actions=whole.games[0].actions[:count], winner=None, points=0)
    write_transcript(replace(whole, games=(first,)), path)
    return path


def test_a_match_that_was_saved_after_its_first_roll_is_one_match(tmp_path: Path) -> None:
    counts = 1, 2, 3, 4, 12
    paths = [cut(count, tmp_path / f"{count}.sgf") for count in counts]
    with Library(tmp_path / "l.db", make=True) as library:
        added(library, HAND)
        found = [added(library, path)[0].what for path in (*paths, *paths)]
        assert found == ["reviewed", *["continued"] * 4, *["already there"] * 5]
        assert library.ask("SELECT id FROM match ORDER BY id") == [{"id": 1}, {"id": 2}]
    # One that is whole stays, also where a part of it was added beside it.
    with Library(tmp_path / "other.db", make=True) as library:
        added(library, paths[-1])
        found = [added(library, path)[0].what for path in paths]
        assert found == ["already there"] * 5
        added(library, SAMPLE)
        with library.writing():
            library._base.execute("UPDATE match SET stem = 'of old' WHERE id = 1")
            library._base.execute("DELETE FROM seen")
        assert added(library, paths[-1])[0].what == "already there"


def test_a_match_that_another_process_adds_meanwhile_is_there_once(tmp_path: Path) -> None:
    with Library(tmp_path / "l.db", make=True) as one, Library(tmp_path / "l.db") as other:
        others: list[str] = []

        def add_too(done: float, total: int, text: str) -> None:
            if text.startswith("reviewing") and not others:
                others.extend(each.what for each in added(other, HAND))

        (found,) = add_matches(one, [HAND], depth=1, on_file=add_too)
        assert (others, found.what) == (["reviewed"], "already there")
        assert one.ask("SELECT id FROM match") == [{"id": 1}]


def test_a_match_of_which_nothing_is_kept_is_told_in_one_line(tmp_path: Path) -> None:
    begun, _, whole = halves(HAND, tmp_path)
    with Library(tmp_path / "l.db", make=True) as library:
        added(library, begun)
        with library.writing():
            library._base.execute("DELETE FROM kept")
        found = added(library, whole, MATCH5)
        assert [(Path(each.file).name, each.what) for each in found] == [
            ("whole.mat", "left out"),
            ("match5.mat", "reviewed"),
        ]
        assert found[0].detail.endswith("match 1 is damaged")


def test_a_match_that_is_damaged_meanwhile_leaves_the_others_in(tmp_path: Path) -> None:
    begun, late, _ = halves(HAND, tmp_path)
    with Library(tmp_path / "l.db", make=True) as library:
        added(library, begun)

        def damage(done: float, total: int, text: str) -> None:
            if text.startswith("reviewing"):
                library.ask("DELETE FROM kept WHERE match = 1")

        found = list(add_matches(library, [late, MATCH5], depth=1, on_file=damage))
        assert sorted(each.what for each in found) == ["left out", "reviewed"]


def torn(tmp_path: Path) -> tuple[Path, Path]:
    """Write a match whose first game cannot be read to its end, as text and as SGF."""
    text = HAND.read_text().replace("4) 22: 13/11(2) 6/4(2)", "4) 22: 13/12")
    one, other = tmp_path / "torn.mat", tmp_path / "torn.sgf"
    one.write_text(text)
    match = read_transcript(one)
    assert (len(match.games[0].actions), match.games[0].winner) == (6, 0)
    write_transcript(match, other)
    return one, other


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_match_with_a_game_that_is_cut_is_there_once(tmp_path: Path, order: tuple[int, int]) -> None:
    paths = [torn(tmp_path)[place] for place in order]
    again = tmp_path / "again.mat"
    again.write_text((tmp_path / "torn.mat").read_text() + "\n")
    with Library(tmp_path / "l.db", make=True) as library:
        found = [each.what for path in (*paths, again) for each in added(library, path)]
        assert found == ["reviewed", "already there", "already there"]
        assert library.ask("SELECT id FROM match") == [{"id": 1}]


def test_a_match_that_older_rules_took_for_two_is_one(tmp_path: Path) -> None:
    one, other = torn(tmp_path)
    with Library(tmp_path / "l.db", make=True) as library:
        added(library, one, MATCH5)
        (row,) = library.ask("SELECT * FROM match WHERE length = 3")
        kept = library.stored_match(row["id"])
        tables = tables_of(review_of_stored(kept))
        with library.writing():
            library.add(row | {"id": None, "digest": "of old"}, kept, tables)
            library._base.execute("UPDATE seen SET match = 3 WHERE match = ?", [row["id"]])
            library._base.execute("UPDATE match SET rules = 3")
        assert refresh(library) == 3
        assert len(library.ask("SELECT id FROM match")) == 2
        assert [each.what for each in added(library, one, other)] == ["already there"] * 2
        seen = "SELECT match FROM seen WHERE match NOT IN (SELECT id FROM match)"
        assert library.ask(seen) == []


def test_the_day_and_the_analysis_follow_from_what_is_kept(tmp_path: Path) -> None:
    with Library(tmp_path / "l.db", make=True) as library:
        added(library, HAND, MATCH5_SGF)
        rows = library.ask("SELECT id, played, analysis FROM match ORDER BY id")
        library.ask("UPDATE match SET rules = 0, played = '2026-99-99', analysis = ''")
        assert refresh(library) == 2
        assert library.ask("SELECT id, played, analysis FROM match ORDER BY id") == rows


def test_the_analysis_names_another_network_and_another_table(tmp_path: Path) -> None:
    path = tmp_path / "short.mat"
    path.write_text(SHORT)
    table = written(FLAT, tmp_path)
    names = []
    for number, (model, met) in enumerate(
        (("leaf", None), ("probe", None), ("leaf", table), ("probe", table))
    ):
        with Library(tmp_path / f"{number}.db", make=True) as library:
            (found,) = add_matches(library, [path], depth=1, model=model, met=met)
            names.append(found.detail)
            assert library.ask("SELECT analysis FROM match") == [{"analysis": found.detail}]
    own = "gammon, depth 1"
    assert names == [own, f"{own}, probe", f"{own}, flat", f"{own}, probe, flat"]


def test_results_that_are_nested_without_end_are_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless(kept: object) -> None:
        endless(kept)

    with Library(tmp_path / "l.db", make=True) as library:
        added(library, HAND)
        monkeypatch.setattr("gammon_study.library.add.review_of_stored", endless)
        with pytest.raises(FormatError, match="match 1 is damaged"):
            read_review(library, 1)


def test_what_came_analyzed_is_kept(tmp_path: Path) -> None:
    with Library(tmp_path / "l.db", make=True) as library:
        (found,) = added(library, SAMPLE_XG)
        assert (found.what, found.detail) == ("kept as analyzed", "eXtreme Gammon")
        shown = plain_text(review_view(review_of_stored(library.stored_match(1))))
        assert "\nAnalyzed by eXtreme Gammon\n" in shown
        assert "The file lacks the luck of some rolls" in shown  # of the last one
        review = read_review(library, 1)
        stored = review.transcript.stored or read_transcript(SAMPLE_XG).stored
        for choice in review.choices:
            said = stored.get((choice.game, choice.action))
            if said is None:
                assert not choice.active
            elif choice.kind is ChoiceKind.PLAY and said.plays:
                made = next(each for each in said.plays if each.play == choice.made)
                deep = [each for each in said.plays if each.level >= made.level or each.level == "book"]
                best = max(each.equity for each in deep)
                assert choice.error == pytest.approx(best - made.equity)
            elif choice.values is not None and said.cube is not None:
                assert choice.values[:2] == (said.cube.no_double, said.cube.double_take)
        for luck in review.lucks:
            said = stored[luck.game, luck.action].luck or 0.0
            assert luck.equity == pytest.approx(said, abs=1e-6)


def test_it_is_reviewed_where_that_is_asked_for(tmp_path: Path) -> None:
    with Library(tmp_path / "l.db", make=True) as library:
        for again, what, by in (
            (False, "kept as analyzed", "eXtreme Gammon"),
            (True, "reviewed", "gammon, depth 1"),
            (True, "already there", ""),
            (False, "already there", ""),
        ):
            (found,) = added(library, SAMPLE_XG, again=again)
            assert (found.what, found.detail) == (what, by)
        (row,) = library.ask("SELECT id, analysis FROM match")
        assert row == {"id": 1, "analysis": "gammon, depth 1"}


def test_an_analysis_that_lacks_a_play_is_not_one() -> None:
    """GNU Backgammon's file has cube decisions alone; a text has nothing."""
    results = imported_results(read_transcript(MATCH5_SGF), read_met(), 1)
    assert {result.get("level") for result in results if result} == {"GNU 0-ply", None}
    assert all("values" in result or result["count"] == 1 for result in results if result)
    assert not imported_results(read_transcript(HAND), read_met(), 1)


def test_a_forced_play_without_an_analysis_has_its_static_value() -> None:
    own = reviewed_file(MATCH5_SGF).choices
    taken = review(MATCH5_SGF, depth=1, imported=True).choices
    forced = [number for number, choice in enumerate(taken) if len(choice.plays) == 1]
    assert len(forced) > 20
    for number in forced:
        assert taken[number] == own[number]


def test_a_decision_is_taken_where_its_analysis_is_as_deep_as_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """XG's 2-ply is depth 3, and its 3-ply depth 5; forced plays need no analysis."""
    transcript = read_transcript(SAMPLE_XG)
    known = {depth: imported_results(transcript, read_met(), depth) for depth in (1, 3, 5)}
    levels = {depth: {r["level"] for r in known[depth] if r and "values" in r} for depth in known}
    assert levels == {1: {"XG 2-ply", "XG 3-ply"}, 3: {"XG 2-ply", "XG 3-ply"}, 5: {"XG 3-ply"}}
    assert None not in known[3]
    assert 0 < sum(map(bool, known[5])) < len(known[5])
    # As if all of it were two plies shallower: the review to depth 3 is then as that to depth 5.
    monkeypatch.setattr(imported, "depth_of", lambda *level: depth_of(*level) - 2)
    assert imported_results(transcript, read_met(), 3) == known[5]
    with Library(tmp_path / "l.db", make=True) as library:
        (became,) = add_matches(library, [SAMPLE_XG], depth=3)
        assert became.what == "reviewed"
        assert became.detail == "gammon, depth 3, in part eXtreme Gammon"
        taken = read_review(library, 1)
    own = review(SAMPLE_XG, depth=3)
    assert len(own.choices) == len(taken.choices)
    for mine, choice in zip(own.choices, taken.choices, strict=True):
        assert choice.level or choice._replace(level="") == mine
        for play in choice.plays if choice.level else ():
            assert play.level.startswith("XG ") or len(choice.plays) == 1
    assert review(SAMPLE_XG, depth=3, imported=True).choices == taken.choices


def test_the_best_play_is_as_deep_as_the_one_that_was_made() -> None:
    for result in imported_results(read_transcript(SAMPLE_XG), read_met(), 3):
        if result and len(result.get("plays", ())) > 1:
            levels = {play: level for play, _, _, level in result["plays"]}
            shallow = [level for level in levels.values() if level == "XG 1-ply"]
            assert list(levels.values())[len(levels) - len(shallow) :] == shallow
            assert levels[result["best"]] != "XG 1-ply"


@pytest.mark.parametrize(
    ("program", "level", "depth", "words"),
    [
        ("eXtreme Gammon", "3-ply", 5, "XG 3-ply"),
        ("eXtreme Gammon", "XG Roller+", 7, "XG Roller+"),
        ("eXtreme Gammon", "rollout", float("inf"), "XG rollout"),
        ("GNU Backgammon 1.07.001", "2-ply", 5, "GNU 2-ply"),
        ("BGBlitz", "2-ply", 3, "BGBlitz 2-ply"),
        ("another program", "0-ply, cubeless", 1, "another program 0-ply, cubeless"),
        ("BGBlitz", "", 0, "BGBlitz"),
    ],
)
def test_levels_of_other_programs(program: str, level: str, depth: float, words: str) -> None:
    assert (depth_of(program, level), level_words(program, level)) == (depth, words)
