"""The kernels behind `cube.cube_values`: rolling at two stakes, in one search."""

import numpy as np

from gammon.kernel import kernel
from gammon.records import Float64Matrix, Float64Vector, Int8Matrix
from gammon.search.evaluation import evaluate_leaves, fold_leaves, set_limits
from gammon.search.game import Doubled, State
from gammon.search.leaves import write_line
from gammon.search.node import Search
from gammon.search.picker import begin_outcomes, sort_by_static
from gammon.search.replies import TWICE
from gammon.search.stats import STOPPED, begin_node
from gammon.search.workspace import Workspace, begin_anew

__all__ = ["cube_kernel", "cubes_kernel"]


@kernel(inline=True)
def _search_both(
    search: Search,
    double: Doubled,
    work: Workspace,
    state: State,
    depth: int,
    values: Float64Vector,
) -> None:
    """Do what `cube_kernel` does, for a depth of two or more and a search of all replies.

    After each outcome a successor is searched at one stake and then at the other. So a lowest
    chance node is evaluated once for both.
    """
    problem = search.problem
    level = depth // 2
    record = work.leaf_rows.shape[1] > 0
    rows, static = work.rows[level - 1], work.values[level - 1]
    taken_static = np.empty(problem.max_successors, np.float32)
    order = np.empty(problem.max_successors, np.int64)
    limits, taken_limits = work.limits[level], np.empty(2, np.float64)
    values[0] = values[1] = 0.0
    work.leaf_count[level] = 0
    if not begin_node(work.stats):
        return
    n = begin_outcomes(problem, work, state, problem.stake, level, problem.low, problem.high)
    set_limits(problem, state, double.stake, taken_limits, double.low, double.high)
    for i in work.sequence[level, :n]:
        p = work.chance[level, i]
        count = problem.successors(state, i, problem.params, rows)
        evaluate_leaves(problem, work, state, rows, count, work.outputs)
        fold_leaves(problem, work, work.outputs, count, problem.stake, static)
        fold_leaves(problem, work, work.outputs, count, double.stake, taken_static)
        sort_by_static(order, static, count, not problem.options.static_order)
        first_leaf = work.leaf_count[level]
        rolled, taken = -np.inf, -np.inf
        for j in order[:count]:
            if rolled < limits[1]:
                work.replies.marks[TWICE] = int(level == 2)
                value: float = -search.value(
                    problem, work, rows[j], np.float64(static[j]), -problem.stake, bool(1),
                    depth - 2, -np.inf, -rolled, -limits[1], -limits[0],
                )  # fmt: skip
                if value > rolled:
                    rolled = value
                    if record:
                        write_line(work, level, first_leaf, p)
            if taken < taken_limits[1]:
                value = -search.value(
                    problem, work, rows[j], np.float64(taken_static[j]), -double.stake, bool(1),
                    depth - 2, -np.inf, -taken, -taken_limits[1], -taken_limits[0],
                )  # fmt: skip
                taken = max(taken, value)
            if work.stats[STOPPED] != 0:
                return
        values[0] += p * rolled
        values[1] += p * taken


@kernel(inline=True)
def _search_each(
    search: Search,
    double: Doubled,
    work: Workspace,
    state: State,
    depth: int,
    values: Float64Vector,
) -> None:
    """Do what `cube_kernel` does, by two searches one after the other."""
    problem = search.problem
    static = np.empty((2, 1), np.float32)
    static[0, 0] = static[1, 0] = np.inf  # unknown, unless it is a leaf
    if depth == 0:
        evaluate_leaves(problem, work, state, state.reshape(1, -1), 1, work.outputs)
        problem.leaf.fold(work.outputs, 1, problem.stake, problem.params, static[0])
        problem.leaf.fold(work.outputs, 1, double.stake, problem.params, static[1])
    values[1] = search.value(
        problem, work, state, np.float64(static[1, 0]), double.stake, bool(0), depth,
        -np.inf, np.inf, double.low, double.high,
    )  # fmt: skip
    # The principal leaves of the latter stay.
    values[0] = search.value(
        problem, work, state, np.float64(static[0, 0]), problem.stake, bool(0), depth,
        -np.inf, np.inf, problem.low, problem.high,
    )  # fmt: skip


@kernel(allocates=True)
def cube_kernel(
    search: Search,
    double: Doubled,
    work: Workspace,
    state: State,
    depth: int,
    values: Float64Vector,
) -> None:
    """Write the values of a chance node before and after a double, to the player on roll.

    Args:
        search: what is searched, and how, at the stake of the player on roll.
        double: what a double leads to.
        work: buffers for `depth`. If it has room for principal leaves, those of the first
            value are left there.
        state: int8 [W], seen from the player on roll; the game goes on.
        depth: plies, even.
        values: float64 [2], to be written: of rolling at the present stake, and at that
            after the double. They mean nothing if the search had to stop.
    """
    if depth == 0 or search.problem.filter.replies > 0:
        # A filter may keep other replies at the other stake.
        _search_each(search, double, work, state, depth, values)
    else:
        _search_both(search, double, work, state, depth, values)


@kernel(allocates=True, later=True)
def cubes_kernel(
    search: Search,
    double: Doubled,
    work: Workspace,
    states: Int8Matrix,
    depth: int,
    values: Float64Matrix,
) -> None:
    """Write the values of N chance nodes before and after a double, each as if it were alone.

    Args:
        search, double, work: as for `cube_kernel`.
        states: int8 [N, W].
        depth: plies, even.
        values: float64 [N, 2], to be written.
    """
    for i in range(states.shape[0]):
        begin_anew(work)
        cube_kernel(search, double, work, states[i], depth, values[i])
