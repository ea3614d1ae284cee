"""From the chances of the six results to a value, where nobody can turn the cube."""

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float32Matrix, Float32Vector
from gammon.compiled.vector import EIGHT, as_rounded, store_some
from gammon.eval.janowski_row import bounded, dead_value, payoffs_now, six_of
from gammon.rules.board import Rows
from gammon.search.game import Params

#: Of plays that are worth the same, one that is better by a point of a game for money is better
#: by so much, and one that bears off a checker more by so much.
_POINT, _CHECKER = np.float32(1e-4), np.float32(1e-6)


@kernel()
def fold_dead(outputs: Float32Matrix, n: int, stake: int, params: Params, values: Float32Vector) -> None:
    """Write the mean worth of the six results, within what these are worth.

    Args:
        outputs: float32 [>= n, >= 6], chances of the results to the players on roll.
        n: how many rows.
        stake: of these players.
        params: float64 [90], see `gammon.rules.terms`.
        values: float32 [>= n].
    """
    payoffs = payoffs_now(stake, params)
    for first in range(0, n, EIGHT):
        value = bounded(dead_value(six_of(outputs, first, n), payoffs), payoffs)
        store_some(values, first, as_rounded(value), n - first)


@kernel(inner=True)
def _add_points_and_checkers(rows: Rows, outputs: Float32Matrix, n: int, values: Float32Vector) -> None:
    """Add to each value a little for the equity for money, and for each checker that is left.

    So plays are told apart whose values are equal because gammons do not count, or because the
    game is won for certain.

    Args:
        rows: int8 [>= n, 26], seen from the opponent of the player who moved.
        outputs: float32 [>= n, >= 6], chances of the results to that opponent.
        n: how many rows.
        values: float32 [>= n], to that opponent.
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
    """Choose among plays of one value by the equity if the cube stays as it is to the end.

    Where the opponent doubles after each of some plays, and the player passes, all of them are
    worth the same. The chances that people read are then those of the play that is best without
    the cube. If even that is the same, as where gammons do not count, the play is chosen that
    is best for money, and then the one that bears off more checkers.

    The arguments are those of `game.Tie`; see `fold_dead` for `outputs` and `params`.
    """
    fold_dead(outputs, n, stake, params, values)
    _add_points_and_checkers(rows, outputs, n, values)
