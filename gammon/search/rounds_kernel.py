"""The rounds of a pass by tasks: which tasks each has, and what follows from their results.

`next_round` puts the results of a round together and plans the next; `tasks_kernel` does the
tasks. `tasks` says which rounds there are.
"""

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.search.candidates import BOUND, EXACT, Candidates
from gammon.search.double import before_double, taken_value
from gammon.search.game import NOT_OVER
from gammon.search.leaves import copy_state
from gammon.search.problem import Problem
from gammon.search.tasks import BOTH, DOUBLE, PLANNED, ROLLED, ROUND, TURNED, WHOLE, Tasks

__all__ = ["next_round"]

#: The rounds, by what has been planned last.
_NOTHING, _LEADING, _DOUBLES, _OTHERS = range(4)


@kernel(inner=True)
def _add_task(tasks: Tasks, candidate: int, outcome: int, chance: float, size: int) -> None:
    """Plan a task, before those that are smaller."""
    k = last = tasks.marks[PLANNED]
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
    tasks.leaf_count[last, 0] = tasks.leaf_count[last, 1] = 0
    tasks.marks[PLANNED] = last + 1


@kernel(inner=True)
def _way(problem: Problem, static: float, floor: float) -> int:
    """Return the way in which to search a candidate that has to beat a floor.

    The stake after a double is searched beside the present one where the static value tells
    that it matters. Where that tells that the double is a pass, `star` mostly need not find R.
    But a pass that proves the candidate not to be above the floor is first probed for.

    Args:
        problem: as for `next_round`.
        static: of the candidate, to the player on roll there.
        floor: what it has to beat.
    """
    double = problem.offer(-problem.stake, problem.params)
    cash = np.float32(double.cash)
    if double.cash == NOT_OVER or static > cash or problem.filter.replies > 0:
        return ROLLED
    if static == cash and -floor > double.cash:
        return TURNED
    return ROLLED if double.ordered and double.factor * static <= static else BOTH


@kernel(inline=True)
def _plan_leading(
    problem: Problem, room: Candidates, candidates: Candidates, tasks: Tasks, top: int
) -> None:
    """Plan a task for each outcome below the first `top` candidates.

    Where the opponent's double seems to be a pass, a candidate is one task.
    """
    tasks.floor[0] = -np.inf
    for r in range(top):
        j = candidates.order[r]
        row = candidates.rows[j]
        candidates.kind[j], candidates.slot[j] = EXACT, r
        tasks.way[j] = _way(problem, candidates.static[j], -np.inf)
        payoff = problem.terminal(row, -problem.stake, problem.params)
        if payoff != NOT_OVER:
            candidates.values[j] = -payoff
            tasks.way[j] = TURNED
            continue
        if tasks.way[j] == TURNED:
            _add_task(tasks, j, WHOLE, 1.0, room.rows.shape[0])
            continue
        for outcome in range(problem.outcomes(row, problem.params, tasks.weight)):
            if tasks.weight[outcome] > 0.0:
                size = problem.successors(row, outcome, problem.params, room.rows)
                _add_task(tasks, j, outcome, tasks.weight[outcome], size)


@kernel(inner=True)
def _line_up(problem: Problem, tasks: Tasks, j: int, as_planned: bool) -> int:
    """Write the tasks of a candidate into `tasks.line`, and return how many they are.

    They come in the order of `picker.set_sequence`, so that sums are those of `star` to the
    last bit; or in that in which they were planned.
    """
    n = 0
    for task in range(tasks.marks[PLANNED]):
        if tasks.candidate[task] != j:
            continue
        place = n
        while not as_planned and place > 0:
            before = tasks.line[place - 1]
            later = tasks.outcome[before] > tasks.outcome[task]
            if problem.options.likely_first and tasks.chance[before] != tasks.chance[task]:
                later = tasks.chance[before] < tasks.chance[task]
            if not later:
                break
            tasks.line[place] = before
            place -= 1
        tasks.line[place] = task
        n += 1
    return n


@kernel(inner=True)
def _sum_up(tasks: Tasks, n: int, side: int) -> float:
    """Return the sum of the values of the n tasks in line, at one of the two stakes."""
    value: float = 0.0
    for task in tasks.line[:n]:
        value += tasks.chance[task] * tasks.values[task, side]
    return value


@kernel(inner=True)
def _join_leaves(
    problem: Problem, candidates: Candidates, tasks: Tasks, n: int, side: int
) -> None:
    """Let the leaves of the n tasks in line, at one stake, be those of their candidate."""
    if candidates.leaf_rows.shape[1] == 0:
        return
    slot = candidates.slot[tasks.candidate[tasks.line[0]]]
    part = tasks.leaf_rows.shape[1] // problem.max_outcomes
    count = 0
    for task in tasks.line[:n]:
        begin = part * max(tasks.outcome[task], 0)
        for m in range(begin, begin + tasks.leaf_count[task, side]):
            copy_state(tasks.leaf_rows[2 * slot + side, m], candidates.leaf_rows[slot, count])
            weight = tasks.chance[task] * tasks.leaf_weight[2 * slot + side, m]
            candidates.leaf_weight[slot, count] = weight
            count += 1
    candidates.leaf_count[slot] = count


@kernel(inner=True)
def _write_itself(candidates: Candidates, j: int) -> None:
    """Make a candidate its own one principal leaf."""
    if candidates.leaf_rows.shape[1] > 0:
        slot = candidates.slot[j]
        copy_state(candidates.rows[j], candidates.leaf_rows[slot, 0])
        candidates.leaf_weight[slot, 0] = -1.0
        candidates.leaf_count[slot] = 1


@kernel(inner=True)
def _join_double(
    problem: Problem, candidates: Candidates, tasks: Tasks, n: int, side: int, value: float
) -> None:
    """Let the player on roll in a candidate double, where that gains.

    Args:
        problem: as for `next_round`.
        candidates: the one in question has the value of rolling.
        tasks: the n of them in line have the leaves.
        n: how many.
        side: which of their values and leaves are those after a double.
        value: of rolling after a double, between R and a pass or beyond: to the player who
            decides at the root, before it is multiplied by a factor.
    """
    double = problem.offer(-problem.stake, problem.params)
    j = tasks.candidate[tasks.line[0]]
    rolled, value = -candidates.values[j], -value
    if rolled >= double.cash or value <= before_double(double, rolled):
        return
    if value >= before_double(double, double.cash):
        candidates.values[j] = -double.cash
        _write_itself(candidates, j)
        return
    candidates.values[j] = -max(rolled, min(taken_value(double, value), double.cash))
    _join_leaves(problem, candidates, tasks, n, side)


@kernel(inline=True)
def _join_leading(problem: Problem, candidates: Candidates, tasks: Tasks, top: int) -> None:
    """Put the results of the first round together."""
    for r in range(top):
        j = candidates.order[r]
        n = _line_up(problem, tasks, j, bool(1))
        if n == 0:  # a finished game
            _write_itself(candidates, j)
            continue
        candidates.values[j] = _sum_up(tasks, n, 0)
        _join_leaves(problem, candidates, tasks, n, 0)
        if tasks.way[j] == BOTH:
            n = _line_up(problem, tasks, j, bool(0))
            _join_double(problem, candidates, tasks, n, 1, _sum_up(tasks, n, 1))


@kernel(inline=True)
def _plan_doubles(problem: Problem, candidates: Candidates, tasks: Tasks, top: int) -> None:
    """Plan a task for each leading candidate in which a double might gain after all.

    The skips are those of `star`.
    """
    double = problem.offer(-problem.stake, problem.params)
    for r in range(top):
        j = candidates.order[r]
        rolled = -candidates.values[j]
        gains = tasks.way[j] == ROLLED and double.cash != NOT_OVER and rolled < double.cash
        if double.ordered:
            gains = gains and double.factor * rolled > rolled
        if gains:
            _add_task(tasks, j, DOUBLE, 1.0, 1)


@kernel(inline=True)
def _join_doubles(problem: Problem, candidates: Candidates, tasks: Tasks) -> None:
    """Put the results of the second round in place."""
    for task in range(tasks.marks[PLANNED]):
        tasks.line[0] = task
        _join_double(problem, candidates, tasks, 1, 0, tasks.values[task, 0])


@kernel(inline=True)
def _plan_others(problem: Problem, candidates: Candidates, tasks: Tasks, top: int) -> None:
    """Plan a task for each other candidate; the worst of the first `top` is the floor."""
    floor: float = np.inf
    for j in candidates.order[:top]:
        floor = min(floor, candidates.values[j])
    tasks.floor[0] = floor
    for r in range(top, candidates.progress[1]):
        j = candidates.order[r]
        candidates.slot[j] = r
        over = problem.terminal(candidates.rows[j], -problem.stake, problem.params) != NOT_OVER
        beside = not over and _way(problem, candidates.static[j], floor) == BOTH
        tasks.way[j] = BOTH if beside else TURNED
        _add_task(tasks, j, WHOLE, 1.0, 1)


@kernel(inline=True)
def _join_others(problem: Problem, candidates: Candidates, tasks: Tasks) -> None:
    """Put the results of the third round in place, and sort all candidates.

    The sort is stable: candidates of one value stay in the order of the pass before.
    """
    values, order = candidates.values, candidates.order
    for task in range(tasks.marks[PLANNED]):
        j = tasks.candidate[task]
        values[j] = tasks.values[task, 0]
        candidates.kind[j] = EXACT if values[j] > tasks.floor[0] else BOUND
        tasks.line[0] = task
        _join_leaves(problem, candidates, tasks, 1, 0)
    for r in range(1, candidates.progress[1]):
        j, place = order[r], r
        while place > 0 and values[order[place - 1]] < values[j]:
            order[place] = order[place - 1]
            place -= 1
        order[place] = j


@kernel(inner=True)
def next_round(
    problem: Problem, room: Candidates, candidates: Candidates, tasks: Tasks, top: int
) -> bool:
    """Put the results of a round together, and plan the next one that has tasks.

    Args:
        problem: an algorithm of *-minimax.
        room: see `room_below`; its rows are written into.
        candidates: in the order of an earlier pass, and sorted again in the end. With room for
            leaves, it has a slot for each candidate.
        tasks: of the last round; `tasks.marks[ROUND]` is 0 before the first one.
        top: how many exact values are wanted.

    Returns:
        Whether there are tasks to do; else the pass is complete.
    """
    marks, n = tasks.marks, candidates.progress[1]
    top = min(top, n)
    while True:
        # The tasks of this round are done.
        done = marks[ROUND]
        if done == _LEADING:
            _join_leading(problem, candidates, tasks, top)
        elif done == _DOUBLES:
            _join_doubles(problem, candidates, tasks)
        elif done == _OTHERS:
            _join_others(problem, candidates, tasks)
            candidates.progress[0] = n
            return False
        marks[PLANNED] = 0
        marks[ROUND] = done + 1
        if done == _NOTHING:
            candidates.progress[0] = 0
            _plan_leading(problem, room, candidates, tasks, top)
        elif done == _LEADING:
            _plan_doubles(problem, candidates, tasks, top)
        else:
            candidates.progress[0] = top
            _plan_others(problem, candidates, tasks, top)
        if marks[PLANNED] > 0:
            return True
