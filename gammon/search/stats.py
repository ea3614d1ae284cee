"""What a search counts while it runs: one int64 vector with named indices."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = [
    "EVALUATIONS", "LEAVES", "NODES", "PROBES", "PROBE_CUTS", "SEARCH_CUTS", "SIZE", "Stats",
]  # fmt: skip

NODES, LEAVES, EVALUATIONS, PROBES, PROBE_CUTS, SEARCH_CUTS = range(6)
SIZE = 6


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
    """

    nodes: int
    leaves: int
    evaluations: int
    probes: int
    probe_cuts: int
    search_cuts: int

    @classmethod
    def of(cls, counts: npt.NDArray[np.int64]) -> "Stats":
        """Name the counts of a kernel, int64 [SIZE]."""
        return cls(*(int(count) for count in counts))
