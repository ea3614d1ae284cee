"""Many positions in one call from Python, and the same one by one."""

import time
from collections.abc import Callable, Sequence

import numpy as np

from gammon.answers.engine import Engine
from gammon.bench.positions import BenchPosition
from gammon.formats.position import Position

__all__ = ["array_speeds"]

_REPEATS = 3
#: More than the plays of any roll.
_ALL = 10_000


def _rate(work: Callable[[], int]) -> float:
    """Return what is done in a second of processor time, in the best of a few runs."""
    best = 0.0
    for _ in range(_REPEATS):
        begun = time.process_time()
        count = work()
        best = max(best, count / (time.process_time() - begun))
    return best


def array_speeds(
    model: str, depth: int, decisions: Sequence[BenchPosition]
) -> dict[str, float]:
    """Return what an engine does in a second, by the name of the call.

    Args:
        model: the leaf network.
        depth: of the engine, which is cubeless and has one thread.
        decisions: N positions and rolls.
    """
    engine = Engine(depth, model=model, cube=False)
    points = np.array([each.points for each in decisions], np.int8)
    dice = np.array([each.dice for each in decisions])
    positions = [Position(each.points) for each in decisions]
    count = len(decisions)

    def one_by_one() -> int:
        for position in positions:
            engine.evaluate(position)
        return count

    def analyzed() -> int:
        for position, each in zip(positions, decisions, strict=True):
            engine.analyze(position, each.dice, top=_ALL)
        return count

    def evaluated() -> int:
        engine.evaluate_many(points)
        return count

    def decided() -> int:
        engine.best_plays(points, dice)
        return count

    def valued() -> int:
        engine.values_of_plays(points, dice)
        return count

    return {
        "evaluate_many, positions": _rate(evaluated),
        "evaluate, one by one": _rate(one_by_one),
        "best_plays, decisions": _rate(decided),
        "values_of_plays, decisions": _rate(valued),
        "analyze for all plays, one by one": _rate(analyzed),
    }
