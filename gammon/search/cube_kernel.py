"""The kernels behind `cube.cube_values`: rolling at two stakes, in one search."""

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float64Matrix, Float64Vector, Int8Matrix
from gammon.search.both import search_both
from gammon.search.candidates import Candidates
from gammon.search.evaluation import evaluate_leaves
from gammon.search.game import Doubled, State
from gammon.search.node import Search
from gammon.search.workspace import Workspace, begin_anew

__all__ = ["cube_kernel", "cubes_kernel"]


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
    room: Candidates,
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
        room: see `tasks.room_below`.
        state: int8 [W], seen from the player on roll; the game goes on.
        depth: plies, even.
        values: float64 [2], to be written: of rolling at the present stake, and at that
            after the double. They mean nothing if the search had to stop.
    """
    if depth == 0 or search.problem.filter.replies > 0:
        # A filter may keep other replies at the other stake.
        _search_each(search, double, work, state, depth, values)
    else:
        problem = search.problem
        values[0], values[1] = search_both(
            search, work, room, double, state, depth, np.inf, problem.stake, problem.low,
            problem.high,
        )  # fmt: skip


@kernel(allocates=True, later=True)
def cubes_kernel(
    search: Search,
    double: Doubled,
    work: Workspace,
    room: Candidates,
    states: Int8Matrix,
    depth: int,
    values: Float64Matrix,
) -> None:
    """Write the values of N chance nodes before and after a double, each as if it were alone.

    Args:
        search: as for `cube_kernel`.
        double: as for `cube_kernel`.
        work: as for `cube_kernel`.
        room: as for `cube_kernel`.
        states: int8 [N, W].
        depth: plies, even.
        values: float64 [N, 2], to be written.
    """
    for i in range(states.shape[0]):
        begin_anew(work)
        cube_kernel(search, double, work, room, states[i], depth, values[i])
