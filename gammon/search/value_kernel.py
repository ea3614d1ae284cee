"""The kernel behind `value.chance_value`, apart: a decision has no need to load it."""

import numpy as np

from gammon.kernel import kernel
from gammon.search.evaluation import leaf_values
from gammon.search.game import State
from gammon.search.node import Search
from gammon.search.workspace import Workspace

__all__ = ["value_kernel"]


@kernel(allocates=True)
def value_kernel(
    search: Search, work: Workspace, state: State, depth: int, alpha: float, beta: float
) -> float:
    """Return the value of a chance node to the player on roll, as `star` does."""
    problem = search.problem
    static = np.zeros(1, np.float32)
    if depth == 0:
        leaf_values(problem, work, state, state.reshape(1, -1), 1, -problem.stake, static)
    value: float = search.value(
        problem, work, state, np.float64(static[0]), problem.stake, depth, alpha, beta,
        problem.low, problem.high,
    )  # fmt: skip
    return value
