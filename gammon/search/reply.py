"""The best static reply: a decision of depth 1, for kernels that play or judge by it."""

from gammon.compiled.kernel import kernel
from gammon.search.evaluation import leaf_values
from gammon.search.game import NOT_OVER, State
from gammon.search.problem import Problem
from gammon.search.workspace import Workspace

__all__ = ["best_reply"]


@kernel(inner=True)
def best_reply(
    problem: Problem, work: Workspace, state: State, outcome: int, stake: int
) -> tuple[int, int]:
    """Find the successor that the leaf evaluator likes best, for the player who decides.

    The successors are left in `work.rows[0]`, their values to the opponent in
    `work.values[0]` (payoffs, where the game is over), and what the evaluator wrote of them
    in `work.outputs`.

    Args:
        problem: the game and the evaluator.
        work: buffers for any depth.
        state: int8 [W], seen from the player who decides.
        outcome: what chance brought.
        stake: what is at stake for that player.

    Returns:
        The row of the best successor, and how many there are.
    """
    rows, values = work.rows[0], work.values[0]
    n = problem.successors(state, outcome, problem.params, rows)
    leaf_values(problem, work, state, rows, n, stake, values)
    best = 0
    for j in range(n):
        payoff = problem.terminal(rows[j], -stake, problem.params)
        if payoff != NOT_OVER:
            values[j] = payoff
        if values[j] < values[best]:
            best = j
    return best, n
