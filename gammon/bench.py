"""The benchmark: what one core does in a second, and what a decision costs.

Counts come first: a generator or a search that does other work than it should is not
timed but refused. Machines are noisy; times are medians, and every figure of a run
can be compared with the `expectimax` row of the same run.
"""

import resource
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from gammon.engine import Engine
from gammon.errors import GammonError
from gammon.eval import nnue
from gammon.eval.packed import Floats, pack
from gammon.eval.weights import load_model
from gammon.formats.position import Position
from gammon.rules.board import OPENING
from gammon.rules.dice import N_ROLLS, ROLLS
from gammon.rules.plays import MAX_ROWS, successors
from gammon.sample import self_play_positions

__all__ = ["run_bench"]

#: Successors of the 406 positions after the opening, over all rolls.
SECOND_TURN = 183_632
_REPEATS = 9


def _median_seconds(work: Callable[[], object]) -> float:
    times = []
    for _ in range(_REPEATS):
        begun = time.perf_counter()
        work()
        times.append(time.perf_counter() - begun)
    return statistics.median(times)


def _second_turn() -> np.ndarray[Any, np.dtype[np.int8]]:
    rows = np.empty((MAX_ROWS, 26), np.int8)
    opening = np.array(OPENING, np.int8)
    found = [rows[: successors(opening, k, rows)].copy() for k in range(N_ROLLS)]
    return np.unique(np.concatenate(found), axis=0)


def _speeds() -> dict[str, float]:
    """Return successors and evaluations a second, on one core."""
    states = _second_turn()
    rows = np.empty((MAX_ROWS, 26), np.int8)
    values = np.empty(MAX_ROWS, np.float32)

    def generate() -> int:
        return sum(successors(state, k, rows) for state in states for k in range(N_ROLLS))

    if generate() != SECOND_TURN:
        raise GammonError(f"the generator is wrong: expected {SECOND_TURN} successors")
    speeds = {"successors": SECOND_TURN / _median_seconds(generate)}
    for name in ("leaf", "probe"):
        packed = pack(load_model(name).weights)

        def evaluate(packed: Floats = packed) -> None:
            for state in states:
                n = successors(state, 0, rows)  # 11: the most siblings
                nnue.values(state, rows, n, packed, values)

        count = sum(successors(state, 0, rows) for state in states)
        speeds[f"{name} evaluations"] = count / _median_seconds(evaluate)
    return speeds


def _decisions(depth: int, algorithm: str, count: int) -> dict[str, Any]:
    engine = Engine(depth, algorithm)
    seconds, leaves, probes, cuts = [], 0, 0, 0
    for points, outcome in self_play_positions(Engine(depth=1), count, seed=1):
        analysis = engine.analyze(Position(points), ROLLS[outcome], top=1)
        seconds.append(analysis.seconds)
        leaves += analysis.stats.leaves
        probes += analysis.stats.probes
        cuts += analysis.stats.probe_cuts
    return {
        "depth": depth,
        "algorithm": algorithm,
        "decisions": count,
        "leaves": leaves,
        "median_ms": 1e3 * statistics.median(seconds),
        "mean_ms": 1e3 * statistics.fmean(seconds),
        "p95_ms": 1e3 * float(np.quantile(seconds, 0.95)),
        "probe_efficiency": cuts / probes if probes else 0.0,
    }


def run_bench(count: int) -> dict[str, Any]:
    """Measure, on `count` positions of self-play at depths 1, 3 and 5.

    Raises:
        GammonError: a count is wrong.
    """
    rows = [
        _decisions(1, "star2", count),
        _decisions(3, "expectimax", count),
        _decisions(3, "star2", count),
        _decisions(5, "star2", max(count // 10, 1)),
    ]
    kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    peak = kilobytes / (1 << 20 if sys.platform == "darwin" else 1 << 10)
    return {"per_second": _speeds(), "decisions": rows, "peak_mb": peak}
