"""Janowski's model, compiled: folds of the chances of the six results. Its twin: `janowski.py`.

The outputs of an evaluator are the chances of the six results, and in a seventh column the
efficiency of the cube (`efficiency_kernel.py`), if it writes one; if not, the parameter counts.
Three more tell of bearoffs whose values are known (`bearoff_fold.py`).
Stakes, parameters and units are those of `gammon.rules.stake`.
"""

from typing import NamedTuple

import numpy as np

from gammon.eval.bearoff_fold import efficiency_in, is_known, known_value
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
    block_of,
    level_of,
    offer,
    owner_of,
    worth_of,
)
from gammon.search.game import FOLD_SIGNATURE, Params

__all__ = ["fold_rolled", "fold_turn"]

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


class _Row(NamedTuple):
    """What follows from the outputs of one row, whatever the stake.

    Attributes:
        win, lose: the chances.
        win_g, win_bg: the shares of gammons and backgammons among the wins.
        lose_g, lose_bg: those among the losses.
        certain: whether the game is as good as won or lost, and the cube dead.
    """

    win: float
    lose: float
    win_g: float
    win_bg: float
    lose_g: float
    lose_bg: float
    certain: bool


@kernel(inline=True)
def _row(outputs: Float32Matrix, j: int) -> _Row:
    """Return what follows from row j of the outputs."""
    six = outputs[j]
    win = np.float64(six[3]) + six[4] + six[5]
    lose = np.float64(six[2]) + six[1] + six[0]
    share = 1.0 / max(win * lose, _TINY)
    of_won, of_lost = lose * share, win * share
    certain = win <= CERTAIN or win >= 1.0 - CERTAIN or lose <= 0.0
    return _Row(
        win, lose, six[4] * of_won, six[5] * of_won, six[1] * of_lost, six[0] * of_lost,
        certain,
    )  # fmt: skip


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
def _bounded(value: float, worth: _Worth) -> float:
    """Return a value as `values` keeps it.

    Chances of float32 may sum to more than 1 by 1e-7, and the search relies on bounds.
    """
    return float(np.float32(min(max(value, worth.lowest), worth.highest)))


@kernel(inline=True)
def _mixed(live: float, dead: float, efficiency: float) -> float:
    """Return the value between that of a live cube and that of a dead one."""
    return (1.0 - efficiency) * dead + efficiency * live


@kernel(inline=True)
def _efficiency(outputs: Float32Matrix, j: int, owner: int, params: Params) -> float:
    """Return the efficiency of the cube in row j of the outputs."""
    if outputs.shape[1] > N_RESULTS:
        return efficiency_in(outputs[j], owner)
    return float(params[EFFICIENCY])


@kernel(inner=True)
def _fold_dead(outputs: Float32Matrix, n: int, worth: _Worth, values: Float32Vector) -> None:
    """Write the values where nobody can turn the cube."""
    for j in range(n):
        values[j] = _bounded(_dead(outputs[j], worth), worth)


# ---------------------------------------------------------------- money


@kernel(inline=True)
def _money(row: _Row, owner: int, gammons: float, efficiency: float) -> float:
    """Return the value for money of a game that is not certain.

    With W and L the mean worth of a win and of a loss, and p the chance to win, let

        t = (W + L + 1/2) p - L

    The opponent's point to turn the cube is t = -1/2, and that of the player on roll t = 1. So
    between the points of those who may turn the cube, the live value is linear in t.

    Args:
        row: the chances.
        owner: of the cube: 1 the player on roll, 0 nobody, -1 the opponent.
        gammons: 1.0, or 0.0 where they do not count.
        efficiency: of the cube.
    """
    more_won, more_lost = row.win_g + 2.0 * row.win_bg, row.lose_g + 2.0 * row.lose_bg
    t = (more_won + more_lost + 2.5) * row.win - 1.0 - more_lost
    if owner >= 0 and t > 1.0:
        live = 1.0 + gammons * more_won * (t - 1.0) / (more_won + 0.5)
    elif owner <= 0 and t <= -0.5:
        live = -1.0 + gammons * more_lost * (t + 0.5) / (more_lost + 0.5)
    elif owner == 0:
        live = (4.0 * t - 1.0) * (1.0 / 3.0)
    else:
        live = t if owner > 0 else t - 0.5
    dead = row.win * (1.0 + gammons * more_won) - row.lose * (1.0 + gammons * more_lost)
    return _mixed(live, dead, efficiency)


@kernel(inner=True)
def _fold_money(
    outputs: Float32Matrix, n: int, stake: int, params: Params, values: Float32Vector
) -> None:
    """Write the values of rolling for money."""
    worth = _worth(stake, params)
    gammons = 1.0 if worth.highest > 1.0 else 0.0
    for j in range(n):
        row = _row(outputs, j)
        value = _dead(outputs[j], worth)
        if is_known(outputs[j]):
            value = known_value(outputs[j], stake)
        elif not row.certain:
            value = _money(row, stake, gammons, _efficiency(outputs, j, stake, params))
        values[j] = _bounded(value, worth)


@kernel(inner=True)
def _turn_money(
    outputs: Float32Matrix, n: int, stake: int, params: Params, values: Float32Vector
) -> None:
    """Write the values before a turn for money, of players who may double."""
    doubled, factor, beaver, passed = offer(stake, params)
    worth, next_worth = _worth(stake, params), _worth(doubled, params)
    gammons = 1.0 if worth.highest > 1.0 else 0.0
    for j in range(n):
        row = _row(outputs, j)
        if is_known(outputs[j]):
            rolled, taken = known_value(outputs[j], stake), known_value(outputs[j], doubled)
        elif row.certain:
            rolled, taken = _dead(outputs[j], worth), _dead(outputs[j], next_worth)
        else:
            efficiency = _efficiency(outputs, j, stake, params)
            rolled = _money(row, stake, gammons, efficiency)
            taken = _money(row, doubled, 1.0, efficiency)
        rolled, taken = _bounded(rolled, worth), _bounded(taken, next_worth)
        values[j] = max(rolled, min(factor * taken, beaver * taken, passed))


# ---------------------------------------------------------------- matches


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
def _won(row: _Row, at: int, params: Params) -> float:
    """Return the mean worth of a win at a level, of which `at` is the block in `params`."""
    return _mean(params[at + 3], params[at + 4], params[at + 5], row.win_g, row.win_bg)


@kernel(inline=True)
def _lost(row: _Row, at: int, params: Params) -> float:
    """Return the mean worth of a loss, to the player on roll."""
    return _mean(params[at + 2], params[at + 1], params[at], row.lose_g, row.lose_bg)


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
def _last_points(row: _Row, ladder: _Ladder, params: Params) -> tuple[float, float]:
    """Return the cash points at the last level.

    They are the chances of the player on roll, and of the opponent, to win, from which on
    their doubles are passed.
    """
    won, lost = _won(row, ladder.own, params), _lost(row, ladder.own, params)
    part, whole = params[ladder.last + 3] - lost, won - lost
    won, lost = _won(row, ladder.their, params), _lost(row, ladder.their, params)
    return _quotients(part, whole, won - params[ladder.last + 2], won - lost)


@kernel(inline=True)
def _points_before(
    row: _Row, block: int, cash: float, their_cash: float, params: Params
) -> tuple[float, float]:
    """Return the cash points at a level.

    Args:
        row: the chances.
        block: of the level.
        cash, their_cash: the points at the next level.
        params: of a match.
    """
    to = block + N_RESULTS
    won, lost = _won(row, to, params), _lost(row, to, params)
    redoubled, their_redoubled = _quotients(
        won - params[block + 3], won - params[to + 2],
        params[block + 2] - lost, params[to + 3] - lost,
    )  # fmt: skip
    return 1.0 - their_cash * redoubled, 1.0 - cash * their_redoubled


@kernel(inline=True)
def _points(row: _Row, ladder: _Ladder, params: Params) -> tuple[float, float]:
    """Return the cash points at the level of the cube as it is."""
    cash, their_cash = _last_points(row, ladder, params)
    block = ladder.last
    while block > ladder.now:
        block -= N_RESULTS
        cash, their_cash = _points_before(row, block, cash, their_cash, params)
    return cash, their_cash


@kernel(inline=True)
def _match(
    row: _Row, owner: int, block: int, cash: float, their_cash: float, efficiency: float,
    params: Params,
) -> float:  # fmt: skip
    """Return the value in a match of a game that is not certain.

    The live value is linear between the points, and from there to 0 and 1.

    Args:
        row: the chances.
        owner: of the cube; who cannot turn it has no point.
        block: of its level.
        cash, their_cash: the cash points there.
        efficiency: of the cube.
        params: of the match.
    """
    take = 1.0 - their_cash
    lost, won = _lost(row, block, params), _won(row, block, params)
    x0, y0, x1, y1 = 0.0, lost, 1.0, won
    if owner <= 0 and row.win <= take:
        x1, y1 = take, params[block + 2]
    else:
        if owner <= 0:
            x0, y0 = take, params[block + 2]
        if owner >= 0 and row.win <= cash:
            x1, y1 = cash, params[block + 3]
        elif owner >= 0:
            x0, y0 = cash, params[block + 3]
    live = y0 + (y1 - y0) * (row.win - x0) / (x1 - x0)
    return _mixed(live, row.win * won + row.lose * lost, efficiency)


@kernel(inner=True)
def _fold_match(
    outputs: Float32Matrix, n: int, stake: int, params: Params, values: Float32Vector
) -> None:
    """Write the values of rolling in a match, where the cube may be turned."""
    worth, ladder, owner = _worth(stake, params), _ladder(stake, params), owner_of(stake)
    for j in range(n):
        row = _row(outputs, j)
        if row.certain:
            value = _dead(outputs[j], worth)
        else:
            cash, their_cash = _points(row, ladder, params)
            efficiency = _efficiency(outputs, j, owner, params)
            value = _match(row, owner, ladder.now, cash, their_cash, efficiency, params)
        values[j] = _bounded(value, worth)


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
        _ladder(stake, params),
        _ladder(doubled, params),
    )
    worth, next_worth = _worth(stake, params), _worth(doubled, params)
    turns, turns_next = _turns(stake, params), _turns(doubled, params)
    for j in range(n):
        row = _row(outputs, j)
        cash, their_cash = 0.0, 0.0
        if turns_next and not row.certain:
            cash, their_cash = _points(row, next_ladder, params)
            efficiency = _efficiency(outputs, j, -1, params)
            taken = _match(row, -1, next_ladder.now, cash, their_cash, efficiency, params)
        else:
            taken = _dead(outputs[j], next_worth)
        if turns and not row.certain:
            if ladder.last > ladder.now:
                cash, their_cash = _points_before(row, ladder.now, cash, their_cash, params)
            else:
                cash, their_cash = _last_points(row, ladder, params)
            efficiency = _efficiency(outputs, j, owner, params)
            rolled = _match(row, owner, ladder.now, cash, their_cash, efficiency, params)
        else:
            rolled = _dead(outputs[j], worth)
        rolled, taken = _bounded(rolled, worth), _bounded(taken, next_worth)
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
        _fold_dead(outputs, n, _worth(stake, params), values)
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
    Args as there.
    """
    if offer(stake, params)[3] == NO_OFFER:
        fold_rolled(outputs, n, stake, params, values)
    elif params[MATCH] != 0.0:
        _turn_match(outputs, n, stake, params, values)
    else:
        _turn_money(outputs, n, stake, params, values)
