"""`gammon show`."""

import os
from pathlib import Path

import pytest

import gammon
from tests.engine.commands.program import OPENING, OPENING_31, assert_refused, run

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
    done = run("show", OPENING_31, "--svg", str(file), "--play", "8/5 6/5", "--turned",
               "--colours", "print")  # fmt: skip
    assert done.stdout.splitlines()[-1] == f"wrote {file}"
    position = gammon.Position.parse(OPENING_31)
    play = gammon.find_play(position, (3, 1), "8/5 6/5")
    expected = gammon.svg.board(position, play=play, colours="print", turned=True)
    assert file.read_text() == expected
    assert done.stdout.splitlines()[0].startswith("  +12-11-10--9")


def test_a_picture(tmp_path: Path) -> None:
    pytest.importorskip("resvg_py")
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
    pytest.importorskip("resvg_py")
    assert run("show", OPENING, "--svg", os.devnull, "--png", os.devnull).exit_code == 0
