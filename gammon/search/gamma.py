"""Gamma pruning: E. Melko and B. Nagy, "Optimal strategy in games with chance nodes" (2007).

A successor of a decision is a chance node. Once a better one is known, its evaluation can
end as soon as the outcomes seen, with the best imaginable values for those to come, are
not enough. Gamma-A does this at the decisions of the player who is on roll at the root,
gamma-B at those of the opponent. As printed, the algorithms take the bound of an outcome
just looked at for the value of the successor (`v` is updated inside the inner loop);
here the value changes when its outcomes are through.

Compared with Star1, gamma pruning hands no window down. A decision knows its own best
successor only, so there are no deep cutoffs, and outcomes have no windows: every value is
exact unless the node itself is cut. Both sides at once cut nothing that Star1 does not, which
takes outcomes in the same order.
"""

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.search.evaluation import leaf_value, leaf_values, open_node
from gammon.search.game import NOT_OVER, State
from gammon.search.picker import bring_next
from gammon.search.problem import ROLLER, Problem, opponents
from gammon.search.stats import SEARCH_CUTS, STOPPED, begin_node
from gammon.search.workspace import Workspace


@kernel(inner=True, allocates=True)
def gamma(
    problem: Problem,
    work: Workspace,
    state: State,
    static: float,
    stake: int,
    depth: int,
    sides: int,
    beta: float,
    low: float,
    high: float,
) -> float:
    """Return the value of a chance node to the player on roll, or a bound of at least beta.

    `sides` says whose decisions prune: ROLLER, OPPONENT or BOTH. The node need not be exact
    from beta on; that is inf where the decision above does not prune.
    """
    payoff: float = problem.terminal(state, stake, problem.params)
    if payoff != NOT_OVER or depth == 0:
        return leaf_value(problem, work.stats, state, payoff, static, low, high)

    if not begin_node(work.stats):
        return 0.0
    limits, chance, rows, values = open_node(problem, state, stake, low, high)
    low, high = limits[0], limits[1]
    theirs = opponents(sides)
    ties = np.zeros_like(values)
    seen: float = 0.0
    rest: float = 1.0
    for i in range(problem.outcomes(state, problem.params, chance)):
        if chance[i] == 0.0:
            continue
        n = problem.successors(state, i, problem.params, rows)
        leaf_values(problem, work, state, rows, n, stake, values)
        best = -np.inf
        for j in range(n):
            bring_next(problem, rows, values, ties, depth, j, n, 0)
            bar = -best if sides & ROLLER else np.inf
            value = -gamma(
                problem, work, rows[j], np.float64(values[j]), -stake, depth - 2, theirs,
                bar, -high, -low,
            )  # fmt: skip
            if work.stats[STOPPED] != 0:
                return 0.0
            best = max(best, value)
        seen += chance[i] * best
        rest -= chance[i]
        if rest > 0.0 and seen + rest * low >= beta:
            work.stats[SEARCH_CUTS] += 1
            # Rounding must not carry the bound back below beta.
            return max(beta, seen + rest * low)
    return seen
