"""The kernels behind `cube.cube_values`: rolling at two stakes, in one search."""

import numpy as np

from gammon.kernel import kernel
from gammon.records import Float64Matrix, Float64Vector, Int8Matrix
from gammon.search.evaluation import evaluate_leaves, fold_leaves, set_limits
from gammon.search.game import State
from gammon.search.leaves import write_line
from gammon.search.node import Search
from gammon.search.picker import begin_outcomes, sort_by_static
from gammon.search.replies import TWICE
from gammon.search.stats import STOPPED, begin_node
from gammon.search.value_kernel import value_kernel
from gammon.search.workspace import Workspace, begin_anew

__all__ = ["cube_kernel", "cubes_kernel"]


@kernel(inner=True, allocates=True)
def _search_both(
    search: Search,
    taken: Search,
    work: Workspace,
    state: State,
    depth: int,
    values: Float64Vector,
) -> None:
    """Do what `cube_kernel` does, for a depth of two or more and a search of all replies.

    After each outcome a successor is searched at one stake and then at the other. So a lowest
    chance node is evaluated once for both.
    """
    problem, after = search.problem, taken.problem
    level = depth // 2
    record = work.leaf_rows.shape[1] > 0
    rows, static = work.rows[level - 1], work.values[level - 1]
    static_after = np.empty(problem.max_successors, np.float32)
    order = np.empty(problem.max_successors, np.int64)
    limits, limits_after = work.limits[level], np.empty(2, np.float64)
    values[:] = 0.0
    work.leaf_count[level] = 0
    if not begin_node(work.stats):
        return
    n = begin_outcomes(problem, work, state, problem.stake, level, problem.low, problem.high)
    set_limits(after, state, after.stake, limits_after, after.low, after.high)
    for i in work.sequence[level, :n]:
        p = work.chance[level, i]
        count = problem.successors(state, i, problem.params, rows)
        evaluate_leaves(problem, work, state, rows, count, work.outputs)
        fold_leaves(problem, work, work.outputs, count, problem.stake, static)
        fold_leaves(after, work, work.outputs, count, after.stake, static_after)
        sort_by_static(order, static, count, not problem.options.static_order)
        first_leaf = work.leaf_count[level]
        best, best_after = -np.inf, -np.inf
        for j in order[:count]:
            if best < limits[1]:
                work.replies.marks[TWICE] = int(level == 2)
                value: float = -search.value(
                    problem, work, rows[j], np.float64(static[j]), -problem.stake, bool(1),
                    depth - 2, -np.inf, -best, -limits[1], -limits[0],
                )  # fmt: skip
                if value > best:
                    best = value
                    if record:
                        write_line(work, level, first_leaf, p)
            if best_after < limits_after[1]:
                value = -taken.value(
                    after, work, rows[j], np.float64(static_after[j]), -after.stake, bool(1),
                    depth - 2, -np.inf, -best_after, -limits_after[1], -limits_after[0],
                )  # fmt: skip
                best_after = max(best_after, value)
            if work.stats[STOPPED] != 0:
                return
        values[0] += p * best
        values[1] += p * best_after


@kernel(allocates=True)
def cube_kernel(
    search: Search,
    taken: Search,
    work: Workspace,
    state: State,
    depth: int,
    values: Float64Vector,
) -> None:
    """Write the values of a chance node at two stakes to the player on roll.

    Args:
        search: what is searched, and how, at the stake of the player on roll.
        taken: the same at the stake after a double.
        work: buffers for `depth`. If it has room for principal leaves, those of the first
            value are left there.
        state: int8 [W], seen from the player on roll; the game goes on.
        depth: plies, even.
        values: float64 [2], to be written; they mean nothing if the search had to stop.
    """
    if depth == 0 or search.problem.filter.replies > 0:
        # A filter may keep other replies at the other stake.
        values[1] = value_kernel(taken, work, state, False, depth, -np.inf, np.inf)
        values[0] = value_kernel(search, work, state, False, depth, -np.inf, np.inf)
    else:
        _search_both(search, taken, work, state, depth, values)


@kernel(allocates=True, later=True)
def cubes_kernel(
    search: Search,
    taken: Search,
    work: Workspace,
    states: Int8Matrix,
    depth: int,
    values: Float64Matrix,
) -> None:
    """Write the values of N chance nodes at two stakes, each as if it were the only one.

    Args:
        search, taken, work: as for `cube_kernel`.
        states: int8 [N, W].
        depth: plies, even.
        values: float64 [N, 2], to be written.
    """
    for i in range(states.shape[0]):
        begin_anew(work)
        cube_kernel(search, taken, work, states[i], depth, values[i])
