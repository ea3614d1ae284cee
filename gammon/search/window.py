"""The windows of outcomes, and how a value is returned that lies beyond one."""

from gammon.compiled.kernel import kernel
from gammon.search.problem import Problem

__all__ = ["SLACK", "edge", "returned"]

#: Sums of products are right to some sixteen digits, so that a sum which equals a bound may
#: seem to miss it. Within this part of the range of values, it counts as reached.
SLACK = 1e-13


@kernel(inline=True)
def edge(target: float, seen: float, others: float, probability: float) -> float:
    """Return the value of an outcome at which the chance node's value is `target`.

    Args:
        target: alpha or beta of the chance node, maybe infinite.
        seen: the sum of P_j V_j over the outcomes already searched.
        others: the same sum over those still to come, with each V_j at its upper
            bound (for alpha) or lower bound (for beta).
        probability: P_i > 0 of the outcome in question.
    """
    return (target - seen - others) / probability


@kernel(inline=True)
def returned(problem: Problem, value: float, alpha: float, beta: float) -> float:
    """Return a value as the node's caller gets it: a fail-hard one is within the window."""
    if problem.options.fail_hard:
        value = min(max(value, alpha), beta)
    return value
