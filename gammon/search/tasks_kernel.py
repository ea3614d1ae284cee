"""The steps of a pass by tasks.

They are `plan_leading`, `do_tasks`, `join_leading` for the first round, `plan_doubles`,
`do_tasks`, `join_doubles` for the second, and `plan_rest`, `do_tasks`, `join_rest` for the
third. One thread does all nine in turn (`search_as_tasks`); several share each `do_tasks`.
"""

import numpy as np

from gammon.kernel import kernel
from gammon.records import Float64Vector, Int8Matrix
from gammon.search.candidates import (
    BOUND,
    EXACT,
    Candidates,
    begin_decision,
    search_candidates,
)
from gammon.search.double import before_double, taken_value
from gammon.search.game import NOT_OVER
from gammon.search.leaves import copy_state
from gammon.search.node import Search
from gammon.search.picker import keep_best
from gammon.search.problem import Problem
from gammon.search.stats import N_COUNTS, STOPPED
from gammon.search.tasks import DOUBLE, WHOLE, Tasks
from gammon.search.workspace import Workspace, begin_anew

__all__ = [
    "do_tasks", "join_doubles", "join_leading", "join_rest", "plan_doubles", "plan_leading",
    "plan_rest", "search_as_tasks",
]  # fmt: skip

#: The slot of a candidate whose leaves are not kept.
_NO_SLOT = -1


@kernel(inner=True)
def _add_task(tasks: Tasks, candidate: int, outcome: int, chance: float, size: int) -> None:
    """Plan a task, before those that are smaller."""
    k = tasks.planned[0]
    tasks.planned[0] = k + 1
    while k > 0 and tasks.size[k - 1] < size:
        tasks.candidate[k] = tasks.candidate[k - 1]
        tasks.outcome[k] = tasks.outcome[k - 1]
        tasks.chance[k] = tasks.chance[k - 1]
        tasks.size[k] = tasks.size[k - 1]
        k -= 1
    tasks.candidate[k] = candidate
    tasks.outcome[k] = outcome
    tasks.chance[k] = chance
    tasks.size[k] = size
    tasks.taken[tasks.planned[0] - 1] = False
    tasks.leaf_count[tasks.planned[0] - 1] = 0


@kernel(later=True)
def plan_leading(
    problem: Problem, room: Candidates, candidates: Candidates, tasks: Tasks, top: int
) -> None:
    """Plan a task for each outcome below the first `top` candidates.

    Where the opponent's double seems to be a pass, a candidate is one task, without R.

    Args:
        problem: an algorithm of *-minimax.
        room: see `room_below`; its rows are written into.
        candidates: in the order of an earlier pass.
        tasks: to be planned.
        top: how many exact values are wanted.
    """
    candidates.progress[0] = 0
    tasks.planned[0] = 0
    cash = problem.offer(-problem.stake, problem.params).cash
    for r in range(min(top, candidates.progress[1])):
        j = candidates.order[r]
        row = candidates.rows[j]
        payoff = problem.terminal(row, -problem.stake, problem.params)
        if payoff != NOT_OVER:
            candidates.values[j] = -payoff
            continue
        candidates.values[j] = 0.0
        if candidates.static[j] == np.float32(cash):
            _add_task(tasks, j, WHOLE, 1.0, room.rows.shape[0])
            continue
        for outcome in range(problem.outcomes(row, problem.params, tasks.weight)):
            if tasks.weight[outcome] > 0.0:
                size = problem.successors(row, outcome, problem.params, room.rows)
                _add_task(tasks, j, outcome, tasks.weight[outcome], size)


@kernel(inner=True)
def _keep_leaves(
    tasks: Tasks, task: int, rows: Int8Matrix, weight: Float64Vector, count: int
) -> None:
    """Copy the leaves of a task, whose weights are those of the opponent at the root."""
    for m in range(count):
        copy_state(rows[m], tasks.leaf_rows[task, m])
        tasks.leaf_weight[task, m] = -weight[m]
    tasks.leaf_count[task] = count


@kernel(inline=True)
def _do_whole(
    search: Search,
    work: Workspace,
    candidates: Candidates,
    tasks: Tasks,
    task: int,
    depth: int,
    floor: float,
) -> float:
    """Return the value of a candidate, or a bound of at most the floor."""
    problem = search.problem
    j = tasks.candidate[task]
    value = -search.value(
        problem, work, candidates.rows[j], np.float64(candidates.static[j]), -problem.stake,
        bool(1), depth, -np.inf, -floor, -problem.high, -problem.low,
    )  # fmt: skip
    if work.leaf_rows.shape[1] > 0 and value > floor:
        level = depth // 2
        _keep_leaves(
            tasks, task, work.leaf_rows[level], work.leaf_weight[level], work.leaf_count[level]
        )
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
    if work.leaf_rows.shape[1] > 0 and lower < value < upper:
        level = depth // 2
        _keep_leaves(
            tasks, task, work.leaf_rows[level], work.leaf_weight[level], work.leaf_count[level]
        )
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
    """Return the value of a decision of the opponent: the one after an outcome."""
    problem = search.problem
    row = candidates.rows[tasks.candidate[task]]
    n = begin_decision(problem, work, room, row, tasks.outcome[task], -problem.stake)
    if depth > 2 and problem.filter.replies > 0:
        n = keep_best(room.rows, room.static, n, problem.filter)
        for r in range(n):
            room.order[r] = r
    search_candidates(
        search, work, room, n, depth - 2, 1, -problem.stake, -problem.high, -problem.low
    )
    if work.leaf_rows.shape[1] > 0:
        _keep_leaves(tasks, task, room.leaf_rows[0], room.leaf_weight[0], room.leaf_count[0])
    value: float = room.values[room.order[0]]
    return -value


@kernel(inline=True)
def do_tasks(
    search: Search,
    work: Workspace,
    room: Candidates,
    candidates: Candidates,
    tasks: Tasks,
    depth: int,
    floor: float,
) -> None:
    """Do the tasks that nobody has taken yet, until there are none.

    Args:
        search: the problem of `plan_leading`, and its algorithm.
        work: this thread's own.
        room: this thread's own; see `room_below`.
        candidates: the successors of the root; only read.
        tasks: planned; their results are written.
        depth: plies of the candidates' chance nodes, at least 2.
        floor: -inf in the first rounds; in the last, the value that the others must beat.
    """
    stats = work.stats
    for task in range(tasks.planned[0]):
        if tasks.taken[task]:
            continue
        tasks.taken[task] = True
        begin_anew(work)
        for what in range(N_COUNTS):
            work.before[what] = stats[what]
        if tasks.outcome[task] == WHOLE:
            value = _do_whole(search, work, candidates, tasks, task, depth, floor)
        elif tasks.outcome[task] == DOUBLE:
            value = _do_double(search, work, candidates, tasks, task, depth)
        else:
            value = _do_outcome(search, work, room, candidates, tasks, task, depth)
        if stats[STOPPED] != 0:
            return
        tasks.values[task] = value
        for what in range(N_COUNTS):
            tasks.counts[task, what] = stats[what] - work.before[what]


@kernel(inner=True)
def _join_leaves(
    candidates: Candidates, slot: int, tasks: Tasks, task: int, probability: float
) -> None:
    """Add the leaves of a task to those of its candidate."""
    start = candidates.leaf_count[slot]
    for m in range(tasks.leaf_count[task]):
        copy_state(tasks.leaf_rows[task, m], candidates.leaf_rows[slot, start + m])
        weight = probability * tasks.leaf_weight[task, m]
        candidates.leaf_weight[slot, start + m] = weight
    candidates.leaf_count[slot] = start + tasks.leaf_count[task]


@kernel(inner=True)
def _write_itself(candidates: Candidates, j: int) -> None:
    """Make a candidate that has a slot its own one principal leaf."""
    slot = candidates.slot[j]
    copy_state(candidates.rows[j], candidates.leaf_rows[slot, 0])
    candidates.leaf_weight[slot, 0] = -1.0
    candidates.leaf_count[slot] = 1


@kernel(later=True)
def join_leading(candidates: Candidates, tasks: Tasks, top: int) -> None:
    """Put the results of the first round together."""
    record = candidates.leaf_rows.shape[1] > 0
    top = min(top, candidates.progress[1])
    for r in range(top):
        j = candidates.order[r]
        candidates.kind[j] = EXACT
        if record:
            candidates.slot[j] = r
            candidates.leaf_count[r] = 0
    for task in range(tasks.planned[0]):
        j = tasks.candidate[task]
        candidates.values[j] += tasks.chance[task] * tasks.values[task]
        if record:
            _join_leaves(candidates, candidates.slot[j], tasks, task, tasks.chance[task])
    for r in range(top):
        j = candidates.order[r]
        if record and candidates.leaf_count[r] == 0:  # a finished game
            _write_itself(candidates, j)
    candidates.progress[0] = top


@kernel(later=True)
def plan_doubles(problem: Problem, candidates: Candidates, tasks: Tasks, top: int) -> None:
    """Plan a task for each leading candidate in which a double might gain.

    The skips are those of `star`.
    """
    tasks.planned[0] = 0
    double = problem.offer(-problem.stake, problem.params)
    if double.cash == NOT_OVER:
        return
    for r in range(min(top, candidates.progress[1])):
        j = candidates.order[r]
        rolled = -candidates.values[j]
        gains = rolled < double.cash
        if double.ordered:
            gains = gains and double.factor * rolled > rolled
        row = candidates.rows[j]
        if gains and problem.terminal(row, -problem.stake, problem.params) == NOT_OVER:
            _add_task(tasks, j, DOUBLE, 1.0, 1)


@kernel(later=True)
def join_doubles(problem: Problem, candidates: Candidates, tasks: Tasks, top: int) -> float:
    """Put the results of the second round in place, and return the floor of the third."""
    double = problem.offer(-problem.stake, problem.params)
    record = candidates.leaf_rows.shape[1] > 0
    for task in range(tasks.planned[0]):
        j = tasks.candidate[task]
        rolled, value = -candidates.values[j], -tasks.values[task]
        if value <= before_double(double, rolled):
            continue
        passed = value >= before_double(double, double.cash)
        taken = max(rolled, min(taken_value(double, value), double.cash))
        candidates.values[j] = -double.cash if passed else -taken
        if record and passed:
            _write_itself(candidates, j)
        elif record:
            candidates.leaf_count[candidates.slot[j]] = 0
            _join_leaves(candidates, candidates.slot[j], tasks, task, 1.0)
    floor = np.inf
    for r in range(min(top, candidates.progress[1])):
        floor = min(floor, candidates.values[candidates.order[r]])
    return floor


@kernel(later=True)
def plan_rest(candidates: Candidates, tasks: Tasks, top: int) -> None:
    """Plan a task for each candidate behind the first `top`."""
    tasks.planned[0] = 0
    for r in range(top, candidates.progress[1]):
        _add_task(tasks, candidates.order[r], WHOLE, 1.0, 1)


@kernel(inner=True)
def _is_leading(candidates: Candidates, top: int, j: int) -> bool:
    """Tell whether a candidate is among the first `top`."""
    found = False
    for r in range(top):
        found |= candidates.order[r] == j
    return found


@kernel(inner=True)
def _free_slot(candidates: Candidates, top: int) -> int:
    """Return a slot for leaves that none of the first `top` candidates has."""
    for free in range(top):
        taken = False
        for r in range(top):
            taken |= candidates.slot[candidates.order[r]] == free
        if not taken:
            return free
    return _NO_SLOT


@kernel(later=True)
def join_rest(candidates: Candidates, tasks: Tasks, top: int, floor: float) -> None:
    """Put the results of the third round in place, and sort all candidates.

    The sort is stable: candidates of one value stay in the order of the pass before.
    """
    n = candidates.progress[1]
    top = min(top, n)
    values, order, slot = candidates.values, candidates.order, candidates.slot
    for task in range(tasks.planned[0]):
        j = tasks.candidate[task]
        values[j] = tasks.values[task]
        candidates.kind[j] = EXACT if values[j] > floor else BOUND
        slot[j] = _NO_SLOT
    for r in range(1, n):
        j, place = order[r], r
        while place > 0 and values[order[place - 1]] < values[j]:
            order[place] = order[place - 1]
            place -= 1
        order[place] = j
    if candidates.leaf_rows.shape[1] > 0:
        for task in range(tasks.planned[0]):
            j = tasks.candidate[task]
            if _is_leading(candidates, top, j):
                slot[j] = _free_slot(candidates, top)
                candidates.leaf_count[slot[j]] = 0
                _join_leaves(candidates, slot[j], tasks, task, 1.0)
    candidates.progress[0] = n


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

    The arguments are those of `do_tasks` and `plan_leading`. If the search had to stop, what
    it leaves in `candidates` means nothing.
    """
    floor = -np.inf
    # The rounds as a loop: the code of `do_tasks` is pasted in only once.
    for part in range(3):
        if part == 0:
            plan_leading(search.problem, room, candidates, tasks, top)
        elif part == 1:
            join_leading(candidates, tasks, top)
            plan_doubles(search.problem, candidates, tasks, top)
        else:
            floor = join_doubles(search.problem, candidates, tasks, top)
            plan_rest(candidates, tasks, top)
        do_tasks(search, work, room, candidates, tasks, depth, floor)
        if work.stats[STOPPED] != 0:
            return
    join_rest(candidates, tasks, top, floor)
