"""One run of the benchmark: check the counts, then measure, from small parts to whole commands.

The report of the figures has tables, and sentences that compare them.
"""

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
from gammon_lab.report import Cell, Report, Sheet

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
_CALIBRATE = "GNU Backgammon's calibrate"


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
        results["per_second"][_CALIBRATE] = calibration()
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


def bench_report(found: Mapping[str, Any]) -> Report:
    """Return the report of the results of `run_bench`."""
    tables = [_speeds(found), *_decisions(found["decisions"])]
    if found["programs"]:
        tables += _programs(found["programs"])
    tables += [_arrays(found["arrays"]), _commands(found)]
    return Report("The benchmark", tables, (), [_machine(found["machine"]), *_findings(found)])


def _speeds(results: Mapping[str, Any]) -> Sheet:
    """Return the table of speeds, beside the yardstick."""
    yardstick = results["yardstick"]
    rows = [
        [name, speed / 1e6, 1000 * speed / yardstick]
        for name, speed in {"hashes (the yardstick)": yardstick, **results["per_second"]}.items()
    ]
    columns = ("in a second", "millions", "per 1000 hashes")
    return Sheet("speeds", "In a second", columns, rows)


def _times(name: str, title: str, first: str, costs: Sequence[Mapping[str, Any]]) -> Sheet:
    """Return the table of the times of decisions."""
    keys = ("name", "decisions", "median_ms", "mean_ms", "p95_ms")
    columns = (first, "number", "median ms", "mean ms", "95 % ms")
    return Sheet(name, title, columns, [[cost[key] for key in keys] for cost in costs])


def _decisions(costs: Sequence[Mapping[str, Any]]) -> list[Sheet]:
    """Return the tables of the time and of the leaves of decisions."""
    work = [
        [
            cost["name"],
            cost["leaves"],
            *(100 * cost[key] if cost[key] else None for key in ("share", "probes_cut")),
        ]
        for cost in costs
    ]
    columns = ("a decision", "leaves", "of the full trees %", "probes cut %")
    return [
        _times("decisions", "Time of a decision by the clock", "a decision", costs),
        Sheet("work", "Work of these decisions in all", columns, work),
    ]


def _programs(levels: Sequence[Sequence[Mapping[str, Any]]]) -> list[Sheet]:
    """Return the tables of the times of all programs, and of their ratios to gammon's."""
    ratios = [
        [cost["name"], *(cost[key] / level[0][key] for key in ("median_ms", "mean_ms"))]
        for level in levels
        for cost in level
    ]
    title = "These times, relative to gammon's search that looks equally far"
    costs = [cost for level in levels for cost in level]
    return [
        _times("programs", "All programs in turns, processor time", "player", costs),
        Sheet("ratios", title, ("player", "median", "mean"), ratios),
    ]


def _arrays(by_depth: Mapping[str, Mapping[str, float]]) -> Sheet:
    """Return the table of calls from Python per second."""
    first, *_ = by_depth.values()
    rows: list[list[Cell]] = [[name, *(speeds[name] for speeds in by_depth.values())] for name in first]
    return Sheet("arrays", "Calls from Python, in a second", ("call", *by_depth), rows)


def _commands(results: Mapping[str, Any]) -> Sheet:
    """Return the table of the seconds that whole commands take."""
    rows = list(results["start_up_seconds"].items())
    return Sheet("commands", "Whole commands", ("command", "seconds"), rows)


def _machine(machine: Mapping[str, Any]) -> str:
    """Return a sentence that describes the machine."""
    programs = "".join(f", {version}" for version in machine["programs"].values())
    load = "" if machine["load"] is None else f" The load was {machine['load']:.1f} at the start."
    return (
        f"{machine['processors']} processors, {machine['processor']}; Python {machine['python']}, "
        f"kernels {machine['kernels']}{programs}.{load}"
    )


def _findings(results: Mapping[str, Any]) -> list[str]:
    """Return sentences that compare the figures of the tables."""
    rates = results["per_second"]
    inside = rates["evaluations in search, depth 5"]
    sentences = [f"An evaluation takes {1e9 / inside:.0f} ns inside the search, all else included."]
    if _CALIBRATE in rates:
        sentences[0] += (
            f" So one core evaluates {inside / rates[_CALIBRATE]:.1f} times as many positions "
            "a second as by GNU Backgammon's `calibrate`."
        )
    costs = {cost["name"]: cost for cost in results["decisions"]}
    sentences += [
        f"{name.capitalize()}, takes {_times_as_long(cost, costs['depth 5'], 'depth 5')}."
        for name, cost in costs.items()
        if name.startswith("depth 5, ")
    ]
    for first, *others in results["programs"]:
        compared = [
            _times_as_long(first, cost, cost["name"])
            for cost in others
            if not cost["name"].startswith("depth ")
        ]
        sentences.append(f"{first['name'].capitalize()} takes {', and '.join(compared)}.")
    if results["peak_mb"] is not None:
        sentences.append(f"An analysis to depth 5 takes {results['peak_mb']:.0f} MB of memory at most.")
    return sentences


def _times_as_long(cost: Mapping[str, Any], reference: Mapping[str, Any], name: str) -> str:
    """Return in words how many times as long the decisions of one cost take."""
    median, mean = (cost[key] / reference[key] for key in ("median_ms", "mean_ms"))
    return f"{median:.2f} times as long as {name} at the median ({mean:.2f} on average)"
