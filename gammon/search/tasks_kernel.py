"""The tasks of a round, done: by one thread, or by several that share them.

`tasks.next_round` plans them. One thread leads (`lead_tasks`); any number of others help
(`help_tasks`), come and go as they may.
"""

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.memory import add, put, seen
from gammon.compiled.records import Float64Vector, Int8Matrix
from gammon.search.algorithms import Search
from gammon.search.both import decide_both, search_both
from gammon.search.candidates import Candidates, begin_decision, search_candidates
from gammon.search.game import Doubled, State, before_double, taken_value
from gammon.search.leaves import copy_state, take_back
from gammon.search.picker import keep_best
from gammon.search.star import SLACK
from gammon.search.stats import N_COUNTS, STOPPED
from gammon.search.tasks import (
    BESIDE,
    DEPTH,
    DONE,
    DOUBLE,
    HALTED,
    LIMIT,
    NEXT,
    OPEN,
    PLANNED,
    ROUND,
    WHOLE,
    Tasks,
    next_round,
)
from gammon.search.workspace import Workspace, begin_anew

#: How often a thread looks for what others have done before it sleeps: some 50 microseconds.
_PATIENCE = 20_000
#: The lower bits of a place in the list of tasks; those above have the number of the round.
_PLACE_BITS = 32


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
def _keep_line(work: Workspace, candidates: Candidates, tasks: Tasks, task: int, level: int) -> None:
    """Copy the leaves of the last node of `level`, as those of the first stake."""
    if work.leaf_rows.shape[1] > 0:
        _keep_leaves(
            candidates, tasks, task, 0, work.leaf_rows[level], work.leaf_weight[level], work.leaf_count[level]
        )


@kernel(inline=True)
def _passes(search: Search, work: Workspace, double: Doubled, row: State, depth: int, beta: float) -> float:
    """Probe a double that seems to be a pass: return what it is worth, or what is below beta.

    `beta` is what the double is to be worth, no more than a pass pays.
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
    search: Search, work: Workspace, room: Candidates, row: State, static: float, depth: int, beta: float
) -> float:
    """Return what `star` does of a candidate on turn, with a window of -inf to beta.

    The value of rolling and that after a double are searched side by side, unless probes show
    that one of them is at least beta. Here a double comes first that seems to be a pass.
    """
    problem, level = search.problem, depth // 2
    record = work.leaf_rows.shape[1] > 0
    double = problem.offer(-problem.stake, problem.params)
    if np.float32(static) == np.float32(double.cash) and beta <= double.cash:
        passed = _passes(search, work, double, row, depth, beta)
        if passed >= beta or work.stats[STOPPED] != 0:
            return passed
    rolled, taken = search_both(
        search, work, room, double, row, depth, beta, -problem.stake, -problem.high, -problem.low
    )
    worth = min(taken_value(double, taken), double.cash)
    if work.stats[STOPPED] != 0 or rolled >= beta or worth <= rolled:
        return rolled
    if record and worth < double.cash:  # after a pass they are those of rolling
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
    if tasks.way[j] == BESIDE:
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
    if tasks.way[tasks.candidate[task]] == BESIDE:
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
            ties = work.ties[depth // 2 - 1]
            if problem.leaf.has_tie:
                problem.leaf.tie(room.rows, work.outputs, n, problem.stake, problem.params, ties)
            n = keep_best(problem, room.rows, n, -problem.stake, room.static, ties)
            for r in range(n):
                room.order[r] = r
        search_candidates(search, work, room, n, depth - 2, 1, -problem.stake, -problem.high, -problem.low)
        value = room.values[room.order[0]]
    for side in range(sides if work.leaf_rows.shape[1] > 0 else 0):
        _keep_leaves(
            candidates, tasks, task, side, room.leaf_rows[side], room.leaf_weight[side], room.leaf_count[side]
        )
    return -value


@kernel(inner=True)
def _do_task(
    search: Search, work: Workspace, room: Candidates, candidates: Candidates, tasks: Tasks, task: int
) -> bool:
    """Do a task, and tell whether it is done; else the search has to stop."""
    stats, depth = work.stats, tasks.marks[DEPTH]
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
    tasks.values[task, 0] = value
    for what in range(N_COUNTS):
        tasks.counts[task, what] = stats[what] - work.before[what]
    done: bool = stats[STOPPED] == 0
    return done


@kernel(inner=True)
def _take(tasks: Tasks) -> int:
    """Take a task that nobody has taken yet, and return which; -1 if there is none.

    Places and their limit begin with the number of the round. So a thread that was late does
    not take its place of the last round for one of this.
    """
    marks = tasks.marks
    if seen(marks, NEXT) >= seen(marks, LIMIT):
        return -1
    place = add(marks, NEXT, 1)
    limit = seen(marks, LIMIT)
    if place >= limit or place >> _PLACE_BITS != limit >> _PLACE_BITS:
        return -1
    return place & ((1 << _PLACE_BITS) - 1)


@kernel(inner=True)
def open_round(tasks: Tasks) -> None:
    """Let threads take the tasks that are planned."""
    marks = tasks.marks
    first = ((marks[LIMIT] >> _PLACE_BITS) + 1) << _PLACE_BITS
    put(marks, DONE, 0)
    put(marks, LIMIT, first + marks[PLANNED])
    put(marks, NEXT, first)


@kernel()
def begin_pass(tasks: Tasks, depth: int) -> None:
    """Begin a pass to chance nodes of `depth`, at least 2."""
    marks = tasks.marks
    marks[PLANNED], marks[ROUND], marks[DEPTH] = 0, 0, depth
    for what in range(N_COUNTS):
        tasks.total[what] = 0
    put(marks, DONE, 0)
    put(marks, HALTED, 0)
    put(marks, OPEN, 1)


@kernel()
def lead_tasks(
    search: Search, work: Workspace, room: Candidates, candidates: Candidates, tasks: Tasks, top: int
) -> bool:
    """Plan the rounds of a pass, and do their tasks together with those who help.

    In the end the candidates have their values and are sorted. If the search had to stop, what
    it leaves in `candidates` means nothing.

    `work` and `room` are this thread's own. `next_round` explains the others.

    Returns:
        Whether it waits for others, and is to be called again.
    """
    marks = tasks.marks
    while True:
        task = _take(tasks)
        while task >= 0:
            if not _do_task(search, work, room, candidates, tasks, task):
                put(marks, HALTED, 1)
                break
            add(marks, DONE, 1)
            task = _take(tasks)
        waited = 0
        while seen(marks, DONE) < marks[PLANNED] and seen(marks, HALTED) == 0:
            waited += 1
            if waited > _PATIENCE:
                return True
        if seen(marks, HALTED) != 0:
            break
        for task in range(marks[PLANNED]):
            for what in range(N_COUNTS):
                tasks.total[what] += tasks.counts[task, what]
        if not next_round(search.problem, room, candidates, tasks, top):
            break
        open_round(tasks)
    put(marks, OPEN, 0)
    return False


@kernel()
def help_tasks(
    search: Search, work: Workspace, room: Candidates, candidates: Candidates, tasks: Tasks
) -> bool:
    """Do tasks of a pass that another thread leads. The arguments are those of `lead_tasks`.

    Returns:
        Whether there may be more to do later, so that it is to be called again.
    """
    marks = tasks.marks
    waited = 0
    while waited < _PATIENCE:
        if seen(marks, OPEN) == 0:
            return False
        task = _take(tasks)
        if task < 0:
            waited += 1
            continue
        if not _do_task(search, work, room, candidates, tasks, task):
            put(marks, HALTED, 1)
            return False
        add(marks, DONE, 1)
        waited = 0
    return True
