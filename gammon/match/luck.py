"""The luck of a roll: its value less the mean value of all rolls.

The mean of this luck over all rolls is 0, for any evaluator. So subtracting a game's luck
from its result leaves the expected result unchanged. The better the evaluator judges rolls,
the more of the luck of the dice is removed.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types

from gammon.kernel import kernel
from gammon.rules.dice import N_ROLLS, PROBABILITIES, ROLLS
from gammon.rules.outcome import NOT_OVER, payoff
from gammon.rules.plays import MAX_ROWS, successors
from gammon.search import Evaluator
from gammon.search.game import VALUES

__all__ = ["luck_of", "roll_values"]

_F32 = types.float32[::1]
#: The first roll of a game is no double: each player throws a die, and the higher begins.
_OPENING = np.array([high != low for high, low in ROLLS], np.float64) / 15


@kernel(types.void(VALUES, _F32, types.int8[:, ::1], types.float64[:, ::1]), allocates=True)
def _roll_values(
    values: Callable[..., Any],
    weights: npt.NDArray[np.float32],
    states: npt.NDArray[np.int8],
    out: npt.NDArray[np.float64],
) -> None:
    rows = np.empty((MAX_ROWS, states.shape[1]), np.int8)
    static = np.empty(MAX_ROWS, np.float32)
    for i in range(states.shape[0]):
        for k in range(N_ROLLS):
            n = successors(states[i], k, rows)
            values(states[i], rows, n, weights, static)
            best = -np.inf
            for j in range(n):
                over = payoff(rows[j])
                best = max(best, -(np.float64(static[j]) if over == NOT_OVER else over))
            out[i, k] = best


def roll_values(evaluator: Evaluator, states: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Return the value of each roll, float64 [N, 21], in points to the player on roll.

    Args:
        evaluator: gives the static values; the best successor's is the roll's value.
        states: int8 [N, 26], each seen from its player on roll.
    """
    array = np.ascontiguousarray(states, np.int8)
    out = np.empty((len(array), N_ROLLS), np.float64)
    _roll_values(evaluator.values, evaluator.weights, array, out)
    return out


def luck_of(
    evaluator: Evaluator, states: npt.ArrayLike, outcomes: npt.ArrayLike, first: bool
) -> npt.NDArray[np.float64]:
    """Return the luck of rolls, float64 [N], in points to the player on roll.

    Args:
        evaluator: gives the values of rolls, as in `roll_values`.
        states: int8 [N, 26], before the roll, each seen from its player on roll.
        outcomes: int [N], the rolls, 0..20.
        first: whether the rolls are the first of their games, and so no doubles.
    """
    worth = roll_values(evaluator, states)
    chosen = worth[np.arange(len(worth)), np.asarray(outcomes, np.int64)]
    return chosen - worth @ (_OPENING if first else PROBABILITIES)
