"""From the values of a search to what people read: equities, and the order of plays."""

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float64Matrix, Float64Vector, Int8Vector, Int64Vector
from gammon.rules.outcome import N_RESULTS
from gammon.rules.terms import LIVE, MATCH, payoff_at
from gammon.search.candidates import BOUND, EXACT, STATIC

_LOSS, _WIN = 2, 3
#: Equities are compared after rounding to 1 / `_DIGITS`: further digits are rounding errors.
_DIGITS = 1e9
#: Plays whose equities differ by no more than this may be equal.
_ALIKE = 1e-7
#: A value that exceeds another one by no more than this counts as equal.
ROUNDING = 1e-9


@kernel()
def scale_at(stake: int, params: Float64Vector) -> tuple[float, float]:
    """Return the value of an equity of 0, and the difference in value to an equity of 1.

    Args:
        stake: the stake of the player; see `gammon.rules.terms`.
        params: see `gammon.rules.terms`.
    """
    if params[MATCH] == 0.0:
        return 0.0, 1.0
    win, lose = payoff_at(stake, _WIN, params), payoff_at(stake, _LOSS, params)
    unit = 0.5 * (win - lose)
    # At a score where winning and losing are worth the same, any unit does.
    return 0.5 * (win + lose), unit if unit != 0.0 else 1.0


@kernel()
def write_result_equities(stake: int, params: Float64Vector, result_equities: Float64Vector) -> None:
    """Write the equities of the six results with the cube as it is, float64 [6].

    The arguments are as for `scale_at`.
    """
    zero, unit = scale_at(stake, params)
    for result in range(N_RESULTS):
        result_equities[result] = (payoff_at(stake, result, params) - zero) / unit


@kernel()
def without_cube(chances: Float64Matrix, result_equities: Float64Vector, equities: Float64Vector) -> None:
    """Write the equities of N positions if the cube stays as it is to the end.

    Args:
        chances: float64 [N, 5], the players' cumulative probabilities.
        result_equities: float64 [6], the players' equities of the six results.
        equities: float64 [N], to be written.
    """
    for j in range(chances.shape[0]):
        win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = (
            chances[j, 0],
            chances[j, 1],
            chances[j, 2],
            chances[j, 3],
            chances[j, 4],
        )
        equity = lose_backgammon * result_equities[0]
        equity += (lose_gammon - lose_backgammon) * result_equities[1]
        equity += (1.0 - win - lose_gammon) * result_equities[2]
        equity += (win - win_gammon) * result_equities[3]
        equity += (win_gammon - win_backgammon) * result_equities[4]
        equities[j] = equity + win_backgammon * result_equities[5]


@kernel()
def is_open(
    values: Float64Vector, kinds: Int8Vector, best: int, n: int, stake: int, params: Float64Vector
) -> bool:
    """Return whether the bound of some play is as high as the value of the best play.

    This happens with the cube, where every line ends in a pass. Only a search that values more
    plays exactly then shows which of them is best without the cube.

    Args:
        values: float64 [>= n], the values or bounds of the plays.
        kinds: int8 [>= n], see `gammon.search.Decision`.
        best: the play with the highest value.
        n: the number of plays.
        stake: as for `scale_at`.
        params: as for `scale_at`.
    """
    if params[LIVE] == 0.0:
        return False
    least = values[best] - _ALIKE * scale_at(stake, params)[1]
    is_as_high = False
    for j in range(n):
        is_as_high |= kinds[j] == BOUND and values[j] >= least
    return bool(is_as_high)


@kernel()
def best_first(
    equities: Float64Vector,
    kinds: Int8Vector,
    without: Float64Vector,
    cube: bool,
    offsets: Int64Vector,
    order: Int64Vector,
) -> None:
    """Sort the plays of N decisions by equity, the best first and static ones last.

    With the cube, plays are equal but for rounding where every line ends in a pass. Then exact
    plays come before bounds, and plays that are better without the cube come first. The sort
    is stable: plays that are equal in all this keep their order.

    Args:
        equities: float64 [K], of all plays.
        kinds: int8 [K], see `gammon.search.Decision`.
        without: float64 [K], the equities with a cube that stays as it is.
        cube: whether there is a cube.
        offsets: int64 [N + 1]: the plays of decision i are at offsets[i] to offsets[i + 1] of
            `order`.
        order: int64 [>= offsets[N]], the plays of each decision, to be sorted.
    """
    for decision in range(offsets.shape[0] - 1):
        first = offsets[decision]
        for r in range(first + 1, offsets[decision + 1]):
            j, place = order[r], r
            while place > first and _is_better(equities, kinds, without, cube, j, order[place - 1]):
                order[place] = order[place - 1]
                place -= 1
            order[place] = j


@kernel(inner=True)
def _is_better(
    equities: Float64Vector, kinds: Int8Vector, without: Float64Vector, cube: bool, a: int, b: int
) -> bool:
    """Return whether play a must come before play b."""
    if (kinds[a] == STATIC) != (kinds[b] == STATIC):
        return bool(kinds[b] == STATIC)
    if not cube:
        return bool(equities[a] > equities[b])
    own, other = np.rint(equities[a] * _DIGITS), np.rint(equities[b] * _DIGITS)
    if own != other:
        return bool(own > other)
    if (kinds[a] == EXACT) != (kinds[b] == EXACT):
        return bool(kinds[a] == EXACT)
    return bool(without[a] > without[b])
