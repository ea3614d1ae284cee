"""The definition of a chance node's value, by plain recursion: the oracle of the search.

    value(s, 0)  = the static value of s
    value(s, 2k) = sum over outcomes i of P_i * max over successors t of -turn(t, 2k - 2)

and a finished game has its payoff at any depth. Values are to the player on roll, who
changes with every decision; hence the minus. `turn` is the value before the roll, where the
player may double if the game knows doubles. It is the value elsewhere, and else

    turn(s, d) = max(value(s, d), min(factor * value(s doubled, d), cash))

where beavers add a third part to the minimum; see `game.Doubled`.
"""

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.search.evaluation import leaf_value, leaf_values, open_node
from gammon.search.game import NOT_OVER, State, taken_value
from gammon.search.picker import keep_best
from gammon.search.problem import Problem
from gammon.search.stats import begin_node
from gammon.search.workspace import Workspace


@kernel(inner=True, allocates=True)
def expectimax(
    problem: Problem,
    work: Workspace,
    state: State,
    static: float,
    stake: int,
    on_turn: bool,
    depth: int,
    low: float,
    high: float,
) -> float:
    """Return the value of a chance node to the player on roll, looking at every leaf."""
    payoff: float = problem.terminal(state, stake, problem.params)
    if payoff != NOT_OVER or depth == 0:
        return leaf_value(problem, work.stats, state, payoff, static, low, high)

    if on_turn:
        double = problem.offer(stake, problem.params)
        if double.cash != NOT_OVER:
            rolled: float = expectimax(
                problem, work, state, static, stake, bool(0), depth, low, high
            )
            doubled: float = expectimax(
                problem, work, state, static, double.stake, bool(0), depth,
                double.low, double.high,
            )  # fmt: skip
            return max(rolled, min(taken_value(double, doubled), double.cash))

    if not begin_node(work.stats):
        return 0.0
    limits, chance, rows, values = open_node(problem, state, stake, low, high)
    total = 0.0
    for i in range(problem.outcomes(state, problem.params, chance)):
        n = problem.successors(state, i, problem.params, rows)
        if depth == 2 or problem.filter.replies > 0:
            leaf_values(problem, work, state, rows, n, stake, values)
        if depth > 2:
            ties = np.zeros_like(values)
            if problem.leaf.has_tie and problem.filter.replies > 0:
                problem.leaf.tie(rows, work.outputs, n, -stake, problem.params, ties)
            n = keep_best(problem, rows, n, stake, values, ties)
        best = -np.inf
        for j in range(n):
            value = -expectimax(
                problem, work, rows[j], np.float64(values[j]), -stake, bool(1),
                depth - 2, -limits[1], -limits[0],
            )  # fmt: skip
            best = max(best, value)
        total += chance[i] * best
    return total
