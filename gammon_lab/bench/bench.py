"""One run of the benchmark: check the counts, then measure, from small parts to whole commands."""

import math
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from gammon.base.errors import GammonError, SettingError
from gammon.compiled.kernel import variant
from gammon.engine.engine import Engine
from gammon.eval.evaluators import leaf_and_probe
from gammon.formats.context import several
from gammon.formats.position import Position
from gammon_lab.bench.decisions import OTHERS, Cost, calibration, cost_of, costs_in_turns, started
from gammon_lab.bench.positions import BenchPosition, bench_positions, check_counts, spread_positions
from gammon_lab.bench.speed import median_seconds, speeds, yardstick
from gammon_lab.programs import Peer

#: Runs of a call, of which the fastest counts; runs of a whole command, of which the median counts.
_CALL_RUNS, _COMMAND_RUNS = 3, 5
#: More plays than any roll has.
_ALL = 10_000
_OPENING_31 = ("4HPwATDgc/ABMA", "--dice", "31")
_RUN = "import sys; from gammon.commands.main import main; main()"
# Not `ru_maxrss`, which on Linux begins with the memory of the process that started this one.
_PEAK = (
    "from pathlib import Path; from gammon.commands.main import main\n"
    "try: main()\n"
    "except SystemExit: print(Path('/proc/self/status').read_text())"
)


def _seconds(work: Callable[[], object]) -> float:
    """Return the least processor time of a few runs of some work."""
    best = math.inf
    for _ in range(_CALL_RUNS):
        begun = time.process_time()
        work()
        best = min(best, time.process_time() - begun)
    return best


def array_speeds(model: str, depth: int, decisions: Sequence[BenchPosition]) -> dict[str, float]:
    """Return how many positions or decisions a second an engine handles, by the name of the call.

    Args:
        model: the leaf network.
        depth: the depth of the engine, which is cubeless and has one thread.
        decisions: N positions and rolls.
    """
    engine = Engine(depth, model=model, cubeless=True)
    points = np.array([decision.points for decision in decisions], np.int8)
    dice = np.array([decision.dice for decision in decisions])
    positions = [Position(decision.points) for decision in decisions]
    calls: dict[str, Callable[[], object]] = {
        "evaluate_many, positions": lambda: engine.evaluate_many(points),
        "evaluate, one by one": lambda: [engine.evaluate(position) for position in positions],
        "best_plays, decisions": lambda: engine.best_plays(points, dice),
        "values_of_plays, decisions": lambda: engine.values_of_plays(points, dice),
        "analyze for all plays, one by one": lambda: [
            engine.analyze(position, decision.dice, top=_ALL)
            for position, decision in zip(positions, decisions, strict=True)
        ],
    }
    return {name: len(decisions) / _seconds(call) for name, call in calls.items()}


Say = Callable[[str], None]
#: The largest number of positions in an array, by depth.
_ARRAYS = {1: 500, 3: 60}


class BenchSettings(NamedTuple):
    """The measurements of a run.

    Attributes:
        positions: how many of the 500 are searched to depth 1, 3 and 5.
        deep: how many of these are searched to depth 7.
        model: the leaf network.
        threads: for the measurements with more than one thread.
        against: other programs to measure too, named as in `OTHERS`.
        first_start: whether to measure a start with an empty cache.
    """

    positions: int = 500
    deep: int = 50
    model: str = "leaf"
    threads: int = 2
    against: Sequence[str] = ()
    first_start: bool = True


def _costs(settings: BenchSettings, say: Say) -> list[Cost]:
    """Return the costs of decisions at all depths."""
    few, some = spread_positions(max(settings.deep, 1)), spread_positions(settings.positions)
    players, threads = leaf_and_probe(settings.model), settings.threads
    many = several(threads, "thread")
    cost_of("warm", players, few[:1], 5, threads)  # loads compiled code and models
    costs = []

    def add(name: str, decisions: list[BenchPosition], depth: int, *more: Any) -> None:
        say(f"{len(decisions)} decisions at {name}")
        costs.append(cost_of(name, players, decisions, depth, *more))

    for depth in (1, 3, 5):
        add(f"depth {depth}", some, depth)
    add("depth 5, exact", some, 5, 1, "star2")
    if threads > 1:
        add(f"depth 5, {many}", some, 5, threads)
    if settings.deep:
        add("depth 7", few, 7)
        if threads > 1:
            add(f"depth 7, {many}", few, 7, threads)
        add(f"depth 7, exact, {many}", few, 7, threads, "star2")
    return costs


def run_bench(settings: BenchSettings, say: Say = lambda text: None) -> dict[str, Any]:
    """Run the benchmark, and return the results as plain JSON values.

    Args:
        settings: what to measure.
        say: called with a line of text before each part.

    Raises:
        GammonError: a count is wrong, or another program is missing.
        SettingError: a number of positions is out of range, or a program is unknown.
    """
    if not 1 <= settings.positions <= len(bench_positions()):
        raise SettingError(f"positions {settings.positions}: expected 1 to {len(bench_positions())}")
    if not 0 <= settings.deep <= settings.positions:
        raise SettingError(f"deep {settings.deep}: expected 0 to {settings.positions}")
    for name in settings.against:
        if name not in OTHERS:
            raise SettingError(f"against {name!r}: expected {' or '.join(OTHERS)}")
    leaf_and_probe(settings.model)  # a missing model ends the run before any work
    with started(settings.against) as peers:
        return _measured(settings, peers, say)


def _measured(settings: BenchSettings, peers: Mapping[str, Peer], say: Say) -> dict[str, Any]:
    """Measure everything, in the order of the report."""
    versions = {name: peer.version for name, peer in peers.items()}
    results: dict[str, Any] = {"machine": machine() | {"programs": versions}}
    say("counts")
    check_counts()
    say("speeds")
    results["yardstick"] = yardstick()
    results["per_second"] = speeds(settings.model, settings.threads)
    if "gnubg" in peers:
        results["per_second"]["GNU Backgammon's calibrate"] = calibration()
    results["decisions"] = [cost._asdict() for cost in _costs(settings, say)]
    some, results["programs"] = spread_positions(settings.positions), []
    if peers:
        say("all programs in turns")
        few = spread_positions(settings.deep) if settings.deep else []
        levels = costs_in_turns(peers, settings.model, some, few)
        results["programs"] = [[cost._asdict() for cost in level] for level in levels]
    say("arrays")
    results["arrays"] = {
        f"depth {depth}": array_speeds(settings.model, depth, some[:most]) for depth, most in _ARRAYS.items()
    }
    say("start-up and memory")
    results["start_up_seconds"] = start_up()
    if settings.first_start:
        results["start_up_seconds"]["gammon analyze, the first start"] = first_start()
    return results | {"peak_mb": peak_megabytes()}


def machine() -> dict[str, Any]:
    """Return the processor, the number of processors, the version of Python, the kernels and the load.

    The kernels are given by their form, such as "x86-64-v3". The load is the mean number of
    runnable processes over the last minute; None where it is not known. Times that were taken under
    load are longer.
    """
    return {
        "processor": _processor(),
        "processors": os.cpu_count(),
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
        "python": platform.python_version(),
        "kernels": variant(),
    }


def _processor() -> str:
    """Return the name of the processor, or at least its kind."""
    if sys.platform.startswith("linux"):
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()


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
    return median_seconds(lambda: _call(_RUN, *arguments), _COMMAND_RUNS)


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
