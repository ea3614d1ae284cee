"""The matches of a library: listed, removed, renamed and merged; nothing is lost or twice."""

import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from shutil import copy

import pytest

from gammon.base.errors import SettingError
from gammon_study.library.add import merge, read_review
from gammon_study.library.library import Library
from gammon_study.library.matches import (
    MatchList,
    match_list,
    match_number,
    remove_matches,
    rename_player,
    stored_review,
)
from gammon_study.library.selection import Selection
from gammon_study.library.stats import groups_of, largest_errors
from gammon_study.match_files.match_file import read_transcript, write_transcript
from tests.matches import HAND, MATCH5, MATCH5_SGF, SAMPLE, reviewed_file
from tests.study.library.libraries import FILES, added

CARD = {"ask": "play", "xgid": "x", "deck": "errors", "note": "", "state": "{}", "due": "", "lost": 0.0}


@pytest.fixture
def own(library: Library, tmp_path: Path) -> Path:
    """A library of the three matches that a test may change."""
    return Path(copy(library.path, tmp_path / "own.db"))


def files_of(library: Library, selection: Selection | None = None) -> list[str]:
    return [Path(match.file).name for match in match_list(library, selection).matches]


def without_numbers(library: Library) -> MatchList:
    matches = [match._replace(match=0, added="") for match in match_list(library).matches]
    return MatchList(sorted(matches, key=lambda match: match.digest), len(matches))


def test_the_list_has_the_estimates_of_the_reviews(library: Library) -> None:
    matches = {Path(match.file): match for match in match_list(library).matches}
    assert list(matches) == [SAMPLE, HAND, MATCH5], "by their days"
    for path, match in matches.items():
        found = reviewed_file(path)
        assert match.players == found.transcript.players
        assert (match.length, match.games) == (found.transcript.length, len(found.transcript.games))
        for side in (0, 1):
            totals = found.totals(side).all
            assert match.prs[side] == pytest.approx(totals.pr)
            assert match.decisions[side] == totals.counted
        assert match.won == ((found.result(0) or 0) > 0)
        assert match.event == dict(found.transcript.details).get("Event", "")


@pytest.mark.parametrize("event", ["Nordic Open", "a;b) [c] \\ (;d", "x" * 3000, "y" * 5000])
def test_an_event_is_read_from_the_beginning_of_a_match(tmp_path: Path, event: str) -> None:
    """A longer one than 4,000 characters is not looked for."""
    path = tmp_path / "match.mat"
    write_transcript(replace(read_transcript(HAND), details=(("Round", "1"), ("Event", event))), path)
    with Library(tmp_path / "l.db", make=True) as library:
        added(library, path)
        (match,) = match_list(library).matches
        assert match.event == (event if len(event) < 4000 else "")
        library.ask("UPDATE kept SET transcript = x'789c00'")
        (match,) = match_list(library).matches
        assert match.event == ""
        assert match_number(library, match.digest) == match.match


def test_who_is_selected_comes_first(library: Library) -> None:
    (hand,) = match_list(library, Selection(length=3)).matches
    for selection in (Selection(player="bob"), Selection(opponent="ANN")):
        (match,) = match_list(library, selection).matches
        assert match == hand._replace(
            players=("Bob", "Ann"), prs=hand.prs[::-1], decisions=hand.decisions[::-1], won=False
        )
    assert files_of(library, Selection(since="2026-02", until="2026-02")) == ["hand.mat"]
    assert files_of(library, Selection(player="Zoe")) == []
    last = match_list(library, most=2)
    assert last == (match_list(library).matches[1:], 3)
    assert match_list(library, most=9) == match_list(library)
    assert match_list(library, most=0) == ([], 3)
    with pytest.raises(SettingError, match="library has no such match"):
        match_number(library, "no such digest")


def test_a_removed_match_stays_out(own: Path, library: Library) -> None:
    """Whatever its file; until it is added again on purpose."""
    with Library(own) as some:
        number = match_number(some, match_list(library, Selection(length=5, player="root")).matches[0].digest)
        errors = largest_errors(some, Selection()).number
        assert remove_matches(some, [number, number]) == 1
        assert files_of(some) == ["sample.mat", "hand.mat"]
        assert largest_errors(some, Selection(player="root")).number == 0
        assert largest_errors(some, Selection()).number < errors
        for table in ("kept", "seen", "side", "sums", "error"):
            assert some.ask(f"SELECT 1 FROM {table} WHERE match = ?", [number]) == []
        assert [each.what for each in added(some, MATCH5, MATCH5_SGF)] == ["removed before"] * 2
        assert [each.what for each in merge(some, library)].count("removed before") == 1
        assert len(files_of(some)) == 2
        assert [each.what for each in added(some, MATCH5_SGF, again=True)] == ["reviewed"]
        assert [each.what for each in added(some, MATCH5)] == ["already there"]
        assert [each.what for each in merge(some, library)] == ["already there"] * 3
        assert remove_matches(some, [match.match for match in match_list(some).matches]) == 3
        assert [each.what for each in merge(some, library)] == ["removed before"] * 3


def test_all_are_removed_or_none(own: Path) -> None:
    with Library(own) as some:
        with pytest.raises(SettingError, match="match 99: the library has no such match"):
            remove_matches(some, [1, 99])
        assert len(files_of(some)) == 3
        assert some.ask("SELECT * FROM removed") == []


def test_a_player_gets_another_name_in_all_matches(own: Path, tmp_path: Path, library: Library) -> None:
    before, digests = match_list(library), {match.digest for match in match_list(library).matches}
    with Library(own) as some:
        assert rename_player(some, "ROOT", " Ann ") == 1
        (group,) = groups_of(some, Selection(player="Ann"))
        assert group.matches == 2
        assert files_of(some, Selection(opponent="ann")) == ["hand.mat", "match5.mat"]
        assert {match.digest for match in match_list(some).matches} == digests
        number = match_number(some, match_list(some, Selection(opponent="gnubg")).matches[0].digest)
        assert stored_review(some, number).review.transcript.players == ("gnubg", "Ann")
        assert read_review(some, number).transcript.players == ("gnubg", "root")
        # A match that comes later, and rows that are derived again.
        match = read_transcript(SAMPLE)
        write_transcript(replace(match, players=("Root", "Eve")), tmp_path / "later.mat")
        assert added(some, tmp_path / "later.mat")[0].what == "reviewed"
        assert files_of(some, Selection(player="Ann", opponent="Eve")) == ["later.mat"]
        # All three now have a third name, and then the names of their files.
        assert rename_player(some, "Ann", "\xc9mile") == 3
        assert len(files_of(some, Selection(player="\xe9MILE"))) == 3
        assert rename_player(some, "\xe9mile", None) == 3
        assert some.ask("SELECT * FROM renamed") == []
        assert files_of(some, Selection(player="root")) == ["later.mat", "match5.mat"]
        remove_matches(some, [match_list(some, Selection(player="Eve")).matches[0].match])
        assert match_list(some) == before


def test_two_players_of_a_match_stay_two(own: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with Library(own) as some:
        rename_player(some, "root", "Ann")
        match = replace(read_transcript(SAMPLE), players=("ANN", "Root"))
        write_transcript(match, tmp_path / "both.mat")
        added(some, tmp_path / "both.mat")
        assert caplog.messages == [
            "a match of 'ANN' and 'Root' keeps these names: you call both of them 'ANN'"
        ]
        assert files_of(some, Selection(player="Ann", opponent="Ann")) == []
        assert files_of(some, Selection(player="Ann", opponent="root")) == ["both.mat"]


@pytest.mark.parametrize(
    ("name", "called", "said"),
    [
        ("Ann", "BOB", "name 'BOB': it is the opponent in match"),
        ("Zoe", "Ann", "player 'Zoe': no match has this player"),
        ("Ann", " \x1b", "expected 1 to 100 characters"),
        ("Ann", "x" * 101, "expected 1 to 100 characters"),
    ],
)
def test_a_name_that_cannot_be_is_refused(own: Path, name: str, called: str, said: str) -> None:
    with Library(own) as some:
        before = match_list(some)
        with pytest.raises(SettingError, match=said):
            rename_player(some, name, called)
        assert match_list(some) == before
        assert rename_player(some, "ann", "ANN") == 1, "another case is no other player"


def test_a_merge_is_a_union(tmp_path: Path, library: Library) -> None:
    with Library(tmp_path / "one.db", make=True) as one, Library(tmp_path / "other.db", make=True) as other:
        added(one, HAND, MATCH5)
        added(other, SAMPLE, MATCH5_SGF)
        assert [each.what for each in merge(one, other)] == ["merged", "already there"]
        assert without_numbers(one) == without_numbers(library)
        for question in ("error", "sums"):
            rows = (
                f"SELECT {question}.* FROM {question} JOIN match ON match = id ORDER BY digest, error, name"
            )
            rows = rows.replace(", name", "" if question == "error" else ", name, part, side")
            merged, wanted = ([{**row, "match": 0} for row in each.ask(rows)] for each in (one, library))
            assert merged == wanted
        for match in match_list(one).matches:
            again = match_number(library, match.digest)
            assert one.stored_match(match.match) == library.stored_match(again)
        assert [each.what for each in merge(one, other)] == ["already there"] * 2
        assert [each.what for each in added(one, *FILES, MATCH5_SGF)] == ["already there"] * 4


def test_the_longer_version_remains(tmp_path: Path) -> None:
    whole = read_transcript(HAND)
    begun = tmp_path / "begun.mat"
    first = replace(whole.games[0], winner=None, points=0, actions=whole.games[0].actions[:7])
    write_transcript(replace(whole, games=(first,)), begun)
    with Library(tmp_path / "one.db", make=True) as one, Library(tmp_path / "other.db", make=True) as other:
        added(one, begun)
        added(other, HAND)
        assert [each.what for each in merge(other, one)] == ["already there"]
        assert [each.what for each in merge(one, other)] == ["continued"]
        assert without_numbers(one) == without_numbers(other)


def test_cards_names_and_removals_come_along(own: Path, tmp_path: Path, library: Library) -> None:
    """Of a card the one that was answered more often; no player of this library gets a name."""
    with Library(own) as some, Library(tmp_path / "new.db", make=True) as new:
        added(new, HAND)
        rename_player(some, "Ann", "Zoe")
        rename_player(some, "root", "Max")
        remove_matches(some, [match_list(some, Selection(player="Jade1")).matches[0].match])
        for xgid, answers, mine in (("x", 1, 2), ("y", 2, 1), ("z", 1, 0)):
            some.keep_card({**CARD, "xgid": xgid, "answers": answers})
            if mine:
                new.keep_card({**CARD, "xgid": xgid, "answers": mine})
        assert [each.what for each in merge(new, some)] == ["already there", "merged"]
        assert [row["answers"] for row in new.ask("SELECT answers FROM card ORDER BY xgid")] == [2, 2, 1]
        assert files_of(new, Selection(player="Max")) == ["match5.mat"]
        assert files_of(new, Selection(player="Ann")) == ["hand.mat"]
        assert [each.what for each in merge(new, library)].count("removed before") == 1


def test_a_damaged_match_leaves_the_others_in(own: Path, tmp_path: Path) -> None:
    """Also one that is not the match of its digest."""
    with Library(own) as some, Library(tmp_path / "new.db", make=True) as new:
        first, second, _ = (match.match for match in match_list(some).matches)
        some.ask("UPDATE kept SET results = x'00' WHERE match = ?", [first])
        some.ask("UPDATE match SET digest = 'another' WHERE id = ?", [second])
        results = list(merge(new, some))
        assert sorted(each.what for each in results) == ["left out", "left out", "merged"]
        for each in results:
            assert each.what == "merged" or each.detail.endswith("is damaged")
        assert files_of(new) == ["match5.mat"]


#: Is killed after so many rows of a merge.
KILLED = """
import os, signal, sys
from gammon_study.library.library import Library
from gammon_study.library.add import merge
left = int(sys.argv[2])
insert = Library._insert
def killed(self, table, row, how="INSERT"):
    global left
    left -= 1
    if left < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return insert(self, table, row, how)
Library._insert = killed
with Library(sys.argv[1]) as source, Library("new.db", make=True) as new:
    list(merge(new, source))
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal")
def test_a_merge_that_is_killed_goes_on(tmp_path: Path, library: Library) -> None:
    codes = []
    for changes in (0, 30, 120, 250):
        command = [sys.executable, "-c", KILLED, str(library.path), str(changes)]
        codes.append(subprocess.run(command, cwd=tmp_path, check=False).returncode)
        with Library(tmp_path / "new.db", make=True) as new:
            for match in match_list(new).matches:
                assert read_review(new, match.match).choices
    assert codes == [-signal.SIGKILL] * 3 + [0]
    with Library(tmp_path / "new.db") as new:
        assert without_numbers(new) == without_numbers(library)
