"""The tasks of a round, done: by one thread, or by several that share them.

`rounds_kernel` plans them. One thread does all rounds in turn (`search_as_tasks`).
"""

import numpy as np

from gammon.kernel import kernel
from gammon.records import Float64Vector, Int8Matrix
from gammon.search.both import decide_both, search_both
from gammon.search.candidates import Candidates, begin_decision, search_candidates
from gammon.search.double import before_double, taken_value
from gammon.search.game import Doubled, State
from gammon.search.leaves import copy_state, take_back, write_leaf
from gammon.search.node import Search
from gammon.search.picker import keep_best
from gammon.search.rounds_kernel import next_round
from gammon.search.stats import N_COUNTS, STOPPED
from gammon.search.tasks import BOTH, DOUBLE, PLANNED, ROUND, WHOLE, Tasks
from gammon.search.window import SLACK
from gammon.search.workspace import Workspace, begin_anew

__all__ = ["do_tasks", "search_as_tasks"]


@kernel(inner=True)
def _keep_leaves(
    candidates: Candidates,
    tasks: Tasks,
    task: int,
    side: int,
    rows: Int8Matrix,
    weight: Float64Vector,
    count: int,
) -> None:
    """Copy the leaves of a task at one stake, whose weights are those of the opponent."""
    place = 2 * candidates.slot[tasks.candidate[task]] + side
    begin = max(tasks.outcome[task], 0) * rows.shape[0]
    for m in range(count):
        copy_state(rows[m], tasks.leaf_rows[place, begin + m])
        tasks.leaf_weight[place, begin + m] = -weight[m]
    tasks.leaf_count[task, side] = count


@kernel(inner=True)
def _keep_line(
    work: Workspace, candidates: Candidates, tasks: Tasks, task: int, level: int
) -> None:
    """Copy the leaves of the last node of `level`, as those of the first stake."""
    if work.leaf_rows.shape[1] > 0:
        _keep_leaves(
            candidates, tasks, task, 0, work.leaf_rows[level], work.leaf_weight[level],
            work.leaf_count[level],
        )  # fmt: skip


@kernel(inline=True)
def _passes(
    search: Search, work: Workspace, double: Doubled, row: State, depth: int, beta: float
) -> float:
    """Probe a double that seems to be a pass: return what it is worth, or what is below beta.

    Args:
        search: as for `do_tasks`.
        work: buffers for `depth`.
        double: of the player on roll.
        row: int8 [W], the chance node.
        depth: of it.
        beta: what the double is to be worth, no more than a pass pays.
    """
    enough = before_double(double, beta)
    value = search.value(
        search.problem, work, row, np.inf, double.stake, bool(0), depth, np.inf, enough,
        double.low, double.high,
    )  # fmt: skip
    if value < enough:
        return -np.inf
    return max(beta, min(taken_value(double, value), double.cash))


@kernel(inline=True)
def _turn_both(
    search: Search, work: Workspace, room: Candidates, row: State, static: float, depth: int,
    beta: float,
) -> float:  # fmt: skip
    """Return what `star` does of a candidate on turn, with a window of -inf to beta.

    The value of rolling and that after a double are searched side by side, unless probes show
    that one of them is at least beta. Here a double comes first that seems to be a pass.

    Args:
        search: as for `do_tasks`.
        work, room: this thread's own.
        row: int8 [W], the candidate, whose player on roll may double.
        static: its static value.
        depth: of its chance node.
        beta: upper end of the window.
    """
    problem, level = search.problem, depth // 2
    record = work.leaf_rows.shape[1] > 0
    double = problem.offer(-problem.stake, problem.params)
    if np.float32(static) == np.float32(double.cash) and beta <= double.cash:
        passed = _passes(search, work, double, row, depth, beta)
        if passed >= beta or work.stats[STOPPED] != 0:
            return passed
    rolled, taken = search_both(
        search, work, room, double, row, depth, beta, -problem.stake, -problem.high,
        -problem.low,
    )  # fmt: skip
    worth = min(taken_value(double, taken), double.cash)
    if work.stats[STOPPED] != 0 or rolled >= beta or worth <= rolled:
        return rolled
    if record and worth >= double.cash:
        write_leaf(work, level, row)
    elif record:
        take_back(work, level)
    return max(worth, beta) if worth >= beta - SLACK * (problem.high - problem.low) else worth


@kernel(inline=True)
def _do_whole(
    search: Search,
    work: Workspace,
    room: Candidates,
    candidates: Candidates,
    tasks: Tasks,
    task: int,
    depth: int,
) -> float:
    """Return the value of a candidate, or a bound of at most the floor."""
    problem = search.problem
    j, floor = tasks.candidate[task], tasks.floor[0]
    row, static = candidates.rows[j], np.float64(candidates.static[j])
    if tasks.way[j] == BOTH:
        value = -_turn_both(search, work, room, row, static, depth, -floor)
    else:
        value = -search.value(
            problem, work, row, static, -problem.stake, bool(1), depth, -np.inf, -floor,
            -problem.high, -problem.low,
        )  # fmt: skip
    if value > floor:
        _keep_line(work, candidates, tasks, task, depth // 2)
    return value


@kernel(inline=True)
def _do_double(
    search: Search, work: Workspace, candidates: Candidates, tasks: Tasks, task: int, depth: int
) -> float:
    """Return the value of rolling after a double in a candidate, between R and a pass."""
    problem = search.problem
    j = tasks.candidate[task]
    double = problem.offer(-problem.stake, problem.params)
    static = before_double(double, np.float64(candidates.static[j]))
    lower = before_double(double, -candidates.values[j])
    upper = before_double(double, double.cash)
    value = search.value(
        problem, work, candidates.rows[j], static, double.stake, bool(0), depth, lower,
        upper, double.low, double.high,
    )  # fmt: skip
    if lower < value < upper:
        _keep_line(work, candidates, tasks, task, depth // 2)
    return -value


@kernel(inline=True)
def _do_outcome(
    search: Search,
    work: Workspace,
    room: Candidates,
    candidates: Candidates,
    tasks: Tasks,
    task: int,
    depth: int,
) -> float:
    """Return the value of a decision of the opponent: the one after an outcome.

    That after a double is written beside it, if the task is to search both stakes.
    """
    problem = search.problem
    row, outcome = candidates.rows[tasks.candidate[task]], tasks.outcome[task]
    sides = 1
    value: float = 0.0
    if tasks.way[tasks.candidate[task]] == BOTH:
        sides = 2
        double = problem.offer(-problem.stake, problem.params)
        value, taken = decide_both(
            search, work, room, double, row, outcome, depth, np.inf, -problem.stake,
            -problem.high, -problem.low,
        )  # fmt: skip
        tasks.values[task, 1] = -taken
    else:
        n = begin_decision(problem, work, room, row, outcome, -problem.stake)
        if depth > 2 and problem.filter.replies > 0:
            n = keep_best(room.rows, room.static, n, problem.filter)
            for r in range(n):
                room.order[r] = r
        search_candidates(
            search, work, room, n, depth - 2, 1, -problem.stake, -problem.high, -problem.low
        )
        value = room.values[room.order[0]]
    for side in range(sides if work.leaf_rows.shape[1] > 0 else 0):
        _keep_leaves(
            candidates, tasks, task, side, room.leaf_rows[side], room.leaf_weight[side],
            room.leaf_count[side],
        )  # fmt: skip
    return -value


@kernel(later=True)
def do_tasks(
    search: Search,
    work: Workspace,
    room: Candidates,
    candidates: Candidates,
    tasks: Tasks,
    depth: int,
) -> None:
    """Do the tasks that nobody has taken yet, until there are none.

    Args:
        search: the problem of `next_round`, and its algorithm.
        work: this thread's own.
        room: this thread's own; see `room_below`.
        candidates: the successors of the root; only read.
        tasks: planned; their results are written.
        depth: plies of the candidates' chance nodes, at least 2.
    """
    stats = work.stats
    for task in range(tasks.marks[PLANNED]):
        if tasks.taken[task]:
            continue
        tasks.taken[task] = True
        begin_anew(work)
        for what in range(N_COUNTS):
            work.before[what] = stats[what]
        outcome = tasks.outcome[task]
        if outcome == WHOLE:
            value = _do_whole(search, work, room, candidates, tasks, task, depth)
        elif outcome == DOUBLE:
            value = _do_double(search, work, candidates, tasks, task, depth)
        else:
            value = _do_outcome(search, work, room, candidates, tasks, task, depth)
        if stats[STOPPED] != 0:
            return
        tasks.values[task, 0] = value
        for what in range(N_COUNTS):
            tasks.counts[task, what] = stats[what] - work.before[what]


@kernel(inline=True)
def search_as_tasks(
    search: Search,
    work: Workspace,
    room: Candidates,
    candidates: Candidates,
    tasks: Tasks,
    depth: int,
    top: int,
) -> None:
    """Give the candidates the values of chance nodes of `depth`, and sort them: one thread.

    The arguments are those of `do_tasks` and `next_round`. If the search had to stop, what
    it leaves in `candidates` means nothing.
    """
    tasks.marks[ROUND] = 0
    while next_round(search.problem, room, candidates, tasks, top):
        do_tasks(search, work, room, candidates, tasks, depth)
        if work.stats[STOPPED] != 0:
            return
