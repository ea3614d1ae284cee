"""Many positions in one call from Python, and the same one by one."""

import math
import time
from collections.abc import Callable, Sequence

import numpy as np

from gammon.engine.engine import Engine
from gammon.formats.position import Position
from gammon_lab.bench.positions import BenchPosition

_REPEATS = 3
#: More than the plays of any roll.
_ALL = 10_000


def _seconds(work: Callable[[], object]) -> float:
    """Return the processor time of some work, in the best of a few runs."""
    best = math.inf
    for _ in range(_REPEATS):
        begun = time.process_time()
        work()
        best = min(best, time.process_time() - begun)
    return best


def array_speeds(model: str, depth: int, decisions: Sequence[BenchPosition]) -> dict[str, float]:
    """Return what an engine does in a second, by the name of the call.

    Args:
        model: the leaf network.
        depth: of the engine, which is cubeless and has one thread.
        decisions: N positions and rolls.
    """
    engine = Engine(depth, model=model, cubeless=True)
    points = np.array([each.points for each in decisions], np.int8)
    dice = np.array([each.dice for each in decisions])
    positions = [Position(each.points) for each in decisions]
    calls: dict[str, Callable[[], object]] = {
        "evaluate_many, positions": lambda: engine.evaluate_many(points),
        "evaluate, one by one": lambda: [engine.evaluate(each) for each in positions],
        "best_plays, decisions": lambda: engine.best_plays(points, dice),
        "values_of_plays, decisions": lambda: engine.values_of_plays(points, dice),
        "analyze for all plays, one by one": lambda: [
            engine.analyze(position, each.dice, top=_ALL)
            for position, each in zip(positions, decisions, strict=True)
        ],
    }
    return {name: len(decisions) / _seconds(call) for name, call in calls.items()}
