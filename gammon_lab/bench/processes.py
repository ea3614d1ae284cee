"""Whole processes: time from the command to the answer, and memory."""

import os
import subprocess
import sys
import tempfile
import time

from gammon.base.errors import GammonError
from gammon_lab.bench.speed import median_seconds

_REPEATS = 5
_OPENING_31 = ("4HPwATDgc/ABMA", "--dice", "31")
_RUN = "import sys; from gammon.commands.main import main; main()"
# Not `ru_maxrss`, which on Linux begins with the memory of the process that started this one.
_PEAK = (
    "from pathlib import Path; from gammon.commands.main import main\n"
    "try: main()\n"
    "except SystemExit: print(Path('/proc/self/status').read_text())"
)


def _call(code: str, *arguments: str, **variables: str) -> str:
    """Return the standard output of a process."""
    process = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | variables,
    )
    if process.returncode != 0:
        raise GammonError(f"gammon {' '.join(arguments)}: {process.stderr.strip()}")
    return process.stdout


def _wall(*arguments: str) -> float:
    """Return the seconds that a command takes."""
    _call(_RUN, *arguments)  # fills the caches
    return median_seconds(lambda: _call(_RUN, *arguments), _REPEATS)


def start_up() -> dict[str, float]:
    """Return the seconds that whole commands take: the median of five, with warm caches."""
    return {
        "gammon --help": _wall("--help"),
        "gammon analyze, depth 3": _wall("analyze", *_OPENING_31, "--depth", "3"),
        "gammon analyze, depth 5": _wall("analyze", *_OPENING_31, "--depth", "5"),
    }


def first_start() -> float:
    """Return the seconds that the first analysis after an installation takes.

    Its cache is empty: it makes the tables, and compiles the kernels that the library lacks.
    """
    with tempfile.TemporaryDirectory() as cache:
        begun = time.perf_counter()
        _call(_RUN, "analyze", *_OPENING_31, "--depth", "3", GAMMON_CACHE=cache)
        return time.perf_counter() - begun


def peak_megabytes() -> float | None:
    """Return the peak memory of an analysis to depth 5; None if the system is not Linux."""
    if not sys.platform.startswith("linux"):
        return None
    answer = _call(_PEAK, "analyze", *_OPENING_31, "--depth", "5")
    kilobytes = int(answer.rpartition("VmHWM:")[2].split()[0])
    return kilobytes / (1 << 10)
