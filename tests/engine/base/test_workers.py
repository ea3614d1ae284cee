"""Worker processes, of which none is left, and threads that end the searches of others."""

import os
import pickle
import signal
import subprocess
import sys
import threading
from multiprocessing import Pipe
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import gammon
from gammon import search
from gammon.base.errors import FormatError, GammonError, SettingError, UnfinishedError
from gammon.base.parallel import Pool, _collected, _Worker, in_processes, run_units
from gammon.base.stop import Stop
from gammon_lab.games import synthetic
from tests.processes import (
    ROOT,
    UNITS,
    alive,
    comes_true,
    failing,
    killed_once,
    members,
    never,
    square,
    started,
    with_pid,
)

# Worker processes: what comes back, and that none is left.


def test_each_unit_comes_back_once() -> None:
    found = list(in_processes(square, UNITS, 2))
    assert sorted((unit["number"], result) for unit, result in found) == [(n, n * n) for n in range(6)]
    assert list(in_processes(square, [], 2)) == []


def test_closed_early_no_worker_is_left() -> None:
    results = in_processes(with_pid, UNITS, 2)
    pids = {next(results)[1] for _ in range(2)}
    assert all(pid != os.getpid() for pid in pids)
    results.close()
    assert not any(map(alive, pids))


@pytest.mark.parametrize(
    ("number", "error", "words"),
    [
        (3, FormatError, "^the third$"),
        (4, RuntimeError, "in a worker process(.|\n)*fourth"),
        (5, GammonError, "out of memory"),
    ],
)
def test_errors_come_back(number: int, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        list(in_processes(failing, [{"number": number}], 2))


def test_a_killed_worker_is_one_line_and_the_run_goes_on(tmp_path: Path) -> None:
    units = [{**unit, "flag": str(tmp_path / "flag")} for unit in UNITS]
    store = tmp_path / "units.jsonl"
    with pytest.raises(GammonError, match="worker process was killed by signal 9") as caught:
        run_units(killed_once, units, store, Pool(2))
    assert "\n" not in str(caught.value)
    assert store.read_bytes().count(b"\n") >= 2, "the finished units are kept"
    assert run_units(killed_once, units, store, Pool(2)) == [n * n for n in range(6)]
    assert run_units(never, units, store, Pool(2)) == [n * n for n in range(6)]


def test_a_worker_that_dies_before_its_next_unit_takes_no_result_with_it() -> None:
    """Both workers have done a unit, and the first one is gone."""
    dead = SimpleNamespace(join=lambda timeout: None, exitcode=-9)
    team = []
    for unit in UNITS[:2]:
        ours, theirs = Pipe()
        theirs.send((unit, square(unit), None))
        team.append(_Worker(dead, ours, busy=True))  # type: ignore[arg-type]
        if unit is UNITS[0]:
            theirs.close()
    found = []
    with pytest.raises(GammonError, match=r"was killed by signal 9 .*: what is done is kept"):
        for unit, result in _collected(team, iter(UNITS[2:]), None):
            found.append((unit["number"], result))
    assert sorted(found) == [(0, 0), (1, 1)]
    assert [worker.busy for worker in team] == [False, True]


@pytest.mark.parametrize(
    ("how", "to_all"),
    [(signal.SIGTERM, False), (signal.SIGKILL, False), (signal.SIGINT, False), (signal.SIGINT, True)],
)
def test_no_worker_outlives_its_parent(how: signal.Signals, to_all: bool, tmp_path: Path) -> None:
    """With two workers at work; a terminal's Ctrl-C goes to all processes."""
    store = tmp_path / "units.jsonl"
    code = "import sys; from tests.processes import hold; hold(sys.argv[1])"
    with started(code, str(store)) as parent:
        try:
            assert comes_true(lambda: store.exists() and store.read_bytes().count(b"\n") == 2, 60)
            assert len(members(parent.pid)) >= 3
            (os.killpg if to_all else os.kill)(parent.pid, how)
            assert comes_true(lambda: not members(parent.pid), 40), members(parent.pid)
        finally:
            if members(parent.pid):
                os.killpg(parent.pid, signal.SIGKILL)
        _, errors = parent.communicate()
    assert parent.returncode == -how
    assert errors.count("Traceback") == (how == signal.SIGINT), errors
    assert store.read_bytes().count(b"\n") == 2, "the finished units are kept"


def test_a_script_without_a_guard_is_told_what_is_missing(tmp_path: Path) -> None:
    """New processes import the script, which would start processes of its own."""
    script = tmp_path / "script.py"
    script.write_text(
        "from gammon.base.parallel import in_processes\n"
        "from tests.processes import UNITS, square\n"
        "print(list(in_processes(square, UNITS, 2)))\n"
    )
    done = subprocess.run(
        [sys.executable, str(script)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=300,
    )
    assert done.returncode == 1
    assert "below `if __name__ == '__main__':`" in done.stderr.splitlines()[-1]


# One thread ends the searches of others.

SETUP = search.TreeSearch(synthetic.game(-3, 3), synthetic.LEAF)
#: Plies that no machine searches.
FOR_EVER = 41
#: Opens and closes a context while alarms come.
ALARMED = """
import signal
from gammon.base.stop import Stop

stop, told, alarms = Stop(), 0, 0

def tell():
    global told
    told += 1

def handle(number, frame):
    global alarms
    alarms += 1
    stop.set()

signal.signal(signal.SIGALRM, handle)
signal.setitimer(signal.ITIMER_REAL, 2e-4, 2e-4)
while alarms < 1000:
    with stop.telling(tell):
        stop.set()
signal.setitimer(signal.ITIMER_REAL, 0)
assert stop.is_set() and told >= 1000
"""


@pytest.mark.parametrize("wrong", [("x",), (float("nan"),), (10**400,), (True,), (None, threading.Event())])
def test_what_is_no_stop_is_refused(wrong):
    with pytest.raises(SettingError):
        Stop(*wrong)


def test_a_stop_tells_the_work_under_way_and_no_other():
    stop, told = Stop(), []
    with stop.telling(lambda: told.append("over")):
        pass
    with stop.telling(lambda: told.append("early")):
        assert not stop.is_set()
        assert told == []
        stop.set()
        assert stop.is_set()
        assert told == ["early"]
        with stop.telling(lambda: told.append("late")):
            assert told == ["early", "late"]
    stop.set()
    assert told == ["early", "late"]
    assert repr(stop) == "Stop(set=True)"


@pytest.mark.smoke
@pytest.mark.parametrize("threads", [1, 2])
def test_another_thread_ends_a_decision_that_would_take_for_ever(threads):
    root = synthetic.root(-3, 3, 1, 0)
    stop = Stop()
    timer = threading.Timer(0.3, stop.set)
    timer.start()
    found = SETUP.decide(root, 0, FOR_EVER, stop=stop, threads=threads)
    assert 1 < found.depth < FOR_EVER
    alone = SETUP.decide(root, 0, found.depth)
    assert found.values[found.order[0]] == alone.values[alone.order[0]]
    again = SETUP.decide(root, 0, FOR_EVER, stop=stop)
    assert again.depth == 1


def test_a_search_that_is_not_stopped_is_the_same():
    root = synthetic.root(-3, 3, 1, 0)
    stop = Stop()
    alone = SETUP.value(root, 6, leaves=True)
    found = SETUP.value(root, 6, leaves=True, stop=stop)
    assert (found.value, found.depth) == (alone.value, 6)
    assert found.leaves is not None and alone.leaves is not None
    assert (found.leaves.rows == alone.leaves.rows).all()
    stop.set()
    assert SETUP.value(root, 6, stop=stop).depth == 0


def test_an_engine_answers_from_the_last_complete_depth():
    engine, position = gammon.Engine(depth=7), gammon.Position.parse("4HPwATDgc/ABMA")
    stop = gammon.Stop()
    stop.set()
    assert engine.analyze(position, (3, 1), stop=stop).candidates[0].depth == 1
    assert engine.cube(position, stop).depth == 1
    shallow = gammon.Engine(depth=1).evaluate(position)
    assert engine.evaluate(position, stop).equity == shallow.equity
    rolls = engine.analyze_rolls(position, stop=stop)
    assert np.array([each.candidates[0].depth for each in rolls.analyses]).max() == 1
    free = gammon.Engine(depth=3)
    assert free.analyze(position, (3, 1), stop=gammon.Stop()).candidates[0].depth == 3


def test_a_stop_is_set_when_its_time_is_over_or_another_one_is_set():
    early, other = Stop(0.0), Stop()
    both = Stop(3600.0, other)
    assert early.is_set() and not both.is_set()
    for each in (other, both):
        each.check()
    told = threading.Event()
    with both.telling(told.set):
        assert not told.is_set()
        other.set()
        assert both.is_set() and told.is_set()
    with pytest.raises(UnfinishedError):
        both.check()
    told.clear()
    with early.telling(told.set):
        assert told.is_set()
    told.clear()
    with Stop(0.05).telling(told.set):
        assert told.wait(60)


def test_a_handler_of_signals_may_set_a_stop_at_any_point():
    """The alarm comes at many points of opening, setting and closing; none may wait for it."""
    child = started(ALARMED)
    try:
        _, errors = child.communicate(timeout=60)
    finally:
        child.kill()
    assert child.returncode == 0, errors


def test_another_process_gets_its_time():
    assert pickle.loads(pickle.dumps(Stop(0.0))).is_set()
    later = Stop(3600.0)
    later.set()
    assert not pickle.loads(pickle.dumps(later)).is_set()
    root, found = synthetic.root(-3, 3, 1, 0), pickle.loads(pickle.dumps(Stop(0.2)))
    assert SETUP.decide(root, 0, FOR_EVER, stop=found).depth < FOR_EVER
