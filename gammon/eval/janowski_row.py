"""Janowski's model for rows of outputs, compiled: values for money, and in a match by cash points.

Eight rows are computed side by side, one per lane of a vector (`gammon.compiled.vector`). The
loops over rows are in `cubeful.py`.
"""

from typing import NamedTuple

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float32Matrix
from gammon.compiled.vector import (
    EIGHT,
    Float32x8,
    Float64x8,
    Mask8,
    as_float64,
    as_rounded,
    column,
    filled,
    select,
)
from gammon.eval.janowski import CERTAIN
from gammon.rules.outcome import N_RESULTS
from gammon.rules.terms import JACOBY, MATCH, OWN_AWAY, THEIR_AWAY, block_of, cube_log2_of
from gammon.search.game import Params

#: A divisor in place of 0, where the quotient does not matter.
_TINY = 1e-30


class MeanPayoffs(NamedTuple):
    """The payoffs of the six results to the player on roll.

    Opposite results are combined in pairs: half the difference of their payoffs multiplies the
    difference of their chances, and the mean of their payoffs multiplies the sum. For money the
    means are 0, so chances that nearly cancel lose nothing to rounding.

    Attributes:
        apart1, apart2, apart3: half the difference between the payoffs of a plain win, a gammon
            and a backgammon, and of the opposite loss.
        mean1, mean2, mean3: the mean of both payoffs.
        lowest, highest: the payoffs of the worst and of the best result.
    """

    apart1: float
    mean1: float
    apart2: float
    mean2: float
    apart3: float
    mean3: float
    lowest: float
    highest: float


class Six(NamedTuple):
    """The chances of the six results in eight rows, one per lane: losses first."""

    lose_bg: Float32x8
    lose_g: Float32x8
    lose: Float32x8
    win: Float32x8
    win_g: Float32x8
    win_bg: Float32x8


class Shares(NamedTuple):
    """The chances of eight rows, in the form that values at any stake need.

    Attributes:
        win, lose: the chances to win and to lose.
        win_g, win_bg: shares of gammons and backgammons among the wins.
        lose_g, lose_bg: shares of gammons and backgammons among the losses.
    """

    win: Float64x8
    lose: Float64x8
    win_g: Float64x8
    win_bg: Float64x8
    lose_g: Float64x8
    lose_bg: Float64x8


@kernel(inline=True)
def six_of(outputs: Float32Matrix, first: int, n: int) -> Six:
    """Return the chances in eight of n rows, beginning with row `first`."""
    k = outputs.shape[1]
    return Six(
        column(outputs, first, n, 0, k),
        column(outputs, first, n, 1, k),
        column(outputs, first, n, 2, k),
        column(outputs, first, n, 3, k),
        column(outputs, first, n, 4, k),
        column(outputs, first, n, 5, k),
    )


@kernel(inline=True)
def shares_of(six: Six) -> Shares:
    """Return the chances to win and to lose, and the shares of gammons and backgammons."""
    win = as_float64(six.win) + as_float64(six.win_g) + as_float64(six.win_bg)
    lose = as_float64(six.lose) + as_float64(six.lose_g) + as_float64(six.lose_bg)
    both = win * lose
    share = filled(1.0, EIGHT) / select(both > _TINY, both, _TINY)
    of_won, of_lost = lose * share, win * share
    return Shares(
        win,
        lose,
        as_float64(six.win_g) * of_won,
        as_float64(six.win_bg) * of_won,
        as_float64(six.lose_g) * of_lost,
        as_float64(six.lose_bg) * of_lost,
    )


@kernel(inline=True)
def certain(row: Shares) -> Mask8:
    """Return the rows in which the game is as good as won or lost, so that the cube is dead."""
    return ~((row.win > CERTAIN) & (row.win < 1.0 - CERTAIN) & (row.lose > 0.0))


@kernel(inner=True)
def payoffs_at(first: int, params: Params) -> MeanPayoffs:
    """Return the payoffs that begin at index `first` of `params`, losses first."""
    lose_bg, lose_g, lose = params[first], params[first + 1], params[first + 2]
    win, win_g, win_bg = params[first + 3], params[first + 4], params[first + 5]
    return MeanPayoffs(
        (win - lose) * 0.5, (win + lose) * 0.5, (win_g - lose_g) * 0.5, (win_g + lose_g) * 0.5,
        (win_bg - lose_bg) * 0.5, (win_bg + lose_bg) * 0.5, lose_bg, win_bg,
    )  # fmt: skip


@kernel(inner=True)
def payoffs_now(stake: int, params: Params) -> MeanPayoffs:
    """Return the payoffs of the results with the cube as it is."""
    if params[MATCH] == 0.0 and params[JACOBY] != 0.0 and stake == 0:
        return MeanPayoffs(1.0, 0.0, 1.0, 0.0, 1.0, 0.0, -1.0, 1.0)
    cube_log2 = cube_log2_of(stake) if params[MATCH] != 0.0 else 0
    return payoffs_at(block_of(stake, cube_log2), params)


@kernel(inline=True)
def dead_value(six: Six, payoffs: MeanPayoffs) -> Float64x8:
    """Return the values if nobody turns the cube."""
    single = as_float64(six.win - six.lose) * payoffs.apart1 + as_float64(six.win + six.lose) * payoffs.mean1
    gammon = (
        as_float64(six.win_g - six.lose_g) * payoffs.apart2
        + as_float64(six.win_g + six.lose_g) * payoffs.mean2
    )
    backgammon = (
        as_float64(six.win_bg - six.lose_bg) * payoffs.apart3
        + as_float64(six.win_bg + six.lose_bg) * payoffs.mean3
    )
    value: Float64x8 = single + gammon + backgammon
    return value


@kernel(inline=True)
def bounded(value: Float64x8, payoffs: MeanPayoffs) -> Float64x8:
    """Return values within the payoffs, rounded to float32 as `values` stores them.

    Chances in float32 may add up to 1 + 1e-7, and the search relies on the bounds.
    """
    value = select(value > payoffs.lowest, value, payoffs.lowest)
    return as_float64(as_rounded(select(value < payoffs.highest, value, payoffs.highest)))


@kernel(inline=True)
def _mixed(live: Float64x8, dead: Float64x8, efficiency: Float64x8) -> Float64x8:
    """Return the mixture of the values with a live and with a dead cube."""
    value: Float64x8 = (filled(1.0, EIGHT) - efficiency) * dead + efficiency * live
    return value


@kernel(inline=True)
def efficiency_at(outputs: Float32Matrix, first: int, n: int) -> Float64x8:
    """Return the efficiency of the cube in eight of n rows of the outputs, or marks.

    Args:
        outputs: float32 [>= n, 10].
        first: the first row.
        n: number of rows.
    """
    efficiency: Float64x8 = as_float64(column(outputs, first, n, N_RESULTS, outputs.shape[1]))
    return efficiency


@kernel(inline=True)
def money_value(row: Shares, owner: int, gammons: float, efficiency: Float64x8) -> Float64x8:
    """Return the values for money of games that are not certain.

    With W and L the mean points of a win and of a loss, and p the chance to win, let

        t = (W + L + 1/2) p - L

    The opponent turns the cube at t = -1/2, and the player on roll at t = 1. Between the points
    of those who may turn the cube, the live value is linear in t.

    Args:
        row: the chances.
        owner: owner of the cube: 1 the player on roll, 0 nobody, -1 the opponent.
        gammons: 1.0, or 0.0 where gammons do not count.
        efficiency: efficiency of the cube.
    """
    more_won, more_lost = row.win_bg * 2.0 + row.win_g, row.lose_bg * 2.0 + row.lose_g
    t = (more_won + more_lost + 2.5) * row.win - 1.0 - more_lost
    paid_won, paid_lost = more_won * gammons, more_lost * gammons
    live = t
    if owner == 0:
        live = (t * 4.0 - 1.0) * (1.0 / 3.0)
    elif owner < 0:
        live = t - 0.5
    if owner >= 0:
        live = select(t > 1.0, paid_won * (t - 1.0) / (more_won + 0.5) + 1.0, live)
    if owner <= 0:
        live = select(t > -0.5, live, paid_lost * (t + 0.5) / (more_lost + 0.5) - 1.0)
    dead = row.win * (paid_won + 1.0) - row.lose * (paid_lost + 1.0)
    return _mixed(live, dead, efficiency)


@kernel(inline=True)
def best_of_turn(
    rolled: Float64x8, taken: Float64x8, factor: float, beaver: float, passed: float
) -> Float64x8:
    """Return the values before a turn.

    Args:
        rolled: values of rolling.
        taken: values of rolling after a double that is taken.
        factor: multiplies `taken` after a take.
        beaver: multiplies `taken` after a beaver.
        passed: value of a pass.
    """
    doubled, beavered = taken * factor, taken * beaver
    least = select(doubled < beavered, doubled, beavered)
    least = select(least < passed, least, passed)
    return select(rolled > least, rolled, least)


@kernel(inline=True)
def _mean(plain: float, gammon: float, backgammon: float, share2: Float64x8, share3: Float64x8) -> Float64x8:
    """Return the mean payoff of a win or of a loss.

    Args:
        plain: payoff of a single game.
        gammon: payoff of a gammon.
        backgammon: payoff of a backgammon.
        share2: share of gammons.
        share3: share of backgammons.
    """
    return share2 * (gammon - plain) + plain + share3 * (backgammon - plain)


@kernel(inline=True)
def _quotients(
    part1: Float64x8, whole1: Float64x8, part2: Float64x8, whole2: Float64x8
) -> tuple[Float64x8, Float64x8]:
    """Return two quotients with one division; a quotient is 1 if its whole is 0."""
    some1, some2 = whole1 > 0.0, whole2 > 0.0
    part1, whole1 = select(some1, part1, 1.0), select(some1, whole1, 1.0)
    part2, whole2 = select(some2, part2, 1.0), select(some2, whole2, 1.0)
    share = filled(1.0, EIGHT) / (whole1 * whole2)
    return part1 * whole2 * share, part2 * whole1 * share


@kernel(inline=True)
def _won(row: Shares, at: int, params: Params) -> Float64x8:
    """Return the mean payoff of a win at the cube level whose block in `params` begins at `at`."""
    return _mean(params[at + 3], params[at + 4], params[at + 5], row.win_g, row.win_bg)


@kernel(inline=True)
def _lost(row: Shares, at: int, params: Params) -> Float64x8:
    """Return the mean payoff of a loss, as for `_won`, to the player on roll."""
    return _mean(params[at + 2], params[at + 1], params[at], row.lose_g, row.lose_bg)


class Ladder(NamedTuple):
    """The levels that the cube may still reach, as blocks of `params`: see `terms.block_of`.

    Attributes:
        now: the present level of the cube.
        last: the level from which a double makes the cube dead.
        own, their: the level that follows a double at the last level by the player on roll, or
            by the opponent; two levels higher if the other side redoubles at once.
    """

    now: int
    last: int
    own: int
    their: int


@kernel(inner=True)
def ladder_of(stake: int, params: Params) -> Ladder:
    """Return the levels that a cube may still reach; the cube is not dead."""
    own, their = params[OWN_AWAY], params[THEIR_AWAY]
    if stake < 0:
        own, their = their, own
    cube_log2 = cube_log2_of(stake)
    last = cube_log2
    while min(own, their) > 2 << last:
        last += 1
    double = float(2 << last)
    return Ladder(
        block_of(stake, cube_log2),
        block_of(stake, last),
        block_of(stake, last + 2 if own <= double < their else last + 1),
        block_of(stake, last + 2 if their <= double < own else last + 1),
    )


@kernel(inline=True)
def last_points(row: Shares, ladder: Ladder, params: Params) -> tuple[Float64x8, Float64x8]:
    """Return the cash points at the last level.

    A cash point is the smallest chance to win at which a side's double is passed: first the
    player on roll's, then the opponent's.
    """
    won, lost = _won(row, ladder.own, params), _lost(row, ladder.own, params)
    part, whole = filled(np.float64(params[ladder.last + 3]), EIGHT) - lost, won - lost
    won, lost = _won(row, ladder.their, params), _lost(row, ladder.their, params)
    return _quotients(part, whole, won - params[ladder.last + 2], won - lost)


@kernel(inline=True)
def points_before(
    row: Shares, block: int, cash: Float64x8, their_cash: Float64x8, params: Params
) -> tuple[Float64x8, Float64x8]:
    """Return the cash points at a level, given those at the next one.

    Args:
        row: the chances.
        block: block of the level.
        cash: the player's cash point at the next level.
        their_cash: the opponent's cash point at the next level.
        params: parameters of a match.
    """
    to = block + N_RESULTS
    won, lost = _won(row, to, params), _lost(row, to, params)
    one, if_passed = filled(1.0, EIGHT), filled(np.float64(params[block + 2]), EIGHT)
    redoubled, their_redoubled = _quotients(
        won - params[block + 3],
        won - params[to + 2],
        if_passed - lost,
        filled(np.float64(params[to + 3]), EIGHT) - lost,
    )
    return one - their_cash * redoubled, one - cash * their_redoubled


@kernel(inline=True)
def points_now(row: Shares, ladder: Ladder, params: Params) -> tuple[Float64x8, Float64x8]:
    """Return the cash points at the present level of the cube."""
    cash, their_cash = last_points(row, ladder, params)
    block = ladder.last
    while block > ladder.now:
        block -= N_RESULTS
        cash, their_cash = points_before(row, block, cash, their_cash, params)
    return cash, their_cash


@kernel(inline=True)
def match_value(
    row: Shares,
    owner: int,
    block: int,
    cash: Float64x8,
    their_cash: Float64x8,
    efficiency: Float64x8,
    params: Params,
) -> Float64x8:
    """Return the values in a match of games that are not certain.

    The live value is linear between the cash points, and from them to chances of 0 and 1.

    Args:
        row: the chances.
        owner: owner of the cube; a side that cannot turn it has no cash point.
        block: block of the cube's level.
        cash: the player's cash point at this level.
        their_cash: the opponent's cash point at this level.
        efficiency: efficiency of the cube.
        params: parameters of the match.
    """
    one = filled(1.0, EIGHT)
    lost, won = _lost(row, block, params), _won(row, block, params)
    x0, y0, x1, y1 = one - one, lost, one, won
    taken = row.win > -1.0
    if owner <= 0:
        take, if_passed = one - their_cash, filled(np.float64(params[block + 2]), EIGHT)
        taken = row.win > take
        x0, y0 = select(taken, take, x0), select(taken, if_passed, y0)
        x1, y1 = select(taken, x1, take), select(taken, y1, if_passed)
    if owner >= 0:
        if_cashed = filled(np.float64(params[block + 3]), EIGHT)
        above, below = taken & (row.win > cash), taken & ~(row.win > cash)
        x0, y0 = select(above, cash, x0), select(above, if_cashed, y0)
        x1, y1 = select(below, cash, x1), select(below, if_cashed, y1)
    wide = x1 - x0
    live = y0 + (y1 - y0) * (row.win - x0) / select(wide != 0.0, wide, 1.0)
    return _mixed(live, row.win * won + row.lose * lost, efficiency)
