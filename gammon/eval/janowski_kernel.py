"""Janowski's model, compiled: folds of the chances of the six results. Its twin: `janowski.py`.

The outputs of an evaluator are the chances of the six results, and in a seventh column the
efficiency of the cube (`efficiency_kernel.py`), if it writes one; if not, the parameter counts.
Three more tell of bearoffs whose values are known (`bearoff_fold.py`).
Stakes, parameters and units are those of `gammon.rules.stake`.
"""

from gammon.eval.bearoff_fold import is_known, known_value
from gammon.eval.janowski_match import (
    ladder_of,
    last_points,
    match_value,
    points_before,
    points_now,
)
from gammon.eval.janowski_row import (
    Worth,
    bounded,
    dead_value,
    efficiency_at,
    money_value,
    row_of,
    worth_now,
)
from gammon.kernel import kernel
from gammon.records import Float32Matrix, Float32Vector
from gammon.rules.stake import (
    LIVE,
    MATCH,
    NO_OFFER,
    OWN_AWAY,
    THEIR_AWAY,
    level_of,
    offer,
    owner_of,
)
from gammon.search.game import FOLD_SIGNATURE, Params

__all__ = ["fold_rolled", "fold_turn"]


@kernel(inner=True)
def _fold_dead(outputs: Float32Matrix, n: int, worth: Worth, values: Float32Vector) -> None:
    """Write the values where nobody can turn the cube."""
    for j in range(n):
        values[j] = bounded(dead_value(outputs[j], worth), worth)


@kernel(inner=True)
def _fold_money(
    outputs: Float32Matrix, n: int, stake: int, params: Params, values: Float32Vector
) -> None:
    """Write the values of rolling for money."""
    worth = worth_now(stake, params)
    gammons = 1.0 if worth.highest > 1.0 else 0.0
    for j in range(n):
        row = row_of(outputs, j)
        if is_known(outputs[j]):
            value = known_value(outputs[j], stake)
        elif row.certain:
            value = dead_value(outputs[j], worth)
        else:
            efficiency = efficiency_at(outputs, j, stake, params)
            value = money_value(row, stake, gammons, efficiency)
        values[j] = bounded(value, worth)


@kernel(inner=True)
def _turn_money(
    outputs: Float32Matrix, n: int, stake: int, params: Params, values: Float32Vector
) -> None:
    """Write the values before a turn for money, of players who may double."""
    doubled, factor, beaver, passed = offer(stake, params)
    worth, next_worth = worth_now(stake, params), worth_now(doubled, params)
    gammons = 1.0 if worth.highest > 1.0 else 0.0
    for j in range(n):
        row = row_of(outputs, j)
        if is_known(outputs[j]):
            rolled, taken = known_value(outputs[j], stake), known_value(outputs[j], doubled)
        elif row.certain:
            rolled, taken = dead_value(outputs[j], worth), dead_value(outputs[j], next_worth)
        else:
            efficiency = efficiency_at(outputs, j, stake, params)
            rolled = money_value(row, stake, gammons, efficiency)
            taken = money_value(row, doubled, 1.0, efficiency)
        rolled, taken = bounded(rolled, worth), bounded(taken, next_worth)
        values[j] = max(rolled, min(factor * taken, beaver * taken, passed))


@kernel(inner=True)
def _fold_match(
    outputs: Float32Matrix, n: int, stake: int, params: Params, values: Float32Vector
) -> None:
    """Write the values of rolling in a match, where the cube may be turned."""
    worth, ladder, owner = worth_now(stake, params), ladder_of(stake, params), owner_of(stake)
    for j in range(n):
        row = row_of(outputs, j)
        if row.certain:
            value = dead_value(outputs[j], worth)
        else:
            cash, their_cash = points_now(row, ladder, params)
            efficiency = efficiency_at(outputs, j, owner, params)
            value = match_value(row, owner, ladder.now, cash, their_cash, efficiency, params)
        values[j] = bounded(value, worth)


@kernel(inner=True)
def _turn_match(
    outputs: Float32Matrix, n: int, stake: int, params: Params, values: Float32Vector
) -> None:
    """Write the values before a turn in a match, of players who may double.

    The cash points after a double are met on the way to those before it, where both players
    may still turn the cube then.
    """
    doubled, factor, beaver, passed = offer(stake, params)
    owner, ladder, next_ladder = (
        owner_of(stake),
        ladder_of(stake, params),
        ladder_of(doubled, params),
    )
    worth, next_worth = worth_now(stake, params), worth_now(doubled, params)
    turns, turns_next = _turns(stake, params), _turns(doubled, params)
    for j in range(n):
        row = row_of(outputs, j)
        cash, their_cash = 0.0, 0.0
        if turns_next and not row.certain:
            cash, their_cash = points_now(row, next_ladder, params)
            now, efficiency = next_ladder.now, efficiency_at(outputs, j, -1, params)
            taken = match_value(row, -1, now, cash, their_cash, efficiency, params)
        else:
            taken = dead_value(outputs[j], next_worth)
        if turns and not row.certain:
            if ladder.last > ladder.now:
                cash, their_cash = points_before(row, ladder.now, cash, their_cash, params)
            else:
                cash, their_cash = last_points(row, ladder, params)
            efficiency = efficiency_at(outputs, j, owner, params)
            rolled = match_value(row, owner, ladder.now, cash, their_cash, efficiency, params)
        else:
            rolled = dead_value(outputs[j], worth)
        rolled, taken = bounded(rolled, worth), bounded(taken, next_worth)
        values[j] = max(rolled, min(factor * taken, beaver * taken, passed))


@kernel(inner=True)
def _turns(stake: int, params: Params) -> bool:
    """Tell whether leaves know that the cube may be turned."""
    if params[LIVE] == 0.0 or params[MATCH] == 0.0:
        return bool(params[LIVE] != 0.0)
    owner, cube = owner_of(stake), float(1 << level_of(stake))
    own, their = params[OWN_AWAY], params[THEIR_AWAY]
    if stake < 0:
        own, their = their, own
    # At 2-away 2-away any double makes it the last game: the tree sees that, the leaf does not.
    if own == 2.0 and their == 2.0:
        return False
    return (owner >= 0 and own > cube) or (owner <= 0 and their > cube)


@kernel(FOLD_SIGNATURE)
def fold_rolled(
    outputs: Float32Matrix, n: int, stake: int, params: Params, values: Float32Vector
) -> None:
    """Write the values of rolling now: the cube stays, until the next turn, as it is.

    Args:
        outputs: float32 [>= n, 6, 7 or 10], see the head of this file.
        n: how many rows.
        stake: of the players on roll in the rows.
        params: float64 [91], see `gammon.rules.stake`.
        values: float32 [>= n].
    """
    if not _turns(stake, params):
        _fold_dead(outputs, n, worth_now(stake, params), values)
    elif params[MATCH] != 0.0:
        _fold_match(outputs, n, stake, params, values)
    else:
        _fold_money(outputs, n, stake, params, values)


@kernel(FOLD_SIGNATURE)
def fold_turn(
    outputs: Float32Matrix, n: int, stake: int, params: Params, values: Float32Vector
) -> None:
    """Write the values before a turn: the player on roll may double, the opponent may pass.

    They are the values that the search makes of two folds by `fold_rolled`, to the same bits.
    Args as for `fold_rolled`.
    """
    if offer(stake, params)[3] == NO_OFFER:
        fold_rolled(outputs, n, stake, params, values)
    elif params[MATCH] != 0.0:
        _turn_match(outputs, n, stake, params, values)
    else:
        _turn_money(outputs, n, stake, params, values)
