"""Doubles: what the taker leaves of one, and the value that rolling must have for it.

`game.Doubled` says what a double leads to, and `game.Offer` who may double.
"""

from gammon.compiled.kernel import kernel
from gammon.search.game import Doubled

__all__ = ["before_double", "taken_value"]


@kernel(inline=True)
def taken_value(double: Doubled, value: float) -> float:
    """Return what a double is worth that is taken, or answered by a beaver.

    Args:
        double: what the double leads to.
        value: of rolling at the stake after it.
    """
    return min(double.factor * value, double.beaver * value)


@kernel(inline=True)
def before_double(double: Doubled, taken: float) -> float:
    """Return the value of rolling at the stake after a double of which `taken` is the worth."""
    return max(taken / double.factor, taken / double.beaver)
