"""What a decision costs: time and leaves."""

import statistics
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gammon.bench.positions import Decision
from gammon.engine import Engine
from gammon.formats.position import Position

__all__ = ["Cost", "cost_of", "summary"]


class Cost(NamedTuple):
    """What the best play of each of some positions took.

    Attributes:
        name: of the player.
        decisions: how many.
        median_ms: time of one.
        mean_ms: time of one.
        p95_ms: time that 95 % do not exceed.
        leaves: in all; 0 if they are not counted.
        share: of those of the full trees; 0 if not known.
        probes_cut: share of Star2's probes that ended in a cutoff.
    """

    name: str
    decisions: int
    median_ms: float
    mean_ms: float
    p95_ms: float
    leaves: int = 0
    share: float = 0.0
    probes_cut: float = 0.0


def summary(name: str, seconds: Sequence[float]) -> Cost:
    """Return the times' median, mean and 95 % quantile."""
    return Cost(
        name, len(seconds), 1e3 * statistics.median(seconds), 1e3 * statistics.fmean(seconds),
        1e3 * float(np.quantile(seconds, 0.95)),
    )  # fmt: skip


def cost_of(name: str, engine: Engine, decisions: Sequence[Decision]) -> Cost:
    """Search the best play of each position once; the others get bounds."""
    engine.analyze(Position.opening(), (3, 1), top=1)  # whatever is done once only
    found = [engine.analyze(Position(each.points), each.dice, top=1) for each in decisions]
    leaves = sum(analysis.stats.leaves for analysis in found)
    probes = sum(analysis.stats.probes for analysis in found)
    cuts = sum(analysis.stats.probe_cuts for analysis in found)
    whole = sum(each.leaves.get(engine.depth, 0) for each in decisions)
    return summary(name, [analysis.seconds for analysis in found])._replace(
        leaves=leaves,
        share=leaves / whole if whole else 0.0,
        probes_cut=cuts / probes if probes else 0.0,
    )
