"""From what a search finds to what people read: equities, and the order of plays."""

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float64Matrix, Float64Vector, Int8Vector, Int64Vector
from gammon.rules.outcome import N_RESULTS
from gammon.rules.terms import LIVE, MATCH, worth_at
from gammon.search.candidates import BOUND, EXACT, STATIC

_LOSS, _WIN = 2, 3
#: Equities are compared in this unit: rounding may change further digits.
_DIGITS = 1e9
#: Plays whose equities differ by no more may be alike.
_ALIKE = 1e-7
#: A value that is above another one by no more is as high.
ROUNDING = 1e-9


@kernel()
def scale_at(stake: int, params: Float64Vector) -> tuple[float, float]:
    """Return the value of an equity of 0, and how much more the value of an equity of 1 is.

    Args:
        stake: of the player whose values they are; see `gammon.rules.terms`.
        params: see there.
    """
    if params[MATCH] == 0.0:
        return 0.0, 1.0
    win, lose = worth_at(stake, _WIN, params), worth_at(stake, _LOSS, params)
    unit = 0.5 * (win - lose)
    # At a score where winning and losing come to the same, any unit does.
    return 0.5 * (win + lose), unit if unit != 0.0 else 1.0


@kernel()
def write_worths(stake: int, params: Float64Vector, worths: Float64Vector) -> None:
    """Write the equities of the six results with the cube as it is, float64 [6].

    The arguments are those of `scale_at`.
    """
    zero, unit = scale_at(stake, params)
    for result in range(N_RESULTS):
        worths[result] = (worth_at(stake, result, params) - zero) / unit


@kernel()
def without_cube(chances: Float64Matrix, worths: Float64Vector, equities: Float64Vector) -> None:
    """Write the equities of N positions if the cube stays as it is to the end.

    Args:
        chances: float64 [N, 5], cumulative probabilities of the players.
        worths: float64 [6], the equities of the six results to them.
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
        equity = lose_backgammon * worths[0]
        equity += (lose_gammon - lose_backgammon) * worths[1]
        equity += (1.0 - win - lose_gammon) * worths[2]
        equity += (win - win_gammon) * worths[3]
        equity += (win_gammon - win_backgammon) * worths[4]
        equities[j] = equity + win_backgammon * worths[5]


@kernel()
def is_open(
    values: Float64Vector, kinds: Int8Vector, best: int, n: int, stake: int, params: Float64Vector
) -> bool:
    """Tell whether the bound of a play with the cube is as high as the value of the best one.

    So it is where every line ends in a pass. Only a search of more plays then shows which one
    is the best without the cube.

    Args:
        values: float64 [>= n], of the plays.
        kinds: int8 [>= n], see `gammon.search.Decision`.
        best: the play with the highest value.
        n: how many there are.
        stake: as for `scale_at`.
        params: see there.
    """
    if params[LIVE] == 0.0:
        return False
    least = values[best] - _ALIKE * scale_at(stake, params)[1]
    found = False
    for j in range(n):
        found |= kinds[j] == BOUND and values[j] >= least
    return bool(found)


@kernel()
def best_first(
    equities: Float64Vector,
    kinds: Int8Vector,
    without: Float64Vector,
    cube: bool,
    offsets: Int64Vector,
    order: Int64Vector,
) -> None:
    """Sort the plays of N decisions: static ones last, and else by their equities.

    With the cube, plays are alike, but for rounding, where every line ends in a pass. The
    better one is then one that is exact, and then the one that is better without the cube.
    Plays that are alike in all that keep their order.

    Args:
        equities: float64 [K], of all plays.
        kinds: int8 [K], see `gammon.search.Decision`.
        without: float64 [K], the equities with a cube that stays as it is.
        cube: whether there is one.
        offsets: int64 [N + 1], where those of each decision stand in `order`.
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
    """Tell whether play a stands before play b, whatever their order was."""
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
