"""Cumulative probabilities of the six results, and their equity for money.

The six results have the order of `gammon.rules.outcome`. People write their chances as five
*cumulative* probabilities: a gammon counts as a win too, and a backgammon as a gammon too.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gammon.rules.board import CHECKERS

Floats = npt.NDArray[np.floating]


class Probabilities(NamedTuple):
    """Five cumulative probabilities of a cubeless game, seen from one player."""

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
    win, win_g, win_bg, lose_g, lose_bg = _columns(probabilities)
    result: Floats = 2.0 * win - 1.0 + win_g + win_bg - lose_g - lose_bg
    return result


def for_opponent(probabilities: Floats) -> Floats:
    """Return cumulative probabilities [..., 5] as seen by the other player."""
    result = probabilities[..., [0, 3, 4, 1, 2]]
    result[..., 0] = 1.0 - result[..., 0]
    return result


def cumulative(results: Floats) -> Floats:
    """Return the cumulative probabilities [..., 5] of the chances of the six results [..., 6].

    Rounded chances may add up to slightly more than 1, so each sum is capped at 1.
    """
    lose_bg, lose_g, _, win, win_g, win_bg = _columns(results)
    sums = win + win_g + win_bg, win_g + win_bg, win_bg, lose_bg + lose_g, lose_bg
    result = _joined(sums, results)
    return np.minimum(result, 1.0, out=result)


def results_of_cumulative(probabilities: Floats) -> Floats:
    """Return the chances of the six results [..., 6] for cumulative probabilities [..., 5]."""
    win, win_g, win_bg, lose_g, lose_bg = _columns(probabilities)
    lose = 1.0 - win
    parts = lose_bg, lose_g - lose_bg, lose - lose_g, win - win_g, win_g - win_bg, win_bg
    return _joined(parts, probabilities)


def count_what_can_come(boards: npt.NDArray[np.int8], results: Floats) -> None:
    """Count gammons against a side that has borne off a checker as single games.

    Args:
        boards: int8 [N, 26], each seen from its player on roll.
        results: [N, 6], the chances of their results, changed in place.
    """
    own_off = np.maximum(boards, 0).sum(axis=1) < CHECKERS
    their_off = -np.minimum(boards, 0).sum(axis=1) < CHECKERS
    results[own_off, 2] += results[own_off, 0] + results[own_off, 1]
    results[own_off, :2] = 0.0
    results[their_off, 3] += results[their_off, 4] + results[their_off, 5]
    results[their_off, 4:] = 0.0


def _columns(table: Floats) -> list[Floats]:
    """Return the K columns [...] of numbers [..., K]."""
    return [table[..., k] for k in range(table.shape[-1])]


def _joined(columns: Sequence[Floats], like: Floats) -> Floats:
    """Return numbers [..., K] made of K columns [...], in the number type of `like`.

    `np.stack` takes three times as long for a few rows.
    """
    result = np.empty((*like.shape[:-1], len(columns)), like.dtype)
    for k, column in enumerate(columns):
        result[..., k] = column
    return result
