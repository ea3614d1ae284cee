"""The reproduction of Hauk, Buro and Schaeffer, in its small version."""

import csv
from pathlib import Path

from click.testing import CliRunner

from gammon.cli import main
from gammon.experiments.hauk import has_contact
from gammon.rules.board import OPENING


def test_contact() -> None:
    assert has_contact(OPENING)
    race = [0] * 26
    race[6], race[20] = 15, -15
    assert not has_contact(tuple(race))
    race[21], race[6] = 1, 14
    assert has_contact(tuple(race))


def test_quick_run(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["reproduce", "hauk", "--quick", "--out", str(tmp_path)])
    assert done.exit_code == 0, done.output
    with (tmp_path / "hauk-savings.csv").open() as file:
        rows = {row["algorithm"]: row for row in csv.DictReader(file)}
    assert float(rows["expectimax"]["leaves %"]) == 100
    assert float(rows["star2"]["leaves %"]) < float(rows["star1"]["leaves %"]) < 100
    assert (tmp_path / "hauk-leaves.png").stat().st_size > 10_000
    assert "Probe efficiency" in done.output
    again = CliRunner().invoke(main, ["reproduce", "hauk", "--quick", "--out", str(tmp_path)])
    assert again.output == done.output, "the second run must only read what is there"
