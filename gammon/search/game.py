"""What the search asks of a game (three functions, or four) and of an evaluator (one).

A state is one row of int8, always seen from the player on roll. The search is
compiled once for all games: it takes these functions as first-class function
pointers, so each must be a kernel with exactly the signature given here.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import types

from gammon.kernel import kernel

__all__ = [
    "BOUNDS", "NOT_OVER", "OUTCOMES", "SUCCESSORS", "TERMINAL", "VALUES", "Evaluator", "Game",
]  # fmt: skip

#: What `terminal` returns for a state whose game goes on.
NOT_OVER = float("inf")

_STATE = types.int8[::1]
_ROWS = types.int8[:, ::1]

#: `outcomes(state, weight) -> n`: fill the probabilities of the n outcomes of chance.
OUTCOMES_SIGNATURE = types.int64(_STATE, types.float64[::1])
#: `successors(state, outcome, rows) -> n`: write n >= 1 distinct states, each seen
#: from the opponent, who is then on roll. A pass is a successor. Rows from n on are scratch.
SUCCESSORS_SIGNATURE = types.int64(_STATE, types.int64, _ROWS)
#: `terminal(state)`: the payoff to the player on roll, or `NOT_OVER`.
TERMINAL_SIGNATURE = types.float64(_STATE)
#: `values(parent, rows, n, weights, out)`: write the values of the n successors of one
#: parent, each seen from the player on roll in its row. Rows whose game is over may get
#: any number: the search asks `terminal` first. The parent is there so that an evaluator
#: can work on differences; it is not part of the question, and once it is the row itself
#: (a search of depth 0), so the values must not depend on it.
VALUES_SIGNATURE = types.void(
    _STATE, _ROWS, types.int64, types.float32[::1], types.float32[::1]
)

#: `bounds(state, limits)`: narrow limits[0] and limits[1], between which all payoffs that
#: can still come lie, for the player on roll. Optional; those of a state that follows must
#: lie within those of the state before, seen from the other side.
BOUNDS_SIGNATURE = types.void(_STATE, types.float64[::1])

OUTCOMES = types.FunctionType(OUTCOMES_SIGNATURE)
SUCCESSORS = types.FunctionType(SUCCESSORS_SIGNATURE)
TERMINAL = types.FunctionType(TERMINAL_SIGNATURE)
VALUES = types.FunctionType(VALUES_SIGNATURE)
BOUNDS = types.FunctionType(BOUNDS_SIGNATURE)


@kernel(BOUNDS_SIGNATURE)
def same_bounds(state: npt.NDArray[np.int8], limits: npt.NDArray[np.float64]) -> None:
    """Leave the limits as they are: bounds that are the same everywhere."""


class Game(NamedTuple):
    """A two-player zero-sum game of chance, as the search sees it.

    Attributes:
        name: what people call it.
        width: W, the bytes of a state.
        max_outcomes: the most outcomes that `outcomes` can fill.
        max_successors: the rows that `successors` needs (successors and scratch).
        low: no payoff or value is below it, for the player on roll where a search
            begins. For the other player the bounds are -high and -low, so that they
            need not be symmetric.
        high: no payoff or value is above it.
        outcomes: see `OUTCOMES_SIGNATURE`.
        successors: see `SUCCESSORS_SIGNATURE`.
        terminal: see `TERMINAL_SIGNATURE`.
        bounds: see `BOUNDS_SIGNATURE`.
    """

    name: str
    width: int
    max_outcomes: int
    max_successors: int
    low: float
    high: float
    outcomes: Callable[..., Any]
    successors: Callable[..., Any]
    terminal: Callable[..., Any]
    bounds: Callable[..., Any] = same_bounds


class Evaluator(NamedTuple):
    """A static evaluation: one function and the flat vector of its weights.

    Attributes:
        values: see `VALUES_SIGNATURE`.
        weights: float32 [K], read only by agreement; `values` knows its layout.
    """

    values: Callable[..., Any]
    weights: npt.NDArray[np.float32]
