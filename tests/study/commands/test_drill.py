"""`gammon drill`."""

import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from gammon_study.library.library import Library
from gammon_study.library.selection import Selection
from gammon_study.library.stats import largest_errors
from tests.engine.commands.program import assert_refused, run


def kept(path: Path) -> int:
    with Library(path) as library:
        return int(library.ask("SELECT SUM(answers) AS n FROM card")[0]["n"] or 0)


def drill(path: Path, *more: str, text: str | bytes) -> str:
    done = run("drill", "--library", str(path), "--depth", "1", *more, stdin=text)
    assert done.exit_code == 0, done.output
    assert not done.stderr
    return done.stdout


def test_filters_are_of_errors_alone(library: Path) -> None:
    words = "--player without the deck errors or reference: it has no effect"
    given = ["drill", "--library", str(library), "--deck", "races", "--player", "gnubg"]
    assert_refused(given, words)


def test_openings(tmp_path: Path) -> None:
    """A library is made; what is no answer is told and asked again."""
    path = tmp_path / "new.db"
    said = drill(path, "--deck", "openings", "--cards", "2", text="x\n1/2\n?\n?\nunread\n")
    assert said.startswith("Due: 0 cards.")
    assert "\n1. openings\n" in said
    assert "which play? (for money, centred cube)\n" in said
    assert "'x'" in said
    assert said.count("It comes again in 1 minute.") == 2
    assert said.endswith("2 answers, 0 right, 2 not known, +0.000 in all\n")
    assert kept(path) == 2


def test_errors_of_a_library(library: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(library, tmp_path))
    with Library(path) as opened:
        errors, _, _ = largest_errors(opened, Selection(player="gnubg", kind="play"), 2)
    text = f"{errors[0].made}\n{errors[1].best}\n"
    more = "--player", "gnubg", "--kind", "play", "--deck", "errors", "--cards", "2"
    said = drill(path, *more, text=text)
    assert f"{errors[0].made} loses {errors[0].error:.4f}, best is {errors[0].best}." in said
    assert errors[0].explanation[:40] in " ".join(said.split())
    assert f"Right: {errors[1].best}." in said
    assert f"gnubg against {errors[0].opponent}" in said
    assert said.endswith(f"2 answers, 1 right, {-errors[0].error:+.3f} in all\n")
    with Library(path) as opened:
        easy = Selection(player="gnubg", kind="play", most=0.02)
        (small,), _, _ = largest_errors(opened, easy, 1)
    said = drill(path, *more, "--most", "0.02", "--cards", "1", text=f"{small.made}\n")
    assert "\n1 answer, 0 right, " in said, "nearly right is not right"


def test_no_pips_are_told_where_they_are_asked(tmp_path: Path) -> None:
    said = drill(tmp_path / "l.db", "--deck", "races", text="?\n")
    asked = said.partition("How many pips")[0]
    assert asked
    assert "pips" not in asked


def test_the_end_of_the_input_ends_it(tmp_path: Path) -> None:
    for text in ("", "\n", "?", "?\n", "no play\n", b"\xff\xfe\n"):
        said = drill(tmp_path / "l.db", "--deck", "openings", text=text)
        assert " 0 right, " in said


def test_minutes_end_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They alone do so then."""
    monkeypatch.setattr("gammon_study.commands.drill._CARDS", 1)
    for minutes, count in (
        (["--minutes", "0"], "0 answers"),
        (["--minutes", "9"], "2 answers"),
        ([], "1 answer"),
    ):
        said = drill(tmp_path / "l.db", "--deck", "openings", *minutes, text="?\n?\n")
        assert re.search(f"\n{count}, 0 right(, \\d not known)?, \\+0.000 in all\n$", said)


def test_all_cards_of_a_deck_end_it(tmp_path: Path) -> None:
    said = drill(tmp_path / "l.db", "--deck", "openings", "--cards", "99", text="?\n" * 99)
    assert "No card is left that is new or due.\n15 answers" in said


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("--deck x", "'x' is not one of"),
        ("--cards 0", "--cards"),
        ("--minutes x", "'x'"),
        ("--depth 2", "'2'"),
        ("--player Zoe", "no matches yet"),
        ("--board 99=1", "expected"),
        ("--library .", "unable to open"),
    ],
)
def test_a_mistake_gets_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    library = [] if "--library" in line else ["--library", "l.db"]
    assert_refused(["drill", *library, *line.split()], words)


def test_what_was_answered_is_kept_at_an_interrupt(tmp_path: Path) -> None:
    path = tmp_path / "l.db"
    call = [
        sys.executable,
        "-m",
        "gammon",
        "drill",
        "--library",
        str(path),
        "--deck",
        "openings",
        "--depth",
        "1",
    ]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(call, text=True, **pipes) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write("?\n")
        process.stdin.flush()
        while not process.stdout.readline().startswith("2. openings"):
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
        assert process.stderr.read() == "\nInterrupted\n"
    assert kept(path) == 1
