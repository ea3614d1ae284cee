"""The file of a library, whole or not at all, and the rows of a match."""

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from shutil import copy

import pytest

from gammon.base.errors import FormatError, GammonError, SettingError
from gammon.formats.met_file import read_met
from gammon.formats.position import Position
from gammon_study.library.library import _STEPS, Library, StoredMatch
from gammon_study.library.matches import match_list
from gammon_study.library.record import (
    begins,
    day_of,
    digest_of,
    review_of_stored,
    stem_of,
    stems_of,
    tables_of,
)
from gammon_study.match_files.match_file import read_transcript
from gammon_study.match_files.sgf import format_sgf
from gammon_study.match_files.transcript import Action, ActionKind, Transcript
from gammon_study.reviews.choice import ALIKE, ChoiceKind
from gammon_study.reviews.rates import ErrorSums
from gammon_study.reviews.review import review
from gammon_study.reviews.task import review_facts
from tests.matches import HAND, MATCH5, MATCH5_SGF, random_match, reviewed_file
from tests.study.library.libraries import of_version

# The file of a library: whole or not at all, and refused where it is something else.

KEPT = StoredMatch("(;FF[4])", {"depth": 1}, [{"luck": 0.25}])
MATCH = {
    "digest": "d1",
    "file": "a.mat",
    "added": "2026-11-22",
    "played": None,
    "length": 5,
    "games": 1,
    "analysis": "gammon, depth 1",
    "rules": 1,
    "stem": "s",
}
SIDE = {"side": 0, "name": "Ann", "opponent": "Bob", "rolls": 3, "luck": 0.5, "worth": 0.1, "result": None}
#: Is killed in the midst of adding a match.
KILLED = f"""
import os, signal
from gammon_study.library.library import Library
library = Library("study.db")
with library.writing():
    number = library._insert("match", {MATCH!r} | {{"digest": "d2"}})
    library._fill(number, {{"side": [{SIDE!r}] * 1}})
    library._base.execute("PRAGMA cache_spill = 1")
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "study.db"


def test_what_is_kept_comes_back(path: Path) -> None:
    with Library(path, make=True) as library:
        library.add(MATCH, KEPT, {"side": [SIDE]})
    with Library(path) as library:
        assert library.has("d1")
        assert library.stored_match(1) == KEPT
        assert library.ask("SELECT * FROM side") == [{"match": 1, **SIDE, "written": "Ann"}]
        (row,) = library.ask("SELECT * FROM match WHERE length = :length", {"length": 5})
        assert row == {"id": 1, **MATCH}


def test_a_match_takes_the_place_of_another(path: Path) -> None:
    with Library(path, make=True) as library:
        library.add(MATCH, KEPT, {"side": [SIDE]})
        later = KEPT._replace(transcript="(;FF[4]GM[6])")
        library.add(MATCH | {"digest": "d2"}, later, {"side": [SIDE]}, 1)
        assert library.ask("SELECT id, digest FROM match") == [{"id": 1, "digest": "d2"}]
        assert library.stored_match(1) == later
        assert library.ask("SELECT COUNT(*) AS n FROM side") == [{"n": 1}]


def test_a_match_is_there_once_whoever_adds_it(path: Path) -> None:
    """Two processes may both have reviewed it."""
    with Library(path, make=True) as one, Library(path) as other:
        one.add(MATCH, KEPT, {"side": [SIDE]})
        with pytest.raises(GammonError, match="UNIQUE constraint"):
            other.add(MATCH, KEPT, {"side": [SIDE]})
        assert len(other.ask("SELECT * FROM side")) == 1


def test_a_match_that_fails_leaves_nothing(path: Path) -> None:
    with Library(path, make=True) as library:
        with pytest.raises(GammonError, match="UNIQUE constraint"):
            library.add(MATCH, KEPT, {"side": [SIDE, SIDE]})
        for table in ("match", "kept", "side"):
            assert library.ask(f"SELECT * FROM {table}") == []


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal")
def test_a_process_that_is_killed_leaves_whole_matches(path: Path) -> None:
    with Library(path, make=True) as library:
        library.add(MATCH, KEPT, {"side": [SIDE]})
    done = subprocess.run([sys.executable, "-c", KILLED], cwd=path.parent, check=False)
    assert done.returncode == -signal.SIGKILL
    with Library(path) as library:
        assert [row["digest"] for row in library.ask("SELECT digest FROM match")] == ["d1"]
        assert len(library.ask("SELECT * FROM side")) == 1
        assert library.ask("PRAGMA integrity_check") == [{"integrity_check": "ok"}]


def test_rows_are_replaced(path: Path) -> None:
    with Library(path, make=True) as library:
        library.add(MATCH, KEPT, {"side": [SIDE, SIDE | {"side": 1}]})
        library.replace(1, {"rules": 7}, {"side": [SIDE | {"name": "Eve"}]})
        assert [row["name"] for row in library.ask("SELECT name FROM side")] == ["Eve"]
        assert library.ask("SELECT rules FROM match") == [{"rules": 7}]


def test_a_missing_file_is_not_made_to_be_asked(path: Path) -> None:
    with pytest.raises(GammonError, match="no library yet"):
        Library(path)
    assert not path.exists()
    with pytest.raises(SettingError, match="''"):
        Library("")
    with pytest.raises(GammonError, match=r"library 'x.*: File name too long"):
        Library("x" * 300)


def test_an_empty_file_gets_its_tables_where_one_may_be_made(path: Path) -> None:
    """Version 0, as a process leaves it that is killed before the first step."""
    path.touch()
    with pytest.raises(GammonError, match="no library yet"):
        Library(path)
    assert path.read_bytes() == b""
    with Library(path, make=True) as library:
        assert library.ask("SELECT * FROM match") == []


def made(path: Path, *statements: str) -> None:
    base = sqlite3.connect(path)
    for statement in statements:
        base.execute(statement)
    base.commit()
    base.close()


def test_other_files_are_refused_and_stay_as_they_are(path: Path) -> None:
    made(path, "CREATE TABLE tune (name TEXT)")
    before = path.read_bytes()
    with pytest.raises(GammonError, match="SQLite file of something else"):
        Library(path, make=True)
    assert path.read_bytes() == before
    path.write_text("Dear diary, " * 200)
    with pytest.raises(GammonError, match="not a database"):
        Library(path)
    with pytest.raises(GammonError, match="unable to open"):
        Library(path.parent)


def test_a_later_version_is_refused(path: Path) -> None:
    Library(path, make=True).__exit__()
    made(path, "PRAGMA user_version = 99")
    with pytest.raises(GammonError, match=f"a library of version 99, this gammon reads {len(_STEPS)}"):
        Library(path)


@pytest.mark.parametrize("column", ["transcript", "results", "settings"])
def test_damage_is_told_in_one_line(path: Path, column: str) -> None:
    with Library(path, make=True) as library:
        library.add(MATCH, KEPT, {})
        for value in (b"\xff\xfe", None if column == "settings" else "text"):
            if value is not None:
                made(
                    path,
                    f"UPDATE kept SET {column} = x'{bytes(value).hex()}'"
                    if isinstance(value, bytes)
                    else f"UPDATE kept SET {column} = '{value}'",
                )
                with pytest.raises(FormatError, match=r"^('.*': match 1|library '.*') is damaged"):
                    library.stored_match(1)


def test_what_could_not_be_read_again_is_not_added(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    results = KEPT._replace(results=[{"luck": 0.25}] * 20)
    transcript = KEPT._replace(transcript="(;FF[4])" * 40)
    limits = {"transcript": 300, "results": 300}
    monkeypatch.setattr("gammon_study.library.library._MOST", limits)
    with Library(path, make=True) as library:
        for kept in (results, transcript):
            with pytest.raises(FormatError, match=r"^'a\.mat' is too large .* 300 bytes"):
                library.add(MATCH, kept, {"side": [SIDE]})
        assert library.ask("SELECT * FROM match") == []
        full = KEPT._replace(transcript="(;FF[4]".ljust(299, "x") + ")")
        library.add(MATCH, full, {})
        assert library.stored_match(1) == full
        limits["transcript"] = 299
        with pytest.raises(FormatError, match=r"match 1 is too large$"):
            library.stored_match(1)


@pytest.mark.parametrize(
    ("statement", "name"),
    [
        ("CREATE TRIGGER t AFTER INSERT ON match BEGIN DELETE FROM card; END", "trigger 't'"),
        ("CREATE VIEW v AS SELECT 1", "view 'v'"),
        ("CREATE TABLE more (x)", "table 'more'"),
        ("CREATE INDEX i ON match (length + 1)", "index 'i'"),
        ("DROP INDEX match_stem", "index 'match_stem'"),
        ("ALTER TABLE side ADD COLUMN more TEXT", "table 'side'"),
    ],
)
@pytest.mark.parametrize("version", [2, len(_STEPS)])
def test_what_a_stranger_defines_is_refused(path: Path, statement: str, name: str, version: int) -> None:
    """SQLite would run it: a trigger can fill the disk, a view can go on for ever."""
    empty = path.with_name("empty.db")
    Library(empty, make=True).__exit__()
    of_version(empty, path, version)
    made(path, statement.replace("DELETE FROM card", "DELETE FROM side"))
    before = path.read_bytes()
    for make in (False, True):
        with pytest.raises(FormatError, match=f"is damaged: {name} is not as gammon makes it"):
            Library(path, make)
    assert path.read_bytes() == before


def test_a_library_of_each_version_is_read(path: Path) -> None:
    """The steps leave the same tables, from whichever version they begin."""
    empty = path.with_name("empty.db")
    Library(empty, make=True).__exit__()
    for version in range(len(_STEPS)):
        of_version(empty, path, version)
        for _ in range(2):
            with Library(path, make=True) as library:
                assert library.ask("SELECT * FROM card") == []


def contents(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as base:
        return list(base.iterdump())


def test_a_library_of_0_3_is_copied_before_it_changes(path: Path, library: Library) -> None:
    """Each time: the copy of another day stays."""
    old = of_version(library.path, path, 3)
    before = contents(old)
    for name in ("study-version-3.db", "study-version-3-2.db"):
        with Library(old) as opened:
            assert opened.ask("SELECT name, written FROM side WHERE name != written") == []
            assert match_list(opened) == match_list(library)
        assert contents(path.with_name(name)) == before
        copy(path.with_name(name), old)
    assert {file.name for file in path.parent.iterdir()} == {
        "study.db",
        "study-version-3.db",
        "study-version-3-2.db",
    }


#: Is killed between the copy of a library and the end of its steps.
KILLED_IN_A_STEP = """
import os, signal
from gammon_study.library import library
steps = library._take_steps
def killed(base, first, end):
    steps(base, first, end)
    if first:
        os.kill(os.getpid(), signal.SIGKILL)
library._take_steps = killed
library.Library("study.db")
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal")
def test_a_library_of_0_3_survives_a_kill(path: Path, library: Library) -> None:
    before = contents(of_version(library.path, path, 3))
    done = subprocess.run([sys.executable, "-c", KILLED_IN_A_STEP], cwd=path.parent, check=False)
    assert done.returncode == -signal.SIGKILL
    assert contents(path.with_name("study-version-3.db")) == before
    assert contents(path) == before
    with Library(path) as opened:
        assert match_list(opened) == match_list(library)


def test_without_a_copy_nothing_changes(
    path: Path, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextmanager
    def full(copied: Path) -> Iterator[Path]:
        yield Path("/dev/full")
        raise GammonError(f"{copied}: no space is left")

    before = of_version(library.path, path, 3).read_bytes()
    monkeypatch.setattr("gammon_study.library.library.written_whole", full)
    with pytest.raises(GammonError):
        Library(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("table", "change", "said"),
    [
        ("side", "name = x'ff00'", "name is b'"),
        ("side", "rolls = 'many'", "rolls is 'many'"),
        ("side", "luck = 9e999", "luck is inf"),
        ("match", "played = x'ff'", "played is b'"),
        ("match", "played = '../../evil'", r"played is '\.\./\.\./evil', expected a day"),
        ("match", "games = 1.5", "games is 1.5, expected a whole number"),
        ("match", "file = CAST(x'ff' AS TEXT)", "decode"),
    ],
)
def test_values_of_another_type_are_damage(path: Path, table: str, change: str, said: str) -> None:
    with Library(path, make=True) as library:
        library.add(MATCH, KEPT, {"side": [SIDE]})
        made(path, f"UPDATE {table} SET {change}")
        with pytest.raises(GammonError, match=f"^library '.*{said}") as caught:
            library.ask(f"SELECT * FROM {table}")
        assert "\n" not in str(caught.value)


def test_texts_steer_no_terminal(path: Path) -> None:
    settings, results = {"by": "\x1b[31mgnu"}, [{"best": "\x1b[2J8/5"}]
    with Library(path, make=True) as library:
        kept = StoredMatch("(;FF[4]\x1b]0;x\x07)", settings, results)
        library.add(MATCH, kept, {"side": [SIDE | {"name": "\x1b[31mAnn\x9b\u202e"}]})
        (row,) = library.ask("SELECT name FROM side")
        assert row == {"name": "[31mAnn"}
        assert library.stored_match(1) == StoredMatch("(;FF[4]]0;x)", {"by": "[31mgnu"}, [{"best": "[2J8/5"}])


def test_the_folder_of_a_library_is_made(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "l.db"
    with pytest.raises(GammonError, match="no library yet"):
        Library(path)
    assert not path.parent.exists()
    with Library(path, make=True) as library:
        assert library.ask("SELECT * FROM match") == []


@pytest.mark.parametrize("settings", ["3", "[1]", "[" * 100_000])
def test_settings_of_another_shape_are_damage(path: Path, settings: str) -> None:
    with Library(path, make=True) as library:
        library.add(MATCH, KEPT, {})
        made(path, f"UPDATE kept SET settings = '{settings}'")
        with pytest.raises(FormatError, match="match 1 is damaged"):
            library.stored_match(1)


def test_a_library_that_cannot_be_written_says_so(path: Path) -> None:
    Library(path, make=True).__exit__()
    if os.geteuid():
        path.chmod(0o400)
        with Library(path) as library, pytest.raises(GammonError, match="readonly"):
            library.add(MATCH, KEPT, {})


# The rows of a match: its name, its day, and the sums of its review.


def test_a_match_is_known_in_any_format() -> None:
    assert digest_of(read_transcript(MATCH5)) == digest_of(read_transcript(MATCH5_SGF))


def test_it_does_not_matter_who_stands_on_the_left() -> None:
    match = random_match(3, 5)
    turned = replace(
        match,
        players=match.players[::-1],
        games=tuple(
            replace(
                game,
                score=game.score._replace(points=game.score.points[::-1]),
                actions=tuple(each._replace(side=1 - each.side) for each in game.actions),
            )
            for game in match.games
        ),
    )
    assert digest_of(turned) == digest_of(match)


def test_a_resignation_may_stand_for_the_rest_of_a_game() -> None:
    """Of a match whose last game could not be read, its winner is known."""
    whole = read_transcript(MATCH5)
    first = whole.games[0]

    def ended(count: int) -> Transcript:
        last = first.actions[count - 1]
        resigned = Action(ActionKind.RESIGN, 1 - last.side, points=1)
        actions = (*first.actions[:count], resigned)
        return replace(whole, games=(replace(first, actions=actions),))

    saved = replace(whole, games=(replace(first, actions=first.actions[:9]),))
    for count in (1, 3, 9):
        assert begins(ended(count), whole)
        assert not begins(whole, ended(count))
        assert stem_of(ended(count)) in stems_of(whole)
    assert begins(saved, ended(9)), "the resignation came after it was saved"
    assert not begins(ended(9), saved)
    assert digest_of(saved) != digest_of(ended(9))
    assert not begins(ended(9), ended(8))
    given_up = replace(whole, games=(replace(first, actions=ended(1).games[0].actions[-1:]),))
    assert not begins(given_up, whole), "nobody has rolled in it"


def test_a_match_is_known_in_any_case_of_its_names() -> None:
    match = random_match(3, 5)
    other = replace(match, players=("ANN", "bob"))
    assert digest_of(other) == digest_of(match)
    assert stems_of(other) == stems_of(match)
    begun = replace(other, games=match.games[:1])
    assert begins(begun, match)


def test_another_match_has_another_name() -> None:
    match = random_match(3, 5)
    others = [
        replace(match, players=("Ann", "Eve")),
        replace(match, length=5),
        replace(match, games=match.games[:-1]),
        random_match(3, 6),
        replace(match, players=match.players[::-1]),
    ]
    assert len({digest_of(each) for each in (match, *others)}) == len(others) + 1


@pytest.mark.parametrize(
    ("details", "day"),
    [
        ((("EventDate", "2026.1.2"),), "2026-01-02"),
        ((("Date", "on 2026/11/22"),), "2026-11-22"),
        ((("Date", "31.4.2026, 2026-4-31"), ("EventDate", "2026.04.30")), "2026-04-30"),
        ((("EventDate", "2026.13.45"),), None),
        ((("EventDate", "0000.01.01"),), None),
        ((("EventDate", "yesterday"),), None),
        ((("Event", "2026.01.02"),), None),
        ((), None),
    ],
)
def test_the_day(details: tuple[tuple[str, str], ...], day: str | None) -> None:
    assert day_of(Transcript(("a", "b"), 1, (), details)) == day


def test_the_review_is_kept_whole(library: Library) -> None:
    (row,) = library.ask("SELECT id FROM match WHERE file LIKE '%hand.mat'")
    found, fresh = review_of_stored(library.stored_match(row["id"])), reviewed_file(HAND)
    assert (found.choices, found.lucks) == (fresh.choices, fresh.lucks)


def test_sums_are_those_of_the_totals() -> None:
    found = reviewed_file(HAND)
    tables = tables_of(found)
    sums = {(row["side"], row["part"], row["name"]): row for row in tables["sums"]}
    for side in (0, 1):
        totals = found.totals(side)
        expected: dict[tuple[str, str], ErrorSums] = {
            ("all", "all"): totals.all,
            ("all", "plays"): totals.plays,
            ("all", "cube"): totals.cube,
            **{("kind", kind.value): totals.kinds[kind] for kind in ChoiceKind},
        }
        for part, each in expected.items():
            row = sums.get((side, *part))
            if row is None:
                assert each.choices == 0
                continue
            assert (row["counted"], row["wrong"]) == (each.counted, each.wrong)
            assert row["error"] == pytest.approx(each.error)
            assert row["bad"] == each.marks[1] + each.marks[2]
        phases = [row for (who, part, _), row in sums.items() if (who, part) == (side, "phase")]
        assert sum(row["choices"] for row in phases) == totals.all.choices
        assert tables["side"][side]["luck"] == totals.luck
    assert len(tables["error"]) == sum(each.error >= ALIKE for each in found.choices)
    assert all(row["luck"] is None for row in tables_of(found, lucky=False)["side"])


def test_a_match_without_its_end_is_nobodys() -> None:
    """For money each game has an end of its own."""
    whole = reviewed_file(HAND)
    results = [row["result"] for row in tables_of(whole)["side"]]
    assert results == [whole.result(0), whole.result(1)]
    begun = replace(whole.transcript, games=whole.transcript.games[:1])
    assert begun.final_score == (1, 0)
    sides = tables_of(review(begun, depth=1))["side"]
    assert [row["result"] for row in sides] == [None, None]
    score = begun.games[0].score._replace(length=0)
    money = replace(begun, length=0, games=(replace(begun.games[0], score=score),))
    sides = tables_of(review(money, depth=1))["side"]
    assert [row["result"] for row in sides] == [1.0, -1.0]


def test_a_side_without_a_decision_is_there() -> None:
    first = read_transcript(HAND).games[0]
    resigned = Action(ActionKind.RESIGN, 1 - first.actions[0].side, points=3)
    game = replace(first, actions=(first.actions[0], resigned))
    rows = tables_of(review(replace(read_transcript(HAND), games=(game,)), depth=1))["sums"]
    sums = {row["side"]: row for row in rows if (row["part"], row["name"]) == ("all", "all")}
    assert [sums[side]["choices"] for side in (0, 1)] == [resigned.side, 1 - resigned.side]
    assert all(row["choices"] for row in rows if row is not sums[resigned.side])


def test_an_error_is_told_for_the_one_who_decides() -> None:
    """Away scores of a take are those of who takes; boards are seen from the player on roll."""
    found = reviewed_file(MATCH5)
    rows = tables_of(found)["error"]
    takes = [row for row in rows if row["kind"] == "take"]
    assert takes
    for row in takes:
        score = found.transcript.games[row["game"]].score
        assert (row["own"], row["their"]) == (
            5 - score.points[row["side"]],
            5 - score.points[1 - row["side"]],
        )
    for row in rows:
        seen = Position.parse(f"XGID={row['board']}:0:0:1:00:0:0:0:0:10")
        assert seen.points == Position.parse(row["xgid"]).points


def test_damage_is_not_a_review() -> None:
    facts = review_facts(1, "leaf", read_met())
    kept = StoredMatch(format_sgf(random_match(1, 1)), facts, [])
    with pytest.raises(ValueError, match="shorter"):
        review_of_stored(kept)
    with pytest.raises(LookupError):
        review_of_stored(StoredMatch(kept.transcript, {}, []))
