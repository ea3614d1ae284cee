"""`gammon rollout`."""

import json
from pathlib import Path

from tests.engine.commands.program import OPENING, OPENING_31, run

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
    assert found["stakes"]["away"] == [4, 2]
    assert found["cube"]["double_take"]["kind"] == "rollout"
    assert found["candidates"][0]["mwc"] is not None
