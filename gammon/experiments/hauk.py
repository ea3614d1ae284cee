"""Hauk, Buro and Schaeffer (2004): what *-minimax saves in backgammon.

Expectimax, Star1 and Star2 at depths 3 and 5 on contact positions, with their leaves,
nodes and time, and how many of Star2's probes end in a cutoff. Their positions,
evaluator (GNU Backgammon's) and machine are not ours; what can be compared are the
ratios. Ours come from self-play of the shipped network.
"""

import time
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from gammon import search
from gammon.engine import Engine
from gammon.eval import nnue
from gammon.eval.weights import load_model
from gammon.experiments.report import Cell, Figure, Report, Settings, Table, compared
from gammon.games.backgammon import BACKGAMMON
from gammon.parallel import Unit, run_units
from gammon.rules.board import Points
from gammon.sample import self_play_positions
from gammon.search.game import Evaluator

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["run"]

ALGORITHMS = ("expectimax", "star1", "star2")
DEPTHS = (3, 5)
_POSITIONS = 500
_QUICK_POSITIONS = 20
#: Time in per cent of expectimax's, from the slides.
_PUBLISHED_TIME = {(3, "star1"): 100, (3, "star2"): 91, (5, "star1"): 82, (5, "star2"): 7}
#: Probe efficiency in per cent: mean and sigma over positions.
_PUBLISHED_PROBES = {3: (68.9, 29.5), 5: (64.2, 22.6)}


def has_contact(points: Points) -> bool:
    """Tell whether a checker of either side has still to pass one of the other's."""
    own = max(p for p in range(26) if points[p] > 0)
    their = min(p for p in range(26) if points[p] < 0)
    return own > their


@cache
def _positions(count: int, seed: int) -> list[tuple[Points, int]]:
    found: list[tuple[Points, int]] = []
    wanted = 2 * count
    while len(found) < count:
        played = self_play_positions(Engine(depth=1), wanted, seed)
        found = [(points, roll) for points, roll in played if has_contact(points)][:count]
        wanted *= 2
    return found


@cache
def _evaluators() -> tuple[Evaluator, Evaluator]:
    leaf, probe = (
        Evaluator(nnue.values, nnue.pack(load_model(name).weights))
        for name in ("leaf", "probe")
    )
    return leaf, probe


def measure(unit: Unit) -> dict[str, Any]:
    """Search one position at one depth with all algorithms.

    Returns:
        By algorithm: leaves, nodes, seconds of processor time; and Star2's probes.
    """
    points, outcome = _positions(unit["positions"], unit["seed"])[unit["number"]]
    leaf, probe = _evaluators()
    found: dict[str, Any] = {}
    values = {}
    for algorithm in ALGORITHMS:
        begun = time.process_time()
        decision = search.decide(
            BACKGAMMON, leaf, points, outcome, unit["depth"], algorithm, probe
        )
        stats = decision.stats
        found[algorithm] = [stats.leaves, stats.nodes, time.process_time() - begun]
        values[algorithm] = float(decision.values[decision.order[0]])
        if algorithm == "star2":
            found["probes"] = [stats.probes, stats.probe_cuts]
    found["spread"] = max(values.values()) - min(values.values())
    return found


def run(settings: Settings) -> Report:
    """Reproduce the table of times, and the probe efficiency."""
    count = _QUICK_POSITIONS if settings.quick else _POSITIONS
    units = [
        {"positions": count, "seed": settings.seed, "number": number, "depth": depth}
        for depth in (DEPTHS[:1] if settings.quick else DEPTHS)
        for number in range(count)
    ]
    results = run_units(
        measure, units, settings.out / "hauk.jsonl", settings.workers, settings.on_done
    )
    by_depth: dict[int, list[dict[str, Any]]] = {}
    for unit, result in zip(units, results, strict=True):
        by_depth.setdefault(unit["depth"], []).append(result)
    tables = [_savings(by_depth), _probes(by_depth)]
    worst = max(result["spread"] for result in results)
    notes = [
        f"{count} contact positions of self-play, seed {settings.seed}.",
        "Seconds are processor time.",
        f"The three algorithms' best equities differ by at most {worst:.1e}.",
    ]
    figure = Figure("hauk-leaves", lambda axes: _draw(axes, by_depth))
    return Report("Backgammon: Hauk, Buro and Schaeffer (2004)", tables, [figure], notes)


def _savings(by_depth: dict[int, list[dict[str, Any]]]) -> Table:
    rows: list[list[Cell]] = []
    for depth, results in by_depth.items():
        full = np.mean([result["expectimax"] for result in results], axis=0)
        for algorithm in ALGORITHMS:
            table = np.array([result[algorithm] for result in results])
            mean, sigma = table.mean(axis=0), table.std(axis=0)
            percent = 100 * mean / full
            row: list[Cell] = [depth, algorithm]
            row += [float(x) for pair in zip(mean, sigma, strict=True) for x in pair]
            row += [float(percent[0])]
            row += compared(_PUBLISHED_TIME.get((depth, algorithm)), float(percent[2]))
            rows.append(row)
    columns = (
        "depth", "algorithm", "leaves", "sigma", "nodes", "sigma", "seconds", "sigma",
        "leaves %", "time % published", "time % ours", "difference",
    )  # fmt: skip
    return Table("hauk-savings", "Leaves, nodes and time of a decision", columns, rows)


def _efficiencies(results: list[dict[str, Any]]) -> np.ndarray[Any, np.dtype[np.float64]]:
    pairs = [result["probes"] for result in results if result["probes"][0]]
    return np.array([100 * cuts / probes for probes, cuts in pairs])


def _probes(by_depth: dict[int, list[dict[str, Any]]]) -> Table:
    rows: list[list[Cell]] = []
    for depth, results in by_depth.items():
        each = _efficiencies(results)
        mean, sigma = _PUBLISHED_PROBES[depth]
        rows.append([depth, *compared(mean, float(each.mean())), sigma, float(each.std())])
    columns = ("depth", "published", "ours", "difference", "sigma published", "sigma ours")
    return Table("hauk-probes", "Probe efficiency in contact positions, %", columns, rows)


def _draw(axes: "Axes", by_depth: dict[int, list[dict[str, Any]]]) -> None:
    for algorithm in ALGORITHMS:
        depths = list(by_depth)
        means, errors = [], []
        for depth in depths:
            leaves = np.array([result[algorithm][0] for result in by_depth[depth]])
            means.append(leaves.mean())
            errors.append(leaves.std(ddof=1) / np.sqrt(len(leaves)))
        axes.errorbar(depths, means, yerr=errors, marker="o", capsize=4, label=algorithm)
    axes.set_yscale("log")
    axes.set_xticks(list(by_depth))
    axes.set_xlabel("depth (plies)")
    axes.set_ylabel("leaves of a decision (mean, standard error)")
    axes.legend()
