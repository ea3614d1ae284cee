"""The chances of the six results over the principal leaves of a search."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from gammon.eval.equity import Probabilities, cumulative, for_opponent
from gammon.rules.outcome import IN_PLAY, N_RESULTS, result_of
from gammon.search.leaves import Leaves

__all__ = ["Estimate", "chances_of", "leaf_mean"]

#: Cumulative probabilities [N, 5] of positions int8 [N, 26], seen from the player on roll.
Estimate = Callable[[npt.NDArray[np.int8]], npt.NDArray[np.float32]]

#: The chances of the six results where one is certain.
_CERTAIN = np.eye(N_RESULTS)


def chances_of(estimate: Estimate, rows: npt.NDArray[np.int8]) -> npt.NDArray[np.float64]:
    """Return the static chances of positions: the estimate's, or certainty after a game's end.

    Args:
        estimate: for positions whose game goes on.
        rows: int8 [N, 26], each seen from its player on roll.

    Returns:
        float64 [N, 5], cumulative, of the players on roll.
    """
    chances = estimate(rows).astype(np.float64)
    for row, chance in zip(rows, chances, strict=True):
        result = result_of(row)
        if result != IN_PLAY:
            chance[:] = cumulative(_CERTAIN[result])
    return chances


def leaf_mean(estimate: Estimate, leaves: Leaves) -> Probabilities:
    """Return the chances that a search's principal leaves stand for.

    Args:
        estimate: for leaves whose game goes on; finished ones are certain.
        leaves: of a node that was searched exactly.

    Returns:
        The chances of the node's player.
    """
    chances = chances_of(estimate, leaves.rows)
    theirs = leaves.signs < 0
    chances[theirs] = for_opponent(chances[theirs])
    return Probabilities(*(leaves.probabilities @ chances).tolist())
