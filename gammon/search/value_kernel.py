"""The kernel behind `chance_value`, apart: a decision has no need to load it."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types

from gammon.kernel import kernel
from gammon.search.decision import node_value
from gammon.search.options import Options
from gammon.search.problem import PROBLEM_FIELDS, STATE, Problem, State
from gammon.search.stats import EVALUATIONS
from gammon.search.workspace import WORKSPACE, Workspace

__all__ = ["value_kernel"]

_F64 = types.float64
_INT = types.int64


@kernel(_F64(*PROBLEM_FIELDS, _F64, _F64, WORKSPACE, STATE, _INT, _F64, _F64), allocates=True)
def value_kernel(
    outcomes: Callable[..., Any],
    successors: Callable[..., Any],
    terminal: Callable[..., Any],
    bounds: Callable[..., Any],
    max_outcomes: int,
    max_successors: int,
    leaf: Callable[..., Any],
    leaf_weights: npt.NDArray[np.float32],
    probe: Callable[..., Any],
    probe_weights: npt.NDArray[np.float32],
    probes: int,
    sigma: float,
    noise_seed: np.uint64,
    options: Options,
    low: float,
    high: float,
    work: Workspace,
    state: State,
    depth: int,
    alpha: float,
    beta: float,
) -> float:
    """Return the value of a chance node as `star` does, or as `expectimax` does.

    Args as for `decide_kernel` and `star`.
    """
    problem = Problem(
        outcomes, successors, terminal, bounds, max_outcomes, max_successors,
        leaf, leaf_weights, probe, probe_weights, probes, sigma, noise_seed, options,
    )  # fmt: skip
    static = np.zeros(1, np.float32)
    if depth == 0:
        leaf(state, state.reshape(1, -1), 1, leaf_weights, static)
        work.stats[EVALUATIONS] += 1
    value = np.float64(static[0])
    return node_value(problem, work, state, value, depth, alpha, beta, low, high)
