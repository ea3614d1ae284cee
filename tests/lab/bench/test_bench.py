"""The benchmark measures what it says; its speeds are nobody's promise."""

import json

import pytest

from gammon.base.errors import SettingError
from gammon_lab.bench import BenchSettings, bench, bench_report, processes, run_bench, speed


def test_bench_counts_and_speeds(monkeypatch):
    """Each thing is done once, where a benchmark takes the median of several times."""
    monkeypatch.setattr(speed.median_seconds, "__defaults__", (1,))
    monkeypatch.setattr(speed, "_EVERY", 500)  # one position is searched
    monkeypatch.setattr(
        processes, "_wall", lambda *command: len(processes._call(processes._RUN, *command))
    )
    found = run_bench(BenchSettings(positions=1, deep=0, first_start=False))
    assert all(speed > 0 for speed in found["per_second"].values())
    assert [cost["name"] for cost in found["decisions"]] == [
        "depth 1", "depth 3", "depth 5", "depth 5, 2 threads",
    ]  # fmt: skip
    one, two = found["decisions"][2:]
    assert one["leaves"] == two["leaves"]
    assert 0 < one["share"] < 0.15
    assert found["programs"] == []
    assert list(found["arrays"]) == ["depth 1", "depth 3"]
    assert bench_report(found).title == "The benchmark"
    assert found["peak_mb"] is None or 20 < found["peak_mb"] < 500
    json.dumps(found)


def test_one_thread_is_not_compared_with_itself(monkeypatch):
    monkeypatch.setattr(bench, "cost_of", lambda name, *more: name)
    names = bench._costs(BenchSettings(positions=1, deep=1, threads=1), lambda text: None)
    assert names == [
        "depth 1", "depth 3", "depth 5", "depth 7, 1 thread",
        "depth 7, normal filter, 1 thread", "depth 7, tiny filter, 1 thread",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "change", [{"positions": 0}, {"positions": 501}, {"deep": 501}, {"against": ["xg"]}]
)
def test_bad_settings_are_refused(change):
    with pytest.raises(SettingError, match="expected"):
        run_bench(BenchSettings(**change))
