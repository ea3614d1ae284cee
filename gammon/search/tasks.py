"""One pass over the candidates of a decision as tasks that do not depend on each other.

The pass has two rounds. In the first, the best `top` candidates of the pass before get
exact values: their chance nodes have open windows, so that each outcome is a decision of
its own, and a task. The worst of the values found is the floor of the second round, in which
every other candidate is a task: proven not to be above the floor, or exact.

A task begins with an empty table and no killers, and the floor does not rise during a
round; so the result of a task depends neither on the thread that does it nor on the moment.
The price is small: on positions of self-play, the tasks of depth 5 look at as many leaves as
one search does that keeps its table and raises its floor.

The rounds are `plan_leading`, `do_tasks`, `join_leading` and `plan_rest`, `do_tasks`,
`join_rest`. One thread does all six in turn; several share each `do_tasks`.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from gammon.kernel import kernel, load
from gammon.records import (
    BoolVector,
    Float64Matrix,
    Float64Vector,
    Int8Matrix,
    Int8Stack,
    Int64Matrix,
    Int64Vector,
)
from gammon.search.candidates import (
    BOUND,
    EXACT,
    Candidates,
    begin_decision,
    search_candidates,
)
from gammon.search.game import NOT_OVER, Game
from gammon.search.leaves import copy_state
from gammon.search.picker import keep_best
from gammon.search.problem import Problem
from gammon.search.star import star
from gammon.search.stats import N_COUNTS, STOPPED
from gammon.search.table import forget
from gammon.search.workspace import Workspace

__all__ = ["Tasks", "room_below", "search_as_tasks", "search_in_threads"]

#: The outcome of a task that is a whole candidate.
_WHOLE = -1
#: The slot of a candidate whose leaves are not kept.
_NO_SLOT = -1


class Tasks(NamedTuple):
    """Room for K tasks and their results; `planned` of them are in use.

    Attributes:
        candidate: int64 [K], which successor of the root.
        outcome: int64 [K], which outcome below it, or `_WHOLE`.
        chance: float64 [K], the probability of that outcome.
        size: int64 [K], its successors: the largest tasks go first, so that no thread is
            left with a long one.
        taken: bool [K]. Two threads that take one at the same moment both do it, which
            is a waste and no error.
        values: float64 [K], to the player who decides at the root.
        counts: int64 [K, 7], the work; see `stats.Stats`.
        leaf_rows: int8 [K, C, W], the principal leaves of a value found exactly.
        leaf_weight: float64 [K, C], as in `Candidates`; for an outcome, without its
            probability.
        leaf_count: int64 [K].
        planned: int64 [1].
        weight: float64 [N], the probabilities of a candidate's outcomes.
    """

    candidate: Int64Vector
    outcome: Int64Vector
    chance: Float64Vector
    size: Int64Vector
    taken: BoolVector
    values: Float64Vector
    counts: Int64Matrix
    leaf_rows: Int8Stack
    leaf_weight: Float64Matrix
    leaf_count: Int64Vector
    planned: Int64Vector
    weight: Float64Vector

    @classmethod
    def allocate(cls, game: Game, size: int, top: int = 1, capacity: int = 0) -> "Tasks":
        """Return room for a decision of `size` candidates.

        Args:
            game: the rules.
            size: candidates, at most.
            top: how many of them get a task for each outcome.
            capacity: C, the most principal leaves of a candidate; 0 if none are kept.
        """
        k = max(size, min(top, size) * game.max_outcomes)
        return cls(
            candidate=np.empty(k, np.int64),
            outcome=np.empty(k, np.int64),
            chance=np.empty(k, np.float64),
            size=np.empty(k, np.int64),
            taken=np.empty(k, np.bool_),
            values=np.empty(k, np.float64),
            counts=np.empty((k, N_COUNTS), np.int64),
            leaf_rows=np.empty((k, capacity, game.width), np.int8),
            leaf_weight=np.empty((k, capacity), np.float64),
            leaf_count=np.empty(k, np.int64),
            planned=np.zeros(1, np.int64),
            weight=np.empty(game.max_outcomes, np.float64),
        )


def room_below(game: Game, work: Workspace) -> Candidates:
    """Return room for the decisions below a candidate, with leaves if `work` keeps them."""
    capacity = work.leaf_rows.shape[1] // game.max_outcomes
    return Candidates.allocate(game, 1 if capacity else 0, capacity)


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


@kernel(inner=True)
def plan_leading(
    problem: Problem, room: Candidates, candidates: Candidates, tasks: Tasks, top: int
) -> None:
    """Plan a task for each outcome below the first `top` candidates.

    Args:
        problem: an algorithm of *-minimax.
        room: see `room_below`; its rows are written into.
        candidates: in the order of an earlier pass.
        tasks: to be planned.
        top: how many exact values are wanted.
    """
    candidates.progress[0] = 0
    tasks.planned[0] = 0
    for r in range(min(top, candidates.progress[1])):
        j = candidates.order[r]
        row = candidates.rows[j]
        payoff = problem.terminal(row, -problem.stake, problem.params)
        if payoff != NOT_OVER:
            candidates.values[j] = -payoff
            continue
        candidates.values[j] = 0.0
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
    problem: Problem,
    work: Workspace,
    candidates: Candidates,
    tasks: Tasks,
    task: int,
    depth: int,
    floor: float,
) -> float:
    """Return the value of a candidate, or a bound of at most the floor."""
    j = tasks.candidate[task]
    value = -star(
        problem, work, candidates.rows[j], np.float64(candidates.static[j]), -problem.stake,
        depth, -np.inf, -floor, -problem.high, -problem.low,
    )  # fmt: skip
    if work.leaf_rows.shape[1] > 0 and value > floor:
        level = depth // 2
        _keep_leaves(
            tasks, task, work.leaf_rows[level], work.leaf_weight[level], work.leaf_count[level]
        )
    return value


@kernel(inline=True)
def _do_outcome(
    problem: Problem,
    work: Workspace,
    room: Candidates,
    candidates: Candidates,
    tasks: Tasks,
    task: int,
    depth: int,
) -> float:
    """Return the value of a decision of the opponent: the one after an outcome."""
    row = candidates.rows[tasks.candidate[task]]
    n = begin_decision(problem, work, room, row, tasks.outcome[task], -problem.stake)
    if depth > 2 and problem.filter.replies > 0:
        n = keep_best(room.rows, room.static, n, problem.filter)
        for r in range(n):
            room.order[r] = r
    search_candidates(
        problem, work, room, n, depth - 2, 1, -problem.stake, -problem.high, -problem.low
    )
    if work.leaf_rows.shape[1] > 0:
        _keep_leaves(tasks, task, room.leaf_rows[0], room.leaf_weight[0], room.leaf_count[0])
    value: float = room.values[room.order[0]]
    return -value


@kernel(inline=True)
def do_tasks(
    problem: Problem,
    work: Workspace,
    room: Candidates,
    candidates: Candidates,
    tasks: Tasks,
    depth: int,
    floor: float,
) -> None:
    """Do the tasks that nobody has taken yet, until there are none.

    Args:
        problem: as for `plan_leading`.
        work: this thread's own.
        room: this thread's own; see `room_below`.
        candidates: the successors of the root; only read.
        tasks: planned; their results are written.
        depth: plies of the candidates' chance nodes, at least 2.
        floor: -inf in the first round; in the second, the value that the others must beat.
    """
    stats = work.stats
    for task in range(tasks.planned[0]):
        if tasks.taken[task]:
            continue
        tasks.taken[task] = True
        forget(work.table)
        for level in range(work.killer_known.shape[0]):
            for outcome in range(work.killer_known.shape[1]):
                work.killer_known[level, outcome] = False
        for what in range(N_COUNTS):
            work.before[what] = stats[what]
        if tasks.outcome[task] == _WHOLE:
            value = _do_whole(problem, work, candidates, tasks, task, depth, floor)
        else:
            value = _do_outcome(problem, work, room, candidates, tasks, task, depth)
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
def join_leading(candidates: Candidates, tasks: Tasks, top: int) -> float:
    """Put the results of the first round together, and return the floor of the second."""
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
    floor = np.inf
    for r in range(top):
        j = candidates.order[r]
        floor = min(floor, candidates.values[j])
        if record and candidates.leaf_count[r] == 0:  # a finished game
            copy_state(candidates.rows[j], candidates.leaf_rows[r, 0])
            candidates.leaf_weight[r, 0] = -1.0
            candidates.leaf_count[r] = 1
    candidates.progress[0] = top
    return floor


@kernel(inner=True)
def plan_rest(candidates: Candidates, tasks: Tasks, top: int) -> None:
    """Plan a task for each candidate behind the first `top`."""
    tasks.planned[0] = 0
    for r in range(top, candidates.progress[1]):
        _add_task(tasks, candidates.order[r], _WHOLE, 1.0, 1)


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


@kernel(inner=True)
def join_rest(candidates: Candidates, tasks: Tasks, top: int, floor: float) -> None:
    """Put the results of the second round in place, and sort all candidates.

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
    problem: Problem,
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
    plan_leading(problem, room, candidates, tasks, top)
    do_tasks(problem, work, room, candidates, tasks, depth, -np.inf)
    if work.stats[STOPPED] != 0:
        return
    floor = join_leading(candidates, tasks, top)
    plan_rest(candidates, tasks, top)
    do_tasks(problem, work, room, candidates, tasks, depth, floor)
    if work.stats[STOPPED] == 0:
        join_rest(candidates, tasks, top, floor)


def search_in_threads(
    problem: Problem,
    works: Sequence[Workspace],
    rooms: Sequence[Candidates],
    candidates: Candidates,
    tasks: Tasks,
    depth: int,
    top: int,
) -> None:
    """Do what `search_as_tasks` does, with a thread for each of the works.

    The counts of the first one grow by the work done by all.
    """
    load(plan_leading, do_tasks, join_leading, plan_rest, join_rest)
    with ThreadPoolExecutor(len(works)) as pool:
        counts = works[0].stats
        total = counts[:N_COUNTS].copy()

        def share(floor: float) -> None:
            begun = [
                pool.submit(do_tasks, problem, work, room, candidates, tasks, depth, floor)
                for work, room in zip(works, rooms, strict=True)
            ]
            for each in begun:
                each.result()
            total[:] += tasks.counts[: tasks.planned[0]].sum(axis=0)

        plan_leading(problem, rooms[0], candidates, tasks, top)
        share(-np.inf)
        if any(work.stats[STOPPED] for work in works):
            return
        floor = join_leading(candidates, tasks, top)
        plan_rest(candidates, tasks, top)
        share(floor)
        if any(work.stats[STOPPED] for work in works):
            return
        join_rest(candidates, tasks, top, floor)
        counts[:N_COUNTS] = total
