"""What one search is about: the functions and settings that are the same at every node.

The kernels hand a `Problem` down as one value. It cannot come from Python as one (numba
matches function pointers with a signature only as plain arguments), so each entry kernel
takes `*problem` and puts it together again.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import types

from gammon.search.game import BOUNDS, OUTCOMES, SUCCESSORS, TERMINAL, VALUES
from gammon.search.options import OPTIONS, Options

__all__ = [
    "EXPECTIMAX", "GAMMA", "GAMMA_OPPONENT", "GAMMA_ROLLER", "GUARANTEED", "POSSIBLE",
    "PROBLEM", "PROBLEM_FIELDS", "STATE", "Problem", "State", "opponents",
]  # fmt: skip

#: Numbers of probes that stand for other algorithms: no cutoffs at all; gamma pruning at
#: the decisions of the player on roll, at the opponent's, at both; the minimal guaranteed
#: and the maximal possible value of the player on roll.
EXPECTIMAX = -1
GAMMA_ROLLER, GAMMA_OPPONENT, GAMMA = -2, -3, -4
GUARANTEED, POSSIBLE = -5, -6

#: A state, int8 [W], seen from the player on roll.
State = npt.NDArray[np.int8]
STATE = types.int8[::1]


class Problem(NamedTuple):
    """A game, its evaluators and the options of a search, as the kernels see them.

    Attributes:
        outcomes: see `game.OUTCOMES_SIGNATURE`.
        successors: see `game.SUCCESSORS_SIGNATURE`.
        terminal: see `game.TERMINAL_SIGNATURE`.
        bounds: see `game.BOUNDS_SIGNATURE`.
        max_outcomes: N, the most outcomes of a chance node.
        max_successors: R, the rows that `successors` needs.
        leaf: the evaluator of leaves, which also orders successors.
        leaf_weights: its float32 [K].
        probe: the evaluator that picks the successors to probe.
        probe_weights: its float32 [K'].
        probes: how many successors a probe looks at: 0 is Star1, 1 Star2, more
            Star2.5; or one of the negative numbers above.
        sigma: the standard deviation of the noise at leaves, in units of value.
        noise_seed: uint64, which noise.
        options: see `options.Options`.
    """

    outcomes: Callable[..., Any]
    successors: Callable[..., Any]
    terminal: Callable[..., Any]
    bounds: Callable[..., Any]
    max_outcomes: int
    max_successors: int
    leaf: Callable[..., Any]
    leaf_weights: npt.NDArray[np.float32]
    probe: Callable[..., Any]
    probe_weights: npt.NDArray[np.float32]
    probes: int
    sigma: float
    noise_seed: np.uint64
    options: Options


_WEIGHTS = types.float32[::1]
PROBLEM_FIELDS = (
    OUTCOMES, SUCCESSORS, TERMINAL, BOUNDS, types.int64, types.int64,
    VALUES, _WEIGHTS, VALUES, _WEIGHTS, types.int64, types.float64, types.uint64, OPTIONS,
)  # fmt: skip
PROBLEM = types.NamedTuple(PROBLEM_FIELDS, Problem)  # type: ignore[no-untyped-call]


def opponents(probes: int) -> int:
    """Return the same algorithm as seen from a node with the other player on roll."""
    turned = {
        GAMMA_ROLLER: GAMMA_OPPONENT,
        GAMMA_OPPONENT: GAMMA_ROLLER,
        GUARANTEED: POSSIBLE,
        POSSIBLE: GUARANTEED,
    }
    return turned.get(probes, probes)
