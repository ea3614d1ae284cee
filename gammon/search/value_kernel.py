"""The kernel behind `value.chance_value`, apart: a decision has no need to load it."""

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import (
    Float64Matrix,
    Float64Vector,
    Int8Matrix,
    Int8Stack,
    Int64Vector,
)
from gammon.search.evaluation import leaf_values
from gammon.search.game import State
from gammon.search.leaves import copy_state
from gammon.search.node import Search
from gammon.search.workspace import Workspace, begin_anew

__all__ = ["value_kernel", "values_kernel"]


@kernel(allocates=True)
def value_kernel(
    search: Search,
    work: Workspace,
    state: State,
    on_turn: bool,
    depth: int,
    alpha: float,
    beta: float,
) -> float:
    """Return the value of a chance node to the player on roll, as `star` does."""
    problem = search.problem
    static = np.full(1, np.inf, np.float32)  # unknown, unless it is a leaf
    if depth == 0:
        leaf_values(problem, work, state, state.reshape(1, -1), 1, -problem.stake, static)
        if not on_turn:
            problem.leaf.fold(work.outputs, 1, problem.stake, problem.params, static)
    value: float = search.value(
        problem, work, state, np.float64(static[0]), problem.stake, on_turn, depth,
        alpha, beta, problem.low, problem.high,
    )  # fmt: skip
    return value


@kernel(allocates=True, later=True)
def values_kernel(
    search: Search,
    work: Workspace,
    states: Int8Matrix,
    on_turn: bool,
    depth: int,
    values: Float64Vector,
    leaf_rows: Int8Stack,
    leaf_weight: Float64Matrix,
    leaf_count: Int64Vector,
) -> None:
    """Write the values of N chance nodes, each searched as if it were the only one.

    Args:
        search: what is searched, and how.
        work: buffers for `depth`, with room for C leaves.
        states: int8 [N, W], each seen from its player on roll.
        on_turn: the players may double first, if the game lets them.
        depth: plies, even.
        values: float64 [N], to be written: to the players on roll.
        leaf_rows: int8 [N, C, W], to be written: the principal leaves of each.
        leaf_weight: float64 [N, C], as in `Workspace`.
        leaf_count: int64 [N].
    """
    level = depth // 2
    for i in range(states.shape[0]):
        begin_anew(work)
        values[i] = value_kernel(search, work, states[i], on_turn, depth, -np.inf, np.inf)
        leaf_count[i] = work.leaf_count[level]
        for m in range(leaf_count[i]):
            copy_state(work.leaf_rows[level, m], leaf_rows[i, m])
            leaf_weight[i, m] = work.leaf_weight[level, m]
