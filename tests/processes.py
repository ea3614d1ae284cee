"""Python code in processes of its own: a program of two workers, and what is left of it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from gammon.base.errors import FormatError
from gammon.base.parallel import Pool, run_units
from gammon.base.stop import Stop
from gammon.base.store import Unit

ROOT = Path(__file__).parents[1]
UNITS: list[Unit] = [{"number": n} for n in range(6)]


# The work of worker processes, which import this module for it: it needs little.


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


def cube(unit: Unit) -> dict[str, float]:
    return {"cube": unit["number"] ** 3 / 3, "seed": unit["seed"]}


def slow_cube(unit: Unit) -> dict[str, float]:
    time.sleep(0.2)
    return cube(unit)


def until_told(unit: Unit, stop: Stop) -> dict[str, float]:
    """Take for ever, but for the first unit."""
    while unit["number"] and not stop.is_set():
        time.sleep(0.01)
    return cube(unit)


def quick_then_slow(unit: Unit) -> int:
    """Return a square; from the third unit on after a minute."""
    if unit["number"] >= 2:
        time.sleep(60)
    return int(unit["number"]) ** 2


def hold(store: str) -> None:
    """Run units that take minutes, with two workers."""
    run_units(quick_then_slow, UNITS, Path(store), Pool(2))


def started(code: str, *arguments: str) -> subprocess.Popen[str]:
    """Start Python code in a process group of its own."""
    here = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        cwd=ROOT,
        env=here,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def printed(code: str, *arguments: str, cwd: Path = ROOT, **environment: str) -> str:
    """Return what Python code prints until it ends well, less the white space around it."""
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=cwd,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@contextmanager
def serving(*options: str) -> Iterator[str]:
    """Run `gammon serve` with some options on a free port, and give its address."""
    with subprocess.Popen(
        [sys.executable, "-u", "-m", "gammon", "serve", "--port", "0", *options],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    ) as run:
        try:
            assert run.stdout is not None
            yield next(word for word in run.stdout.readline().split() if "://" in word)
        finally:
            run.terminate()


def members(group: int) -> list[str]:
    """Return a line for each process of a group that still runs."""
    listed = subprocess.run(
        ["ps", "-eo", "pgid=,stat=,pid=,args="], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    rows = [line.split(None, 3) for line in listed]
    return [" ".join(row) for row in rows if row[0] == str(group) and row[1][0] != "Z"]


def alive(pid: int) -> bool:
    """Tell whether a process still runs."""
    asked = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return asked.stdout.strip()[:1] not in ("", "Z")


def comes_true(what: Callable[[], bool], seconds: float) -> bool:
    """Wait until something is so, and tell whether it came to be."""
    until = time.monotonic() + seconds
    while not what():
        if time.monotonic() > until:
            return False
        time.sleep(0.05)
    return True
