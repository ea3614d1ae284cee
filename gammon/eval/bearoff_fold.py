"""Bearoffs whose values with the cube are known, in the outputs of an evaluator.

Such an evaluator has ten outputs: the chances of the six results, the efficiency of the cube,
and what rolling is worth for money if the player on roll owns the cube, if it is centred, and
if the opponent owns it. Where these three are known, `KNOWN` stands in place of the efficiency;
elsewhere they are 0.

For money they are the value. In a match they give the efficiency.
"""

import numpy as np

from gammon.eval.bearoff import N_OWNERS
from gammon.eval.efficiency_kernel import exact_efficiency_of
from gammon.kernel import kernel
from gammon.records import Float32Matrix, Float32Vector
from gammon.rules.outcome import N_RESULTS
from gammon.rules.stake import LIVE, MATCH
from gammon.search.game import Params

__all__ = ["KNOWN", "N_OUTPUTS", "efficiency_in", "put_known"]

N_OUTPUTS = N_RESULTS + 1 + N_OWNERS
#: No efficiency: it marks the rows whose values are known.
KNOWN = -1.0
_WIN = 3
#: Where the value stands for a cube that is centred; that of an owner stands so much before.
_CENTRED = N_RESULTS + 2


@kernel(inner=True)
def efficiency_in(row: Float32Vector, owner: int) -> float:
    """Return the efficiency of the cube that a row of seven or ten outputs gives.

    Args:
        row: float32 [7 or more].
        owner: of the cube: 1 the player on roll, 0 nobody, -1 the opponent.
    """
    efficiency = float(row[N_RESULTS])
    if efficiency == KNOWN:
        exact = np.float64(row[_CENTRED - owner])
        return exact_efficiency_of(np.float64(row[_WIN]), owner, exact)
    return efficiency


@kernel(inner=True)
def put_known(
    outputs: Float32Matrix, n: int, stake: int, params: Params, values: Float32Vector
) -> None:
    """Put in place the values of rolling that are known, for money with a cube to turn.

    Args:
        outputs: float32 [>= n, 6 or more].
        n: how many rows.
        stake: of the players on roll in the rows.
        params: float64 [49], see `gammon.rules.stake`.
        values: float32 [>= n].
    """
    if params[MATCH] != 0.0 or params[LIVE] == 0.0 or outputs.shape[1] < N_OUTPUTS:
        return
    for j in range(n):
        if outputs[j, N_RESULTS] == KNOWN:
            values[j] = outputs[j, _CENTRED - stake]
