"""`gammon match`."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from gammon.commands.main import main


@pytest.mark.parametrize(
    "text",
    ["", "depth", "depth=2", "depth=x", "depth=1,depth=3", "colour=red", "noise=-1",
     "model=no-such", "gnubg=9", "gnubg=0,depth=1", "filter=wide"],
)  # fmt: skip
def test_players_that_cannot_be(text):
    done = CliRunner().invoke(main, ["match", text, "depth=1", "--out", "x"])
    assert done.exit_code == 1
    assert done.stderr.count("\n") == 1
    assert not Path("x").exists()


def test_an_unknown_judge_is_refused(tmp_path):
    arguments = [
        "match",
        "depth=1",
        "depth=1",
        "--luck",
        "no-such",
        "--out",
        str(tmp_path / "x"),
    ]
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 1
    assert "'no-such'" in done.stderr
    assert not (tmp_path / "x").exists()


def test_the_command_shows_what_was_won(tmp_path):
    arguments = ["match", "depth=1", "depth=1,noise=0.2", "--games", "20", "--luck", "none"]
    done = CliRunner().invoke(main, [*arguments, "--out", str(tmp_path)])
    assert done.exit_code == 0
    assert "games won" in done.stdout
    assert "depth=1,noise=0.2" in done.stdout


def test_stakes(tmp_path):
    arguments = ["match", "depth=1", "depth=1,model=probe", "--games", "4", "--luck", "none"]
    done = CliRunner().invoke(
        main, [*arguments, "--out", str(tmp_path), "--stakes", "gammon-go"]
    )
    assert done.exit_code == 0
    assert json.loads((tmp_path / "result.json").read_text())["stakes"] == "gammon-go"
    done = CliRunner().invoke(main, [*arguments, "--out", "x", "--stakes", "cash"])
    assert done.exit_code == 1
    assert "'cash'" in done.stderr
    assert done.stderr.count("\n") == 1
    assert not Path("x").exists()
