"""Janowski's model in a match, compiled: values of eight rows, by way of the cash points."""

from typing import NamedTuple

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.vector import filled, select
from gammon.compiled.vector_rows import EIGHT, Float64x8
from gammon.eval.janowski_row import Shares, mixed
from gammon.rules.outcome import N_RESULTS
from gammon.rules.stake import OWN_AWAY, THEIR_AWAY, block_of, level_of
from gammon.search.game import Params

__all__ = ["Ladder", "ladder_of", "last_points", "match_value", "points_before", "points_now"]


@kernel(inline=True)
def _mean(
    plain: float, gammon: float, backgammon: float, share2: Float64x8, share3: Float64x8
) -> Float64x8:
    """Return the mean worth of a win or a loss.

    Args:
        plain: what a plain result is worth.
        gammon: what a gammon is worth.
        backgammon: what a backgammon is worth.
        share2: the share of the gammons.
        share3: the share of the backgammons.
    """
    return share2 * (gammon - plain) + plain + share3 * (backgammon - plain)


@kernel(inline=True)
def _quotients(
    part1: Float64x8, whole1: Float64x8, part2: Float64x8, whole2: Float64x8
) -> tuple[Float64x8, Float64x8]:
    """Return two quotients by one division; 1 where a whole is nothing."""
    some1, some2 = whole1 > 0.0, whole2 > 0.0
    part1, whole1 = select(some1, part1, 1.0), select(some1, whole1, 1.0)
    part2, whole2 = select(some2, part2, 1.0), select(some2, whole2, 1.0)
    share = filled(1.0, EIGHT) / (whole1 * whole2)
    return part1 * whole2 * share, part2 * whole1 * share


@kernel(inline=True)
def _won(row: Shares, at: int, params: Params) -> Float64x8:
    """Return the mean worth of a win at a level, of which `at` is the block in `params`."""
    return _mean(params[at + 3], params[at + 4], params[at + 5], row.win_g, row.win_bg)


@kernel(inline=True)
def _lost(row: Shares, at: int, params: Params) -> Float64x8:
    """Return the mean worth of a loss, to the player on roll."""
    return _mean(params[at + 2], params[at + 1], params[at], row.lose_g, row.lose_bg)


class Ladder(NamedTuple):
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
def ladder_of(stake: int, params: Params) -> Ladder:
    """Return the levels that a cube may still come to; it is not dead."""
    own, their = params[OWN_AWAY], params[THEIR_AWAY]
    if stake < 0:
        own, their = their, own
    level = level_of(stake)
    last = level
    while min(own, their) > 2 << last:
        last += 1
    double = float(2 << last)
    return Ladder(
        block_of(stake, level),
        block_of(stake, last),
        block_of(stake, last + 2 if own <= double < their else last + 1),
        block_of(stake, last + 2 if their <= double < own else last + 1),
    )


@kernel(inline=True)
def last_points(row: Shares, ladder: Ladder, params: Params) -> tuple[Float64x8, Float64x8]:
    """Return the cash points at the last level.

    They are the chances of the player on roll, and of the opponent, to win, from which on
    their doubles are passed.
    """
    won, lost = _won(row, ladder.own, params), _lost(row, ladder.own, params)
    part, whole = filled(np.float64(params[ladder.last + 3]), EIGHT) - lost, won - lost
    won, lost = _won(row, ladder.their, params), _lost(row, ladder.their, params)
    return _quotients(part, whole, won - params[ladder.last + 2], won - lost)


@kernel(inline=True)
def points_before(
    row: Shares, block: int, cash: Float64x8, their_cash: Float64x8, params: Params
) -> tuple[Float64x8, Float64x8]:
    """Return the cash points at a level.

    Args:
        row: the chances.
        block: of the level.
        cash: the player's point at the next level.
        their_cash: the opponent's point there.
        params: of a match.
    """
    to = block + N_RESULTS
    won, lost = _won(row, to, params), _lost(row, to, params)
    one, if_passed = filled(1.0, EIGHT), filled(np.float64(params[block + 2]), EIGHT)
    redoubled, their_redoubled = _quotients(
        won - params[block + 3], won - params[to + 2],
        if_passed - lost, filled(np.float64(params[to + 3]), EIGHT) - lost,
    )  # fmt: skip
    return one - their_cash * redoubled, one - cash * their_redoubled


@kernel(inline=True)
def points_now(row: Shares, ladder: Ladder, params: Params) -> tuple[Float64x8, Float64x8]:
    """Return the cash points at the level of the cube as it is."""
    cash, their_cash = last_points(row, ladder, params)
    block = ladder.last
    while block > ladder.now:
        block -= N_RESULTS
        cash, their_cash = points_before(row, block, cash, their_cash, params)
    return cash, their_cash


@kernel(inline=True)
def match_value(
    row: Shares, owner: int, block: int, cash: Float64x8, their_cash: Float64x8,
    efficiency: Float64x8, params: Params,
) -> Float64x8:  # fmt: skip
    """Return the values in a match of games that are not certain.

    The live value is linear between the points, and from there to 0 and 1.

    Args:
        row: the chances.
        owner: of the cube; who cannot turn it has no point.
        block: of its level.
        cash: the player's cash point there.
        their_cash: the opponent's.
        efficiency: of the cube.
        params: of the match.
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
    return mixed(live, row.win * won + row.lose * lost, efficiency)
