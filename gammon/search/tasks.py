"""One pass over the candidates of a decision, divided into independent tasks.

The pass has three rounds. `next_round` joins the results of one round and plans the next;
`tasks_kernel` does the tasks.

1. The best `top` candidates of the previous pass get exact values. Their chance nodes have open
   windows, so each outcome is a separate decision, and a task. If a double by the player on
   roll in a candidate seems to matter, its tasks search both stakes, with and without the
   double.
2. If such a double was not searched but might matter after all, it is a task of this round.
3. The worst of these values is the floor. Every other candidate is a task, which proves it not
   to be above the floor, or finds its exact value. (In bounded search its width may be proof enough.)

A task begins with an empty table and no killers, and the floor does not rise during a round. So
the result of a task depends neither on the thread that does it nor on the order of tasks. The
cost is small: on positions of self-play, the tasks of depth 5 visit 2 % more leaves than an
undivided search, which keeps its table and raises its floor.
"""

from typing import NamedTuple

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import (
    Float64Matrix,
    Float64Vector,
    Int8Stack,
    Int8Vector,
    Int64Matrix,
    Int64Vector,
    trusted,
)
from gammon.search.candidates import BOUND, EXACT, Candidates
from gammon.search.game import NOT_OVER, Game, before_double, taken_value
from gammon.search.leaves import copy_state
from gammon.search.picker import place_candidate, set_sequence
from gammon.search.problem import Problem
from gammon.search.stats import N_COUNTS
from gammon.search.workspace import Workspace

#: `Tasks.outcome` of a task that is a candidate's whole chance node.
WHOLE_NODE = -1
#: `Tasks.outcome` of a task that is a double by the player on roll in a candidate.
DOUBLE = -2
#: How the tasks of a candidate search it: before the turn, as `star` does, when the player on
#: roll may double; only rolling, with doubles left for the second round; or at both stakes.
MAY_DOUBLE, NO_DOUBLE, BOTH_STAKES = range(3)

#: Indices of `Tasks.marks` for the leading thread: the number of tasks planned, the round of the
#: pass, and the plies of the candidates' chance nodes.
PLANNED, ROUND, DEPTH = range(3)
#: Indices of `Tasks.marks` that all threads share, by the atomic operations of
#: `gammon.compiled.memory`: whether a pass is under way; where the tasks of the round end; the
#: next task to take; the number of tasks done; whether a thread had to stop.
OPEN, LIMIT, NEXT, DONE, HALTED = range(3, 8)
_MARKS = 8
#: The values of `Tasks.marks[ROUND]`: the round planned last.
_NOTHING, _LEADING, _DOUBLES, _OTHERS = range(4)


@trusted
class Tasks(NamedTuple):
    """Memory for K tasks and their results, for a decision with up to R candidates.

    Attributes:
        candidate: int64 [K], the candidate of the task, a successor of the root.
        outcome: int64 [K], the outcome after the candidate, `WHOLE_NODE` or `DOUBLE`.
        chance: float64 [K], the probability of the outcome.
        size: int64 [K], the number of successors: the largest tasks go first, so that no
            thread is left with a long one at the end.
        values: float64 [K, 2], to the player who decides at the root: at the present stake, and
            after a double, before multiplication by a factor. A task that is a double has only
            the first value.
        counts: int64 [K, 7], the work; see `stats.Stats`.
        leaf_rows: int8 [2 R, C, W], the principal leaves of exact values. A candidate with slot
            s has row 2 s at the present stake and row 2 s + 1 after a double; each outcome has
            a part of the row.
        leaf_weight: float64 [2 R, C], as in `Candidates`; without the outcome's probability.
        leaf_count: int64 [K, 2].
        mode: int8 [R], how the tasks of a candidate search it: `MAY_DOUBLE`, `NO_DOUBLE` or
            `BOTH_STAKES`.
        total: int64 [7], the work of the rounds that are complete.
        marks: int64 [8], see `PLANNED` and `OPEN`.
        floor: float64 [1], the value that a `WHOLE_NODE` task has to beat.
        line: int64 [N], the tasks of one candidate, in the order in which values are summed.
        weight: float64 [N], the probabilities of a candidate's outcomes.
    """

    candidate: Int64Vector
    outcome: Int64Vector
    chance: Float64Vector
    size: Int64Vector
    values: Float64Matrix
    counts: Int64Matrix
    leaf_rows: Int8Stack
    leaf_weight: Float64Matrix
    leaf_count: Int64Matrix
    mode: Int8Vector
    total: Int64Vector
    marks: Int64Vector
    floor: Float64Vector
    line: Int64Vector
    weight: Float64Vector

    @classmethod
    def allocate(cls, game: Game, size: int, top: int = 1, capacity: int = 0) -> "Tasks":
        """Allocate memory for a decision of up to `size` candidates.

        Args:
            game: the rules.
            size: R, the most candidates.
            top: how many of them get a task for each outcome.
            capacity: C, the most principal leaves of a candidate; 0 if none are kept.
        """
        k = max(size, min(top, size) * game.max_outcomes)
        return cls(
            candidate=np.empty(k, np.int64),
            outcome=np.empty(k, np.int64),
            chance=np.empty(k, np.float64),
            size=np.empty(k, np.int64),
            values=np.empty((k, 2), np.float64),
            counts=np.empty((k, N_COUNTS), np.int64),
            leaf_rows=np.empty((2 * size, capacity, game.width), np.int8),
            leaf_weight=np.empty((2 * size, capacity), np.float64),
            leaf_count=np.empty((k, 2), np.int64),
            mode=np.empty(size, np.int8),
            total=np.zeros(N_COUNTS, np.int64),
            marks=np.zeros(_MARKS, np.int64),
            floor=np.empty(1, np.float64),
            line=np.empty(game.max_outcomes, np.int64),
            weight=np.empty(game.max_outcomes, np.float64),
        )


def candidates_below(game: Game, work: Workspace) -> Candidates:
    """Allocate memory for the decisions below a candidate, with leaves if `work` keeps them.

    There are two slots for leaves, one for each stake.
    """
    capacity = work.leaf_rows.shape[1] // game.max_outcomes
    return Candidates.allocate(game, 2 if capacity else 0, capacity)


@kernel(inner=True)
def _add_task(tasks: Tasks, candidate: int, outcome: int, chance: float, size: int) -> None:
    """Insert a task before all smaller ones."""
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
def _mode_of(problem: Problem, static: float, floor: float) -> int:
    """Return the mode in which to search a candidate that has to beat a floor.

    Both stakes are searched if the static value indicates that the double matters. If it
    indicates a pass, `star` usually need not search rolling at all; but if a pass would prove
    the candidate not to be above the floor, the pass is probed for first.

    `static` is the candidate's static value to the player on roll there.
    """
    double = problem.offer(-problem.stake, problem.params)
    cash = np.float32(double.cash)
    if double.cash == NOT_OVER or static > cash or problem.filter.replies > 0:
        return NO_DOUBLE
    if static == cash and -floor > double.cash:
        return MAY_DOUBLE
    return NO_DOUBLE if double.ordered and double.factor * static <= static else BOTH_STAKES


@kernel(inline=True)
def _plan_leading(
    problem: Problem, below: Candidates, candidates: Candidates, tasks: Tasks, top: int
) -> None:
    """Plan a task for each outcome below the first `top` candidates.

    If the opponent's double seems to be a pass, the candidate is one task.
    """
    tasks.floor[0] = -np.inf
    for r in range(top):
        j = candidates.order[r]
        row = candidates.rows[j]
        candidates.kind[j], candidates.slot[j] = EXACT, r
        tasks.mode[j] = _mode_of(problem, candidates.static[j], -np.inf)
        payoff = problem.terminal(row, -problem.stake, problem.params)
        if payoff != NOT_OVER:
            candidates.values[j] = -payoff
            tasks.mode[j] = MAY_DOUBLE
            continue
        if tasks.mode[j] == MAY_DOUBLE:
            _add_task(tasks, j, WHOLE_NODE, 1.0, below.rows.shape[0])
            continue
        for outcome in range(problem.outcomes(row, problem.params, tasks.weight)):
            if tasks.weight[outcome] > 0.0:
                size = problem.successors(row, outcome, problem.params, below.rows)
                _add_task(tasks, j, outcome, tasks.weight[outcome], size)


@kernel(inner=True)
def _line_up(tasks: Tasks, j: int) -> int:
    """Write the tasks of a candidate into `tasks.line` as planned, and return their number."""
    n = 0
    for task in range(tasks.marks[PLANNED]):
        if tasks.candidate[task] == j:
            tasks.line[n] = task
            n += 1
    return n


@kernel(inner=True)
def sort_line(tasks: Tasks, n: int, likely_first: bool) -> None:
    """Sort the n tasks in `tasks.line` by outcome, in the order in which `star` adds values.

    So a sum over them equals the sum of `star` to the last bit. Each task is one outcome of the
    same candidate.
    """
    line, weight = tasks.line, tasks.weight
    j = tasks.candidate[line[0]]
    for outcome in range(weight.shape[0]):
        weight[outcome] = 0.0
    for task in line[:n]:
        weight[tasks.outcome[task]] = tasks.chance[task]
    set_sequence(line, weight, weight.shape[0], likely_first)
    for place in range(n):
        outcome = line[place]
        for task in range(tasks.marks[PLANNED]):
            if tasks.candidate[task] == j and tasks.outcome[task] == outcome:
                line[place] = task


@kernel(inner=True)
def _sum_up(tasks: Tasks, n: int, side: int) -> float:
    """Return the weighted sum of the values of the n tasks in `tasks.line`, at one stake."""
    value: float = 0.0
    for task in tasks.line[:n]:
        value += tasks.chance[task] * tasks.values[task, side]
    return value


@kernel(inner=True)
def _join_leaves(problem: Problem, candidates: Candidates, tasks: Tasks, n: int, side: int) -> None:
    """Copy the leaves of the n tasks in `tasks.line`, at one stake, to their candidate."""
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
    """Make a candidate its own only principal leaf."""
    if candidates.leaf_rows.shape[1] > 0:
        slot = candidates.slot[j]
        copy_state(candidates.rows[j], candidates.leaf_rows[slot, 0])
        candidates.leaf_weight[slot, 0] = -1.0
        candidates.leaf_count[slot] = 1


@kernel(inner=True)
def _join_double(
    problem: Problem, candidates: Candidates, tasks: Tasks, n: int, side: int, value: float
) -> None:
    """Update a candidate's value for a double by the player on roll there, if that gains.

    The candidate is the one of the n tasks in `tasks.line`, and its value so far is of rolling.
    `value` is the value of rolling after a double, to the player who decides at the root,
    before multiplication by a factor. `side` is the index of the tasks' leaves after a double.
    """
    double = problem.offer(-problem.stake, problem.params)
    j = tasks.candidate[tasks.line[0]]
    rolled, value = -candidates.values[j], -value
    if rolled >= double.cash or value <= before_double(double, rolled):
        return
    if value >= before_double(double, double.cash):
        candidates.values[j] = -double.cash  # the leaves stay, as if the game were played on
        return
    candidates.values[j] = -max(rolled, min(taken_value(double, value), double.cash))
    _join_leaves(problem, candidates, tasks, n, side)


@kernel(inline=True)
def _join_leading(problem: Problem, candidates: Candidates, tasks: Tasks, top: int) -> None:
    """Join the results of the first round."""
    for r in range(top):
        j = candidates.order[r]
        n = _line_up(tasks, j)
        if n == 0:  # a finished game
            _write_itself(candidates, j)
            continue
        if tasks.mode[j] != MAY_DOUBLE:
            sort_line(tasks, n, problem.options.likely_first)
        candidates.values[j] = _sum_up(tasks, n, 0)
        _join_leaves(problem, candidates, tasks, n, 0)
        if tasks.mode[j] == BOTH_STAKES:
            _join_double(problem, candidates, tasks, n, 1, _sum_up(tasks, n, 1))


@kernel(inline=True)
def _plan_doubles(problem: Problem, candidates: Candidates, tasks: Tasks, top: int) -> None:
    """Plan a task for each leading candidate in which a double might gain after all.

    A double is skipped under the same conditions as in `star`.
    """
    double = problem.offer(-problem.stake, problem.params)
    for r in range(top):
        j = candidates.order[r]
        rolled = -candidates.values[j]
        gains = tasks.mode[j] == NO_DOUBLE and double.cash != NOT_OVER and rolled < double.cash
        if double.ordered and not problem.bounded:
            gains = gains and double.factor * rolled > rolled
        if gains:
            _add_task(tasks, j, DOUBLE, 1.0, 1)


@kernel(inline=True)
def _join_doubles(problem: Problem, candidates: Candidates, tasks: Tasks) -> None:
    """Join the results of the second round."""
    for task in range(tasks.marks[PLANNED]):
        tasks.line[0] = task
        _join_double(problem, candidates, tasks, 1, 0, tasks.values[task, 0])


@kernel(inline=True)
def _plan_others(problem: Problem, candidates: Candidates, tasks: Tasks, top: int) -> None:
    """Plan a task for each other candidate; the worst of the first `top` is the floor."""
    n, values, order = candidates.progress[1], candidates.values, candidates.order
    floor: float = np.inf
    for j in order[:top]:
        floor = min(floor, values[j])
    tasks.floor[0] = floor
    for r in range(top, n):
        j = order[r]
        candidates.slot[j] = r
        over = problem.terminal(candidates.rows[j], -problem.stake, problem.params) != NOT_OVER
        both = not over and _mode_of(problem, candidates.static[j], floor) == BOTH_STAKES
        both = both and not problem.bounded  # whose probes need a window
        tasks.mode[j] = BOTH_STAKES if both else MAY_DOUBLE
        _add_task(tasks, j, WHOLE_NODE, 1.0, 1)


@kernel(inline=True)
def _join_others(problem: Problem, candidates: Candidates, tasks: Tasks) -> None:
    """Join the results of the third round, and sort all candidates.

    The sort is stable: candidates of equal value stay in the order of the previous pass.
    """
    values, order = candidates.values, candidates.order
    for task in range(tasks.marks[PLANNED]):
        j = tasks.candidate[task]
        values[j] = tasks.values[task, 0]
        candidates.kind[j] = EXACT if values[j] > tasks.floor[0] else BOUND
        tasks.line[0] = task
        _join_leaves(problem, candidates, tasks, 1, 0)
    for r in range(1, candidates.progress[1]):
        place_candidate(values, order, r)


@kernel(inner=True)
def next_round(problem: Problem, below: Candidates, candidates: Candidates, tasks: Tasks, top: int) -> bool:
    """Join the results of a round, and plan the next round that has tasks.

    Args:
        problem: the problem of a *-minimax search.
        below: see `candidates_below`; its rows are scratch.
        candidates: in the order of an earlier pass, and sorted again at the end. If leaves are
            kept, it has a slot for each candidate.
        tasks: the tasks of the last round; `tasks.marks[ROUND]` is 0 before the first round.
        top: how many exact values are wanted.

    Returns:
        Whether there are tasks to do; if not, the pass is complete.
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
            _plan_leading(problem, below, candidates, tasks, top)
        elif done == _LEADING:
            _plan_doubles(problem, candidates, tasks, top)
        else:
            candidates.progress[0] = top
            _plan_others(problem, candidates, tasks, top)
        if marks[PLANNED] > 0:
            return True
