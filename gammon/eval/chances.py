"""The chances of the six results over the principal leaves of a search."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from gammon.eval.equity import Probabilities, flipped
from gammon.rules.outcome import NOT_OVER, payoff
from gammon.search.leaves import Leaves

__all__ = ["Estimate", "leaf_mean"]

#: Cumulative probabilities [N, 5] of positions int8 [N, 26], seen from the player on roll.
Estimate = Callable[[npt.NDArray[np.int8]], npt.NDArray[np.float32]]


def leaf_mean(estimate: Estimate, leaves: Leaves) -> Probabilities:
    """Return the chances that a search's principal leaves stand for.

    Args:
        estimate: for leaves whose game goes on; finished ones are certain.
        leaves: of a node that was searched exactly.

    Returns:
        The chances of the node's player.
    """
    chances = estimate(leaves.rows).astype(np.float64)
    for row, chance in zip(leaves.rows, chances, strict=True):
        paid = payoff(row)
        if paid != NOT_OVER:
            chance[:] = [paid > 0, paid > 1, paid > 2, paid < -1, paid < -2]
    theirs = leaves.signs < 0
    chances[theirs] = flipped(chances[theirs])
    return Probabilities(*(leaves.probabilities @ chances).tolist())
