"""`gammon bearoff`, `met` and `match`."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gammon.eval import array_cache
from gammon.eval.bearoff import N_NUMBERS
from gammon.eval.bearoff_file import bearoff_tables, tables_path
from gammon.formats.met_file import read_met
from tests.boards import FLAT, written
from tests.engine.commands.program import assert_refused, run

# `gammon bearoff`.

#: 60 pips against 55, all checkers left; and 7 pips against 7, four checkers against three.
WHOLE, FEW = "t20PAADbtg8AAA", "FgAAsAIAAAAAAA"


def test_all_tables_are_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(array_cache, "_folder", lambda: tmp_path)
    damaged = tables_path()
    damaged.write_bytes(b"no tables")
    assert run("bearoff", "build").stdout.startswith(f"wrote {tables_path()}: 22.")
    assert [path.name for path in tmp_path.glob("*.tables")] == [damaged.name]
    whole = array_cache.read_array(damaged)
    assert whole is not None and np.array_equal(whole, bearoff_tables())
    out = tmp_path / "user" / "chances"
    assert run("bearoff", "build", "--out", str(out)).stdout.startswith(f"wrote {out}: 12.3 MB")
    assert np.array_equal(array_cache.read_array(out, N_NUMBERS), whole[:N_NUMBERS])
    assert list(out.parent.iterdir()) == [out], "nothing else is left beside it"


def test_figures_that_gnu_backgammon_prints() -> None:
    """Those of its `show bearoff` and `eval`, looked up once."""
    lines = [line.split() for line in run("bearoff", WHOLE).stdout.splitlines()]
    assert ["X", "52.41", "0.00", "+0.0482", "60", "8.538", "69.73", "9.73"] in lines
    assert ["O", "47.59", "0.00", "-0.0482", "55", "8.135", "66.44", "11.44"] in lines
    assert ["9", "35.26", "81.37", "30.27", "93.10"] in lines
    answer = json.loads(run("bearoff", FEW, "--json").stdout)
    assert answer["exact"]
    assert round(answer["probabilities"]["win"], 3) == 0.874
    assert [round(chance, 3) for chance in answer["own"]["rolls"][:4]] == [0.111, 0.886, 0.003, 0.0]


def test_show_may_be_left_out() -> None:
    whole = run("bearoff", "show", FEW, "--json").stdout
    assert whole == run("bearoff", FEW, "--json").stdout == run("bearoff", "--json", FEW).stdout
    assert "build" in run("bearoff", "--help").stdout
    assert run("bearoff").exit_code == 2


# `gammon met`.

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
    assert "Beyond 2 points, and at 2 after the Crawford game, the table is extended" in shown
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
    assert "Difference from Kazaross-XG2: " in shown
    assert json.loads(run("met", str(path), "--json").stdout)["length"] == 3


# `gammon match`.

PLAYERS = ["match", "depth=1", "depth=1,model=probe", "--games", "4", "--luck", "none"]


def matched(folder: Path, *options: str) -> tuple[str, dict[str, Any]]:
    """The program's words about matches on one line, and what their folder has of them."""
    done = run(*PLAYERS, "--out", str(folder), *options)
    assert done.exit_code == 0
    return " ".join(done.stdout.split()), json.loads((folder / "result.json").read_text())


def test_the_command_shows_what_was_won(tmp_path: Path) -> None:
    said, kept = matched(tmp_path, "--stakes", "gammon-go")
    assert "games won" in said
    assert "luck" not in said
    assert kept["luck"] is None
    assert "B: depth=1,model=probe" in said
    assert kept["stakes"] == "gammon-go"


def test_matches_with_the_cube(tmp_path: Path) -> None:
    said, kept = matched(tmp_path / "a", "--length", "3", "--mat")
    assert "4 matches to 3" in said
    assert "matches won, as played" in said
    assert kept["length"] == 3
    assert len(list((tmp_path / "a" / "matches").iterdir())) == 4
    said, _ = matched(tmp_path / "c", "--length", "3", "--met", str(written(FLAT, tmp_path)))
    assert "By the match equity table flat" in said
    said, kept = matched(tmp_path / "b", "--length", "0", "--cubeful", "--jacoby")
    assert "doubles" in said
    assert kept["jacoby"] is True
