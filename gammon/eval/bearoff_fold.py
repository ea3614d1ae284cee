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
from gammon.records import Float32Vector
from gammon.rules.outcome import N_RESULTS

__all__ = ["KNOWN", "N_OUTPUTS", "efficiency_in", "is_known", "known_value"]

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
def is_known(row: Float32Vector) -> bool:
    """Tell whether a row of outputs has known values."""
    return bool(row.shape[0] >= N_OUTPUTS and row[N_RESULTS] == KNOWN)


@kernel(inner=True)
def known_value(row: Float32Vector, owner: int) -> float:
    """Return the known value of rolling for money, by the owner of the cube."""
    return float(row[_CENTRED - owner])
