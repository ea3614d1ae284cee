"""Kernels that do the tasks of a round, in one thread or in several.

`tasks.next_round` plans the tasks. One thread leads (`lead_tasks`); any number of others help
(`help_tasks`), and may begin and end at any time.
"""

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.memory import fetch_add, load_acquire, store_release
from gammon.compiled.records import Float64Vector, Int8Matrix
from gammon.search.algorithms import Search, node_value
from gammon.search.bounded import bounded_candidate, bounded_outcome
from gammon.search.candidates import Candidates, begin_decision, search_candidates
from gammon.search.game import Doubled, State, before_double, taken_value
from gammon.search.leaves import copy_state, take_back
from gammon.search.picker import keep_best
from gammon.search.star import SLACK
from gammon.search.stats import N_COUNTS, STOPPED
from gammon.search.tasks import (
    BOTH_STAKES,
    DEPTH,
    DONE,
    DOUBLE,
    HALTED,
    LIMIT,
    NEXT,
    NO_DOUBLE,
    OPEN,
    PLANNED,
    ROUND,
    WHOLE_NODE,
    Tasks,
    next_round,
)
from gammon.search.two_stakes import decide_two_stakes, search_two_stakes
from gammon.search.workspace import Workspace, begin_anew

#: How often a thread checks for the work of others before it sleeps: some 50 microseconds.
_PATIENCE = 20_000
#: `LIMIT` and `NEXT` have an index of the list of tasks in this many low bits, and a count of
#: the rounds in the bits above.
_INDEX_BITS = 32


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
    """Copy the leaves of a task at one stake; the sign of their weights changes."""
    place = 2 * candidates.slot[tasks.candidate[task]] + side
    begin = max(tasks.outcome[task], 0) * rows.shape[0]
    for m in range(count):
        copy_state(rows[m], tasks.leaf_rows[place, begin + m])
        tasks.leaf_weight[place, begin + m] = -weight[m]
    tasks.leaf_count[task, side] = count


@kernel(inner=True)
def _keep_line(work: Workspace, candidates: Candidates, tasks: Tasks, task: int, level: int) -> None:
    """Copy the leaves of the last node of `level` as a task's leaves at the first stake."""
    if work.leaf_rows.shape[1] > 0:
        _keep_leaves(
            candidates, tasks, task, 0, work.leaf_rows[level], work.leaf_weight[level], work.leaf_count[level]
        )


@kernel(inline=True)
def _passes(search: Search, work: Workspace, double: Doubled, row: State, depth: int, beta: float) -> float:
    """Probe whether a double is worth at least beta: return its value, or -inf if not proved.

    `beta` is no more than a pass pays.
    """
    enough = before_double(double, beta)
    value = node_value(
        search, work, row, np.inf, double.stake, bool(0), depth, np.inf, enough,
        double.low, double.high,
    )  # fmt: skip
    if value < enough:
        return -np.inf
    return max(beta, min(taken_value(double, value), double.cash))


@kernel(inline=True)
def _turn_two_stakes(
    search: Search, work: Workspace, below: Candidates, row: State, static: float, depth: int, beta: float
) -> float:
    """Return the value of a candidate before the turn as `star` does, in the window (-inf, beta).

    Both stakes are searched side by side, unless probes prove that rolling or doubling is worth
    at least beta. If the double seems to be a pass, it is probed first.
    """
    problem, level = search.problem, depth // 2
    record = work.leaf_rows.shape[1] > 0
    double = problem.offer(-problem.stake, problem.params)
    if np.float32(static) == np.float32(double.cash) and beta <= double.cash:
        passed = _passes(search, work, double, row, depth, beta)
        if passed >= beta or work.stats[STOPPED] != 0:
            return passed
    rolled, taken = search_two_stakes(
        search, work, below, double, row, depth, beta, -problem.stake, -problem.high, -problem.low
    )
    doubled = min(taken_value(double, taken), double.cash)
    if work.stats[STOPPED] != 0 or rolled >= beta or doubled <= rolled:
        return rolled
    if record and doubled < double.cash:  # for a pass, the leaves of rolling stay
        take_back(work, level)
    return max(doubled, beta) if doubled >= beta - SLACK * (problem.high - problem.low) else doubled


@kernel(inline=True)
def _search_node(
    search: Search,
    work: Workspace,
    below: Candidates,
    candidates: Candidates,
    tasks: Tasks,
    task: int,
    depth: int,
) -> float:
    """Return the value of a candidate, or an upper bound that is at most the floor."""
    problem = search.problem
    j, floor = tasks.candidate[task], tasks.floor[0]
    row, static = candidates.rows[j], np.float64(candidates.static[j])
    if tasks.mode[j] == BOTH_STAKES:
        value = -_turn_two_stakes(search, work, below, row, static, depth, -floor)
    elif problem.bounded and problem.options.deepen and depth > 2:
        value = -bounded_candidate(problem, work, row, static, depth, -floor)
    else:
        value = -node_value(
            search, work, row, static, -problem.stake, bool(1), depth, -np.inf, -floor,
            -problem.high, -problem.low,
        )  # fmt: skip
    if value > floor:
        _keep_line(work, candidates, tasks, task, depth // 2)
    return value


@kernel(inline=True)
def _search_double(
    search: Search, work: Workspace, candidates: Candidates, tasks: Tasks, task: int, depth: int
) -> float:
    """Return the value of rolling after a double in a candidate; its window is from R to a pass."""
    problem = search.problem
    j = tasks.candidate[task]
    double = problem.offer(-problem.stake, problem.params)
    static = before_double(double, np.float64(candidates.static[j]))
    lower = before_double(double, -candidates.values[j])
    upper = before_double(double, double.cash)
    value = node_value(
        search, work, candidates.rows[j], static, double.stake, bool(0), depth, lower,
        upper, double.low, double.high,
    )  # fmt: skip
    if lower < value < upper:
        _keep_line(work, candidates, tasks, task, depth // 2)
    return -value


@kernel(inline=True)
def _search_outcome(
    search: Search,
    work: Workspace,
    below: Candidates,
    candidates: Candidates,
    tasks: Tasks,
    task: int,
    depth: int,
) -> float:
    """Return the value of the opponent's decision after an outcome.

    If the task searches both stakes, the value after a double is written into `tasks.values`.
    """
    problem, level = search.problem, depth // 2
    row, outcome = candidates.rows[tasks.candidate[task]], tasks.outcome[task]
    if problem.bounded and depth > 2 and tasks.mode[tasks.candidate[task]] == NO_DOUBLE:
        value = bounded_outcome(
            problem, work, row, outcome, -problem.stake, depth, -problem.high, -problem.low
        )
        if work.leaf_rows.shape[1] > 0:
            rows, weight = work.leaf_rows[level][: below.leaf_rows.shape[1]], work.leaf_weight[level]
            _keep_leaves(candidates, tasks, task, 0, rows, weight, work.leaf_count[level])
        return -value
    sides = 1
    value = 0.0
    if tasks.mode[tasks.candidate[task]] == BOTH_STAKES:
        sides = 2
        double = problem.offer(-problem.stake, problem.params)
        value, taken = decide_two_stakes(
            search, work, below, double, row, outcome, depth, np.inf, -problem.stake,
            -problem.high, -problem.low,
        )  # fmt: skip
        tasks.values[task, 1] = -taken
    else:
        n = begin_decision(problem, work, below, row, outcome, -problem.stake)
        if depth > 2 and problem.filter.replies > 0:
            ties = work.ties[level - 1]
            if problem.leaf.has_tie:
                problem.leaf.tie(below.rows, work.outputs, n, problem.stake, problem.params, ties)
            n = keep_best(problem, below.rows, n, -problem.stake, below.static, ties)
            for r in range(n):
                below.order[r] = r
        search_candidates(search, work, below, n, depth - 2, 1, -problem.stake, -problem.high, -problem.low)
        value = below.values[below.order[0]]
    for side in range(sides if work.leaf_rows.shape[1] > 0 else 0):
        _keep_leaves(
            candidates,
            tasks,
            task,
            side,
            below.leaf_rows[side],
            below.leaf_weight[side],
            below.leaf_count[side],
        )
    return -value


@kernel(inner=True)
def _do_task(
    search: Search, work: Workspace, below: Candidates, candidates: Candidates, tasks: Tasks, task: int
) -> bool:
    """Do a task, and return whether it is done; if not, the search has to stop."""
    stats, depth = work.stats, tasks.marks[DEPTH]
    begin_anew(work)
    for what in range(N_COUNTS):
        work.before[what] = stats[what]
    outcome = tasks.outcome[task]
    if outcome == WHOLE_NODE:
        value = _search_node(search, work, below, candidates, tasks, task, depth)
    elif outcome == DOUBLE:
        value = _search_double(search, work, candidates, tasks, task, depth)
    else:
        value = _search_outcome(search, work, below, candidates, tasks, task, depth)
    tasks.values[task, 0] = value
    for what in range(N_COUNTS):
        tasks.counts[task, what] = stats[what] - work.before[what]
    done: bool = stats[STOPPED] == 0
    return done


@kernel(inner=True)
def _take(tasks: Tasks) -> int:
    """Take a task that no thread has taken yet, and return its index; -1 if there is none.

    `NEXT` and `LIMIT` include a count of the rounds. So a late thread does not confuse an index
    of the last round with an index of this round.
    """
    marks = tasks.marks
    if load_acquire(marks, NEXT) >= load_acquire(marks, LIMIT):
        return -1
    number = fetch_add(marks, NEXT, 1)
    limit = load_acquire(marks, LIMIT)
    if number >= limit or number >> _INDEX_BITS != limit >> _INDEX_BITS:
        return -1
    return number & ((1 << _INDEX_BITS) - 1)


@kernel(inner=True)
def open_round(tasks: Tasks) -> None:
    """Open the planned tasks to all threads."""
    marks = tasks.marks
    first = ((marks[LIMIT] >> _INDEX_BITS) + 1) << _INDEX_BITS
    store_release(marks, DONE, 0)
    store_release(marks, LIMIT, first + marks[PLANNED])
    store_release(marks, NEXT, first)


@kernel()
def begin_pass(tasks: Tasks, depth: int) -> None:
    """Begin a pass to chance nodes of `depth`, at least 2."""
    marks = tasks.marks
    marks[PLANNED], marks[ROUND], marks[DEPTH] = 0, 0, depth
    for what in range(N_COUNTS):
        tasks.total[what] = 0
    store_release(marks, DONE, 0)
    store_release(marks, HALTED, 0)
    store_release(marks, OPEN, 1)


@kernel()
def lead_tasks(
    search: Search, work: Workspace, below: Candidates, candidates: Candidates, tasks: Tasks, top: int
) -> bool:
    """Plan the rounds of a pass, and do their tasks together with the helpers.

    At the end the candidates have their values and are sorted. If the search had to stop, the
    contents of `candidates` mean nothing.

    `work` and `below` belong to this thread. `next_round` explains the other arguments.

    Returns:
        Whether it waits for helpers, and must be called again.
    """
    marks = tasks.marks
    while True:
        task = _take(tasks)
        while task >= 0:
            if not _do_task(search, work, below, candidates, tasks, task):
                store_release(marks, HALTED, 1)
                break
            fetch_add(marks, DONE, 1)
            task = _take(tasks)
        waited = 0
        while load_acquire(marks, DONE) < marks[PLANNED] and load_acquire(marks, HALTED) == 0:
            waited += 1
            if waited > _PATIENCE:
                return True
        if load_acquire(marks, HALTED) != 0:
            break
        for task in range(marks[PLANNED]):
            for what in range(N_COUNTS):
                tasks.total[what] += tasks.counts[task, what]
        if not next_round(search.problem, below, candidates, tasks, top):
            break
        open_round(tasks)
    store_release(marks, OPEN, 0)
    return False


@kernel()
def help_tasks(
    search: Search, work: Workspace, below: Candidates, candidates: Candidates, tasks: Tasks
) -> bool:
    """Do tasks of a pass that another thread leads. The arguments are as for `lead_tasks`.

    Returns:
        Whether there may be more tasks later, so it must be called again.
    """
    marks = tasks.marks
    waited = 0
    while waited < _PATIENCE:
        if load_acquire(marks, OPEN) == 0:
            return False
        task = _take(tasks)
        if task < 0:
            waited += 1
            continue
        if not _do_task(search, work, below, candidates, tasks, task):
            store_release(marks, HALTED, 1)
            return False
        fetch_add(marks, DONE, 1)
        waited = 0
    return True
