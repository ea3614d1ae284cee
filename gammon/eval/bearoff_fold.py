"""Bearoffs whose values with the cube are known, in the outputs of an evaluator.

Such an evaluator has ten outputs: the chances of the six results, the efficiency of the cube,
and what rolling is worth for money if the player on roll owns the cube, if it is centred, and
if the opponent owns it. Where these three are known, `KNOWN` stands in place of the efficiency;
elsewhere they are 0.

For money they are the value. In a match they give the efficiency.
"""

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float32Matrix
from gammon.compiled.vector import bits, select
from gammon.compiled.vector_rows import Float64x8, as_float64, column
from gammon.eval.bearoff import N_OWNERS
from gammon.eval.efficiency_kernel import exact_efficiency_of
from gammon.rules.outcome import N_RESULTS

__all__ = ["KNOWN", "N_OUTPUTS", "efficiency_if_known", "value_if_known"]

N_OUTPUTS = N_RESULTS + 1 + N_OWNERS
#: No efficiency: it marks the rows whose values are known.
KNOWN = -1.0
_WIN = 3
#: Where the value for a centred cube stands; that for an owner stands before it, by his number.
_CENTRED = N_RESULTS + 2


@kernel(inline=True)
def efficiency_if_known(
    outputs: Float32Matrix, first: int, n: int, owner: int, efficiency: Float64x8
) -> Float64x8:
    """Return the efficiency of the cube, where values are known: that which they give.

    Args:
        outputs: float32 [>= n, 6, 7 or 10].
        first: of eight rows.
        n: how many rows there are.
        owner: of the cube: 1 the player on roll, 0 nobody, -1 the opponent.
        efficiency: that of the rows, or `KNOWN`.
    """
    known = efficiency == KNOWN
    width = outputs.shape[1]
    if width >= N_OUTPUTS and bits(known):
        win = as_float64(column(outputs, first, n, _WIN, width))
        exact = as_float64(column(outputs, first, n, _CENTRED - owner, width))
        efficiency = select(known, exact_efficiency_of(win, owner, exact), efficiency)
    return efficiency


@kernel(inline=True)
def value_if_known(
    outputs: Float32Matrix, first: int, n: int, owner: int, efficiency: Float64x8,
    value: Float64x8,
) -> Float64x8:  # fmt: skip
    """Return the values of rolling for money: the known ones where there are such.

    Args as for `efficiency_if_known`, and value: that of the other rows.
    """
    known = efficiency == KNOWN
    width = outputs.shape[1]
    if width >= N_OUTPUTS and bits(known):
        exact = as_float64(column(outputs, first, n, _CENTRED - owner, width))
        value = select(known, exact, value)
    return value
