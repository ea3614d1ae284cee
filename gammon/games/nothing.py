"""An evaluator that knows nothing: for games that are searched to their end."""

import numpy as np
import numpy.typing as npt

from gammon.kernel import kernel
from gammon.search.game import VALUES_SIGNATURE, Evaluator

__all__ = ["NOTHING"]


@kernel(VALUES_SIGNATURE)
def values(
    parent: npt.NDArray[np.int8],
    rows: npt.NDArray[np.int8],
    n: int,
    weights: npt.NDArray[np.float32],
    out: npt.NDArray[np.float32],
) -> None:
    """Write zeros."""
    for j in range(n):
        out[j] = 0.0


#: Every state is worth 0, and looked at in the order in which the game writes it.
NOTHING = Evaluator(values, np.zeros(1, np.float32))
