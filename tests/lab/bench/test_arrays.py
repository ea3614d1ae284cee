"""Calls from Python: what was done by the time that it took."""

import itertools

from gammon_lab.bench import arrays
from gammon_lab.bench.positions import bench_positions


def test_rates_are_the_positions_by_the_best_time(monkeypatch):
    times = itertools.accumulate(itertools.cycle([0.0, 4.0, 0.0, 2.0, 0.0, 8.0]))
    monkeypatch.setattr(arrays.time, "process_time", lambda: next(times))
    found = arrays.array_speeds("leaf", 1, bench_positions()[:4])
    assert len(found) == 5
    assert set(found.values()) == {2.0}
