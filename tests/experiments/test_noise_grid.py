"""Errors of one kind against depth, in a small version."""

import csv

import pytest
from click.testing import CliRunner

from gammon.base.errors import SettingError
from gammon.commands.main import main
from gammon.experiments.noise_grid import NoiseGrid, play_grid


def study(out, **more):
    return play_grid(
        NoiseGrid(**{"out": out, "games": 4, "sigmas": (0.0, 0.1), "depths": (1, 3)} | more)
    )


def test_the_command_writes_everything(tmp_path):
    arguments = ["--sigma", "0,0.1", "--depth", "1,3", "--games", "4", "--out", str(tmp_path)]
    done = CliRunner().invoke(main, ["noise", *arguments])
    assert done.exit_code == 0, done.output
    for name in (
        "noise.csv",
        "noise-raw.csv",
        "noise-points.svg",
        "noise-wins.svg",
        "report.md",
    ):
        assert (tmp_path / name).stat().st_size > 200
    with (tmp_path / "noise.csv").open() as file:
        rows = [(row["sigma"], row["depth"], row["against"]) for row in csv.DictReader(file)]
    # Equal players do not meet, and without errors both opponents are one.
    assert rows == [
        ("0.0", "3", "same errors"), ("0.1", "1", "no errors"), ("0.1", "3", "same errors"),
        ("0.1", "3", "no errors"),
    ]  # fmt: skip
    seen = []
    study(tmp_path, on_done=lambda done, total, text: seen.append((done, total)))
    assert seen[-1] == (16, 16)


def test_players_without_errors_beside_errors_of_another_kind(tmp_path):
    (table, _) = study(tmp_path, errors="outputs", depths=(1, 3)).tables
    assert [row[:3] for row in table.rows] == [
        [0.0, 3, "same errors"], [0.1, 1, "no errors"], [0.1, 3, "same errors"],
        [0.1, 3, "no errors"],
    ]  # fmt: skip
    with pytest.raises(SettingError, match="errors 'x': expected equity, outputs, or"):
        study(tmp_path / "other", errors="x", sigmas=(0.0,))
