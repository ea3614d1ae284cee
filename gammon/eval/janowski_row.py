"""One row of Janowski's model, compiled: what follows from the chances, and values for money.

Loops over rows are in `janowski_kernel.py`, and values in matches in `janowski_match.py`.
"""

from typing import NamedTuple

import numpy as np

from gammon.eval.bearoff_fold import efficiency_in
from gammon.eval.janowski import CERTAIN
from gammon.kernel import kernel
from gammon.records import Float32Matrix, Float32Vector
from gammon.rules.outcome import N_RESULTS
from gammon.rules.stake import EFFICIENCY, JACOBY, MATCH, level_of, worth_of
from gammon.search.game import Params

__all__ = [
    "Row", "Worth", "bounded", "dead_value", "efficiency_at", "mixed", "money_value",
    "row_of", "worth_now",
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


class Row(NamedTuple):
    """The chances of one row of outputs, in the form that values at any stake need.

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
def row_of(outputs: Float32Matrix, j: int) -> Row:
    """Return what follows from row j of the outputs."""
    six = outputs[j]
    win = np.float64(six[3]) + six[4] + six[5]
    lose = np.float64(six[2]) + six[1] + six[0]
    share = 1.0 / max(win * lose, _TINY)
    of_won, of_lost = lose * share, win * share
    certain = win <= CERTAIN or win >= 1.0 - CERTAIN or lose <= 0.0
    return Row(
        win, lose, six[4] * of_won, six[5] * of_won, six[1] * of_lost, six[0] * of_lost,
        certain,
    )  # fmt: skip


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
def dead_value(six: Float32Vector, worth: Worth) -> float:
    """Return the value if nobody turns the cube."""
    value: float = worth.apart1 * (six[3] - six[2]) + worth.mean1 * (six[3] + six[2])
    value += worth.apart2 * (six[4] - six[1]) + worth.mean2 * (six[4] + six[1])
    value += worth.apart3 * (six[5] - six[0]) + worth.mean3 * (six[5] + six[0])
    return value


@kernel(inline=True)
def bounded(value: float, worth: Worth) -> float:
    """Return a value as `values` keeps it.

    Chances of float32 may sum to more than 1 by 1e-7, and the search relies on bounds.
    """
    return float(np.float32(min(max(value, worth.lowest), worth.highest)))


@kernel(inline=True)
def mixed(live: float, dead: float, efficiency: float) -> float:
    """Return the value between that of a live cube and that of a dead one."""
    return (1.0 - efficiency) * dead + efficiency * live


@kernel(inline=True)
def efficiency_at(outputs: Float32Matrix, j: int, owner: int, params: Params) -> float:
    """Return the efficiency of the cube in row j of the outputs.

    Args:
        outputs: float32 [>= j + 1, 6, 7 or 10].
        j: the row.
        owner: of the cube: 1 the player on roll, 0 nobody, -1 the opponent.
        params: have the efficiency where outputs have none.
    """
    if outputs.shape[1] > N_RESULTS:
        return efficiency_in(outputs[j], owner)
    return float(params[EFFICIENCY])


@kernel(inline=True)
def money_value(row: Row, owner: int, gammons: float, efficiency: float) -> float:
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
    return mixed(live, dead, efficiency)
