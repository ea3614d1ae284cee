"""The widths of positions: how far a look ahead may move a value, for bounded search.

The network of widths has six outputs like the others, but they are not the chances of results.
The width is a least width plus a multiple of the odds: the sum of the three outputs of wins
divided by the sum of the three outputs of losses.

In a race with a live cube no width holds a value. There the dice move a static value little, but
it is only as good as the model of the cube, and a look ahead replaces that model by doubles and takes.
"""

from functools import lru_cache
from typing import Any

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float32Matrix, Float32Vector, UInt64Vector
from gammon.eval.cubeful import costs_nothing, has_cube, may_turn
from gammon.eval.evaluators import load_evaluator
from gammon.eval.integer_network_kernel import results
from gammon.rules.board import SIZE, Rows, State
from gammon.rules.terms import NO_OFFER, offer, payoff_at
from gammon.search.algorithms import BOUNDED, STAR2, Algorithm
from gammon.search.game import Evaluator, Params

#: For money without the cube: the least width, what odds of 1 add to it, and the most that odds add.
LEAST, SCALE, MOST = 0.004, 0.04, 1.0
#: With a live cube, widths are multiplied by the first number if it is centred, else by the second.
_CENTRED, _OWNED = 1.3, 1.15
#: Where a double costs one player nothing, widths are multiplied by this, too.
_FREE = 2.0
#: Where the opponent may double next, a width grows near the value of passing that double: there by
#: `_NEAR_PASS` times itself, and evenly less with the distance, up to `_DISTANCE` plain wins away.
_NEAR_PASS, _DISTANCE = 2.5, 0.6
_LOSE_G, _LOSE, _WIN, _WIN_G = 1, 2, 3, 4
#: Is added to the first output of the network in a race, so that the fold knows it.
RACE = -2.0
#: The width where no width holds a value, in plain wins.
UNHELD = 100.0


@kernel(inner=True)
def _is_race(row: State) -> bool:
    """Return whether all checkers of both sides have passed each other."""
    own, their = SIZE - 1, 0
    while own >= 0 and row[own] <= 0:
        own -= 1
    while their < SIZE and row[their] >= 0:
        their += 1
    return own < their


@kernel()
def width_outputs(
    parent: State, rows: Rows, n: int, weights: Float32Vector, out: Float32Matrix, scratch: UInt64Vector
) -> None:
    """Write the outputs of the network of widths, and mark races.

    Args as for `gammon.eval.integer_network_kernel.results`, but `out` has `RACE` added to the first
    number of each race.
    """
    results(parent, rows, n, weights, out, scratch)
    for j in range(n):
        if _is_race(rows[j]):
            out[j, 0] += RACE


@kernel()
def fold_width(outputs: Float32Matrix, n: int, stake: int, params: Params, values: Float32Vector) -> None:
    """Write the widths of n rows, in units of values at a stake.

    Args:
        outputs: float32 [>= n, >= 6], from `width_outputs`.
        n: number of rows.
        stake: stake of the players on roll.
        params: float64 [90], see `gammon.rules.terms`.
        values: float32 [>= n], the static values of rolling, replaced by widths.
    """
    single = (payoff_at(stake, _WIN, params) - payoff_at(stake, _LOSE, params)) / 2.0
    gammon = (payoff_at(stake, _WIN_G, params) - payoff_at(stake, _LOSE_G, params)) / 4.0
    scale = max(single, gammon)
    cash = NO_OFFER
    live = may_turn(stake, params)
    if live:
        cash = offer(-stake, params)[3]
        both = cash != NO_OFFER and offer(stake, params)[3] != NO_OFFER
        scale *= _CENTRED if both else _OWNED
        if costs_nothing(stake, params):
            scale *= _FREE
    for j in range(n):
        row = outputs[j]
        race = row[0] < 0.0
        win = float(row[3]) + float(row[4]) + float(row[5])
        lose = float(row[0]) - (RACE if race else 0.0) + float(row[1]) + float(row[2])
        width = scale * (LEAST + min(SCALE * win / max(lose, 1e-6), MOST))
        if cash != NO_OFFER:
            away = abs(float(values[j]) + cash) / (_DISTANCE * single)
            width *= 1.0 + _NEAR_PASS * max(0.0, 1.0 - away)
        values[j] = UNHELD * scale if race and live else width


@lru_cache(maxsize=1)
def load_width() -> Evaluator:
    """Return the evaluator of widths that ships."""
    evaluator = load_evaluator("width", bearoff=False)
    return evaluator._replace(evaluate=width_outputs, fold=fold_width, has_tie=False)


def bounds_of(algorithm: str | Algorithm, leaf: Evaluator, free: bool) -> dict[str, Any]:
    """Return the arguments `algorithm` and `width` of a `search.TreeSearch` of backgammon.

    Args:
        algorithm: the algorithm that was asked for.
        leaf: the evaluator of leaves.
        free: whether nothing can bound a value, as with noise or a filter.

    Returns:
        The arguments. Without widths, Star2 takes the place of bounded search.
    """
    if algorithm != BOUNDED.name:
        return {"algorithm": algorithm}
    if free or not has_cube(leaf):
        return {"algorithm": STAR2}
    return {"algorithm": BOUNDED, "width": load_width()}
