"""The candidates of a decision: the exact values of the best, bounds for the others.

Each candidate is the chance node after a move, and they are searched one by one. Once `top` of
them have exact values, the worst of these values is the floor: a candidate proven not to be
above it needs no exact value. Depth 1 orders the candidates for depth 3, depth 3 for depth 5,
and so on, because the floor cuts most when good candidates come first.
"""

from typing import NamedTuple

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import (
    Float32Vector,
    Float64Matrix,
    Float64Vector,
    Int8Matrix,
    Int8Stack,
    Int8Vector,
    Int64Vector,
    trusted,
)
from gammon.search.algorithms import Search, node_value
from gammon.search.evaluation import leaf_values
from gammon.search.game import Game, State
from gammon.search.leaves import Leaves, copy_state
from gammon.search.picker import place_candidate, sort_by_static
from gammon.search.problem import Filter, Problem
from gammon.search.stats import STOPPED
from gammon.search.workspace import Workspace

#: The kinds of a candidate's value: the exact value, an upper bound, or the static value of a
#: candidate that the filter left out.
EXACT, BOUND, STATIC = range(3)


@trusted
class Candidates(NamedTuple):
    """The successors of a decision, at most R, and what is known of them.

    Attributes:
        rows: int8 [R, W], each seen from the opponent.
        static: float32 [R], their static values, to the opponent.
        values: float64 [R], to the player who decides.
        kind: int8 [R]: EXACT, BOUND or STATIC.
        order: int64 [R], the candidates by value, best first; candidates that the filter
            leaves out come last.
        slot: int64 [R], the slot of a leading candidate's principal leaves.
        leaf_rows: int8 [T, C, W], principal leaves by slot.
        leaf_weight: float64 [T, C], negative where the opponent is on roll.
        leaf_count: int64 [T].
        progress: int64 [2], how many candidates have been searched to the full depth,
            and how many will be; another thread may read it.
        n_candidates: int64 [1], the number of candidates.
    """

    rows: Int8Matrix
    static: Float32Vector
    values: Float64Vector
    kind: Int8Vector
    order: Int64Vector
    slot: Int64Vector
    leaf_rows: Int8Stack
    leaf_weight: Float64Matrix
    leaf_count: Int64Vector
    progress: Int64Vector
    n_candidates: Int64Vector

    @classmethod
    def allocate(cls, game: Game, slots: int = 0, capacity: int = 0) -> "Candidates":
        """Allocate memory for a decision, and for `slots` lists of `capacity` leaves."""
        size = game.max_successors
        return cls(
            rows=np.empty((size, game.width), np.int8),
            static=np.empty(size, np.float32),
            values=np.empty(size, np.float64),
            kind=np.empty(size, np.int8),
            order=np.empty(size, np.int64),
            slot=np.empty(size, np.int64),
            leaf_rows=np.empty((slots, capacity, game.width), np.int8),
            leaf_weight=np.empty((slots, capacity), np.float64),
            leaf_count=np.zeros(slots, np.int64),
            progress=np.zeros(2, np.int64),
            n_candidates=np.zeros(1, np.int64),
        )

    def copy(self) -> "Candidates":
        """Return a copy of all arrays; of the memory for leaves, only what is in use."""
        most = int(self.leaf_count.max(initial=0))
        rows, weight = np.empty_like(self.leaf_rows), np.empty_like(self.leaf_weight)
        rows[:, :most], weight[:, :most] = self.leaf_rows[:, :most], self.leaf_weight[:, :most]
        others = self._replace(leaf_rows=rows[:0], leaf_weight=weight[:0])
        copies = Candidates(*(array.copy() for array in others))  # type: ignore[arg-type]
        return copies._replace(leaf_rows=rows, leaf_weight=weight)

    def with_slots(self, slots: int) -> "Candidates":
        """Return the same candidates with memory for the leaves of more candidates, or fewer."""
        changed = {}
        for name in ("leaf_rows", "leaf_weight", "leaf_count"):
            before = getattr(self, name)
            after = np.zeros((slots, *before.shape[1:]), before.dtype)
            after[: len(before)] = before[:slots]
            changed[name] = after
        return self._replace(**changed)

    def leaves(self, candidate: int) -> Leaves:
        """Return the principal leaves of one of the first `top` candidates."""
        slot = self.slot[candidate]
        return Leaves.of(self.leaf_rows[slot], self.leaf_weight[slot], self.leaf_count[slot])


@kernel(inner=True)
def keep_leaves(work: Workspace, level: int, candidates: Candidates, slot: int) -> None:
    """Copy the leaves of the last node of `level`, with signs for the player above it."""
    count = work.leaf_count[level]
    for m in range(count):
        copy_state(work.leaf_rows[level, m], candidates.leaf_rows[slot, m])
        candidates.leaf_weight[slot, m] = -work.leaf_weight[level, m]
    candidates.leaf_count[slot] = count


@kernel(inner=True)
def begin_decision(
    problem: Problem, work: Workspace, candidates: Candidates, state: State, outcome: int, stake: int
) -> int:
    """Write the n candidates of a decision, in the order of their static values; return n."""
    n = problem.successors(state, outcome, problem.params, candidates.rows)
    leaf_values(problem, work, state, candidates.rows, n, stake, candidates.static)
    sort_by_static(
        problem, candidates.rows, work.outputs, candidates.static, n, stake, candidates.order, work.doubled
    )
    candidates.progress[1] = n
    candidates.n_candidates[0] = n
    return n


@kernel(inner=True)
def search_candidates(
    search: Search,
    work: Workspace,
    candidates: Candidates,
    n: int,
    depth: int,
    top: int,
    stake: int,
    low: float,
    high: float,
) -> None:
    """Search the chance nodes of n candidates to `depth`, and sort the candidates by value.

    If the search had to stop, the contents of `candidates` mean nothing.

    Args:
        search: the problem and the algorithm.
        work: buffers for `depth`.
        candidates: in the order in which to search them.
        n: how many of these.
        depth: plies, even.
        top: how many exact values are wanted.
        stake: the stake of the player who decides.
        low: a lower bound of all values, to that player.
        high: an upper bound of all values.
    """
    values, order = candidates.values, candidates.order
    record = search.keeps_leaves and work.leaf_rows.shape[1] > 0
    candidates.progress[0] = 0
    for r in range(n):
        # order[:r] is sorted already, and its first `top` candidates are exact.
        j = order[r]
        floor = -np.inf
        if r >= top and search.cuts and depth > 0:
            floor = values[order[top - 1]]
        value = -node_value(
            search, work, candidates.rows[j], np.float64(candidates.static[j]), -stake,
            bool(1), depth, -np.inf, -floor, -high, -low,
        )  # fmt: skip
        if work.stats[STOPPED] != 0:
            return
        candidates.kind[j] = EXACT if value > floor else BOUND

        if record:
            # A candidate that drops out of the first `top` gives up its slot.
            if r < top:
                candidates.slot[j] = r
                keep_leaves(work, depth // 2, candidates, r)
            elif value > values[order[top - 1]]:
                candidates.slot[j] = candidates.slot[order[top - 1]]
                keep_leaves(work, depth // 2, candidates, candidates.slot[j])

        values[j] = value
        place_candidate(values, order, r)
        candidates.progress[0] = r + 1


@kernel()
def drop_worst(candidates: Candidates, filter: Filter) -> None:
    """Leave out the candidates that do not pass the filter; `values` are static values."""
    n = candidates.progress[1]
    values, order = candidates.values, candidates.order
    kept = min(n, filter.replies)
    while values[order[kept - 1]] < values[order[0]] - filter.margin:
        kept -= 1
    for r in range(kept, n):
        candidates.kind[order[r]] = STATIC
    candidates.progress[1] = kept


@kernel(inline=True)
def leave_out(search: Search, work: Workspace, candidates: Candidates) -> None:
    """Value the candidates statically, and leave out those that do not pass the filter."""
    n, problem = candidates.progress[1], search.problem
    search_candidates(search, work, candidates, n, 0, 1, problem.stake, problem.low, problem.high)
    drop_worst(candidates, problem.filter)
