"""The benchmark measures what it says; its speeds are nobody's promise."""

import json

from click.testing import CliRunner

from gammon import bench
from gammon.cli import main


def test_bench_counts_and_speeds() -> None:
    found = bench.run_bench(4)
    assert set(found["per_second"]) == {"successors", "leaf evaluations", "probe evaluations"}
    assert all(speed > 0 for speed in found["per_second"].values())
    expectimax, star2 = found["decisions"][1:3]
    assert (expectimax["algorithm"], star2["algorithm"]) == ("expectimax", "star2")
    assert 0 < star2["leaves"] < expectimax["leaves"]
    json.dumps(found)


def test_a_wrong_generator_is_not_timed(monkeypatch) -> None:
    monkeypatch.setattr(bench, "SECOND_TURN", 183_631)
    done = CliRunner().invoke(main, ["bench", "--positions", "1"])
    assert done.exit_code == 1
    assert "generator is wrong" in done.stderr
