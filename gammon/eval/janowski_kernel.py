"""Janowski's model, compiled: folds of the chances of the six results. Its twin: `janowski.py`.

The outputs of an evaluator are the chances of the six results, and in a seventh column the
efficiency of the cube (`efficiency_kernel.py`), if it writes one; if not, the parameter counts.
Three more tell of bearoffs whose values are known (`bearoff_fold.py`).
Stakes, parameters and units are those of `gammon.rules.stake`.
"""

import numpy as np

from gammon.eval.bearoff_fold import efficiency_in, put_known
from gammon.eval.janowski import CERTAIN
from gammon.kernel import kernel
from gammon.records import Float32Matrix, Float32Vector
from gammon.rules.outcome import N_RESULTS
from gammon.rules.stake import (
    EFFICIENCY,
    JACOBY,
    LIVE,
    MATCH,
    NO_OFFER,
    OWN_AWAY,
    THEIR_AWAY,
    level_of,
    offer,
    owner_of,
    worth_of,
)
from gammon.search.game import FOLD_SIGNATURE, Params

__all__ = ["fold_on_turn", "fold_rolled"]


@kernel(inner=True)
def _money(
    six: Float32Vector, owner: int, efficiency: float, live: bool, jacoby: bool
) -> float:
    """Return the value of rolling now, in points per unit of the cube.

    Args:
        six: chances of the results.
        owner: of the cube: 1 the player on roll, 0 nobody, -1 the opponent.
        efficiency: of the cube.
        live: whether it may be turned at all.
        jacoby: whether gammons count only after that.
    """
    no_gammons = jacoby and owner == 0
    win = np.float64(six[3]) + six[4] + six[5]
    lose = np.float64(six[2]) + six[1] + six[0]
    dead: float = win - lose
    if not no_gammons:
        dead = np.float64(six[3] - six[2])
        dead += 2.0 * np.float64(six[4] - six[1])
        dead += 3.0 * np.float64(six[5] - six[0])
    if not live or win <= CERTAIN or win >= 1.0 - CERTAIN or lose <= 0.0:
        return dead
    worth: float = (six[3] + 2.0 * six[4] + 3.0 * six[5]) / win
    loss: float = (six[2] + 2.0 * six[1] + 3.0 * six[0]) / lose
    whole = worth + loss + 0.5
    take, cash = (loss - 0.5) / whole, (loss + 1.0) / whole
    lowest, highest = (-1.0, 1.0) if no_gammons else (-loss, worth)
    return (1.0 - efficiency) * dead + efficiency * _on_line(
        win, owner, take, cash, lowest, -1.0, 1.0, highest
    )


@kernel(inner=True)
def _on_line(
    x: float,
    owner: int,
    take: float,
    cash: float,
    lowest: float,
    taken: float,
    cashed: float,
    highest: float,
) -> float:
    """Return the live value at a chance to win.

    Args:
        x: that chance.
        owner: of the cube; who cannot turn it has no point there.
        take, cash: the chances at which the opponent and the player on roll turn it.
        lowest, taken, cashed, highest: the live values at 0, `take`, `cash` and 1.
    """
    x0, y0, x1, y1 = 0.0, lowest, 1.0, highest
    if owner <= 0 and x <= take:
        x1, y1 = take, taken
    else:
        if owner <= 0:
            x0, y0 = take, taken
        if owner >= 0 and x <= cash:
            x1, y1 = cash, cashed
        elif owner >= 0:
            x0, y0 = cash, cashed
    return y0 + (y1 - y0) * (x - x0) / (x1 - x0)


@kernel(inner=True)
def _if_won(six: Float32Vector, win: float, stake: int, level: int, params: Params) -> float:
    """Return the mean worth of a win of the player on roll at a level of the cube."""
    total: float = six[3] * worth_of(stake, level, 3, params)
    total += six[4] * worth_of(stake, level, 4, params)
    total += six[5] * worth_of(stake, level, 5, params)
    return total / win


@kernel(inner=True)
def _if_lost(six: Float32Vector, lose: float, stake: int, level: int, params: Params) -> float:
    """Return the mean worth of a loss, to the player on roll."""
    total: float = six[2] * worth_of(stake, level, 2, params)
    total += six[1] * worth_of(stake, level, 1, params)
    total += six[0] * worth_of(stake, level, 0, params)
    return total / lose


@kernel(inner=True)
def _ratio(part: float, whole: float) -> float:
    return part / whole if whole > 0.0 else 1.0


@kernel(inner=True)
def _match(six: Float32Vector, stake: int, efficiency: float, params: Params) -> float:
    """Return the value of rolling now: twice the chance to win the match, less 1."""
    level, owner = level_of(stake), owner_of(stake)
    own, their = params[OWN_AWAY], params[THEIR_AWAY]
    if stake < 0:
        own, their = their, own
    dead = 0.0
    for result in range(N_RESULTS):
        dead += six[result] * worth_of(stake, level, result, params)
    cube = float(1 << level)
    alive = (owner >= 0 and own > cube) or (owner <= 0 and their > cube)
    win = np.float64(six[3]) + six[4] + six[5]
    lose = np.float64(six[2]) + six[1] + six[0]
    if (
        params[LIVE] == 0.0
        or not alive
        or (own == 2.0 and their == 2.0)
        or win <= CERTAIN
        or win >= 1.0 - CERTAIN
        or lose <= 0.0
    ):
        return dead
    least = min(own, their)
    last = level  # the level at which a double makes the cube dead
    while least > 2 << last:
        last += 1
    double = float(2 << last)
    to = last + 2 if own <= double < their else last + 1
    won, lost = _if_won(six, win, stake, to, params), _if_lost(six, lose, stake, to, params)
    cash = _ratio(worth_of(stake, last, 3, params) - lost, won - lost)
    to = last + 2 if their <= double < own else last + 1
    won, lost = _if_won(six, win, stake, to, params), _if_lost(six, lose, stake, to, params)
    their_cash = _ratio(won - worth_of(stake, last, 2, params), won - lost)
    for at in range(last - 1, level - 1, -1):
        won = _if_won(six, win, stake, at + 1, params)
        lost = _if_lost(six, lose, stake, at + 1, params)
        passed, their_passed = worth_of(stake, at, 3, params), worth_of(stake, at, 2, params)
        redoubled = _ratio(won - passed, won - worth_of(stake, at + 1, 2, params))
        their_redoubled = _ratio(their_passed - lost, worth_of(stake, at + 1, 3, params) - lost)
        cash, their_cash = 1.0 - their_cash * redoubled, 1.0 - cash * their_redoubled
    return (1.0 - efficiency) * dead + efficiency * _on_line(
        win, owner, 1.0 - their_cash, cash,
        _if_lost(six, lose, stake, level, params), worth_of(stake, level, 2, params),
        worth_of(stake, level, 3, params), _if_won(six, win, stake, level, params),
    )  # fmt: skip


@kernel(inner=True)
def _rolled(outputs: Float32Matrix, j: int, stake: int, params: Params) -> float:
    """Return the value of rolling now of one row."""
    six = outputs[j]
    efficiency = params[EFFICIENCY]
    if outputs.shape[1] > N_RESULTS:
        owner = owner_of(stake) if params[MATCH] != 0.0 else stake
        efficiency = efficiency_in(six, owner)
    if params[MATCH] != 0.0:
        value = _match(six, stake, efficiency, params)
        level = level_of(stake)
        lowest = worth_of(stake, level, 0, params)
        highest = worth_of(stake, level, N_RESULTS - 1, params)
    else:
        jacoby = params[JACOBY] != 0.0
        value = _money(six, stake, efficiency, params[LIVE] != 0.0, jacoby)
        highest = 1.0 if jacoby and stake == 0 else worth_of(stake, 0, N_RESULTS - 1, params)
        lowest = -highest
    # Chances of float32 may sum to more than 1 by 1e-7, and the search relies on bounds.
    return min(max(value, lowest), highest)


@kernel(FOLD_SIGNATURE)
def fold_rolled(
    outputs: Float32Matrix, n: int, stake: int, params: Params, values: Float32Vector
) -> None:
    """Write the values of rolling now: the cube stays, until the next turn, as it is.

    Args:
        outputs: float32 [>= n, 6, 7 or 10], see the head of this file.
        n: how many rows.
        stake: of the players on roll in the rows.
        params: float64 [49], see `gammon.rules.stake`.
        values: float32 [>= n].
    """
    for j in range(n):
        values[j] = _rolled(outputs, j, stake, params)
    put_known(outputs, n, stake, params, values)


@kernel(FOLD_SIGNATURE)
def fold_on_turn(
    outputs: Float32Matrix, n: int, stake: int, params: Params, values: Float32Vector
) -> None:
    """Write the values before a turn: the player on roll may double, the opponent may pass.

    Args as for `fold_rolled`.
    """
    doubled, factor, beaver, cash = offer(stake, params)
    for j in range(n):
        value = _rolled(outputs, j, stake, params)
        if cash != NO_OFFER:
            taken = _rolled(outputs, j, doubled, params)
            value = max(value, min(factor * taken, beaver * taken, cash))
        values[j] = value
