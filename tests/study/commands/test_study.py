"""`gammon study` and `gammon review`."""

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from shutil import copy

import pytest

from gammon.base.files import find_file
from gammon.view import to_json
from gammon.view.tables import plain_text
from gammon_study.library.decks import reference_positions
from gammon_study.library.library import Library
from gammon_study.library.matches import match_list, stored_review
from gammon_study.library.plan import plan_of, progress_of
from gammon_study.library.selection import Selection
from gammon_study.library.stats import groups_of, largest_errors, statistics
from gammon_study.match_files.match_file import read_transcript
from gammon_study.match_files.xg import parse_xgp
from gammon_study.reviews.review import review
from gammon_study.view import view_of
from gammon_study.view.study import errors_view, match_list_view, statistics_view
from tests.boards import FLAT, written
from tests.engine.commands.program import assert_refused, run
from tests.matches import HAND, MATCH5, MATCH5_SGF, reviewed_file
from tests.study.match_files.test_xg import commented_position
from tests.study.view.test_drill import notes

# `gammon study`.


@pytest.fixture(scope="module")
def path(library: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy(library, tmp_path_factory.mktemp("study") / "three.db")


def test_add(tmp_path: Path) -> None:
    call = "study", "add", "--library", str(tmp_path / "l.db"), "--depth", "1", "--workers", "1"
    done = run(*call, str(HAND), str(tmp_path / "no.mat"))
    assert done.exit_code == 0
    assert done.stdout.startswith("1 left out, 1 reviewed; matches in the library ")
    assert done.stderr.startswith("left out: ")
    assert "no.mat' cannot be read" in done.stderr
    assert run(*call, str(HAND)).stdout.endswith(": 1\n")
    assert run(*call, str(tmp_path / "no.mat")).exit_code == 1


def test_stats(path: Path) -> None:
    with Library(path) as library:
        for more, asked, by in (
            ([], Selection(), "player"),
            (["--player", "gnubg"], Selection("gnubg"), "kind"),
            (["--by", "theme"], Selection(), "theme"),
            (["--theme", "prime"], Selection(theme="prime"), "player"),
        ):
            done = run("study", "stats", "--library", str(path), *more)
            view = statistics_view(statistics(library, asked, by))
            assert done.stdout == plain_text(view) + "\n"


def test_plot(path: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    plot = tmp_path / "pr.svg"
    assert run("study", "stats", "--library", str(path), "--plot", str(plot)).exit_code == 0
    assert "<svg" in plot.read_text()


def test_errors(path: Path) -> None:
    more = "--least", "0.02", "--kind", "cube", "--count", "3", "--player", "GNU"
    done = run("study", "errors", "--library", str(path), *more)
    with Library(path) as library:
        asked = Selection(player="gnubg", least=0.02, kind="cube")
        assert done.stdout == plain_text(errors_view(largest_errors(library, asked, 3))) + "\n"


def test_json_has_the_records_of_the_tables(path: Path) -> None:
    with Library(path) as library:
        done = run("study", "stats", "--library", str(path), "--json")
        found = json.loads(done.stdout)
        groups = groups_of(library, Selection(), "player")
        assert [each["name"] for each in found["groups"]] == [each.name for each in groups]
        assert [each["pr"] for each in found["groups"]] == [each.pr for each in groups]
        assert [each["bad"] for each in found["groups"]] == [each.bad for each in groups]
        done = run("study", "errors", "--library", str(path), "--json", "--count", "2")
        found = json.loads(done.stdout)
        errors, count, lost = largest_errors(library, Selection(), 2)
        assert found["errors"] == json.loads(json.dumps([each._asdict() for each in errors]))
        assert (found["count"], found["total_error"]) == (count, lost)
        assert found["schema_version"] == 2


def test_list_and_show(path: Path) -> None:
    with Library(path) as library:
        matches = match_list(library, Selection(player="Bob"))
        done = run("study", "list", "--library", str(path), "--player", "bo")
        assert done.stdout == plain_text(match_list_view(matches)) + "\n"
        done = run("study", "list", "--library", str(path), "--json")
        assert json.loads(done.stdout) == json.loads(json.dumps(to_json(match_list(library))))
        (hand,) = matches.matches
        stored = stored_review(library, hand.match)
    shown = run("study", "show", str(hand.match), "--library", str(path), "--worst", "2").stdout
    assert shown.startswith(run("review", str(HAND), "--depth", "1", "--worst", "2").stdout)
    assert "Decisions for Ann to look at" in shown
    assert " ".join(shown.split()).count("a player of PR 5 loses ") == sum(
        len(figures.look_at) for figures in stored.intervals
    )
    again = json.loads(run("study", "show", str(hand.match), "--library", str(path), "--json").stdout)
    assert again["match"]["digest"] == hand.digest
    assert {name: again[name] for name in again if name not in ("match", "intervals")} == to_json(
        reviewed_file(HAND)
    )
    assert again == json.loads(json.dumps(to_json(stored)))
    alone = run("study", "show", str(hand.match), "--library", str(path), "--player", "an").stdout
    assert ", Ann: " in alone
    assert ", Bob: " not in alone


def test_plan_and_progress(path: Path) -> None:
    with Library(path) as library:
        selection = Selection(player="gnubg")
        plan = plan_of(library, selection)
        progress = progress_of(library, replace(selection, theme="race"), "2026-11")
    for asked, answer in (("plan", plan), ("progress --theme race --day 2026-11", progress)):
        done = run("study", *asked.split(), "--player", "gnu", "--library", str(path))
        assert done.stdout == plain_text(view_of(answer)) + "\n"
        done = run("study", *asked.split(), "--player", "gnu", "--library", str(path), "--json")
        assert json.loads(done.stdout) == json.loads(json.dumps(to_json(answer)))


def test_reference_positions(path: Path, tmp_path: Path) -> None:
    with Library(path) as library:
        positions = reference_positions(library, Selection(kind="play"), 4)
    asked = "study", "reference", "--kind", "play", "--count", "4", "--library", str(path)
    assert run(*asked).stdout == plain_text(view_of(positions)) + "\n"
    assert json.loads(run(*asked, "--json").stdout) == json.loads(json.dumps(to_json(positions)))
    deck = tmp_path / "deck.txt"
    asked = (
        "study",
        "export",
        str(deck),
        "--reference",
        "--kind",
        "play",
        "--count",
        "4",
        "--library",
        str(path),
    )
    assert run(*asked).stdout == f"wrote 4 errors into {deck}\n"
    assert deck.read_text().split() == [position.error.xgid for position in positions.positions]


def test_remove_asks_first(path: Path, tmp_path: Path) -> None:
    some = str(copy(path, tmp_path / "some.db"))
    for answer in ("n\n", ""):
        asked = run("study", "remove", "1", "3", "--library", some, stdin=answer)
        assert asked.exit_code == 1
        assert asked.stdout.startswith("2 matches\n\nMatch  day")
        assert "Remove 2 matches? [y/N]: " in asked.stdout
    assert "matches in the library" in (added := run("study", "add", str(HAND), "--library", some).stdout)
    assert added.endswith(": 3\n")
    assert run("study", "remove", "1", "--library", some, stdin="y\n").stdout.endswith("removed 1 match\n")
    assert run("study", "remove", "2", "3", "2", "--yes", "--library", some).stdout == "removed 2 matches\n"
    asked = "study", "add", str(HAND), "--library", some, "--depth", "1", "--workers", "1"
    assert run(*asked).stdout == f"1 removed before; matches in the library {some}: 0\n"
    assert run(*asked, "--again").stdout == f"1 reviewed; matches in the library {some}: 1\n"


def test_rename_and_merge(path: Path, tmp_path: Path) -> None:
    some, new = str(copy(path, tmp_path / "some.db")), str(tmp_path / "new.db")
    renamed = run("study", "rename", "roo", "Ann", "--library", some).stdout
    assert renamed == "renamed root Ann, in 1 match\n"
    assert (
        run("study", "merge", some, "--library", new).stdout == f"3 merged; matches in the library {new}: 3\n"
    )
    merged = run("study", "list", "--player", "Ann", "--library", new)
    assert merged.stdout.startswith("2 matches\n")
    back = run("study", "rename", "Ann", "--library", new).stdout
    assert back == "restored the names in the files of Ann, in 2 matches\n"
    assert run("study", "list", "--player", "Ann", "--library", new).stdout.startswith("1 match\n")
    assert run("study", "list", "--count", "2", "--library", new).stdout.startswith(
        "The last 2 of 3 matches\n"
    )
    with Library(tmp_path / "empty.db", make=True) as empty:
        done = run("study", "merge", str(empty.path), "--library", new)
        assert done.stdout == f"nothing to add; matches in the library {new}: 3\n"


@pytest.mark.parametrize("name", ["e.csv", "e.json", "e.txt", "e.html", "e.apkg", "folder"])
def test_export(path: Path, tmp_path: Path, name: str) -> None:
    out = tmp_path / name
    least = ("--least", "0") if name == "folder" else ("--count", "4")
    done = run("study", "export", str(out), "--library", str(path), *least)
    count = {"folder": "3 matches", "e.apkg": "4 cards"}.get(name, "4 errors")
    assert done.stdout == f"wrote {count} into {out}\n"
    if name == "e.apkg":
        named = str(tmp_path / "cards")
        run("study", "export", "--anki", named, "--library", str(path), "--count", "4")
        assert Path(named).read_bytes()[:2] == out.read_bytes()[:2] == b"PK"
    if name == "e.json":
        assert len(json.loads(out.read_text())["errors"]) == 4
    if name == "folder":
        again = run("study", "add", str(out), "--library", str(path), "--workers", "1")
        assert again.stdout.startswith("3 already there; ")


def test_one_error_and_one_match_are_one(path: Path, tmp_path: Path) -> None:
    for name, more, count in (("e.csv", ("--count", "1"), "1 error"), ("m", (), "1 match")):
        out = tmp_path / name
        asked = ("--length", "3", *more)
        done = run("study", "export", str(out), "--library", str(path), *asked)
        assert done.stdout == f"wrote {count} into {out}\n"


def test_a_player_without_a_decision_is_known(tmp_path: Path) -> None:
    match, some = tmp_path / "resigned.sgf", str(tmp_path / "l.db")
    match.write_text("(;FF[4]GM[6]PB[Ann]PW[Ben]RU[Crawford]MI[length:3]RE[B+3R];B[31qtst])")
    run("study", "add", str(match), "--library", some, "--depth", "1", "--workers", "1")
    asked = "study", "stats", "--player", "Ben", "--library", some
    assert run(*asked).stdout == "No decision of 1 match answers to that.\n"
    done = run(*asked, "--by", "match").stdout
    assert "Analyzed by gammon, depth 1: 1 match" in done
    theme = run(*asked, "--theme", "prime", "--by", "all").stdout
    assert theme == "No decision of the library answers to that.\n"


def test_old_rows_are_made_again(path: Path) -> None:
    with Library(path) as library:
        before = groups_of(library, Selection(), "theme")
        with library.writing():
            library._base.execute("UPDATE match SET rules = 0")
            library._base.execute("DELETE FROM sums WHERE part = 'theme'")
        assert run("study", "stats", "--library", str(path)).exit_code == 0
        assert groups_of(library, Selection(), "theme") == before


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("add", "Missing argument"), ("add .", "no match files there"),
        (f"add {HAND} --depth 2", "'2' is not"), (f"add {HAND} --workers 0", "--workers"),
        (f"add {HAND} --model no-such", "no-such"), (f"add {HAND} --met no.csv", "no.csv"),
        (f"add {HAND} --seed 4", "--seed without a level that plays games"),
        ("stats --by colour", "'colour'"), ("stats --theme x", "'x' is not one of"),
        ("stats --player Zoe", "player 'Zoe': expected one of "),
        ("stats --player=", "player '': expected one of "),
        ("errors --opponent=", "player '': expected one of "),
        ("stats --since soon", "since 'soon'"), ("stats --length 65", "'--length'"),
        ("stats --theme prime --kind play", "theme and kind: expected one of them"),
        ("stats --plot .", "'.' cannot be written"),
        ("errors --board 6=1,6=2", "'6=2' contradicts a part before it"),
        ("errors --score x", "score 'x'"), ("errors --board 99=1", "expected parts such as"),
        ("errors --least x", "'x' is not a valid"), ("errors --count -1", "--count"),
        ("stats --plot -", "'-': expected a path"),
        ("export", "Missing argument"), ("export out.pdf", "expected a name in .csv"),
        ("export .csv", "'.csv': expected a name in .csv"),
        ("export --anki .apkg", "'.apkg': expected a name in .csv"),
        ("export /dev/null/x.csv", "/dev/null/x.csv"), ("export /dev/null/x", "/dev/null/x"),
        ("export folder --count 4", "--count without a file of errors: it has no effect"),
        ("export folder --reference", "--reference without a file of errors: it has no effect"),
        ("reference --count -1", "--count"), ("reference --score x", "score 'x'"),
        ("show 9", "match 9: the library has no such match"), ("show x", "'x' is not a valid integer"),
        ("show 1 --player Zoe", "player 'Zoe': expected one of "),
        ("show 1 --json --worst 3", "--worst without tables"),
        ("list --count -1", "--count"), ("list --length 65", "'--length'"),
        ("remove", "Missing argument"), ("remove 1 9 --yes", "match 9: the library has no such match"),
        ("rename", "Missing argument"), ("rename Zoe Ann", "player 'Zoe': expected one of "),
        ("rename Ann=", "player 'Ann=': expected one of "), ("rename Ann Bob", "it is the opponent in match"),
        ("plan", "player: expected a name"), ("plan --player Zoe", "player 'Zoe': expected one of "),
        ("progress --player Ann", "progress: expected a theme"),
        ("progress --player Ann --theme race", "day: expected one, as no card"),
        ("progress --player Ann --theme race --day soon", "day 'soon'"),
        ("merge", "Missing argument"), ("merge no.db", "no library yet"),
        (f"merge {MATCH5}", "not a database"),
    ],
)  # fmt: skip
def test_a_mistake_gets_one_line(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    if "--plot ." in line:
        pytest.importorskip("matplotlib")
        done = run("study", *line.split(), "--library", str(path))
        assert done.exit_code == 1
        assert words in done.stderr
        return
    assert_refused(["study", *line.split(), "--library", str(path)], words)


def test_a_library_is_not_merged_into_itself(path: Path) -> None:
    words = "expected another file than --library"
    assert_refused(["study", "merge", str(path), "--library", str(path)], words)


@pytest.mark.parametrize("words", [["study", "stats", "--plot"], ["study", "export"], ["anki", "--out"]])
def test_the_library_is_not_written_over(path: Path, tmp_path: Path, words: list[str]) -> None:
    some = str(copy(path, tmp_path / "some.csv"))
    tag = ["--tag", "openings"] if "anki" in words else []
    assert_refused([*words, some, *tag, "--library", some], "expected another file than --library")


def test_names_are_known_in_any_case_of_any_letters(path: Path, tmp_path: Path) -> None:
    """The two spellings are one player, whose figures both bring."""
    some = copy(path, tmp_path / "names.db")
    with Library(some) as library:
        for match, name in ((1, "\xc9mile"), (2, "\xe9MILE")):
            asked = [name, match]
            library.ask("UPDATE side SET name = ? WHERE side = 0 AND match = ?", asked)
    for said in ("\xe9mile", "\xc9M"):
        options = "--player", said, "--by", "all", "--json"
        done = run("study", "stats", "--library", str(some), *options)
        (group,) = json.loads(done.stdout)["groups"]
        assert group["matches"] == 2


def test_a_library_without_matches_knows_no_player(tmp_path: Path) -> None:
    empty = tmp_path / "empty.db"
    with Library(empty, make=True):
        pass
    asked = ["study", "stats", "--player", "Zoe", "--library", str(empty)]
    assert_refused(asked, "no matches yet: `gammon study add FOLDER`")


@pytest.mark.parametrize("command", ["stats", "stats --json", "errors", "export out.csv"])
def test_a_library_without_matches_says_how_they_come(tmp_path: Path, command: str) -> None:
    """As a drill leaves it that nobody answered."""
    path = tmp_path / "l.db"
    with Library(path, make=True):
        pass
    asked = ["study", *command.split(), "--library", str(path)]
    assert_refused(asked, "no matches yet: `gammon study add FOLDER`")


@pytest.mark.parametrize("command", ["stats", "errors", "export out.csv"])
def test_a_library_that_is_none_gets_one_line(tmp_path: Path, command: str) -> None:
    for name, words in ((tmp_path / "no.db", "no library yet"), (MATCH5, "not a database")):
        assert_refused(["study", *command.split(), "--library", str(name)], words)
        assert_refused(["study", *command.split(), "--library", "~no-such-user/l.db"], "no such home")
    before = MATCH5_SGF.read_bytes()
    assert_refused(["study", "add", str(HAND), "--library", str(MATCH5_SGF)], "not a database")
    assert MATCH5_SGF.read_bytes() == before
    empty = tmp_path / "empty.db"
    empty.touch()
    assert_refused(["study", *command.split(), "--library", str(empty)], "no library yet")
    assert empty.read_bytes() == b""


# `gammon review`.

FILE = str(HAND)


def test_tables_and_json(tmp_path: Path) -> None:
    out = str(tmp_path / "out")
    done = run("review", FILE, "--depth", "1", "--out", out)
    assert done.exit_code == 0
    assert done.stdout.startswith("Ann against Bob")
    again = run("review", FILE, "--depth", "1", "--out", out, "--json")
    assert json.loads(again.stdout) == to_json(reviewed_file(HAND))


def test_it_says_what_it_is_doing(monkeypatch: pytest.MonkeyPatch) -> None:
    """While it reads, too: a session may have 100,000 games."""
    said: list[str] = []

    @contextmanager
    def counted(total: int) -> Iterator[Callable[[float, str], None]]:
        yield lambda done, text: said.append(text)

    monkeypatch.setattr("gammon.view.progress.counted", counted)
    assert run("review", FILE, "--depth", "1").exit_code == 0
    count = len(read_transcript(FILE).games)
    assert said[:count] == ["reading the file, 0 games", "reading the file, 1 game"]
    assert said[-1] == f"{count} of {count}"


def test_one_player(tmp_path: Path) -> None:
    shown = run("review", FILE, "--depth", "1", "--player", "bo", "--worst", "99").stdout
    assert ", Bob: " in shown
    assert ", Ann: " not in shown


def test_a_table(tmp_path: Path) -> None:
    done = run("review", FILE, "--depth", "1", "--met", str(written(FLAT, tmp_path)), "--json")
    assert json.loads(done.stdout) == to_json(review(HAND, depth=1, met=FLAT))


def test_the_report(tmp_path: Path) -> None:
    html, out = tmp_path / "report.html", str(tmp_path / "out")
    options = ["--depth", "1", "--html", str(html), "--rollout-over", "0.1", "--trials", "36"]
    done = run("review", FILE, *options, "--worst", "4", "--out", out)
    assert done.exit_code == 0
    found = review(HAND, depth=1, rollout_over=0.1, trials=36)
    assert html.read_text() == found.page()
    assert "Rolled out: " in done.stdout
    assert (tmp_path / "out" / "rollouts.jsonl").exists()


@pytest.mark.parametrize(
    ("place", "reason"), [("/dev/full", "No space left on device"), (".", "expected the name of a file")]
)
def test_a_report_that_cannot_be_written_takes_no_answer_away(place: str, reason: str) -> None:
    done = run("review", FILE, "--depth", "1", "--html", place)
    assert (done.exit_code, done.stdout) == (1, run("review", FILE, "--depth", "1").stdout)
    assert done.stderr == f"Error: '{place}' cannot be written: {reason}\n"


def test_the_report_does_not_take_the_place_of_the_match(tmp_path: Path) -> None:
    match, link = tmp_path / "hand.mat", tmp_path / "link"
    match.write_bytes(HAND.read_bytes())
    link.symlink_to(match)
    for place in (match, link):
        words = f"--html '{place}': expected another file than FILE"
        assert_refused(["review", str(match), "--depth", "1", "--html", str(place)], words)
    assert match.read_bytes() == HAND.read_bytes()


def test_the_report_does_not_take_the_place_of_another_file_that_is_read(tmp_path: Path) -> None:
    table = written(FLAT, tmp_path)
    model = Path(shutil.copy(str(find_file("leaf", ".safetensors")), tmp_path))
    for option, path in (("--met", table), ("--model", model)):
        before = path.read_bytes()
        asked = ["review", FILE, "--depth", "1", option, str(path), "--html", str(path)]
        assert_refused(asked, f"expected another file than {option}")
        assert path.read_bytes() == before


@pytest.mark.parametrize("name", ["units.jsonl", "rollouts.jsonl", "run.json", "run.lock"])
def test_the_report_does_not_take_the_place_of_what_is_kept(tmp_path: Path, name: str) -> None:
    out = tmp_path / "out"
    run("review", FILE, "--depth", "1", "--out", str(out))
    kept = (out / "units.jsonl").read_bytes()
    asked = "review", FILE, "--depth", "1", "--out", str(out), "--html"
    words = "expected a file that --out does not keep"
    for place in (out / name, out / ".." / "out" / name):
        assert_refused([*asked, str(place)], words)
    assert run(*asked, str(out / "report.html")).exit_code == 0
    assert run(*asked, str(tmp_path / name)).exit_code == 0
    assert (out / "units.jsonl").read_bytes() == kept


def test_json_refuses_what_tables_alone_heed(tmp_path: Path) -> None:
    asked, report = ["review", FILE, "--depth", "1", "--json"], str(tmp_path / "r.html")
    assert_refused(
        [*asked, "--worst", "3"], "--worst without tables (--json leaves them out): it has no effect"
    )
    words = "--player without tables or --html (--json is whole): it has no effect"
    assert_refused([*asked, "--player", "Ann"], words)
    assert run(*asked, "--player", "Ann", "--html", report).exit_code == 0


def test_notes_and_cards_of_positions(tmp_path: Path) -> None:
    library, pasted, out = tmp_path / "l.db", tmp_path / "p.txt", tmp_path / "cards.apkg"
    at = "--library", str(library)
    place = "4HPwATDgc/ABMA"
    assert "No note" in run("study", "note", place, *at).stdout
    noted = run("study", "note", place, "--dice", "31", "--text", "the 5 point", "--tag", "openings", *at)
    assert noted.stdout == run("study", "find", "5 POINT", *at).stdout
    assert noted.stdout == run("study", "find", "--position", place, *at).stdout
    (found,) = json.loads(run("study", "find", "--tag", "openings", "--json", *at).stdout)["notes"]
    assert (found["text"], found["tags"], found["themes"]) == ("the 5 point", ["openings"], ["opening"])
    pasted.write_text(f"{place}\nnonsense\n")
    call = "anki", "--out", str(out), "--depth", "1", *at
    done = run(*call, str(pasted), "--tag", "openings")
    assert done.stdout == f"wrote 2 cards into {out}\n"
    assert done.stderr.startswith("left out: 'nonsense'")
    assert run(*call, "-", stdin=pasted.read_bytes()).stdout == f"wrote 1 card into {out}\n"
    assert run("anki", "--out", str(out), "--depth", "1", "--library", "none.db", str(pasted)).exit_code == 0
    assert_refused([*call], "expected a file or --tag")
    assert_refused([*call, "--tag", "none"], "no positions to make cards of")
    assert_refused(["study", "note", place, "--tag", "a,b", *at], "no comma")


def test_cards_of_positions_of_extreme_gammon(tmp_path: Path) -> None:
    """The comment in a file, and the user's note on its position, are on the card."""
    library, out = tmp_path / "l.db", tmp_path / "cards.apkg"
    at = "--library", str(library)
    (tmp_path / "a.xgp").write_bytes(commented := commented_position(b"why not 24/23?"))
    (tmp_path / "b.xgp").write_bytes(commented[:9000])
    run("study", "note", parse_xgp(commented).position.xgid, "--text", "mine", *at)
    done = run("anki", "--out", str(out), "--depth", "1", *at, *map(str, sorted(tmp_path.glob("*.xgp"))))
    assert done.stdout == f"wrote 1 card into {out}\n"
    assert done.stderr.startswith("left out: '")
    assert "b.xgp'" in done.stderr
    ((_, (*_, back)),) = notes(out, tmp_path)
    assert "why not 24/23?" in back
    assert "mine" in back


def test_me(path: Path) -> None:
    at = "--library", str(path)
    assert "nobody yet" in run("study", "me", *at).stdout
    every = run("study", "errors", *at).stdout
    assert run("study", "me", "gnu", *at).stdout == "gnubg\n"
    mine = run("study", "errors", *at).stdout
    assert mine == run("study", "errors", "--player", "gnubg", *at).stdout != every
    assert run("study", "errors", "--player", "all", *at).stdout == every
    assert run("study", "plan", *at).stdout == run("study", "plan", "--player", "gnubg", *at).stdout
    with Library(path) as library:
        library.ask("UPDATE own SET name = 'Nobody'")
    assert run("study", "errors", *at).stdout == every
    with Library(path) as library:
        library.ask("DELETE FROM own")
