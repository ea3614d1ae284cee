"""Search a chance node at two stakes side by side: the present stake, and after a double.

Each successor is searched at one stake and then at the other, so the network evaluates a
lowest chance node once for both (see `workspace.Replies`). The second stake then costs little
more than folding the outputs once more.
"""

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float64Matrix, Float64Vector, Int8Matrix, Int64Vector
from gammon.search.algorithms import Search, node_value
from gammon.search.bounded import bounded_reply, look_at_replies
from gammon.search.candidates import Candidates, keep_leaves
from gammon.search.evaluation import evaluate_leaves, fold_leaves, set_limits
from gammon.search.game import Doubled, State
from gammon.search.leaves import copy_state
from gammon.search.picker import begin_outcomes, set_sequence, sort_by_static
from gammon.search.star import SLACK, edge
from gammon.search.stats import STOPPED, begin_node
from gammon.search.workspace import TWICE, Workspace, begin_anew


@kernel(inner=True)
def decide_two_stakes(
    search: Search,
    work: Workspace,
    below: Candidates,
    double: Doubled,
    state: State,
    outcome: int,
    depth: int,
    enough: float,
    stake: int,
    low: float,
    high: float,
) -> tuple[float, float]:
    """Return the values of the decision after an outcome, at a stake and after a double.

    There must be no filter that could keep other successors at the other stake.

    `below` is scratch. If it has slots, the first two hold the principal leaves at the two
    stakes afterwards. A value of at least `enough` at the present stake ends the search. It is
    then only a lower bound, and the other value means nothing.
    """
    problem, level = search.problem, depth // 2
    record = search.keeps_leaves and below.leaf_rows.shape[1] > 0
    rows, static, taken_static = below.rows, below.static, work.values[level - 1]
    n = problem.successors(state, outcome, problem.params, rows)
    evaluate_leaves(problem, work, state, rows, n, work.outputs)
    fold_leaves(problem, work, work.outputs, n, stake, static)
    fold_leaves(problem, work, work.outputs, n, double.stake, taken_static)
    sort_by_static(problem, rows, work.outputs, static, n, stake, below.order, work.doubled)
    held = problem.bounded and depth > 2
    if held:
        look_at_replies(problem, work, state, rows, n, stake, double.stake)
    rolled: float = -np.inf
    taken: float = -np.inf
    for j in below.order[:n]:
        row = rows[j]
        if rolled < high:
            work.replies.marks[TWICE] = int(depth == 4)
            if held:
                look = work.upper.looks[-1, j]
                value: float = -bounded_reply(
                    problem, work, row, look, -stake, depth - 2, -enough, -rolled, -high, -low
                )
            else:
                value = -node_value(
                    search, work, row, np.float64(static[j]), -stake, bool(1), depth - 2,
                    -enough, -rolled, -high, -low,
                )  # fmt: skip
            if record and value > rolled:
                keep_leaves(work, level - 1, below, 0)
            rolled = max(rolled, value)
        if work.stats[STOPPED] != 0 or rolled >= enough:
            break
        if taken < double.high:
            if held:
                look = work.upper.looks[-1, problem.max_successors + j]
                value = -bounded_reply(
                    problem, work, row, look, -double.stake, depth - 2,
                    -np.inf, -taken, -double.high, -double.low,
                )  # fmt: skip
            else:
                value = -node_value(
                    search, work, row, np.float64(taken_static[j]), -double.stake, bool(1),
                    depth - 2, -np.inf, -taken, -double.high, -double.low,
                )  # fmt: skip
            if record and value > taken:
                keep_leaves(work, level - 1, below, 1)
            taken = max(taken, value)
        if work.stats[STOPPED] != 0:
            break
    return rolled, taken


@kernel(inner=True)
def _add_leaves(
    below: Candidates,
    slot: int,
    probability: float,
    rows: Int8Matrix,
    weight: Float64Vector,
    count: Int64Vector,
    level: int,
) -> None:
    """Append the leaves of an outcome, in a slot, to the leaves of the node of `level`."""
    start = count[level]
    for m in range(below.leaf_count[slot]):
        copy_state(below.leaf_rows[slot, m], rows[start + m])
        weight[start + m] = probability * below.leaf_weight[slot, m]
    count[level] = start + below.leaf_count[slot]


@kernel(inner=True)
def search_two_stakes(
    search: Search,
    work: Workspace,
    below: Candidates,
    double: Doubled,
    state: State,
    depth: int,
    beta: float,
    stake: int,
    low: float,
    high: float,
) -> tuple[float, float]:
    """Return the values of a chance node to the player on roll, at a stake and after a double.

    If the search had to stop, the values mean nothing. There must be no filter that could keep
    other successors at the other stake.

    If `work` has memory for principal leaves, it holds the leaves of the first value
    afterwards, and the leaves of the second value are put aside. A first value of at least
    beta ends the search. It is then only a lower bound, and the other value means nothing.
    *-minimax probes for such a cutoff first; for other algorithms beta must be inf.
    """
    problem, level = search.problem, depth // 2
    chance, bound, record = work.chance[level], work.bound[level], below.leaf_rows.shape[1] > 0
    ahead: float = low
    n = 0
    if beta < np.inf:
        ahead = node_value(search, work, state, np.inf, stake, bool(0), depth, np.inf, beta, low, high)
        if ahead >= beta:
            return ahead, -np.inf
        n = problem.outcomes(state, problem.params, chance)
        n = set_sequence(work.sequence[level], chance, n, problem.options.likely_first)
    elif begin_node(work.stats):
        n = begin_outcomes(problem, work, state, stake, level, low, high)
        ahead = work.limits[level, 0]
    if work.stats[STOPPED] != 0:
        return 0.0, 0.0
    low, high = work.limits[level, 0], work.limits[level, 1]
    # The limits of leaves are never used.
    limits, slack = work.limits[0], SLACK * (high - low)
    set_limits(problem, state, double.stake, limits, double.low, double.high)
    narrowed = Doubled(
        double.stake, double.factor, double.beaver, double.cash, double.ordered, limits[0], limits[1]
    )
    rolled: float = 0.0
    taken: float = 0.0
    work.leaf_count[level] = work.aside_count[level] = 0
    for i in work.sequence[level, :n]:
        p = chance[i]
        ahead -= p * bound[i]
        enough = edge(beta - slack, rolled, ahead, p)
        value, doubled = decide_two_stakes(
            search, work, below, narrowed, state, i, depth, enough, stake, low, high
        )
        if work.stats[STOPPED] != 0:
            return 0.0, 0.0
        rolled += p * value
        taken += p * doubled
        if value >= enough:
            return max(beta, rolled + ahead), -np.inf
        if record:
            _add_leaves(below, 0, p, work.leaf_rows[level], work.leaf_weight[level], work.leaf_count, level)
            _add_leaves(
                below, 1, p, work.aside_rows[level], work.aside_weight[level], work.aside_count, level
            )
    return rolled, taken


@kernel(inline=True)
def _search_in_turn(
    search: Search, double: Doubled, work: Workspace, state: State, depth: int, values: Float64Vector
) -> None:
    """Do what `cube_kernel` does, by two separate searches."""
    problem = search.problem
    static = np.empty((2, 1), np.float32)
    static[0, 0] = static[1, 0] = np.inf  # unknown, unless it is a leaf
    if depth == 0:
        evaluate_leaves(problem, work, state, state.reshape(1, -1), 1, work.outputs)
        problem.leaf.fold(work.outputs, 1, problem.stake, problem.params, static[0])
        problem.leaf.fold(work.outputs, 1, double.stake, problem.params, static[1])
    values[1] = node_value(
        search, work, state, np.float64(static[1, 0]), double.stake, bool(0), depth,
        -np.inf, np.inf, double.low, double.high,
    )  # fmt: skip
    # Second, so that its principal leaves stay.
    values[0] = node_value(
        search, work, state, np.float64(static[0, 0]), problem.stake, bool(0), depth,
        -np.inf, np.inf, problem.low, problem.high,
    )  # fmt: skip


@kernel(allocates=True)
def cube_kernel(
    search: Search,
    double: Doubled,
    work: Workspace,
    below: Candidates,
    state: State,
    depth: int,
    values: Float64Vector,
) -> None:
    """Write the values of rolling before and after a double, to the player on roll.

    `values` is float64 [2]: at the present stake, and at the doubled stake. They mean nothing
    if the search had to stop. If `work` has memory for principal leaves, it holds the leaves
    of the first value afterwards. The game must not be over in the state.
    """
    if depth == 0 or search.problem.filter.replies > 0:
        # A filter could keep other replies at the other stake.
        _search_in_turn(search, double, work, state, depth, values)
    else:
        problem = search.problem
        values[0], values[1] = search_two_stakes(
            search, work, below, double, state, depth, np.inf, problem.stake, problem.low, problem.high
        )


@kernel(allocates=True)
def cubes_kernel(
    search: Search,
    double: Doubled,
    work: Workspace,
    below: Candidates,
    states: Int8Matrix,
    depth: int,
    values: Float64Matrix,
) -> None:
    """Write the values of N chance nodes as `cube_kernel` does, each independent of the others.

    `values` is float64 [N, 2].
    """
    for i in range(states.shape[0]):
        begin_anew(work)
        cube_kernel(search, double, work, below, states[i], depth, values[i])
