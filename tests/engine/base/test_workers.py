"""Worker processes: what comes back, and that none is left."""

import os
import signal
import subprocess
import sys
from multiprocessing import Pipe
from pathlib import Path
from types import SimpleNamespace

import pytest

from gammon.base.errors import FormatError, GammonError
from gammon.base.parallel import Pool, run_units
from gammon.base.store import Unit
from gammon.base.workers import _collected, _Worker, in_processes
from tests.processes import ROOT, UNITS, alive, comes_true, hold, members, started

assert hold  # the programs below import it


def square(unit: Unit) -> int:
    return int(unit["number"]) ** 2


def with_pid(unit: Unit) -> int:
    return os.getpid()


def failing(unit: Unit) -> int:
    if unit["number"] == 3:
        raise FormatError("the third")
    if unit["number"] == 4:
        raise KeyError("the fourth")
    if unit["number"] == 5:
        raise MemoryError
    return square(unit)


def killed_once(unit: Unit) -> int:
    """Be killed at the third unit, the first time that it is done."""
    flag = Path(unit["flag"])
    if unit["number"] == 3 and not flag.exists():
        flag.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return square(unit)


def never(unit: Unit) -> None:
    raise AssertionError(f"{unit} was done already")


def test_each_unit_comes_back_once() -> None:
    found = list(in_processes(square, UNITS, 2))
    assert sorted((unit["number"], result) for unit, result in found) == [
        (n, n * n) for n in range(6)
    ]
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
        (3, FormatError, "^the third$"), (4, RuntimeError, "in a worker process(.|\n)*fourth"),
        (5, GammonError, "out of memory"),
    ],
)  # fmt: skip
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
    [
        (signal.SIGTERM, False), (signal.SIGKILL, False), (signal.SIGINT, False),
        (signal.SIGINT, True),
    ],
)  # fmt: skip
def test_no_worker_outlives_its_parent(
    how: signal.Signals, to_all: bool, tmp_path: Path
) -> None:
    """With two workers at work; a terminal's Ctrl-C goes to all processes."""
    store = tmp_path / "units.jsonl"
    code = "import sys; from tests.processes import hold; hold(sys.argv[1])"
    with started(code, str(store)) as parent:
        try:
            assert comes_true(
                lambda: store.exists() and store.read_bytes().count(b"\n") == 2, 60
            )
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
        "from tests.engine.base.test_workers import UNITS, in_processes, square\n"
        "print(list(in_processes(square, UNITS, 2)))\n"
    )
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)}, timeout=300,
    )  # fmt: skip
    assert done.returncode == 1
    assert "below `if __name__ == '__main__':`" in done.stderr.splitlines()[-1]
