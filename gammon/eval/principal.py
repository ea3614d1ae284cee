"""The chances of the six results over the principal leaves of a search."""

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from gammon.eval.equity import Probabilities, cumulative, for_opponent
from gammon.rules.outcome import N_RESULTS, result_of
from gammon.search.leaves import Leaves

__all__ = ["Estimate", "chances_of", "leaf_mean", "leaf_means"]

#: Cumulative probabilities [N, 5] of positions int8 [N, 26], seen from the player on roll.
Estimate = Callable[[npt.NDArray[np.int8]], npt.NDArray[np.float32]]

#: The chances of the six results where one is certain.
_CERTAIN = np.eye(N_RESULTS)


def chances_of(estimate: Estimate, rows: npt.NDArray[np.int8]) -> npt.NDArray[np.float64]:
    """Return the cumulative probabilities [N, 5] of positions int8 [N, 26].

    Args:
        estimate: for positions whose game goes on; finished ones are certain.
        rows: each seen from its player on roll, as the probabilities are.
    """
    chances = estimate(rows).astype(np.float64)
    over = (rows.max(axis=1, initial=0) <= 0) | (rows.min(axis=1, initial=0) >= 0)
    for number in np.flatnonzero(over):
        chances[number] = cumulative(_CERTAIN[result_of(rows[number])])
    return chances


def leaf_mean(estimate: Estimate, leaves: Leaves) -> Probabilities:
    """Return the chances that a search's principal leaves stand for.

    Args:
        estimate: see `chances_of`.
        leaves: of a node that was searched exactly.

    Returns:
        The chances of the node's player.
    """
    offsets = np.array([0, len(leaves.rows)])
    return Probabilities(*leaf_means(estimate, leaves, offsets)[0].tolist())


def leaf_means(
    estimate: Estimate, leaves: Leaves, offsets: npt.NDArray[np.int64]
) -> npt.NDArray[np.float64]:
    """Return the chances [N, 5] that the principal leaves of N nodes stand for.

    Args:
        estimate: see `chances_of`.
        leaves: of all nodes, one node after the other.
        offsets: int64 [N + 1], where those of each node begin, and their number.

    Returns:
        The chances of each node's player.
    """
    chances = chances_of(estimate, leaves.rows)
    theirs = leaves.signs < 0
    chances[theirs] = for_opponent(chances[theirs])
    if len(chances) == len(offsets) - 1:  # one leaf each, and certain to be reached
        return chances
    means = np.empty((len(offsets) - 1, chances.shape[1]))
    for number, (begin, end) in enumerate(pairwise(offsets.tolist())):
        # Not by `@`: the last bits of that are those of a processor's BLAS.
        weights = leaves.probabilities[begin:end, np.newaxis]
        means[number] = (weights * chances[begin:end]).sum(axis=0)
    return means
