"""`gammon bearoff`."""

import json
from pathlib import Path

import numpy as np
import pytest

from gammon.eval import kept
from gammon.eval.bearoff import N_NUMBERS
from gammon.eval.bearoff_file import bearoff_tables, tables_path
from tests.engine.commands.program import run

#: 60 pips against 55, all checkers left; and 7 pips against 7, four checkers against three.
WHOLE, FEW = "t20PAADbtg8AAA", "FgAAsAIAAAAAAA"


def test_all_tables_are_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "_folder", lambda: tmp_path)
    damaged = tables_path()
    damaged.write_bytes(b"no tables")
    assert run("bearoff", "build").stdout.startswith(f"wrote {tables_path()}: 22.")
    assert [path.name for path in tmp_path.glob("*.tables")] == [damaged.name]
    whole = kept.sound(damaged)
    assert whole is not None and np.array_equal(whole, bearoff_tables())
    out = tmp_path / "user" / "chances"
    assert run("bearoff", "build", "--out", str(out)).stdout.startswith(f"wrote {out}: 12.3 MB")
    assert np.array_equal(kept.sound(out, N_NUMBERS), whole[:N_NUMBERS])
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
    assert [round(chance, 3) for chance in answer["own"]["rolls"][:4]] == [
        0.111, 0.886, 0.003, 0.0,
    ]  # fmt: skip


def test_show_may_be_left_out() -> None:
    whole = run("bearoff", "show", FEW, "--json").stdout
    assert whole == run("bearoff", FEW, "--json").stdout == run("bearoff", "--json", FEW).stdout
    assert "build" in run("bearoff", "--help").stdout
    assert run("bearoff").exit_code == 2
