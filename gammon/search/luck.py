"""What luck alone can make of a game: the minimal guaranteed and maximal possible value.

Both sides play on, but chance takes sides: it is the opponent's third hand (the minimal
guaranteed value of E. Melko and B. Nagy, "Optimal strategy in games with chance nodes",
2007, algorithm 7) or the player's own (their maximal possible value by choice). With the
expected value between them they tell a safe choice from a gamble.
"""

import numpy as np
import numpy.typing as npt
from numba import types

from gammon.kernel import kernel
from gammon.search.game import NOT_OVER
from gammon.search.noise import leaf_value
from gammon.search.problem import PROBLEM, STATE, Problem, State
from gammon.search.stats import EVALUATIONS, LEAVES, STOPPED, begin_node

__all__ = ["luck"]

_F64 = types.float64
_INT = types.int64


@kernel(
    _F64(PROBLEM, types.int64[::1], STATE, _F64, _INT, types.boolean, _F64, _F64),
    inner=True,
    allocates=True,
)
def luck(
    problem: Problem,
    stats: npt.NDArray[np.int64],
    state: State,
    static: float,
    depth: int,
    good: bool,
    low: float,
    high: float,
) -> float:
    """Return what the player on roll gets if every chance node has one will.

    Args:
        problem: the game, the evaluator and the noise.
        stats: see `stats`; counted on.
        state: int8 [W], seen from the player on roll.
        static: its static value; used at depth 0 only.
        depth: plies, even.
        good: chance is on the side of the player on roll; else on the opponent's.
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
    chance = np.empty(problem.max_outcomes, np.float64)
    rows = np.empty((problem.max_successors, state.shape[0]), np.int8)
    values = np.zeros(problem.max_successors, np.float32)
    wanted = -np.inf if good else np.inf
    theirs = not good
    for i in range(problem.outcomes(state, chance)):
        if chance[i] == 0.0:
            continue
        n = problem.successors(state, i, rows)
        if depth == 2:
            problem.leaf(state, rows, n, problem.leaf_weights, values)
            stats[EVALUATIONS] += n
        best = -np.inf
        for j in range(n):
            value = -luck(
                problem, stats, rows[j], np.float64(values[j]), depth - 2, theirs, -high, -low
            )
            if stats[STOPPED] != 0:
                return 0.0
            best = max(best, value)
        wanted = max(wanted, best) if good else min(wanted, best)
    return wanted
