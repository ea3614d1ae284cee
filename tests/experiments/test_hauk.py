"""The reproduction of Hauk, Buro and Schaeffer, in its small version."""

import csv
from pathlib import Path

from click.testing import CliRunner

from gammon.commands.main import main


def test_quick_run(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["reproduce", "hauk", "--quick", "--out", str(tmp_path)])
    assert done.exit_code == 0, done.output
    with (tmp_path / "hauk-savings.csv").open() as file:
        rows = {row["algorithm"]: row for row in csv.DictReader(file)}
    assert float(rows["expectimax"]["leaves %"]) == 100
    assert float(rows["star2"]["leaves %"]) < float(rows["star1"]["leaves %"]) < 100
    with (tmp_path / "hauk-times.csv").open() as file:
        times = {row["algorithm"]: row for row in csv.DictReader(file)}
    assert [times[name]["seconds printed"] for name in rows] == ["1.1", "1.1", "1.0"]
    assert [times[name]["time % printed"] for name in rows] == ["", "100", "91"]
    assert float(times["star2"]["time % ours"]) == float(rows["star2"]["time %"])
    assert (tmp_path / "hauk-leaves.svg").stat().st_size > 10_000
    assert "Probe efficiency" in done.output
    again = CliRunner().invoke(main, ["reproduce", "hauk", "--quick", "--out", str(tmp_path)])
    assert again.output == done.output, "the second run must only read what is there"
