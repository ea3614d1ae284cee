"""An evaluator that returns 0 for every state, for games that are searched to the end."""

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float32Matrix, Float32Vector, UInt64Vector
from gammon.search.game import Evaluator, Rows, State


@kernel()
def evaluate(
    parent: State, rows: Rows, n: int, weights: Float32Vector, out: Float32Matrix, scratch: UInt64Vector
) -> None:
    """Write zeros."""
    for j in range(n):
        out[j, 0] = 0.0


#: Values every state at 0, so states are searched in the order in which the game writes them.
NOTHING = Evaluator(evaluate, np.zeros(1, np.float32))
