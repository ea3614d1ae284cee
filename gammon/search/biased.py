"""The value of a game whose chance takes sides: the guaranteed and the possible one.

Both players play on, but chance is the opponent's third hand (the minimal guaranteed value
of E. Melko and B. Nagy, "Optimal strategy in games with chance nodes", 2007, algorithm 7) or
the player's own (their maximal possible value by choice). With the expected value between
them they tell a safe choice from a gamble.
"""

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.search.evaluation import leaf_value, leaf_values, open_node
from gammon.search.game import NOT_OVER, State
from gammon.search.problem import OPPONENT, ROLLER, Problem
from gammon.search.stats import STOPPED, begin_node
from gammon.search.workspace import Workspace


@kernel(inner=True, allocates=True)
def biased(
    problem: Problem,
    work: Workspace,
    state: State,
    static: float,
    stake: int,
    depth: int,
    side: int,
    low: float,
    high: float,
) -> float:
    """Return what the player on roll gets if every chance node has one will.

    `side` says whose side chance takes: ROLLER, the player on roll, or OPPONENT.
    """
    payoff: float = problem.terminal(state, stake, problem.params)
    if payoff != NOT_OVER or depth == 0:
        return leaf_value(problem, work.stats, state, payoff, static, low, high)

    if not begin_node(work.stats):
        return 0.0
    limits, chance, rows, values = open_node(problem, state, stake, low, high)
    good = side == ROLLER
    theirs = OPPONENT if good else ROLLER
    wanted = -np.inf if good else np.inf
    for i in range(problem.outcomes(state, problem.params, chance)):
        if chance[i] == 0.0:
            continue
        n = problem.successors(state, i, problem.params, rows)
        if depth == 2:
            leaf_values(problem, work, state, rows, n, stake, values)
        best = -np.inf
        for j in range(n):
            value = -biased(
                problem, work, rows[j], np.float64(values[j]), -stake, depth - 2, theirs,
                -limits[1], -limits[0],
            )  # fmt: skip
            if work.stats[STOPPED] != 0:
                return 0.0
            best = max(best, value)
        wanted = max(wanted, best) if good else min(wanted, best)
    return wanted
