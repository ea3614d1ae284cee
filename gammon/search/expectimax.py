"""The definition of a chance node's value, by plain recursion: the oracle of the search.

    value(s, 0)  = the static value of s
    value(s, 2k) = sum over outcomes i of P_i * max over successors t of -value(t, 2k - 2)

and a finished game has its payoff at any depth. Values are to the player on roll, who
changes with every decision; hence the minus.
"""

import numpy as np
import numpy.typing as npt
from numba import types

from gammon.kernel import kernel
from gammon.search.game import NOT_OVER
from gammon.search.noise import leaf_value
from gammon.search.order import narrow
from gammon.search.problem import PROBLEM, STATE, Problem, State
from gammon.search.stats import EVALUATIONS, LEAVES, begin_node

__all__ = ["expectimax"]

_F64 = types.float64


@kernel(
    _F64(PROBLEM, types.int64[::1], STATE, _F64, types.int64, _F64, _F64),
    inner=True,
    allocates=True,
)
def expectimax(
    problem: Problem,
    stats: npt.NDArray[np.int64],
    state: State,
    static: float,
    depth: int,
    low: float,
    high: float,
) -> float:
    """Return the value of a chance node to the player on roll, looking at every leaf.

    Args:
        problem: the game, the evaluator and the noise.
        stats: see `stats`; counted on.
        state: int8 [W], seen from the player on roll.
        static: its static value; used at depth 0 only.
        depth: plies, even.
        low: no value of the state is below it; used to clamp leaves only.
        high: no value of the state is above it.
    """
    payoff: float = problem.terminal(state)
    if payoff != NOT_OVER or depth == 0:
        stats[LEAVES] += 1
        return leaf_value(
            payoff, static, state, problem.sigma, problem.noise_seed,
            problem.options.node_bounds, low, high,
        )  # fmt: skip

    if not begin_node(stats):
        return 0.0
    if problem.options.node_bounds:
        limits = np.array([low, high])
        problem.bounds(state, limits)
        low, high = limits[0], limits[1]
    chance = np.empty(problem.max_outcomes, np.float64)
    rows = np.empty((problem.max_successors, state.shape[0]), np.int8)
    values = np.zeros(problem.max_successors, np.float32)
    total = 0.0
    for i in range(problem.outcomes(state, chance)):
        n = problem.successors(state, i, rows)
        if depth == 2 or problem.options.replies > 0:
            problem.leaf(state, rows, n, problem.leaf_weights, values)
            stats[EVALUATIONS] += n
        if depth > 2:
            n = narrow(rows, values, n, problem.options)
        best = -np.inf
        for j in range(n):
            static = np.float64(values[j])
            best = max(
                best, -expectimax(problem, stats, rows[j], static, depth - 2, -high, -low)
            )
        total += chance[i] * best
    return total
