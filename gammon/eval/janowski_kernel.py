"""Janowski's model, compiled: folds of the chances of the six results. Its twin: `janowski.py`.

The outputs of an evaluator are the chances of the six results, and in a seventh column the
efficiency of the cube (`efficiency_kernel.py`), if it writes one; if not, the parameter counts.
Stakes, parameters and units are those of `gammon.rules.stake`.

There is one loop over rows for dead cubes, one for money and one for matches. The bodies of the
first two have no branches, so that the compiler makes vectors of them.
"""

from typing import NamedTuple

import numpy as np

from gammon.eval.janowski import CERTAIN
from gammon.kernel import kernel
from gammon.records import Float32Matrix, Float32Vector
from gammon.rules.outcome import N_RESULTS
from gammon.rules.stake import (
    EFFICIENCY,
    JACOBY,
    LIVE,
    MATCH,
    OWN_AWAY,
    THEIR_AWAY,
    block_of,
    level_of,
    owner_of,
    worth_of,
)
from gammon.search.game import FOLD_SIGNATURE, Params

__all__ = ["fold_rolled"]

#: A divisor in the place of 0, where the quotient does not matter.
_TINY = 1e-30


class _Worth(NamedTuple):
    """The worth of the six results to the player on roll.

    Opposite results are taken in pairs, as by `fold.fold_results`, and to the same bits.

    Attributes:
        apart1, apart2, apart3: half of what a plain win, a gammon and a backgammon are worth
            beyond the opposite loss.
        mean1, mean2, mean3: the mean of both.
        lowest, highest: the worth of the worst result and of the best one.
    """

    apart1: float
    mean1: float
    apart2: float
    mean2: float
    apart3: float
    mean3: float
    lowest: float
    highest: float


class _Shares(NamedTuple):
    """The shares of gammons and backgammons among the wins, and among the losses."""

    win_g: float
    win_bg: float
    lose_g: float
    lose_bg: float


@kernel(inner=True)
def _worth(stake: int, params: Params) -> _Worth:
    """Return what results are worth now."""
    if params[MATCH] == 0.0 and params[JACOBY] != 0.0 and stake == 0:
        return _Worth(1.0, 0.0, 1.0, 0.0, 1.0, 0.0, -1.0, 1.0)
    level = level_of(stake) if params[MATCH] != 0.0 else 0
    lose, win = worth_of(stake, level, 2, params), worth_of(stake, level, 3, params)
    lose_g, win_g = worth_of(stake, level, 1, params), worth_of(stake, level, 4, params)
    lose_bg, win_bg = worth_of(stake, level, 0, params), worth_of(stake, level, 5, params)
    return _Worth(
        (win - lose) * 0.5, (win + lose) * 0.5, (win_g - lose_g) * 0.5, (win_g + lose_g) * 0.5,
        (win_bg - lose_bg) * 0.5, (win_bg + lose_bg) * 0.5, lose_bg, win_bg,
    )  # fmt: skip


@kernel(inline=True)
def _dead(six: Float32Vector, worth: _Worth) -> float:
    """Return the value if nobody turns the cube."""
    value: float = worth.apart1 * (six[3] - six[2]) + worth.mean1 * (six[3] + six[2])
    value += worth.apart2 * (six[4] - six[1]) + worth.mean2 * (six[4] + six[1])
    value += worth.apart3 * (six[5] - six[0]) + worth.mean3 * (six[5] + six[0])
    return value


@kernel(inline=True)
def _mixed(
    live: float, dead: float, efficiency: float, win: float, lose: float, worth: _Worth
) -> float:
    """Return the value between that of a live cube and that of a dead one.

    Chances of float32 may sum to more than 1 by 1e-7, and the search relies on bounds.
    """
    value = (1.0 - efficiency) * dead + efficiency * live
    certain = win <= CERTAIN or win >= 1.0 - CERTAIN or lose <= 0.0
    value = dead if certain else value
    return min(max(value, worth.lowest), worth.highest)


@kernel(inner=True)
def _fold_dead(outputs: Float32Matrix, n: int, worth: _Worth, values: Float32Vector) -> None:
    """Write the values where nobody can turn the cube."""
    for j in range(n):
        values[j] = min(max(_dead(outputs[j], worth), worth.lowest), worth.highest)


@kernel(inner=True)
def _fold_money(
    outputs: Float32Matrix, n: int, stake: int, params: Params, worth: _Worth,
    values: Float32Vector,
) -> None:  # fmt: skip
    """Write the values for money, where the cube may be turned.

    With W and L the mean worth of a win and of a loss, and p the chance to win, let

        t = (W + L + 1/2) p - L

    The opponent's point to turn the cube is t = -1/2, and that of the player on roll t = 1. So
    the live value is linear in t between the points of those who may turn the cube.
    """
    gammons = 0.0 if params[JACOBY] != 0.0 and stake == 0 else 1.0
    take = -0.5 if stake <= 0 else -np.inf
    cash = 1.0 if stake >= 0 else np.inf
    start, slope = -1.0 / 3.0, 4.0 / 3.0
    if stake != 0:
        start, slope = (0.0, 1.0) if stake > 0 else (-0.5, 1.0)
    column = min(N_RESULTS, outputs.shape[1] - 1)
    own_efficiency = column == N_RESULTS
    for j in range(n):
        six = outputs[j]
        win = np.float64(six[3]) + six[4] + six[5]
        lose = np.float64(six[2]) + six[1] + six[0]
        won, lost = win + six[4] + 2.0 * six[5], lose + six[1] + 2.0 * six[0]
        share = 1.0 / max(win * lose, _TINY)
        mean_won, mean_lost = won * lose * share, lost * win * share
        t = (mean_won + mean_lost + 0.5) * win - mean_lost
        live = start + slope * t
        if t > cash:
            live = 1.0 + gammons * (mean_won - 1.0) * (t - 1.0) / (mean_won - 0.5)
        elif t <= take:
            live = -1.0 + gammons * (mean_lost - 1.0) * (t + 0.5) / (mean_lost - 0.5)
        efficiency = np.float64(six[column]) if own_efficiency else params[EFFICIENCY]
        values[j] = _mixed(live, _dead(six, worth), efficiency, win, lose, worth)


@kernel(inline=True)
def _mean(
    plain: float, gammon: float, backgammon: float, share2: float, share3: float
) -> float:
    """Return the mean worth of a win or a loss.

    Args:
        plain, gammon, backgammon: what the three are worth.
        share2, share3: those of the gammons and of the backgammons.
    """
    return plain + share2 * (gammon - plain) + share3 * (backgammon - plain)


@kernel(inline=True)
def _quotients(part1: float, whole1: float, part2: float, whole2: float) -> tuple[float, float]:
    """Return two quotients by one division; 1 where a whole is nothing."""
    part1, whole1 = (part1, whole1) if whole1 > 0.0 else (1.0, 1.0)
    part2, whole2 = (part2, whole2) if whole2 > 0.0 else (1.0, 1.0)
    share = 1.0 / (whole1 * whole2)
    return part1 * whole2 * share, part2 * whole1 * share


@kernel(inline=True)
def _won(shares: _Shares, at: int, params: Params) -> float:
    """Return the mean worth of a win at a level, of which `at` is the block in `params`."""
    return _mean(params[at + 3], params[at + 4], params[at + 5], shares.win_g, shares.win_bg)


@kernel(inline=True)
def _lost(shares: _Shares, at: int, params: Params) -> float:
    """Return the mean worth of a loss, to the player on roll."""
    return _mean(params[at + 2], params[at + 1], params[at], shares.lose_g, shares.lose_bg)


class _Ladder(NamedTuple):
    """The levels that a cube may still come to, as blocks of `params`: see `stake.block_of`.

    Attributes:
        now: that of the cube as it is.
        last: that from which a double makes the cube dead.
        own, their: those to which a double of the player on roll, or of the opponent, at the
            last level leads. That is two levels on where the other one redoubles at once.
    """

    now: int
    last: int
    own: int
    their: int


@kernel(inner=True)
def _ladder(stake: int, params: Params) -> _Ladder:
    """Return the levels that a cube may still come to; it is not dead."""
    own, their = params[OWN_AWAY], params[THEIR_AWAY]
    if stake < 0:
        own, their = their, own
    level = level_of(stake)
    last = level
    while min(own, their) > 2 << last:
        last += 1
    double = float(2 << last)
    return _Ladder(
        block_of(stake, level),
        block_of(stake, last),
        block_of(stake, last + 2 if own <= double < their else last + 1),
        block_of(stake, last + 2 if their <= double < own else last + 1),
    )


@kernel(inline=True)
def _cash_points(shares: _Shares, ladder: _Ladder, params: Params) -> tuple[float, float]:
    """Return the chances to win from which on a double is passed: that of the player on roll,
    and that of the opponent.
    """
    won, lost = _won(shares, ladder.own, params), _lost(shares, ladder.own, params)
    part, whole = params[ladder.last + 3] - lost, won - lost
    won, lost = _won(shares, ladder.their, params), _lost(shares, ladder.their, params)
    cash, their_cash = _quotients(part, whole, won - params[ladder.last + 2], won - lost)
    block = ladder.last
    while block > ladder.now:
        won, lost = _won(shares, block, params), _lost(shares, block, params)
        turned, their_turned = won - params[block + 2], params[block + 3] - lost
        block -= N_RESULTS
        redoubled, their_redoubled = _quotients(
            won - params[block + 3], turned, params[block + 2] - lost, their_turned
        )
        cash, their_cash = 1.0 - their_cash * redoubled, 1.0 - cash * their_redoubled
    return cash, their_cash


@kernel(inner=True)
def _fold_match(
    outputs: Float32Matrix, n: int, stake: int, params: Params, worth: _Worth,
    values: Float32Vector,
) -> None:  # fmt: skip
    """Write the values in a match, where the cube may be turned."""
    ladder, owner = _ladder(stake, params), owner_of(stake)
    passed, their_passed = params[ladder.now + 3], params[ladder.now + 2]
    column = min(N_RESULTS, outputs.shape[1] - 1)
    for j in range(n):
        six = outputs[j]
        win = np.float64(six[3]) + six[4] + six[5]
        lose = np.float64(six[2]) + six[1] + six[0]
        efficiency = float(six[column]) if column == N_RESULTS else params[EFFICIENCY]
        share = 1.0 / max(win * lose, _TINY)
        of_won, of_lost = lose * share, win * share
        shares = _Shares(six[4] * of_won, six[5] * of_won, six[1] * of_lost, six[0] * of_lost)
        cash, their_cash = _cash_points(shares, ladder, params)
        # The line between the points around the chance to win.
        x0, y0, x1, y1 = 0.0, _lost(shares, ladder.now, params), 1.0, 0.0
        y1 = _won(shares, ladder.now, params)
        below = owner <= 0 and win <= 1.0 - their_cash
        above = owner >= 0 and win > cash
        if owner <= 0 and not below:
            x0, y0 = 1.0 - their_cash, their_passed
        if owner >= 0 and not above:
            x1, y1 = cash, passed
        if below:
            x1, y1 = 1.0 - their_cash, their_passed
        if above and not below:
            x0, y0 = cash, passed
        live = y0 + (y1 - y0) * (win - x0) / (x1 - x0)
        values[j] = _mixed(live, _dead(six, worth), efficiency, win, lose, worth)


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
        outputs: float32 [>= n, 6 or 7], see the head of this file.
        n: how many rows.
        stake: of the players on roll in the rows.
        params: float64 [91], see `gammon.rules.stake`.
        values: float32 [>= n].
    """
    worth = _worth(stake, params)
    if not _turns(stake, params):
        _fold_dead(outputs, n, worth, values)
    elif params[MATCH] != 0.0:
        _fold_match(outputs, n, stake, params, worth, values)
    else:
        _fold_money(outputs, n, stake, params, worth, values)
