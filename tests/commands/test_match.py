"""`gammon match`."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from gammon.commands.main import main
from tests.tables import FLAT, written


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


def test_matches_with_the_cube(tmp_path):
    players = ["match", "depth=1", "depth=1,model=probe", "--games", "4", "--luck", "none"]
    done = CliRunner().invoke(
        main, [*players, "--length", "3", "--mat", "--out", str(tmp_path / "a")]
    )
    assert done.exit_code == 0
    assert "4 matches to 3" in " ".join(done.stdout.split())
    assert "matches won, as played" in done.stdout
    assert json.loads((tmp_path / "a" / "result.json").read_text())["length"] == 3
    assert len(list((tmp_path / "a" / "matches").iterdir())) == 4
    table = ["--met", str(written(FLAT, tmp_path)), "--out", str(tmp_path / "c")]
    done = CliRunner().invoke(main, [*players, "--length", "3", *table])
    assert done.exit_code == 0
    assert "By the match equity table flat" in done.stdout
    more = ["--length", "0", "--cubeful", "--jacoby", "--out", str(tmp_path / "b")]
    done = CliRunner().invoke(main, [*players, *more])
    assert done.exit_code == 0
    assert "doubles" in done.stdout
    assert json.loads((tmp_path / "b" / "result.json").read_text())["jacoby"] is True


@pytest.mark.parametrize(
    "options",
    [
        ["--length", "65"], ["--length", "-1"], ["--length", "5", "--games", "7"],
        ["--length", "5", "--jacoby"], ["--jacoby"], ["--length", "5", "--stakes", "dmp"],
        ["--cubeful", "--stakes", "dmp"],
    ],
    ids=str,
)  # fmt: skip
def test_options_that_do_not_go_together(options):
    done = CliRunner().invoke(main, ["match", "depth=1", "depth=1", *options, "--out", "x"])
    assert done.exit_code == 1
    assert done.stderr.count("\n") == 1
    assert "expected" in done.stderr
    assert not Path("x").exists()
