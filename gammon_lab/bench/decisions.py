"""The cost of a decision: time and leaves."""

import statistics
import time
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gammon import search
from gammon.games.backgammon import BACKGAMMON, filter_named
from gammon.search import Evaluator, Table
from gammon_lab.bench.positions import BenchPosition


class Cost(NamedTuple):
    """The cost of finding the best play of some positions.

    Attributes:
        name: the player.
        decisions: how many.
        median_ms: median time of a decision.
        mean_ms: mean time of a decision.
        p95_ms: time that 95 % of the decisions do not exceed.
        leaves: leaves of all decisions; 0 if not counted.
        share: leaves as a share of the full trees' leaves; 0 if not known.
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
    """Return the cost with the median, mean and 95 % quantile of the times."""
    return Cost(
        name,
        len(seconds),
        1e3 * statistics.median(seconds),
        1e3 * statistics.fmean(seconds),
        1e3 * float(np.quantile(seconds, 0.95)),
    )


def cost_of(
    name: str,
    players: tuple[Evaluator, Evaluator],
    decisions: Sequence[BenchPosition],
    depth: int,
    threads: int = 1,
    move_filter: str = "",
) -> Cost:
    """Find the best play of each position by Star2, and bounds for the others.

    Args:
        name: the name of the player.
        players: the evaluators of leaves and of probes.
        decisions: positions and rolls.
        depth: plies.
        threads: for each decision.
        move_filter: one of `FILTERS`, or empty for none.
    """
    leaf, probe = players
    tree = search.TreeSearch(BACKGAMMON, leaf, "star2", probe, filter=filter_named(move_filter))
    seconds, leaves, probes, cuts = [], 0, 0, 0
    for decision in decisions:
        begun = time.perf_counter()
        table = Table.at_depth(BACKGAMMON, depth)
        stats = tree.decide(decision.points, decision.outcome, depth, threads=threads, table=table).stats
        seconds.append(time.perf_counter() - begun)
        leaves += stats.leaves
        probes += stats.probes
        cuts += stats.probe_cuts
    whole = sum(decision.leaves.get(depth, 0) for decision in decisions)
    return summary(name, seconds)._replace(
        leaves=leaves, share=leaves / whole if whole else 0.0, probes_cut=cuts / probes if probes else 0.0
    )
