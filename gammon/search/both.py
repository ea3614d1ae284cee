"""A chance node at two stakes, side by side: rolling at the present one, and after a double.

Each successor is searched at the one stake and then at the other, so that a lowest chance node
is evaluated once for both (see `replies`). The work of the second stake is then mostly that of
folding outputs once more.
"""

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float64Vector, Int8Matrix, Int64Vector
from gammon.search.candidates import Candidates, keep_leaves
from gammon.search.evaluation import evaluate_leaves, fold_leaves, set_limits
from gammon.search.game import Doubled, State
from gammon.search.leaves import copy_state
from gammon.search.node import Search
from gammon.search.picker import begin_outcomes, set_sequence, sort_by_static
from gammon.search.problem import STAR
from gammon.search.replies import TWICE
from gammon.search.stats import STOPPED, begin_node
from gammon.search.window import SLACK, edge
from gammon.search.workspace import Workspace

__all__ = ["decide_both", "search_both"]


@kernel(inner=True)
def decide_both(
    search: Search,
    work: Workspace,
    room: Candidates,
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

    No filter may keep other successors at the other stake.

    Args:
        search: what is searched, and how.
        work: buffers for `depth`.
        room: its rows are written into. If it has slots, the principal leaves at the two stakes
            are left in the first two.
        double: what a double leads to.
        state: int8 [W], the chance node, seen from the player who decides; the game goes on.
        outcome: what chance brings there.
        depth: plies of the chance node, at least 2.
        enough: a value at the present stake that is no less ends the search. It is then only a
            lower bound, and the other value means nothing.
        stake: what is at stake for the player who decides, without the double.
        low: no value is below it, for that player.
        high: no value is above it.
    """
    problem, level = search.problem, depth // 2
    record = problem.algorithm == STAR and room.leaf_rows.shape[1] > 0
    rows, static, taken_static = room.rows, room.static, work.values[level - 1]
    n = problem.successors(state, outcome, problem.params, rows)
    evaluate_leaves(problem, work, state, rows, n, work.outputs)
    fold_leaves(problem, work, work.outputs, n, stake, static)
    fold_leaves(problem, work, work.outputs, n, double.stake, taken_static)
    sort_by_static(room.order, static, n, not problem.options.static_order)
    rolled: float = -np.inf
    taken: float = -np.inf
    for j in room.order[:n]:
        if rolled < high:
            work.replies.marks[TWICE] = int(depth == 4)
            value: float = -search.value(
                problem, work, rows[j], np.float64(static[j]), -stake, bool(1), depth - 2,
                -enough, -rolled, -high, -low,
            )  # fmt: skip
            if record and value > rolled:
                keep_leaves(work, level - 1, room, 0)
            rolled = max(rolled, value)
        if work.stats[STOPPED] != 0 or rolled >= enough:
            break
        if taken < double.high:
            value = -search.value(
                problem, work, rows[j], np.float64(taken_static[j]), -double.stake, bool(1),
                depth - 2, -np.inf, -taken, -double.high, -double.low,
            )  # fmt: skip
            if record and value > taken:
                keep_leaves(work, level - 1, room, 1)
            taken = max(taken, value)
        if work.stats[STOPPED] != 0:
            break
    return rolled, taken


@kernel(inner=True)
def _add_leaves(
    room: Candidates,
    slot: int,
    probability: float,
    rows: Int8Matrix,
    weight: Float64Vector,
    count: Int64Vector,
    level: int,
) -> None:
    """Let the leaves of an outcome, in a slot, follow those that a node of `level` has."""
    start = count[level]
    for m in range(room.leaf_count[slot]):
        copy_state(room.leaf_rows[slot, m], rows[start + m])
        weight[start + m] = probability * room.leaf_weight[slot, m]
    count[level] = start + room.leaf_count[slot]


@kernel(inner=True)
def search_both(
    search: Search,
    work: Workspace,
    room: Candidates,
    double: Doubled,
    state: State,
    depth: int,
    beta: float,
    stake: int,
    low: float,
    high: float,
) -> tuple[float, float]:
    """Return the values of a chance node to the player on roll, at a stake and after a double.

    If the search had to stop, they mean nothing. No filter may keep other successors at the
    other stake.

    Args:
        search: what is searched, and how.
        work: buffers for `depth`. If it has room for principal leaves, those of the first value
            are left there, and those of the second one are put aside.
        room: see `tasks.room_below`.
        double: what a double leads to.
        state: int8 [W], seen from the player on roll; the game goes on.
        depth: plies, even, at least 2.
        beta: a first value that is no less ends the search. It is then only a lower bound, and
            the other value means nothing. Probes of *-minimax look for one first; for other
            algorithms it must be inf.
        stake: what is at stake for the player on roll, without the double.
        low: no value is below it, for that player.
        high: no value is above it.
    """
    problem, level = search.problem, depth // 2
    chance, bound, record = work.chance[level], work.bound[level], room.leaf_rows.shape[1] > 0
    ahead: float = low
    n = 0
    if beta < np.inf:
        ahead = search.value(
            problem, work, state, np.inf, stake, bool(0), depth, np.inf, beta, low, high
        )
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
        double.stake, double.factor, double.beaver, double.cash, double.ordered, limits[0],
        limits[1],
    )  # fmt: skip
    rolled: float = 0.0
    taken: float = 0.0
    work.leaf_count[level] = work.aside_count[level] = 0
    for i in work.sequence[level, :n]:
        p = chance[i]
        ahead -= p * bound[i]
        enough = edge(beta - slack, rolled, ahead, p)
        value, other = decide_both(
            search, work, room, narrowed, state, i, depth, enough, stake, low, high
        )
        if work.stats[STOPPED] != 0:
            return 0.0, 0.0
        rolled += p * value
        taken += p * other
        if value >= enough:
            return max(beta, rolled + ahead), -np.inf
        if record:
            _add_leaves(
                room, 0, p, work.leaf_rows[level], work.leaf_weight[level], work.leaf_count,
                level,
            )  # fmt: skip
            _add_leaves(
                room, 1, p, work.aside_rows[level], work.aside_weight[level],
                work.aside_count, level,
            )  # fmt: skip
    return rolled, taken
