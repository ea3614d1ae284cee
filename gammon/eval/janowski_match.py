"""Janowski's model in a match, compiled: the value of one row, by way of the cash points."""

from typing import NamedTuple

from gammon.eval.janowski_row import Row, mixed
from gammon.kernel import kernel
from gammon.rules.outcome import N_RESULTS
from gammon.rules.stake import OWN_AWAY, THEIR_AWAY, block_of, level_of
from gammon.search.game import Params

__all__ = ["Ladder", "ladder_of", "last_points", "match_value", "points_before", "points_now"]


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
def _won(row: Row, at: int, params: Params) -> float:
    """Return the mean worth of a win at a level, of which `at` is the block in `params`."""
    return _mean(params[at + 3], params[at + 4], params[at + 5], row.win_g, row.win_bg)


@kernel(inline=True)
def _lost(row: Row, at: int, params: Params) -> float:
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
def last_points(row: Row, ladder: Ladder, params: Params) -> tuple[float, float]:
    """Return the cash points at the last level.

    They are the chances of the player on roll, and of the opponent, to win, from which on
    their doubles are passed.
    """
    won, lost = _won(row, ladder.own, params), _lost(row, ladder.own, params)
    part, whole = params[ladder.last + 3] - lost, won - lost
    won, lost = _won(row, ladder.their, params), _lost(row, ladder.their, params)
    return _quotients(part, whole, won - params[ladder.last + 2], won - lost)


@kernel(inline=True)
def points_before(
    row: Row, block: int, cash: float, their_cash: float, params: Params
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
def points_now(row: Row, ladder: Ladder, params: Params) -> tuple[float, float]:
    """Return the cash points at the level of the cube as it is."""
    cash, their_cash = last_points(row, ladder, params)
    block = ladder.last
    while block > ladder.now:
        block -= N_RESULTS
        cash, their_cash = points_before(row, block, cash, their_cash, params)
    return cash, their_cash


@kernel(inline=True)
def match_value(
    row: Row, owner: int, block: int, cash: float, their_cash: float, efficiency: float,
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
    return mixed(live, row.win * won + row.lose * lost, efficiency)
