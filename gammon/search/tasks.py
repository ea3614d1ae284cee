"""One decision as many independent tasks, for any number of threads.

The pass at full depth has two rounds. In the first, the best `top` candidates of the pass
before get exact values: their chance nodes have open windows, so that each outcome is a
decision of its own, and a task. The worst of the values found is the floor of the second
round, in which every other candidate is a task: proven not to be above the floor, or exact.

A task begins with an empty table and no killers, and the floor does not rise during a
round; so what it finds does not depend on who does it, nor when. The price is small: on
positions of self-play, the tasks of depth 5 look at as many leaves as one search does that
keeps its table and raises its floor.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import types

from gammon.kernel import kernel
from gammon.search.decision import (
    CANDIDATES,
    Candidates,
    begin_decision,
    node_value,
    search_candidates,
)
from gammon.search.game import NOT_OVER, Game
from gammon.search.leaves import copy_state
from gammon.search.options import Options
from gammon.search.order import narrow
from gammon.search.problem import PROBLEM_FIELDS, Problem
from gammon.search.stats import STOPPED, Stats
from gammon.search.workspace import WORKSPACE, Workspace

__all__ = ["search_by_tasks"]

#: The outcome of a task that is a whole candidate.
_WHOLE = -1
_N_COUNTS = len(Stats._fields)


class Tasks(NamedTuple):
    """K tasks, and what has been found.

    Attributes:
        candidate: int64 [K], which successor of the root.
        outcome: int64 [K], which outcome below it, or `_WHOLE`.
        taken: int64 [K]. Two threads that take one at the same moment both do it, which
            is a waste and no error.
        values: float64 [K], to the player who decides at the root.
        counts: int64 [K, 7], the work; see `stats.Stats`.
        leaf_rows: int8 [K, C, W], the principal leaves of what has been found exactly.
        leaf_weight: float64 [K, C], as in `Candidates`; for an outcome, without its
            probability.
        leaf_count: int64 [K].
    """

    candidate: npt.NDArray[np.int64]
    outcome: npt.NDArray[np.int64]
    taken: npt.NDArray[np.int64]
    values: npt.NDArray[np.float64]
    counts: npt.NDArray[np.int64]
    leaf_rows: npt.NDArray[np.int8]
    leaf_weight: npt.NDArray[np.float64]
    leaf_count: npt.NDArray[np.int64]

    @classmethod
    def of(cls, parts: Sequence[tuple[int, int]], capacity: int, width: int) -> "Tasks":
        """Return the tasks for these candidates and outcomes."""
        k = len(parts)
        pairs = np.array(parts, np.int64).reshape(k, 2)
        return cls(
            candidate=pairs[:, 0].copy(),
            outcome=pairs[:, 1].copy(),
            taken=np.zeros(k, np.int64),
            values=np.zeros(k, np.float64),
            counts=np.zeros((k, _N_COUNTS), np.int64),
            leaf_rows=np.empty((k, capacity, width), np.int8),
            leaf_weight=np.empty((k, capacity), np.float64),
            leaf_count=np.zeros(k, np.int64),
        )


_TASKS = types.NamedTuple(  # type: ignore[no-untyped-call]
    (
        types.int64[::1],
        types.int64[::1],
        types.int64[::1],
        types.float64[::1],
        types.int64[:, ::1],
        types.int8[:, :, ::1],
        types.float64[:, ::1],
        types.int64[::1],
    ),
    Tasks,
)


@kernel(types.void(WORKSPACE), inner=True)
def _forget(work: Workspace) -> None:
    """Empty the table, the killers and the counts."""
    for slot in range(work.table.depth.shape[0]):
        work.table.depth[slot] = -1
    for place in range(work.table.decisions.shape[0]):
        work.table.decisions[place] = 0
    for level in range(work.killer_known.shape[0]):
        for outcome in range(work.killer_known.shape[1]):
            work.killer_known[level, outcome] = False
    for what in range(_N_COUNTS):
        work.stats[what] = 0


@kernel(
    types.void(_TASKS, types.int64, types.int8[:, ::1], types.float64[::1], types.int64),
    inner=True,
)
def _keep_leaves(
    tasks: Tasks,
    task: int,
    rows: npt.NDArray[np.int8],
    weight: npt.NDArray[np.float64],
    count: int,
) -> None:
    """Copy the leaves of a task, whose weights are those of the opponent at the root."""
    for m in range(count):
        copy_state(rows[m], tasks.leaf_rows[task, m])
        tasks.leaf_weight[task, m] = -weight[m]
    tasks.leaf_count[task] = count


@kernel(
    types.void(
        *PROBLEM_FIELDS, types.float64, types.float64, WORKSPACE, CANDIDATES, CANDIDATES,
        _TASKS, types.int64, types.float64,
    )
)  # fmt: skip
def task_kernel(
    outcomes: Callable[..., Any],
    successors: Callable[..., Any],
    terminal: Callable[..., Any],
    bounds: Callable[..., Any],
    max_outcomes: int,
    max_successors: int,
    leaf: Callable[..., Any],
    leaf_weights: npt.NDArray[np.float32],
    probe: Callable[..., Any],
    probe_weights: npt.NDArray[np.float32],
    probes: int,
    sigma: float,
    noise_seed: np.uint64,
    options: Options,
    low: float,
    high: float,
    work: Workspace,
    decision: Candidates,
    candidates: Candidates,
    tasks: Tasks,
    depth: int,
    floor: float,
) -> None:
    """Do the tasks that nobody has taken yet, until there are none.

    Args:
        outcomes ... options: the fields of a `Problem`.
        low: no value is below it, for the player who decides at the root.
        high: no value is above it.
        work: this thread's own.
        decision: this thread's own, with one slot for leaves if `work` keeps them.
        candidates: the successors of the root; only read.
        tasks: what is to be done, and found.
        depth: plies of the candidates' chance nodes, at least 2.
        floor: see the module's text.
    """
    problem = Problem(
        outcomes, successors, terminal, bounds, max_outcomes, max_successors,
        leaf, leaf_weights, probe, probe_weights, probes, sigma, noise_seed, options,
    )  # fmt: skip
    record = work.leaf_rows.shape[1] > 0
    for task in range(tasks.taken.shape[0]):
        if tasks.taken[task] != 0:
            continue
        tasks.taken[task] = 1
        _forget(work)
        j = tasks.candidate[task]
        row = candidates.rows[j]
        if tasks.outcome[task] == _WHOLE:
            value = -node_value(
                problem, work, row, np.float64(candidates.static[j]), depth,
                -np.inf, -floor, -high, -low,
            )  # fmt: skip
            if record and value > floor:
                level = depth // 2
                _keep_leaves(
                    tasks, task, work.leaf_rows[level], work.leaf_weight[level],
                    work.leaf_count[level],
                )  # fmt: skip
        else:
            n = begin_decision(problem, work, decision, row, tasks.outcome[task])
            if depth > 2 and options.replies > 0:
                n = narrow(decision.rows, decision.static, n, options)
                for r in range(n):
                    decision.order[r] = r
            search_candidates(problem, work, decision, n, depth - 2, 1, -high, -low)
            value = -decision.values[decision.order[0]]
            if record:
                _keep_leaves(
                    tasks, task, decision.leaf_rows[0], decision.leaf_weight[0],
                    decision.leaf_count[0],
                )  # fmt: skip
        if work.stats[STOPPED] != 0:
            return
        tasks.values[task] = value
        for what in range(_N_COUNTS):
            tasks.counts[task, what] = work.stats[what]


def _join_leaves(
    candidates: Candidates, slot: int, tasks: Tasks, task: int, probability: float
) -> None:
    """Add the leaves of a task to those of its candidate."""
    count = tasks.leaf_count[task]
    start = candidates.leaf_count[slot]
    end = start + count
    candidates.leaf_rows[slot, start:end] = tasks.leaf_rows[task, :count]
    candidates.leaf_weight[slot, start:end] = probability * tasks.leaf_weight[task, :count]
    candidates.leaf_count[slot] = end


def _below(game: Game, work: Workspace) -> Candidates:
    """Return room for the decisions below a candidate, with leaves if `work` keeps them."""
    capacity = work.leaf_rows.shape[1] // game.max_outcomes
    return Candidates.allocate(game, 1 if capacity else 0, capacity)


def search_by_tasks(
    problem: Problem,
    game: Game,
    works: Sequence[Workspace],
    candidates: Candidates,
    depth: int,
    top: int,
) -> None:
    """Give the candidates the values of chance nodes of `depth`, and sort them.

    Args:
        problem: an algorithm whose values do not depend on who is at the root.
        game: its game.
        works: one for each thread. The counts of the first one grow by the work done.
        candidates: valued and ordered by an earlier pass.
        depth: plies, at least 2.
        top: how many exact values are wanted.

    If the search had to stop, what it leaves in `candidates` means nothing.
    """
    with ThreadPoolExecutor(max(len(works) - 1, 1)) as pool:
        n = int(candidates.progress[1])
        order = candidates.order[:n].copy()
        values, exact, slot = candidates.values, candidates.exact, candidates.slot
        stats = works[0].stats
        counted = stats[:_N_COUNTS].copy()
        record = works[0].leaf_rows.shape[1] > 0
        rooms = [_below(game, work) for work in works]
        chance = np.empty(game.max_outcomes, np.float64)

        def do(tasks: Tasks, floor: float, thread: int) -> None:
            task_kernel(
                *problem, game.low, game.high, works[thread], rooms[thread], candidates, tasks,
                depth, floor,
            )  # fmt: skip

        def done(parts: Sequence[tuple[int, int]], floor: float) -> Tasks:
            whole = bool(parts) and parts[0][1] == _WHOLE
            capacity = (works[0] if whole else rooms[0]).leaf_rows.shape[1]
            tasks = Tasks.of(parts, capacity, game.width)
            others = [pool.submit(do, tasks, floor, k) for k in range(1, len(works))]
            do(tasks, floor, 0)
            for other in others:
                other.result()
            counted[:] += tasks.counts.sum(axis=0)
            return tasks

        candidates.progress[0] = 0
        first: list[tuple[int, int, int, float]] = []
        for j in order[:top]:
            # What a finished game is worth, an earlier pass has found.
            row = candidates.rows[j]
            if game.terminal(row) == NOT_OVER:
                for outcome in range(game.outcomes(row, chance)):
                    size = game.successors(row, outcome, rooms[0].rows)
                    first.append((size, int(j), outcome, float(chance[outcome])))
                values[j] = 0.0
        # Those with most to look at go first, so that no thread is left with a long one.
        first.sort(key=lambda part: -part[0])
        parts = [(j, outcome) for _, j, outcome, _ in first]
        chances = [probability for *_, probability in first]
        tasks = done(parts, -np.inf)
        candidates.leaf_count[:] = 0
        for r, j in enumerate(order[:top]):
            exact[j] = True
            if record:
                slot[j] = r
        for k, (j, _) in enumerate(parts):
            values[j] += chances[k] * tasks.values[k]
            if record:
                _join_leaves(candidates, slot[j], tasks, k, chances[k])
        for r, j in enumerate(order[:top]):
            if record and candidates.leaf_count[r] == 0:
                candidates.leaf_rows[r, 0] = candidates.rows[j]
                candidates.leaf_weight[r, 0] = -1.0
                candidates.leaf_count[r] = 1

        candidates.progress[0] = min(top, n)
        rest = [(int(j), _WHOLE) for j in order[top:]]
        if rest:
            floor = float(values[order[:top]].min())
            tasks = done(rest, floor)
            for (j, _), value in zip(rest, tasks.values, strict=True):
                values[j] = value
                exact[j] = value > floor
        # A stable sort: what is equal stays in the order of the pass before.
        ranked = order[np.argsort(-values[order], kind="stable")]
        if record:
            # Who falls out of the first `top` gives up the slot.
            free = [slot[j] for j in order[:top] if j not in ranked[:top]]
            for k, (j, _) in enumerate(rest):
                if j in ranked[:top]:
                    slot[j] = free.pop()
                    candidates.leaf_count[slot[j]] = 0
                    _join_leaves(candidates, slot[j], tasks, k, 1.0)
        candidates.order[:n] = ranked
        candidates.progress[0] = n
        stats[:_N_COUNTS] = counted
