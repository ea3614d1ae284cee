"""Errors of one kind against depth, in a small version."""

import csv

import pytest
from click.testing import CliRunner

from gammon.base.errors import SettingError
from gammon.commands.main import main
from gammon_lab.experiments.noise_grid import NoiseGrid, play_grid
from gammon_lab.experiments.study import Study

GRID = NoiseGrid((0.0, 0.1), (1, 3), 4, None, "leaf", "equity")


def played(out, **more):
    return play_grid(Study(out), GRID._replace(**more))


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
    seen, lines = [], []
    study = Study(tmp_path, on_done=lambda done, total: seen.append((done, total)))
    play_grid(study, GRID, lines.append)
    assert seen == [(4, 16), (8, 16), (12, 16), (16, 16)], "each match was played before"
    first, *_, last = lines
    assert first.startswith("sigma 0, depth 3 against depth 1, same errors: 4 games, ")
    assert last.startswith("sigma 0.1, depth 3 against depth 1, no errors: 4 games, ")
    assert last.endswith(" points a game")


def test_players_without_errors_beside_errors_of_another_kind(tmp_path):
    (table, _) = played(tmp_path, errors="outputs", depths=(1, 3)).tables
    assert [row[:3] for row in table.rows] == [
        [0.0, 3, "same errors"], [0.1, 1, "no errors"], [0.1, 3, "same errors"],
        [0.1, 3, "no errors"],
    ]  # fmt: skip
    with pytest.raises(SettingError, match="errors 'x': expected equity, outputs, or"):
        played(tmp_path / "other", errors="x", sigmas=(0.0,))


def test_a_network_whose_path_has_a_comma(tmp_path):
    with pytest.raises(SettingError, match="model 'a,b': expected a path without a comma"):
        played(tmp_path, model="a,b")
