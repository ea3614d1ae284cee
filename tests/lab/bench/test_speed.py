"""Speeds: the work that was done by the time that it took."""

from gammon_lab.bench import speed


def test_a_median_of_nine_repetitions(monkeypatch):
    ticks = iter(range(100))
    waits = [5, 1, 9, 2, 8, 3, 7, 4, 6]
    clock = iter([time for wait in waits for time in (0, wait)])
    monkeypatch.setattr(speed.time, "perf_counter", lambda: next(clock))
    assert speed.median_seconds(lambda: next(ticks)) == 5
    assert next(ticks) == len(waits)


def test_speeds_are_work_by_time(monkeypatch):
    monkeypatch.setattr(speed, "median_seconds", lambda work: (work(), 0.5)[1])
    monkeypatch.setattr(speed, "_EVERY", 500)  # one position is searched
    found = speed.speeds("leaf", 2)
    assert found["successors"] == 2 * speed.SECOND_TURN
    # All three evaluate the same successors, however many threads share them.
    assert found["leaf evaluations"] == found["leaf evaluations, 2 threads"] > 0
    assert found["leaf evaluations"] == found["probe evaluations"]
