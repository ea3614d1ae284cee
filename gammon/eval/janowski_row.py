"""Rows of Janowski's model, compiled: what follows from the chances, and values for money.

Eight rows stand side by side, a lane of each vector for one (`gammon.compiled.vector_rows`).
Loops over rows are in `janowski_kernel.py`, and values in matches in `janowski_match.py`.
"""

from typing import NamedTuple

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float32Matrix
from gammon.compiled.vector import filled, select
from gammon.compiled.vector_rows import (
    EIGHT,
    Float32x8,
    Float64x8,
    Mask8,
    as_float64,
    as_rounded,
    column,
)
from gammon.eval.janowski import CERTAIN
from gammon.rules.outcome import N_RESULTS
from gammon.rules.stake import EFFICIENCY, JACOBY, MATCH, level_of, worth_of
from gammon.search.game import Params

__all__ = [
    "Shares", "Six", "Worth", "best_of_turn", "bounded", "certain", "dead_value",
    "efficiency_at", "mixed", "money_value", "shares_of", "six_of", "worth_now",
]  # fmt: skip

#: A divisor in the place of 0, where the quotient does not matter.
_TINY = 1e-30


class Worth(NamedTuple):
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


class Six(NamedTuple):
    """The chances of the six results in eight rows, a lane for each: losses first."""

    lose_bg: Float32x8
    lose_g: Float32x8
    lose: Float32x8
    win: Float32x8
    win_g: Float32x8
    win_bg: Float32x8


class Shares(NamedTuple):
    """The chances of eight rows, in the form that values at any stake need.

    Attributes:
        win, lose: the chances.
        win_g, win_bg: the shares of gammons and backgammons among the wins.
        lose_g, lose_bg: those among the losses.
    """

    win: Float64x8
    lose: Float64x8
    win_g: Float64x8
    win_bg: Float64x8
    lose_g: Float64x8
    lose_bg: Float64x8


@kernel(inline=True)
def six_of(outputs: Float32Matrix, first: int, n: int) -> Six:
    """Return the chances of eight of n rows, from the first-th on."""
    k = outputs.shape[1]
    return Six(
        column(outputs, first, n, 0, k), column(outputs, first, n, 1, k),
        column(outputs, first, n, 2, k), column(outputs, first, n, 3, k),
        column(outputs, first, n, 4, k), column(outputs, first, n, 5, k),
    )  # fmt: skip


@kernel(inline=True)
def shares_of(six: Six) -> Shares:
    """Return what follows from the chances of the six results."""
    win = as_float64(six.win) + as_float64(six.win_g) + as_float64(six.win_bg)
    lose = as_float64(six.lose) + as_float64(six.lose_g) + as_float64(six.lose_bg)
    both = win * lose
    share = filled(1.0, EIGHT) / select(both > _TINY, both, _TINY)
    of_won, of_lost = lose * share, win * share
    return Shares(
        win, lose, as_float64(six.win_g) * of_won, as_float64(six.win_bg) * of_won,
        as_float64(six.lose_g) * of_lost, as_float64(six.lose_bg) * of_lost,
    )  # fmt: skip


@kernel(inline=True)
def certain(row: Shares) -> Mask8:
    """Tell where the game is as good as won or lost, and the cube dead."""
    return ~((row.win > CERTAIN) & (row.win < 1.0 - CERTAIN) & (row.lose > 0.0))


@kernel(inner=True)
def worth_now(stake: int, params: Params) -> Worth:
    """Return what results are worth now."""
    if params[MATCH] == 0.0 and params[JACOBY] != 0.0 and stake == 0:
        return Worth(1.0, 0.0, 1.0, 0.0, 1.0, 0.0, -1.0, 1.0)
    level = level_of(stake) if params[MATCH] != 0.0 else 0
    lose, win = worth_of(stake, level, 2, params), worth_of(stake, level, 3, params)
    lose_g, win_g = worth_of(stake, level, 1, params), worth_of(stake, level, 4, params)
    lose_bg, win_bg = worth_of(stake, level, 0, params), worth_of(stake, level, 5, params)
    return Worth(
        (win - lose) * 0.5, (win + lose) * 0.5, (win_g - lose_g) * 0.5, (win_g + lose_g) * 0.5,
        (win_bg - lose_bg) * 0.5, (win_bg + lose_bg) * 0.5, lose_bg, win_bg,
    )  # fmt: skip


@kernel(inline=True)
def dead_value(six: Six, worth: Worth) -> Float64x8:
    """Return the values if nobody turns the cube."""
    single = (
        as_float64(six.win - six.lose) * worth.apart1
        + as_float64(six.win + six.lose) * worth.mean1
    )
    gammon = (
        as_float64(six.win_g - six.lose_g) * worth.apart2
        + as_float64(six.win_g + six.lose_g) * worth.mean2
    )
    backgammon = (
        as_float64(six.win_bg - six.lose_bg) * worth.apart3
        + as_float64(six.win_bg + six.lose_bg) * worth.mean3
    )
    value: Float64x8 = single + gammon + backgammon
    return value


@kernel(inline=True)
def bounded(value: Float64x8, worth: Worth) -> Float64x8:
    """Return values as `values` keeps them.

    Chances of float32 may sum to more than 1 by 1e-7, and the search relies on bounds.
    """
    value = select(value > worth.lowest, value, worth.lowest)
    return as_float64(as_rounded(select(value < worth.highest, value, worth.highest)))


@kernel(inline=True)
def mixed(live: Float64x8, dead: Float64x8, efficiency: Float64x8) -> Float64x8:
    """Return the values between those of a live cube and those of a dead one."""
    value: Float64x8 = (filled(1.0, EIGHT) - efficiency) * dead + efficiency * live
    return value


@kernel(inline=True)
def efficiency_at(outputs: Float32Matrix, first: int, n: int, params: Params) -> Float64x8:
    """Return the efficiency of the cube in eight of n rows of the outputs.

    Args:
        outputs: float32 [>= n, 6, 7 or 10].
        first: of the rows.
        n: how many there are.
        params: have the efficiency where outputs have none.
    """
    efficiency = filled(np.float64(params[EFFICIENCY]), EIGHT)
    if outputs.shape[1] > N_RESULTS:
        efficiency = as_float64(column(outputs, first, n, N_RESULTS, outputs.shape[1]))
    return efficiency


@kernel(inline=True)
def money_value(row: Shares, owner: int, gammons: float, efficiency: Float64x8) -> Float64x8:
    """Return the values for money of games that are not certain.

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
    return mixed(live, dead, efficiency)


@kernel(inline=True)
def best_of_turn(
    rolled: Float64x8, taken: Float64x8, factor: float, beaver: float, passed: float
) -> Float64x8:
    """Return the values before a turn.

    Args:
        rolled: of rolling.
        taken: of rolling after a double that is taken.
        factor: what this is multiplied by after a take.
        beaver: what it is multiplied by after a beaver.
        passed: what a pass pays.
    """
    doubled, beavered = taken * factor, taken * beaver
    least = select(doubled < beavered, doubled, beavered)
    least = select(least < passed, least, passed)
    return select(rolled > least, rolled, least)
