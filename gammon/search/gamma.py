"""Gamma pruning: E. Melko and B. Nagy, "Optimal strategy in games with chance nodes" (2007).

A successor of a decision is a chance node. Once a better one is known, its evaluation can
end as soon as the outcomes seen, with the best imaginable values for those to come, are
not enough. Gamma-A does this at the decisions of the player who is on roll at the root,
gamma-B at those of the opponent. As printed, the algorithms take the bound of an outcome
just looked at for the value of the successor (`v` is updated inside the inner loop);
here the value changes when its outcomes are through.

Compared with Star1, gamma pruning hands no window down. A decision knows its own best
successor only, so there are no deep cutoffs, and outcomes have no windows: every value is
exact unless the node itself is cut. Both sides at once cut nothing that Star1 does not.
"""

import numpy as np
import numpy.typing as npt
from numba import types

from gammon.kernel import kernel
from gammon.search.game import NOT_OVER
from gammon.search.noise import leaf_value
from gammon.search.order import bring_best
from gammon.search.problem import PROBLEM, STATE, Problem, State
from gammon.search.stats import EVALUATIONS, LEAVES, SEARCH_CUTS, STOPPED, begin_node

__all__ = ["gamma"]

_F64 = types.float64
_INT = types.int64


@kernel(
    _F64(PROBLEM, types.int64[::1], STATE, _F64, _INT, _INT, _F64, _F64, _F64),
    inner=True,
    allocates=True,
)
def gamma(
    problem: Problem,
    stats: npt.NDArray[np.int64],
    state: State,
    static: float,
    depth: int,
    sides: int,
    beta: float,
    low: float,
    high: float,
) -> float:
    """Return the value of a chance node to the player on roll, or a bound of at least beta.

    Args:
        problem: the game, the evaluator and the noise.
        stats: see `stats`; counted on.
        state: int8 [W], seen from the player on roll.
        static: its static value; used at depth 0 only.
        depth: plies, even.
        sides: whose decisions prune, as a sum: 1 the player on roll, 2 the opponent.
        beta: the node need not be exact from there on; inf where the decision above does
            not prune.
        low: no value of the state is below it.
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
    theirs = (sides & 1) * 2 + sides // 2
    seen: float = 0.0
    rest: float = 1.0
    for i in range(problem.outcomes(state, chance)):
        if chance[i] == 0.0:
            continue
        n = problem.successors(state, i, rows)
        problem.leaf(state, rows, n, problem.leaf_weights, values)
        stats[EVALUATIONS] += n
        best = -np.inf
        for j in range(n):
            if depth > 2 and problem.options.static_order:
                bring_best(rows, values, j, n)
            bar = -best if sides & 1 else np.inf
            value = -gamma(
                problem, stats, rows[j], np.float64(values[j]), depth - 2, theirs,
                bar, -high, -low,
            )  # fmt: skip
            if stats[STOPPED] != 0:
                return 0.0
            best = max(best, value)
        seen += chance[i] * best
        rest -= chance[i]
        if rest > 0.0 and seen + rest * low >= beta:
            stats[SEARCH_CUTS] += 1
            # Rounding must not carry the bound back below beta.
            return max(beta, seen + rest * low)
    return seen
