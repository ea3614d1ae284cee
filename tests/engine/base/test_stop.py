"""One thread ends the searches of others."""

import pickle
import threading

import numpy as np
import pytest

import gammon
from gammon import search
from gammon.base.errors import SettingError, UnfinishedError
from gammon.base.stop import Stop
from gammon_lab.games import synthetic
from tests.processes import started

SETUP = search.Setup(synthetic.game(-3, 3), synthetic.LEAF)
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


@pytest.mark.parametrize(
    "wrong", [("x",), (float("nan"),), (10**400,), (True,), (None, threading.Event())]
)
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
