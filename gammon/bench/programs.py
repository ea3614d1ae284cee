"""GNU Backgammon on the same positions in the same run."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from gammon.bench.decisions import Cost, summary
from gammon.bench.positions import BenchPosition
from gammon.errors import GammonError
from gammon.peers.gnubg import GnuBackgammon, find_program

__all__ = ["calibration", "costs"]

_CALIBRATE = "set threads 1\ncalibrate 200\nquit\ny\n"
#: By ply, one position in so many is taken: 3-ply takes long.
_EVERY = {0: 1, 1: 1, 2: 1, 3: 10}


@contextmanager
def _one_processor() -> Iterator[None]:
    """Keep this process, and the programs that it starts, to one processor; Linux only."""
    if not sys.platform.startswith("linux"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def calibration() -> float:
    """Return static evaluations a second, by its own measure, on one core.

    It runs a thread beside its main one, so on Linux it is kept to one processor.
    """
    path = find_program()
    if path is None:
        raise GammonError("GNU Backgammon is not installed: expected the program gnubg")
    with _one_processor():
        done = subprocess.run(
            [path, "-t", "-q", "-r"], input=_CALIBRATE, capture_output=True, text=True,
            check=False, timeout=120.0,
        )  # fmt: skip
    match = re.search(r"Calibration result: (\d+)", done.stdout)
    if match is None:
        raise GammonError("GNU Backgammon does not calibrate")
    return float(match.group(1))


def costs(decisions: Sequence[BenchPosition]) -> list[Cost]:
    """Return its decisions' costs at 0 to 3 plies, with its default settings, cubeless.

    Times are processor time of the program: a call into its embedded Python waits in steps
    of 10 ms until a worker thread is done, and that wait is not its search. Its cache is
    empty at the start of each decision, as our table is.
    """
    found = []
    with GnuBackgammon() as gnubg:
        for plies, every in _EVERY.items():
            seconds = []
            for each in decisions[::every]:
                gnubg.forget()
                before = gnubg.cpu_seconds
                gnubg.best_play(each.points, each.dice, plies)
                seconds.append(gnubg.cpu_seconds - before)
            found.append(summary(f"GNU Backgammon {plies}-ply", seconds))
    return found
