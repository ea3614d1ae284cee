"""The value of a chance node by the algorithm that a problem asks for."""

from gammon.kernel import kernel
from gammon.search.biased import biased
from gammon.search.expectimax import expectimax
from gammon.search.game import State
from gammon.search.gamma import gamma
from gammon.search.problem import BIASED, EXPECTIMAX, GAMMA, Problem
from gammon.search.star import star
from gammon.search.workspace import Workspace

__all__ = ["node_value"]


@kernel(inline=True)
def node_value(
    problem: Problem,
    work: Workspace,
    state: State,
    static: float,
    stake: int,
    depth: int,
    alpha: float,
    beta: float,
    low: float,
    high: float,
) -> float:
    """Return the value of a chance node; the arguments and the result are those of `star`."""
    if problem.algorithm == EXPECTIMAX:
        return expectimax(problem, work, state, static, stake, depth, low, high)
    if problem.algorithm == BIASED:
        return biased(problem, work, state, static, stake, depth, problem.sides, low, high)
    if problem.algorithm == GAMMA:
        return gamma(
            problem, work, state, static, stake, depth, problem.sides, beta, low, high
        )  # fmt: skip
    return star(problem, work, state, static, stake, depth, alpha, beta, low, high)
