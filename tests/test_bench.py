"""The benchmark measures what it says; its speeds are nobody's promise."""

import json

import pytest
from click.testing import CliRunner

from gammon import bench, search
from gammon.bench import checks, speed
from gammon.bench.positions import bench_positions
from gammon.commands.main import main
from gammon.games.backgammon import BACKGAMMON
from gammon.games.nothing import NOTHING
from gammon.rules.board import has_contact


def test_the_search_does_what_it_always_does():
    for depth, (_, expected) in checks.FINGERPRINT.items():
        assert checks.fingerprint(depth) == expected


def test_positions_are_contact_positions_with_their_leaves():
    positions = bench_positions()
    assert len(positions) == 500
    assert len({each[:2] for each in positions}) == 498  # two openings came up twice
    assert all(has_contact(each.points) for each in positions)
    small = min(positions, key=lambda each: each.leaves[5])
    for points, _, outcome, leaves in (*positions[7::100], small):
        for depth, expected in leaves.items():
            if expected < 2_000_000:
                found = search.decide(BACKGAMMON, NOTHING, points, outcome, depth, "expectimax")
                assert found.stats.leaves == expected
    assert small.leaves[5] < 2_000_000


def test_bench_counts_and_speeds():
    found = bench.run_bench(bench.BenchSettings(positions=4, deep=0))
    assert all(speed > 0 for speed in found["per_second"].values())
    assert [cost["name"] for cost in found["decisions"]] == [
        "depth 1", "depth 3", "depth 5", "depth 5, 2 threads",
    ]  # fmt: skip
    one, two = found["decisions"][2:]
    assert one["leaves"] == two["leaves"]
    assert 0 < one["share"] < 0.15
    assert found["peak_mb"] is None or 20 < found["peak_mb"] < 500
    json.dumps(found)


def test_the_command_shows_tables():
    done = CliRunner().invoke(main, ["bench", "--quick", "--positions", "2"])
    assert done.exit_code == 0
    assert "successors" in done.stdout
    assert "depth 5, 2 threads" in done.stdout


@pytest.mark.parametrize(
    ("module", "name", "value", "words"),
    [
        (speed, "SECOND_TURN", 183_631, "generator is wrong"),
        (checks, "FINGERPRINT", {3: (2, checks.FINGERPRINT[3][1])}, "not what it was"),
    ],
)
def test_wrong_counts_are_not_timed(monkeypatch, module, name, value, words):
    monkeypatch.setattr(module, name, value)
    done = CliRunner().invoke(main, ["bench", "--quick"])
    assert done.exit_code == 1
    assert words in done.stderr


@pytest.mark.parametrize("arguments", [["--positions", "501"], ["--deep", "-1"]])
def test_bad_settings_are_refused(arguments):
    done = CliRunner().invoke(main, ["bench", *arguments])
    assert done.exit_code == 1
    assert "expected" in done.stderr
