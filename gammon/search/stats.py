"""The counts of a search while it runs: one int64 vector with named indices.

Behind the counts are the node limit, and the flag that stops the search: any thread may
set it.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Int64Vector

N_COUNTS = 7
NODES, LEAVES, EVALUATIONS, PROBES, PROBE_CUTS, SEARCH_CUTS, TABLE_HITS = range(N_COUNTS)
NODE_LIMIT, STOPPED = N_COUNTS, N_COUNTS + 1

#: The limit where there is none.
UNLIMITED = np.iinfo(np.int64).max

Counts = Int64Vector


class Stats(NamedTuple):
    """The work of a search, over all its passes.

    Attributes:
        nodes: chance nodes that were expanded, in probes too. A node that is searched
            twice (after an unsuccessful probe, say) counts twice.
        leaves: values at which lines ended: static values that were looked at before a
            cutoff, and payoffs of finished games. This is what the literature counts.
        evaluations: states that the leaf evaluator computed: leaves, the siblings
            that a cutoff left unseen, and the states evaluated to order successors.
        probes: probing phases that were begun. `probe_cuts / probes` is the probe
            efficiency of Hauk, Buro and Schaeffer.
        probe_cuts: probing phases that ended in a cutoff (always of the high kind).
        search_cuts: cutoffs of chance nodes in the search phase, low and high.
        table_hits: chance nodes that the transposition table answered.
    """

    nodes: int
    leaves: int
    evaluations: int
    probes: int
    probe_cuts: int
    search_cuts: int
    table_hits: int

    @classmethod
    def of(cls, counts: Counts) -> "Stats":
        """Name the counts of a kernel."""
        return cls(*(int(count) for count in counts[:N_COUNTS]))

    @classmethod
    def total(cls, searches: "Iterable[Stats]") -> "Stats":
        """Return the work of several searches, at least one."""
        return cls(*map(sum, zip(*searches, strict=True)))


def new_counts() -> Counts:
    """Return zeros, no node limit, and a flag that is down."""
    counts = np.zeros(N_COUNTS + 2, np.int64)
    counts[NODE_LIMIT] = UNLIMITED
    return counts


@kernel(inner=True)
def begin_node(counts: Counts) -> bool:
    """Count a chance node, or return False: the search has to stop."""
    if counts[NODES] >= counts[NODE_LIMIT]:
        counts[STOPPED] = 1
    if counts[STOPPED] != 0:
        return False
    counts[NODES] += 1
    return True
