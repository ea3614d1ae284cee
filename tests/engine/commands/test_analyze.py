"""`gammon analyze`, `show` and `rollout`, and how a command takes positions."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

import gammon
from gammon.base.errors import FormatError
from gammon.commands.shared import TakesPosition, read_position
from tests.engine.commands.program import OPENING, OPENING_31, assert_refused, first_words, run
from tests.engine.formats.test_pasted import BARE, BOTH, ID, MATCH, XGID

# `gammon analyze`, by a person and by a program.


def test_table() -> None:
    done = run("analyze", OPENING_31, "--depth", "3")
    assert done.exit_code == 0
    assert "13-14-15-16-17-18" in done.output
    assert OPENING in done.output
    assert OPENING_31 in done.output
    assert "depth 3 (GNU Backgammon's 1-ply, XG's 2-ply)" in done.output
    lines = done.output.splitlines()
    assert any(line.split()[:3] == ["1.", "8/5", "6/5"] and "exact" in line for line in lines)
    assert any(line.split()[0] == "10." for line in lines if line)
    assert any("more, from -" in line for line in lines)
    assert "\x1b" not in done.output, "piped output must be plain"


def test_stats_are_told_where_they_are_asked_for() -> None:
    for more in ([], ["--dice", "31"], ["--rolls"]):
        asked = ["analyze", OPENING, "--depth", "3", *more]
        plain, told = run(*asked).output, run(*asked, "--stats").output
        assert "nodes" not in plain
        assert told.startswith(plain)
        bounds = r"\n  Play +Equity at most\n(  .* -0\.\d{4}\n)+" if "31" in more else ""
        work = r"\n  nodes [\d,]+, leaves [\d,]+, .* s; width 0\.\d{3}\n"
        assert re.fullmatch(bounds + work, told[len(plain) :])
    exact = ["analyze", "XGID=-A----------------------b-:0:0:1:00:0:0:0:0:10"]
    assert run(*exact, "--stats").output == run(*exact).output


@pytest.mark.smoke
def test_stakes() -> None:
    options = ["analyze", OPENING, "--dice", "31", "--depth", "1", "--stakes"]
    assert "cubeless, stakes gammon-go" in run(*options, "gammon-go").output
    assert "cubeless, money" in run(*options, "1,2,3,-1,-2,-3").output
    answer = json.loads(run(*options, "1,3,3,-1,-1,-1", "--json").output)
    assert answer["payoffs"] == gammon.parse_stakes("gammon-go").payoffs._asdict()
    engine = gammon.Engine(depth=1, stakes="gammon-go")
    best = engine.analyze(gammon.Position.opening(), (3, 1)).candidates[0]
    assert answer["candidates"][0]["equity"] == best.equity


def test_plays_that_are_named_are_compared() -> None:
    options = ["analyze", OPENING, "--dice", "31", "--depth", "3", "--top", "1"]
    plays = ["--play", "13-10 8-7", "--play", "24/20", "--play", "8/7 13/10"]
    answer = json.loads(run(*options, *plays, "--json").output)
    named = {each["play"]: each for each in answer["candidates"] if each["named"]}
    assert set(named) == {"13/10 8/7", "24/20"}
    lines = run(*options, *plays).output.splitlines()
    head = next(n for n, line in enumerate(lines) if "Equity" in line.split())
    rows = [line for line in lines[head + 1 :] if "exact" in line]
    assert [row.split()[1:3] for row in rows] == [
        ["8/5", "6/5"],
        ["24/20", f"{named['24/20']['equity']:+.4f}"],
        ["13/10", "8/7"],
    ]
    full = json.loads(run(*options[:-1], "99", "--json").output)["candidates"]
    for each in full:
        if each["play"] in named:
            assert named[each["play"]]["equity"] == pytest.approx(each["equity"], abs=1e-12)
            assert named[each["play"]]["loss"] == pytest.approx(each["loss"], abs=1e-12)


def test_what_is_left_out_is_said() -> None:
    asked = "XGID=-b----E-C---eE---c-e----B-:1:1:-1:D:2:4:0:7:10"
    words = [
        "`gammon analyze` with the cube decides whether to take the double; "
        "shown is O's best play of each roll.",
        "Score and cube not taken into account: X 2, O 4 in a match to 7; X's cube at 2.",
    ]
    cubeless = ["analyze", asked, "--depth", "1", "--cubeless"]
    output = run(*cubeless).output
    lines = [line.strip() for line in output.splitlines()]
    assert all(lines.count(each) == 1 for each in words)
    assert "O is on roll: the board and the plays are seen from O's side." in lines
    assert asked in lines
    answer = json.loads(run(*cubeless, "--json").output)
    assert (answer["cubeful"], answer["notes"]) == (False, words)


@pytest.mark.smoke
def test_the_cube_decision() -> None:
    options = ["analyze", OPENING, "--depth", "1", "--match", "7", "--score", "5-4"]
    answer = json.loads(run(*options, "--json").output)
    away = {"length": 7, "away": [2, 3], "crawford": False, "cube": 1, "owner": 0}
    assert answer["terms"] == away | {"jacoby": False, "beavers": False}
    position = gammon.Position.opening().with_terms(gammon.Terms(7, (2, 3)))
    decision = gammon.Engine(depth=1).cube(position)
    found = answer["cube"]
    for name in ("no_double", "double_take", "double_pass"):
        value = getattr(decision, name)
        assert found[name] == {"equity": value.equity, "mwc": value.mwc, "kind": value.kind, "error": None}
    assert found["verdict"] == decision.verdict == "no double, take"
    assert answer["probabilities"] == decision.probabilities._asdict()
    table = run(*options).output
    assert "Verdict: no double, take" in table
    assert "X 5, O 4 in a match to 7 (2-away 3-away), centred cube." in table


def test_the_answer_to_a_double() -> None:
    asked = "XGID=-b----E-C---eE---c-e----B-:1:-1:-1:D:2:4:0:7:10"
    output = run("analyze", asked, "--depth", "1").output
    assert "O has doubled" in output
    assert "Verdict: take by X (no redouble, take)" in output


def test_many_from_standard_input() -> None:
    lines = f"{OPENING_31}\n\nrubbish\n4HPwATDgc/ABMé\n\udcff\n{OPENING}\n"
    done = run("analyze", "-", "--depth", "1", stdin=lines.encode(errors="surrogateescape"))
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    dice = [answer.get("dice", "bad") for answer in answers]
    assert dice == ["31", "bad", "bad", "bad", None]
    assert "rubbish" in answers[1]["error"]
    assert done.exit_code == 1
    assert "3 of the lines" in done.stderr


def test_queries() -> None:
    """Each answer has its id, the options are what a query leaves out, and texts still are."""
    lines = [
        {"id": "a", "position": OPENING, "dice": "64", "depth": 1, "top": 1, "plays": ["24/14"]},
        {"id": 2, "position": OPENING_31, "interim": True},
        {"position": OPENING, "rolls": True, "depth": 1},
        {"id": "d", "position": OPENING, "depth": 1},
        {"id": "e", "position": OPENING, "dice": "77"},
        {"id": "f", "position": OPENING, "depth": 2},
    ]
    stdin = "".join(f"{json.dumps(line)}\n" for line in lines) + OPENING_31
    done = run("analyze", "-", "--json", "--depth", "3", "--dice", "61", stdin=stdin)
    assert done.exit_code == 1
    assert "2 of the lines" in done.stderr or "3 of the lines" in done.stderr
    found = [json.loads(line) for line in done.stdout.splitlines()]
    by_id = {str(each.get("id", "text")): each for each in found}
    assert by_id["a"]["candidates"][0]["depth"] == 1
    assert any(each["named"] for each in by_id["a"]["candidates"])
    assert [each["depth"] for each in found if each.get("id") == 2] == [1, 3]
    assert [each["interim"] for each in found if each.get("id") == 2] == [True, False]
    assert "with the roll 61" in by_id["None"]["error"]
    assert by_id["d"]["dice"] == "61"
    assert "77" in by_id["e"]["error"]
    assert "depth 2" in by_id["f"]["error"]
    assert (by_id["text"]["dice"], by_id["text"]["depth"]) == ("61", 3)


def test_options_that_count_for_some_lines_are_taken() -> None:
    line = json.dumps({"position": OPENING, "noise": 0.1, "depth": 1})
    options = ["--seed", "4", "--noise-seed", "9", "--top", "2", "--jacoby"]
    assert run("analyze", "-", *options, stdin=line).exit_code == 0


@pytest.mark.parametrize("workers", ["1", "3"])
def test_any_number_of_workers_gives_the_same_answers(workers: str) -> None:
    rolls = [f"{high}{low}" for high in range(1, 7) for low in range(1, high)]
    lines = [{"id": roll, "position": OPENING, "dice": roll} for roll in rolls]
    texts = [OPENING_31.replace("31", roll) for roll in rolls]
    stdin = "".join(f"{json.dumps(line)}\n{text}\n" for line, text in zip(lines, texts, strict=True))
    options = ["--depth", "3", "--top", "1", "--workers", workers]
    done = run("analyze", "-", *options, stdin=stdin)
    assert done.exit_code == 0
    found = [json.loads(line) for line in done.stdout.splitlines()]
    named = {each["id"]: each for each in found if "id" in each}
    plain = [each for each in found if "id" not in each]
    assert [each["dice"] for each in plain] == rolls, "texts come in their order"
    for roll, text in zip(rolls, plain, strict=True):
        assert named[roll]["candidates"] == text["candidates"]
        best = gammon.Engine(depth=3).analyze(gammon.Position.opening(), (int(roll[0]), int(roll[1])), 1)
        assert best.candidates[0].play.notation == text["candidates"][0]["play"]


def test_a_closed_pipe_ends_it() -> None:
    """Also where more lines could come: nobody waits for them."""
    child = subprocess.Popen(
        [sys.executable, "-m", "gammon", "analyze", "-", "--depth", "1"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert child.stdin and child.stdout and child.stderr
    child.stdin.write(f"{OPENING_31}\n".encode())
    child.stdin.flush()
    assert json.loads(child.stdout.readline())["dice"] == "31"
    child.stdout.close()
    child.stdin.write(f"{OPENING_31}\n".encode())
    child.stdin.flush()
    assert child.wait(120) == 141
    assert child.stderr.read() == b""
    child.stdin.close()
    child.stderr.close()


def test_an_error_shows_a_part_of_a_long_line() -> None:
    done = run("analyze", "-", "--depth", "1", stdin=10000 * "x ")
    assert len(done.stdout) < 500
    assert json.loads(done.stdout)["input"].startswith("x x x")


@pytest.mark.parametrize(
    "arguments", [[OPENING_31.removeprefix("XGID=")], [OPENING, "cIkFAAAAAAAA"]], ids=first_words
)
def test_a_bare_xgid_and_an_id_in_two_arguments(arguments: list[str]) -> None:
    done = run("analyze", *arguments, "--depth", "1", "--json")
    assert json.loads(done.stdout)["dice"] == "31"


def test_a_limit_of_time() -> None:
    done = run("analyze", OPENING_31, "--depth", "3", "--max-seconds", "1e6", "--json")
    assert done.exit_code == 0
    assert json.loads(done.output)["depth"] == 3
    short = run("analyze", OPENING, "--rolls", "--depth", "7", "--max-seconds", "1e-9", "--json")
    answer = json.loads(short.output)
    assert answer["depth"] == min(roll["depth"] for roll in answer["rolls"]) < 7


# How a command takes positions: arguments that begin as options do, and several for one.


@click.command(cls=TakesPosition)
@click.argument("position", nargs=-1, required=True)
@click.option("--depth", default=5)
def command(position: tuple[str, ...], depth: int) -> None:
    """Say what was given."""
    click.echo(f"{read_position(position).position_id} {depth}")


def positions_run(*arguments: str) -> Result:
    return CliRunner().invoke(command, arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        [BARE], [XGID], ["--", BARE], ["XGID", "=", BARE], ["xgid", BARE], ["XGID:", BARE],
        [ID, MATCH], [BOTH], [f"{ID} {MATCH}"], [f"{ID}==", MATCH], [f"{ID}:", MATCH],
        ["Position", "ID:", ID, "Match", "ID", ":", MATCH], [f"{BARE[:9]}\n{BARE[9:]}"],
        [f"{BARE.split(':')[0]} :{BARE.split(':', 1)[1]}"],
    ],
)  # fmt: skip
def test_one_position_in_many_arguments(arguments: list[str]) -> None:
    for given in ([*arguments, "--depth", "3"], ["--depth=3", *arguments]):
        if "--" not in given or given[-1] == BARE:
            assert positions_run(*given).output == f"{ID} 3\n"


def test_xgids_that_begin_with_any_number_of_hyphens() -> None:
    for xgid in (
        "--BBbBB-----aE----Be-c-bb-:1:-1:-1:00:0:0:0:0:8",
        "---BBaB-BbA-bC-b--BdAca---:0:0:1:00:0:5:0:9:10",
    ):
        assert positions_run(xgid).output == positions_run(f"XGID={xgid}").output
        assert positions_run(xgid).exit_code == 0


@pytest.mark.parametrize("option", ["--dept", "-d", "-b", "--dept=3", 26 * "-"])
def test_wrong_options_are_named(option: str) -> None:
    done = positions_run(option, "3", ID)
    assert done.exit_code == 2
    assert "No such option" in done.stderr
    assert option.partition("=")[0] in done.stderr


@pytest.mark.parametrize("hints", [False, True])
def test_the_path_of_a_file_is_called_so(tmp_path: Path, hints: bool) -> None:
    """`/etc/passwd` has as many characters as an ID that is cut off."""
    place = tmp_path / "passwd"
    place.write_text(f"{ID}\n")
    with pytest.raises(FormatError, match="passwd' is a file: expected a position"):
        read_position([str(place)], hints)


def test_words_too_many_are_refused() -> None:
    for words in ([ID, "31"], [XGID, "31"], [ID, "tiny"], [ID, MATCH, "3"], ["see", XGID]):
        with pytest.raises(FormatError):
            read_position(words)


# `gammon show`.

MIDDLE = "XGID=-a-B-BC-A---bC---c-db-A--A:1:-1:-1:52:3:5:0:7:10"


def test_it_heads_its_answer_as_analyze_does() -> None:
    shown = run("show", MIDDLE).stdout.splitlines()
    analyzed = run("analyze", MIDDLE, "--depth", "1").stdout.splitlines()
    assert shown[:-2] == analyzed[: len(shown) - 2]
    assert analyzed[len(shown) - 2].startswith(f"{shown[-2]}, exact")
    assert shown[-1] == analyzed[len(shown) - 1]


def test_the_options_of_stakes_rolls_and_plays() -> None:
    options = "--dice", "31", "--play", "6/5 8/5", "--match", "7", "--score", "3-5"
    lines = run("show", OPENING, *options).stdout.splitlines()
    assert lines[-4:] == [
        "  XGID=-b----E-C---eE---c-e----B-:0:0:1:31:3:5:0:7:10",
        "  OGID=11ccccchhhjjjjj:66666888dddddoo:N0N:31:B:R:3:5:7:0",
        "  X to play 31: 8/5 6/5",
        "  At stake: X 3, O 5 in a match to 7 (4-away 2-away), centred cube.",
    ]


def test_a_drawing(tmp_path: Path) -> None:
    file = tmp_path / "board.svg"
    done = run("show", OPENING_31, "--svg", str(file), "--play", "8/5 6/5", "--turned", "--colours", "print")
    assert done.stdout.splitlines()[-1] == f"wrote {file}"
    position = gammon.Position.parse(OPENING_31)
    play = gammon.find_play(position, (3, 1), "8/5 6/5")
    expected = gammon.svg.board(position, play=play, colours="print", turned=True)
    assert file.read_text() == expected
    assert done.stdout.splitlines()[0].startswith("  +12-11-10--9")


def test_a_picture(tmp_path: Path) -> None:
    file = tmp_path / "board.png"
    done = run("show", MIDDLE, "--png", str(file))
    assert done.stdout.splitlines()[-1] == f"wrote {file}"
    drawing = gammon.svg.board(gammon.Position.parse(MIDDLE))
    assert file.read_bytes() == gammon.svg.png(drawing)


def test_two_drawings_are_two_files(tmp_path: Path) -> None:
    file = str(tmp_path / "board")
    other = str(tmp_path / "x" / ".." / "board")
    words = "expected another file than --svg"
    assert_refused(["show", OPENING, "--svg", file, "--png", other], words)
    assert not any(tmp_path.iterdir())
    assert run("show", OPENING, "--svg", os.devnull, "--png", os.devnull).exit_code == 0


# `gammon rollout`.

CUBE = "XGID=--CDBbC-B-----a----bdA-cc-:0:0:1:00:4:3:0:7:10"


def test_plays_as_a_table() -> None:
    plays = ["--plays", "8/5 6/5; 24/20", "--play", "13/9"]
    done = run("rollout", OPENING_31, *plays, "--trials", "36")
    assert done.exit_code == 0
    assert done.stderr == ""
    for play in ("1.  8/5 6/5", "24/20", "13/9"):
        assert play in done.stdout
    assert "BAR" in done.stdout


def test_lines_for_a_forum() -> None:
    done = run("rollout", CUBE, "--trials", "36", "--text", "--depth", "1")
    assert done.stdout.startswith(CUBE)
    assert "Verdict: " in done.stdout
    assert "BAR" not in done.stdout


def test_json_and_the_folder(tmp_path: Path) -> None:
    arguments = "rollout", CUBE, "--dice", "31", "--top", "2", "--trials", "36", "--json"
    done = run(*arguments, "--cubeless", "--out", str(tmp_path / "r"))
    found = json.loads(done.stdout)
    assert json.loads((tmp_path / "r" / "result.json").read_text()) == found
    assert found["dice"] == "31"
    assert not found["cubeful"]
    assert [each["trials"] for each in found["candidates"]] == [36, 36]
    assert found["settings"]["seed"] == 1
    again = json.loads(run(*arguments, "--cubeless", "--workers", "2").stdout)
    assert again["candidates"] == found["candidates"]


def test_a_result_that_cannot_be_written_takes_no_answer_away(tmp_path: Path) -> None:
    (tmp_path / "result.json").mkdir()
    done = run("rollout", OPENING, "--trials", "36", "--json", "--out", str(tmp_path))
    assert (done.exit_code, json.loads(done.stdout)["trials"]) == (1, 36)
    assert "result.json' cannot be written: Is a directory" in done.stderr


def test_stakes_of_the_options() -> None:
    asked = "--match", "7", "--score", "3-5", "--trials", "36", "--json"
    found = json.loads(run("rollout", OPENING, *asked).stdout)
    assert found["terms"]["away"] == [4, 2]
    assert found["cube"]["double_take"]["kind"] == "rollout"
    assert found["candidates"][0]["mwc"] is not None
