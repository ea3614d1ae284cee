"""The network as an evaluator of games with the cube, by Janowski's model.

Its outputs are the chances of the six results; in a seventh column the efficiency of the cube
or a mark; and then three numbers, one for each owner of the cube (`efficiency.py`). The folds
turn them into values; `janowski.py` defines the same values in plain Python. Stakes, parameters
and units are defined in `gammon.rules.terms`.
"""

from gammon.base.errors import SettingError
from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float32Matrix, Float32Vector, UInt64Vector
from gammon.compiled.vector import EIGHT, Float64x8, as_rounded, bits, filled, select, store_some
from gammon.eval.bearoff import N_NUMBERS, N_WITH_CUBE, with_cube
from gammon.eval.efficiency import (
    BY_OWNER,
    KNOWN,
    LIKE_TWO,
    N_OUTPUTS,
    efficiency_if_known,
    efficiency_of,
    value_if_known,
)
from gammon.eval.fold import fold_dead, tie_dead
from gammon.eval.integer_network_kernel import results
from gammon.eval.integers import SLOT
from gammon.eval.janowski import COSTS_NOTHING
from gammon.eval.janowski_row import (
    Shares,
    best_of_turn,
    bounded,
    certain,
    dead_value,
    efficiency_at,
    ladder_of,
    last_points,
    match_value,
    money_value,
    payoffs_now,
    points_before,
    points_now,
    shares_of,
    six_of,
)
from gammon.eval.race_cube import with_two_checkers
from gammon.rules.board import Rows, State
from gammon.rules.outcome import N_RESULTS
from gammon.rules.terms import (
    LIVE,
    MATCH,
    NO_OFFER,
    OWN_AWAY,
    THEIR_AWAY,
    Terms,
    cube_log2_of,
    offer,
    owner_of,
)
from gammon.search.game import Evaluator, Params


@kernel(inline=True)
def _money(
    outputs: Float32Matrix, first: int, n: int, row: Shares, owner: int, gammons: float, marks: Float64x8
) -> Float64x8:
    """Return the values of rolling for money, for games that are not certain.

    If the opponent owns the cube, they are capped at the values for a centred cube: efficiencies
    that differ between owners do not guarantee this, and the search relies on it
    (`games/backgammon.py`).
    """
    efficiency = efficiency_if_known(outputs, first, n, owner, marks)
    value = money_value(row, owner, gammons, efficiency)
    if owner < 0 and bits(marks == BY_OWNER):
        efficiency = efficiency_if_known(outputs, first, n, 0, marks)
        centred = money_value(row, 0, gammons, efficiency)
        value = select((marks == BY_OWNER) & (centred < value), centred, value)
    return value


@kernel(inner=True)
def _fold_money(outputs: Float32Matrix, n: int, stake: int, params: Params, values: Float32Vector) -> None:
    """Write the values of rolling for money."""
    payoffs = payoffs_now(stake, params)
    gammons = 1.0 if payoffs.highest > 1.0 else 0.0
    for first in range(0, n, EIGHT):
        six = six_of(outputs, first, n)
        row = shares_of(six)
        marks = efficiency_at(outputs, first, n)
        value = _money(outputs, first, n, row, stake, gammons, marks)
        value = select(certain(row), dead_value(six, payoffs), value)
        value = value_if_known(outputs, first, n, stake, marks, value)
        store_some(values, first, as_rounded(bounded(value, payoffs)), n - first)


@kernel(inner=True)
def _turn_money(outputs: Float32Matrix, n: int, stake: int, params: Params, values: Float32Vector) -> None:
    """Write the values before a turn for money, if the player on roll may double."""
    doubled, factor, beaver, passed = offer(stake, params)
    payoffs, next_payoffs = payoffs_now(stake, params), payoffs_now(doubled, params)
    gammons = 1.0 if payoffs.highest > 1.0 else 0.0
    for first in range(0, n, EIGHT):
        six = six_of(outputs, first, n)
        row = shares_of(six)
        over, marks = certain(row), efficiency_at(outputs, first, n)
        rolled = _money(outputs, first, n, row, stake, gammons, marks)
        taken = _money(outputs, first, n, row, doubled, 1.0, marks)
        rolled = select(over, dead_value(six, payoffs), rolled)
        taken = select(over, dead_value(six, next_payoffs), taken)
        rolled = value_if_known(outputs, first, n, stake, marks, rolled)
        taken = value_if_known(outputs, first, n, doubled, marks, taken)
        rolled, taken = bounded(rolled, payoffs), bounded(taken, next_payoffs)
        value = best_of_turn(rolled, taken, factor, beaver, passed)
        store_some(values, first, as_rounded(value), n - first)


@kernel(inline=True)
def _efficiency(outputs: Float32Matrix, first: int, n: int, stake: int, params: Params) -> Float64x8:
    """Return the efficiency of the cube in a match, for eight rows."""
    if costs_nothing(stake, params):
        return filled(COSTS_NOTHING, EIGHT)
    efficiency = efficiency_at(outputs, first, n)
    return efficiency_if_known(outputs, first, n, owner_of(stake), efficiency)


@kernel(inner=True)
def _fold_match(outputs: Float32Matrix, n: int, stake: int, params: Params, values: Float32Vector) -> None:
    """Write the values of rolling in a match in which the cube may still be turned."""
    payoffs, ladder = payoffs_now(stake, params), ladder_of(stake, params)
    owner = owner_of(stake)
    for first in range(0, n, EIGHT):
        six = six_of(outputs, first, n)
        row = shares_of(six)
        cash, their_cash = points_now(row, ladder, params)
        efficiency = _efficiency(outputs, first, n, stake, params)
        value = match_value(row, owner, ladder.now, cash, their_cash, efficiency, params)
        value = select(certain(row), dead_value(six, payoffs), value)
        store_some(values, first, as_rounded(bounded(value, payoffs)), n - first)


@kernel(inner=True)
def _turn_match(outputs: Float32Matrix, n: int, stake: int, params: Params, values: Float32Vector) -> None:
    """Write the values before a turn in a match, if the player on roll may double.

    The cash points after a double are intermediate results for those before it, if both players
    may still turn the cube after the double.
    """
    doubled, factor, beaver, passed = offer(stake, params)
    owner = owner_of(stake)
    ladder, next_ladder = ladder_of(stake, params), ladder_of(doubled, params)
    payoffs, next_payoffs = payoffs_now(stake, params), payoffs_now(doubled, params)
    may_turn_now, may_turn_next = may_turn(stake, params), may_turn(doubled, params)
    for first in range(0, n, EIGHT):
        six = six_of(outputs, first, n)
        row = shares_of(six)
        over, cash, their_cash = certain(row), filled(0.0, EIGHT), filled(0.0, EIGHT)
        rolled, taken = dead_value(six, payoffs), dead_value(six, next_payoffs)
        if may_turn_next:
            cash, their_cash = points_now(row, next_ladder, params)
            now, efficiency = next_ladder.now, _efficiency(outputs, first, n, doubled, params)
            value = match_value(row, -1, now, cash, their_cash, efficiency, params)
            taken = select(over, taken, value)
        if may_turn_now:
            if ladder.last > ladder.now:
                cash, their_cash = points_before(row, ladder.now, cash, their_cash, params)
            else:
                cash, their_cash = last_points(row, ladder, params)
            now, efficiency = ladder.now, _efficiency(outputs, first, n, stake, params)
            value = match_value(row, owner, now, cash, their_cash, efficiency, params)
            rolled = select(over, rolled, value)
        rolled, taken = bounded(rolled, payoffs), bounded(taken, next_payoffs)
        value = best_of_turn(rolled, taken, factor, beaver, passed)
        store_some(values, first, as_rounded(value), n - first)


@kernel(inner=True)
def may_turn(stake: int, params: Params) -> bool:
    """Return whether the value at a leaf takes into account that the cube may be turned."""
    if params[LIVE] == 0.0 or params[MATCH] == 0.0:
        return bool(params[LIVE] != 0.0)
    owner, cube = owner_of(stake), float(1 << cube_log2_of(stake))
    own, their = _away(stake, params)
    return (owner >= 0 and own > cube) or (owner <= 0 and their > cube)


@kernel(inner=True)
def costs_nothing(stake: int, params: Params) -> bool:
    """Return whether some side may double although a loss costs it the match anyway; see `janowski`."""
    owner, cube = owner_of(stake), float(1 << cube_log2_of(stake))
    own, their = _away(stake, params)
    return (owner >= 0 and own > cube >= their) or (owner <= 0 and their > cube >= own)


@kernel(inner=True)
def _away(stake: int, params: Params) -> tuple[float, float]:
    """Return the points that the player on roll and the opponent still need."""
    own, their = params[OWN_AWAY], params[THEIR_AWAY]
    return (own, their) if stake > 0 else (their, own)


@kernel()
def fold_rolled(outputs: Float32Matrix, n: int, stake: int, params: Params, values: Float32Vector) -> None:
    """Write the values of rolling now, with the cube unchanged until the next turn.

    Args:
        outputs: float32 [>= n, 10], see the top of this file.
        n: number of rows.
        stake: stake of the players on roll in the rows.
        params: float64 [90], see `gammon.rules.terms`.
        values: float32 [>= n].
    """
    if not may_turn(stake, params):
        fold_dead(outputs, n, stake, params, values)
    elif params[MATCH] != 0.0:
        _fold_match(outputs, n, stake, params, values)
    else:
        _fold_money(outputs, n, stake, params, values)


@kernel()
def fold_turn(outputs: Float32Matrix, n: int, stake: int, params: Params, values: Float32Vector) -> None:
    """Write the values before a turn: the player on roll may double, the opponent may pass.

    The values equal, to the bit, those that the search computes from two calls of `fold_rolled`.
    Args as for `fold_rolled`.
    """
    if offer(stake, params)[3] == NO_OFFER:
        fold_rolled(outputs, n, stake, params, values)
    elif params[MATCH] != 0.0:
        _turn_match(outputs, n, stake, params, values)
    else:
        _turn_money(outputs, n, stake, params, values)


_results = results


@kernel()
def chances_and_efficiency(
    parent: State, rows: Rows, n: int, weights: Float32Vector, out: Float32Matrix, scratch: UInt64Vector
) -> None:
    """Write the chances of the six results, and what is known about the cube.

    Args as for `integer_network_kernel.results`, except that out is float32 [>= n, 10].
    """
    _results(parent, rows, n, weights, out, scratch)
    at = int(weights[SLOT.tables]) + N_NUMBERS
    for j in range(n):
        row = out[j]
        rolls, worth = row[N_RESULTS], row[N_RESULTS + 1 :]
        if rolls < 0.0:
            continue  # contact: the efficiencies are written already
        if rolls == 0.0:
            row[N_RESULTS] = efficiency_of(rows[j])
            worth[:] = 0.0
        elif with_cube(rows[j], weights, at, worth):
            row[N_RESULTS] = KNOWN
        else:
            win = row[3] + row[4] + row[5]
            with_two_checkers(rolls, win, weights, at + N_WITH_CUBE, worth)
            row[N_RESULTS] = LIKE_TWO


def has_cube(evaluator: Evaluator) -> bool:
    """Return whether `cubeful_evaluator` accepts an evaluator."""
    return evaluator.evaluate is results


def evaluator_at(evaluator: Evaluator, terms: Terms) -> Evaluator:
    """Return an evaluator for games at these terms: with the cube, unless it is dead.

    Args and errors as for `cubeful_evaluator`.
    """
    return evaluator if terms.dead else cubeful_evaluator(evaluator)


def cubeful_evaluator(evaluator: Evaluator) -> Evaluator:
    """Return a network's evaluator with the cube.

    Args:
        evaluator: an evaluator from `gammon.eval.evaluators`.

    Raises:
        SettingError: it is another evaluator, such as a torch module's.
    """
    if not has_cube(evaluator):
        raise SettingError("an evaluator with the cube: expected a network in integers")
    return evaluator._replace(
        evaluate=chances_and_efficiency,
        outputs=N_OUTPUTS,
        fold=fold_rolled,
        turn=fold_turn,
        has_turn=True,
        tie=tie_dead,
        has_tie=True,
    )
