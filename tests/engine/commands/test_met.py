"""`gammon met`."""

import json
from pathlib import Path

from gammon.formats.met_file import read_met
from tests.engine.commands.program import assert_refused, run

TWO = "# Two points\naway,1,2\n1,0.5,0.7\n2,0.3,0.5\npost,0.5\n"


def test_the_table_in_use() -> None:
    lines = [line.split() for line in run("met", "--length", "7").stdout.splitlines()]
    assert ["2", "32.26", "50.00", "59.95", "66.87", "74.36", "79.94", "84.23"] in lines
    assert ["post", "50.00", "48.80", "32.26", "31.00", "19.01", "18.07", "11.56"] in lines
    found = json.loads(run("met", "--json").stdout)
    assert found["main"] == read_met().main.tolist()


def test_a_table_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "two.csv"
    path.write_text(TWO)
    shown = run("met", str(path), "--length", "3").stdout
    assert shown.startswith("Two points: ")
    assert "Beyond 2 points the table is extended" in shown
    assert json.loads(run("met", str(path), "--json").stdout)["main"][0][:2] == [0.5, 0.7]


def test_mistakes_get_one_line(tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(TWO.replace("0.3", "0.4"))
    assert_refused(["met", str(path)], "0.7 at 1-away 2-away and 0.4 at 2-away 1-away")
    assert_refused(["met", str(tmp_path)], "cannot be read")


def test_a_file_that_cannot_be_written_takes_no_answer_away() -> None:
    done = run("met", "--length", "3", "--out", "/dev/full")
    assert (done.exit_code, done.stdout) == (1, run("met", "--length", "3").stdout)
    assert done.stderr == "Error: '/dev/full' cannot be written: No space left on device\n"


def test_a_table_is_not_written_over_the_file_that_it_comes_from(tmp_path: Path) -> None:
    path = tmp_path / "two.csv"
    path.write_text(TWO)
    words = "--out " + repr(str(path)) + ": expected another file than FILE"
    assert_refused(["met", str(path), "--out", str(path)], words)
    assert path.read_text() == TWO
    words = "expected another file than --model"
    assert_refused(["met", "--make", "--model", str(path), "--out", str(path)], words)


def test_our_own_table(tmp_path: Path) -> None:
    path = tmp_path / "our.csv"
    shown = run("met", "--make", "--length", "3", "--depth", "1", "--out", str(path)).stdout
    assert shown.startswith("gammon, depth 1, leaf: ")
    assert "Apart from Kazaross-XG2: " in shown
    assert json.loads(run("met", str(path), "--json").stdout)["length"] == 3
