"""The counts of a search while it runs: one int64 vector with named indices.

After the counts come the node limit and the flag that stops the search, which any thread may
set.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Int64Vector

N_COUNTS = 7
NODES, LEAVES, EVALUATIONS, PROBES, PROBE_CUTS, SEARCH_CUTS, TABLE_HITS = range(N_COUNTS)
NODE_LIMIT, STOPPED = N_COUNTS, N_COUNTS + 1

#: The value of the node limit for no limit.
UNLIMITED = np.iinfo(np.int64).max

Counts = Int64Vector


class Stats(NamedTuple):
    """The work of a search, over all its passes.

    Attributes:
        nodes: chance nodes expanded, in probes too. A node that is searched twice (after an
            unsuccessful probe, say) counts twice.
        leaves: values at which lines ended: static values used before a cutoff, and payoffs
            of finished games. This is the count in the literature.
        evaluations: states that the leaf evaluator valued: leaves, siblings that a cutoff
            skipped, and states valued to order successors.
        probes: probing phases begun. `probe_cuts / probes` is the probe efficiency of Hauk,
            Buro and Schaeffer.
        probe_cuts: probing phases that ended in a cutoff (always at beta).
        search_cuts: cutoffs of chance nodes in the search phase, at alpha and at beta.
        table_hits: chance nodes settled by the transposition table.
    """

    nodes: int = 0
    leaves: int = 0
    evaluations: int = 0
    probes: int = 0
    probe_cuts: int = 0
    search_cuts: int = 0
    table_hits: int = 0

    @classmethod
    def of(cls, counts: Counts) -> "Stats":
        """Return the counts of a kernel, with names."""
        return cls(*(int(count) for count in counts[:N_COUNTS]))

    @classmethod
    def total(cls, searches: "Iterable[Stats]") -> "Stats":
        """Return the total work of several searches, at least one."""
        return cls(*map(sum, zip(*searches, strict=True)))


def new_counts() -> Counts:
    """Return counts of zero, without a node limit and with the stop flag cleared."""
    counts = np.zeros(N_COUNTS + 2, np.int64)
    counts[NODE_LIMIT] = UNLIMITED
    return counts


@kernel(inner=True)
def begin_node(counts: Counts) -> bool:
    """Count a chance node and return True, or return False if the search has to stop."""
    if counts[NODES] >= counts[NODE_LIMIT]:
        counts[STOPPED] = 1
    if counts[STOPPED] != 0:
        return False
    counts[NODES] += 1
    return True
