"""From the chances of the six results to a value, with a dead cube."""

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float32Matrix, Float32Vector
from gammon.compiled.vector import EIGHT, as_rounded, store_some
from gammon.eval.janowski_row import bounded, dead_value, payoffs_now, six_of
from gammon.rules.board import Rows
from gammon.search.game import Params

#: Tie-breaks between plays of equal value, to the opponent of the mover: per point of equity for
#: money, and per checker that the mover has left.
_POINT, _CHECKER = np.float32(1e-4), np.float32(1e-6)


@kernel()
def fold_dead(outputs: Float32Matrix, n: int, stake: int, params: Params, values: Float32Vector) -> None:
    """Write the mean payoff of the six results, within the range of the payoffs.

    Args:
        outputs: float32 [>= n, >= 6], chances of the results for the players on roll.
        n: number of rows.
        stake: stake of the players on roll.
        params: float64 [90], see `gammon.rules.terms`.
        values: float32 [>= n], written.
    """
    payoffs = payoffs_now(stake, params)
    for first in range(0, n, EIGHT):
        value = bounded(dead_value(six_of(outputs, first, n), payoffs), payoffs)
        store_some(values, first, as_rounded(value), n - first)


@kernel(inner=True)
def _add_points_and_checkers(rows: Rows, outputs: Float32Matrix, n: int, values: Float32Vector) -> None:
    """Add to each value a little for the equity for money, and for each checker left.

    This separates plays of equal value, such as where gammons do not count or where the game is
    certainly won.

    Args:
        rows: int8 [>= n, 26], seen from the opponent of the player who moved.
        outputs: float32 [>= n, >= 6], chances of the results for that opponent.
        n: number of rows.
        values: float32 [>= n], changed: values to that opponent.
    """
    for j in range(n):
        checkers, six = 0, outputs[j]
        for point in range(rows.shape[1]):
            checkers -= min(rows[j, point], 0)
        won = six[3] + np.float32(2.0) * six[4] + np.float32(3.0) * six[5]
        lost = six[2] + np.float32(2.0) * six[1] + np.float32(3.0) * six[0]
        values[j] += _POINT * (won - lost) + _CHECKER * np.float32(checkers)


@kernel()
def tie_dead(
    rows: Rows, outputs: Float32Matrix, n: int, stake: int, params: Params, values: Float32Vector
) -> None:
    """Choose among plays of equal value by the equity with the cube unchanged to the end.

    If the opponent doubles after each of several plays and the player passes, all of them have
    the same value. The play chosen is then the best one without the cube, so the chances shown
    are sensible. If that is a tie too, as where gammons do not count, the best play for money is
    chosen, and then the one that bears off more checkers.

    Args as for `game.Tie`; see `fold_dead` for `outputs` and `params`.
    """
    fold_dead(outputs, n, stake, params, values)
    _add_points_and_checkers(rows, outputs, n, values)
