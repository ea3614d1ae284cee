"""A quick look at strength: depth-1 games between two evaluators, duplicate dice."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import types

from gammon.kernel import kernel
from gammon.mean import mean_and_error
from gammon.rules.board import OPENING
from gammon.rules.outcome import NOT_OVER, payoff
from gammon.rules.plays import MAX_ROWS, successors
from gammon.rules.throw import throw
from gammon.search.game import VALUES, Evaluator

__all__ = ["Strength", "compare"]

_F32 = types.float32
_OPENING = np.array(OPENING, np.int8)


class Strength(NamedTuple):
    """Result of a comparison, for the first evaluator.

    Attributes:
        points: mean points a game (cubeless money, gammons and backgammons counted).
        error: its standard error, over pairs of games with the same dice.
        games: the games played.
    """

    points: float
    error: float
    games: int

    def __str__(self) -> str:
        return f"{self.points:+.3f} +- {self.error:.3f} points a game"


@kernel(
    types.void(
        VALUES, _F32[::1], VALUES, _F32[::1], types.uint64, types.int64, types.int64, _F32[::1]
    ),
    allocates=True,
)
def _play_pairs(
    values_a: Callable[..., None],
    weights_a: npt.NDArray[np.float32],
    values_b: Callable[..., None],
    weights_b: npt.NDArray[np.float32],
    seed: np.uint64,
    start: int,
    stop: int,
    points: npt.NDArray[np.float32],
) -> None:
    """Play each pair's two games with the same dice and swapped seats; sum A's points."""
    rows = np.empty((MAX_ROWS, 26), np.int8)
    out = np.empty(MAX_ROWS, np.float32)
    state = np.empty(26, np.int8)
    for pair in range(start, stop):
        points[pair] = 0.0
        for seat in range(2):
            state[:] = _OPENING
            a_on_roll = seat == 0
            turn = 0
            paid = NOT_OVER
            while paid == NOT_OVER:
                n = successors(state, throw(seed, np.uint64(pair), np.uint64(turn)), rows)
                if a_on_roll:
                    values_a(state, rows, n, weights_a, out)
                else:
                    values_b(state, rows, n, weights_b, out)
                best = 0
                for r in range(n):
                    finished = payoff(rows[r])
                    if finished != NOT_OVER:
                        out[r] = finished
                    if out[r] < out[best]:
                        best = r
                state[:] = rows[best]
                paid = payoff(state)
                a_on_roll = not a_on_roll
                turn += 1
            points[pair] += paid if a_on_roll else -paid


def compare(a: Evaluator, b: Evaluator, games: int, seed: int = 0) -> Strength:
    """Play `games` (an even number) depth-1 games of a against b."""
    pairs = games // 2
    points = np.zeros(pairs, np.float32)
    _play_pairs(a.values, a.weights, b.values, b.weights, np.uint64(seed), 0, pairs, points)
    return Strength(*mean_and_error(points / 2), 2 * pairs)
