"""The chances of the six results as people write them, and their equity for money.

The six results have the order of `gammon.rules.outcome`. People write their chances as five
*cumulative* probabilities, in which a gammon counts as a win too, and a backgammon as a
gammon too.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["Probabilities", "cumulative", "equity", "for_opponent", "results_of_cumulative"]

Floats = npt.NDArray[np.floating]


class Probabilities(NamedTuple):
    """Five cumulative probabilities of a cubeless game, for the player they are shown to."""

    win: float
    win_gammon: float
    win_backgammon: float
    lose_gammon: float
    lose_backgammon: float

    @property
    def equity(self) -> float:
        """The mean payoff, in points of a cube that is never turned."""
        return float(equity(np.array(self)))


def equity(probabilities: Floats) -> Floats:
    """Return the cubeless equity of cumulative probabilities [..., 5], shape [...]."""
    win, win_g, win_bg, lose_g, lose_bg = np.moveaxis(probabilities, -1, 0)
    result: Floats = 2.0 * win - 1.0 + win_g + win_bg - lose_g - lose_bg
    return result


def for_opponent(probabilities: Floats) -> Floats:
    """Return cumulative probabilities [..., 5] as the other player sees them."""
    result = probabilities[..., [0, 3, 4, 1, 2]]
    result[..., 0] = 1.0 - result[..., 0]
    return result


def cumulative(results: Floats) -> Floats:
    """Return cumulative probabilities [..., 5] of the chances of the six results [..., 6].

    None of them is above 1, to which chances add up only as far as they are rounded.
    """
    lose_bg, lose_g, _, win, win_g, win_bg = np.moveaxis(results, -1, 0)
    sums = [win + win_g + win_bg, win_g + win_bg, win_bg, lose_bg + lose_g, lose_bg]
    found: Floats = np.minimum(np.stack(sums, axis=-1), 1.0)
    return found


def results_of_cumulative(probabilities: Floats) -> Floats:
    """Return the chances of the six results [..., 6] of cumulative ones [..., 5]."""
    win, win_g, win_bg, lose_g, lose_bg = np.moveaxis(probabilities, -1, 0)
    lose = 1.0 - win
    return np.stack(
        [lose_bg, lose_g - lose_bg, lose - lose_g, win - win_g, win_g - win_bg, win_bg], axis=-1
    )
