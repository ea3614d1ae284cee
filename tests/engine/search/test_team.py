"""Threads that help: whether they come, late or never, the decision is the same."""

import time
from concurrent.futures import Future
from threading import Timer

import pytest

from gammon.search import Options, Stop, root
from gammon.search.stats import STOPPED
from gammon.search.tasks import HALTED, OPEN
from gammon_lab.games import synthetic
from tests.engine.search.asked import asked, assert_same

GAME = synthetic.game(-3, 3)


def decide(seed, threads, depth=7, **more):
    return asked(
        "decide", GAME, synthetic.LEAF, synthetic.root(-3, 3, seed), 0, depth,
        algorithm="star2", probe=synthetic.PROBE, threads=threads, **more,
    )  # fmt: skip


@pytest.fixture
def submitted(monkeypatch):
    """Have a pool that only remembers what it is to do; return its list."""
    waiting = []

    class Pool:
        def submit(self, function, *arguments):
            waiting.append((function, arguments))
            return Future()

    monkeypatch.setattr(root, "_THREADS", Pool())
    return waiting


def test_a_decision_waits_for_no_thread_that_has_not_begun(submitted):
    alone = decide(1, 1)
    assert_same(decide(1, 3), alone)
    assert len(submitted) == 2
    # A thread that comes when all is over does nothing, and goes.
    for function, arguments in submitted:
        function(*arguments)


def test_without_more_threads_it_goes_on_alone(monkeypatch):
    class Pool:
        def submit(self, function, *arguments):
            raise RuntimeError("can't start new thread")

    monkeypatch.setattr(root, "_THREADS", Pool())
    assert_same(decide(2, 4), decide(2, 1))


def test_threads_that_come_at_any_time_change_nothing(monkeypatch):
    pool, wait = root._THREADS, [0.0]

    class Late:
        def submit(self, function, *arguments):
            def later():
                time.sleep(wait[0])
                function(*arguments)

            return pool.submit(later)

    monkeypatch.setattr(root, "_THREADS", Late())
    for seed in range(30):
        alone = decide(seed, 1, options=Options(deepen=seed % 2 > 0))
        for wait[0] in (0.0, 1e-4, 1e-3):
            assert_same(decide(seed, 4, options=Options(deepen=seed % 2 > 0)), alone)


def test_an_error_of_the_leader_ends_the_help(monkeypatch):
    lead, counted, left = root.lead_tasks, [], []

    def broken(search, work, room, candidates, tasks, top):
        left.append(tasks)
        raise KeyboardInterrupt

    class Watched(root.Team):
        def __init__(self, make, counts):
            super().__init__(make, counts)
            counted.extend(counts)

    monkeypatch.setattr(root, "lead_tasks", broken)
    monkeypatch.setattr("gammon.search.root.Team", Watched)
    with pytest.raises(KeyboardInterrupt):
        decide(3, 3)
    assert len(counted) == 2
    assert all(counts[STOPPED] for counts in counted)
    assert left[0].marks[OPEN] == 0
    monkeypatch.setattr(root, "lead_tasks", lead)
    assert_same(decide(3, 3), decide(3, 1))


def test_an_error_of_a_helper_ends_the_decision(monkeypatch):
    """The leader waits for a task that is lost, until it is told so."""
    end = time.monotonic() + 20

    def waiting(search, work, room, candidates, tasks, top):
        assert time.monotonic() < end, "nobody has told it"
        return tasks.marks[HALTED] == 0

    def broken(*arguments):
        raise ZeroDivisionError

    lead, help_out = root.lead_tasks, root.help_tasks
    monkeypatch.setattr(root, "lead_tasks", waiting)
    monkeypatch.setattr(root, "help_tasks", broken)
    with pytest.raises(ZeroDivisionError):
        decide(3, 3)
    monkeypatch.setattr(root, "lead_tasks", lead)
    monkeypatch.setattr(root, "help_tasks", help_out)
    assert_same(decide(3, 3), decide(3, 1))


def test_a_stop_ends_all_threads():
    stop = Stop()
    stop.set()
    found = decide(4, 3, stop=stop)
    assert found.depth < 7
    assert_same(found, decide(4, 1, found.depth))


def test_a_stop_at_any_time_leaves_a_complete_depth():
    depths = set()
    for number in range(60):
        stop = Stop()
        timer = Timer(1e-4 * number, stop.set)
        if number == 0:
            stop.set()  # before it begins, whichever thread is quicker
        elif number < 59:  # the last one is not stopped
            timer.start()
        found = decide(5, 3, stop=stop)
        timer.cancel()
        depths.add(found.depth)
        complete = decide(5, 1, found.depth)
        assert found.values.tolist() == complete.values.tolist()
        assert found.stats.nodes >= complete.stats.nodes
        assert found.stats.nodes <= decide(5, 1).stats.nodes
    assert len(depths) > 1 and max(depths) == 7
