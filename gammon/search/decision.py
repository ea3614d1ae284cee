"""Decision nodes: the exact values of the best successors, bounds for the others.

The candidates are searched one by one, each with the chance node of its position. Once
`top` of them have exact values, the worst of these is the floor: a candidate proven not
to be above it needs no value. Depth 1 orders the candidates for depth 3, depth 3 for
depth 5, and so on, because the floor cuts most when good candidates come first.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import types

from gammon.kernel import kernel
from gammon.search.expectimax import expectimax
from gammon.search.game import Game
from gammon.search.gamma import gamma
from gammon.search.leaves import Leaves, copy_state
from gammon.search.luck import luck
from gammon.search.options import Options
from gammon.search.problem import (
    EXPECTIMAX,
    GAMMA,
    GAMMA_OPPONENT,
    GUARANTEED,
    POSSIBLE,
    PROBLEM,
    PROBLEM_FIELDS,
    STATE,
    Problem,
    State,
)
from gammon.search.star import star
from gammon.search.stats import EVALUATIONS, STOPPED
from gammon.search.workspace import WORKSPACE, Workspace

__all__ = [
    "CANDIDATES", "Candidates", "begin_decision", "decide_kernel", "node_value",
    "search_candidates",
]  # fmt: skip

_F64 = types.float64
_INT = types.int64


class Candidates(NamedTuple):
    """The successors of a decision, R at most, and what is known of them.

    Attributes:
        rows: int8 [R, W], each seen from the opponent.
        static: float32 [R], their static values, to the opponent.
        values: float64 [R], to the player who decides.
        exact: bool [R]; where it is False, the value is an upper bound.
        order: int64 [R], the candidates by value, best first.
        slot: int64 [R], where the leaves of a leading candidate are kept.
        leaf_rows: int8 [T, C, W], principal leaves by slot.
        leaf_weight: float64 [T, C], negative where the opponent is on roll.
        leaf_count: int64 [T].
        progress: int64 [2], how many candidates have been searched to the full depth,
            and how many are to be; for another thread to read.
        found: int64 [1], how many there are. Those at the end of `order` that a selective
            search leaves out have their static values.
    """

    rows: npt.NDArray[np.int8]
    static: npt.NDArray[np.float32]
    values: npt.NDArray[np.float64]
    exact: npt.NDArray[np.bool_]
    order: npt.NDArray[np.int64]
    slot: npt.NDArray[np.int64]
    leaf_rows: npt.NDArray[np.int8]
    leaf_weight: npt.NDArray[np.float64]
    leaf_count: npt.NDArray[np.int64]
    progress: npt.NDArray[np.int64]
    found: npt.NDArray[np.int64]

    @classmethod
    def allocate(cls, game: Game, slots: int = 0, capacity: int = 0) -> "Candidates":
        """Return room for a decision, and for `slots` lists of `capacity` leaves."""
        size = game.max_successors
        return cls(
            rows=np.empty((size, game.width), np.int8),
            static=np.empty(size, np.float32),
            values=np.empty(size, np.float64),
            exact=np.empty(size, np.bool_),
            order=np.empty(size, np.int64),
            slot=np.empty(size, np.int64),
            leaf_rows=np.empty((slots, capacity, game.width), np.int8),
            leaf_weight=np.empty((slots, capacity), np.float64),
            leaf_count=np.zeros(slots, np.int64),
            progress=np.zeros(2, np.int64),
            found=np.zeros(1, np.int64),
        )

    def copy(self) -> "Candidates":
        """Return the same in memory of its own."""
        return Candidates(*(array.copy() for array in self))  # type: ignore[arg-type]

    def leaves(self, candidate: int) -> Leaves:
        """Return the principal leaves of one of the first `top` candidates."""
        slot = self.slot[candidate]
        return Leaves.of(self.leaf_rows[slot], self.leaf_weight[slot], self.leaf_count[slot])


CANDIDATES = types.NamedTuple(  # type: ignore[no-untyped-call]
    (
        types.int8[:, ::1],
        types.float32[::1],
        types.float64[::1],
        types.boolean[::1],
        types.int64[::1],
        types.int64[::1],
        types.int8[:, :, ::1],
        types.float64[:, ::1],
        types.int64[::1],
        types.int64[::1],
        types.int64[::1],
    ),
    Candidates,
)


@kernel(types.void(WORKSPACE, _INT, CANDIDATES, _INT), inner=True)
def _keep_leaves(work: Workspace, level: int, candidates: Candidates, slot: int) -> None:
    """Copy the leaves of the last node of `level`, seen from the player above it."""
    count = work.leaf_count[level]
    for m in range(count):
        copy_state(work.leaf_rows[level, m], candidates.leaf_rows[slot, m])
        candidates.leaf_weight[slot, m] = -work.leaf_weight[level, m]
    candidates.leaf_count[slot] = count


@kernel(_F64(PROBLEM, WORKSPACE, STATE, _F64, _INT, _F64, _F64, _F64, _F64), inner=True)
def node_value(
    problem: Problem,
    work: Workspace,
    state: State,
    static: float,
    depth: int,
    alpha: float,
    beta: float,
    low: float,
    high: float,
) -> float:
    """Return the value of a chance node by the problem's algorithm; see `star`."""
    algorithm = problem.probes
    if algorithm == EXPECTIMAX:
        return expectimax(problem, work.stats, state, static, depth, low, high)
    if algorithm in (GUARANTEED, POSSIBLE):
        good = algorithm == POSSIBLE
        return luck(problem, work.stats, state, static, depth, good, low, high)
    if algorithm < EXPECTIMAX:
        sides = EXPECTIMAX - algorithm
        return gamma(problem, work.stats, state, static, depth, sides, beta, low, high)
    return star(problem, work, state, static, depth, alpha, beta, low, high)


@kernel(_INT(PROBLEM, WORKSPACE, CANDIDATES, STATE, _INT), inner=True)
def begin_decision(
    problem: Problem, work: Workspace, candidates: Candidates, state: State, outcome: int
) -> int:
    """Write the candidates of a decision, in the order of their static values."""
    rows, order, static = candidates.rows, candidates.order, candidates.static
    n: int = problem.successors(state, outcome, rows)
    problem.leaf(state, rows, n, problem.leaf_weights, static)
    work.stats[EVALUATIONS] += n
    for j in range(n):
        place = j
        while (
            problem.options.static_order and place > 0 and static[order[place - 1]] > static[j]
        ):
            order[place] = order[place - 1]
            place -= 1
        order[place] = j
    candidates.progress[1] = n
    candidates.found[0] = n
    return n


@kernel(types.boolean(_INT), inline=True)
def _cuts(probes: int) -> bool:
    """Tell whether an algorithm makes use of the best candidate so far.

    Who decides at the root is the opponent of who rolls at the candidates.
    """
    return probes >= 0 or probes in (GAMMA_OPPONENT, GAMMA)


@kernel(types.void(PROBLEM, WORKSPACE, CANDIDATES, _INT, _INT, _INT, _F64, _F64), inner=True)
def search_candidates(
    problem: Problem,
    work: Workspace,
    candidates: Candidates,
    n: int,
    depth: int,
    top: int,
    low: float,
    high: float,
) -> None:
    """Give the n candidates the values of chance nodes of `depth`, and sort them.

    If the search had to stop, what it leaves in `candidates` means nothing.
    """
    values, order = candidates.values, candidates.order
    cutting = _cuts(problem.probes)
    record = problem.probes >= 0 and work.leaf_rows.shape[1] > 0
    candidates.progress[0] = 0
    for r in range(n):
        # order[:r] is sorted already, and its first `top` candidates are exact.
        j = order[r]
        floor = -np.inf
        if r >= top and cutting and depth > 0:
            floor = values[order[top - 1]]
        value = -node_value(
            problem, work, candidates.rows[j], np.float64(candidates.static[j]), depth,
            -np.inf, -floor, -high, -low,
        )  # fmt: skip
        if work.stats[STOPPED] != 0:
            return
        candidates.exact[j] = value > floor

        if record:
            # The candidate that falls out of the first `top` gives up its slot.
            if r < top:
                candidates.slot[j] = r
                _keep_leaves(work, depth // 2, candidates, r)
            elif value > values[order[top - 1]]:
                candidates.slot[j] = candidates.slot[order[top - 1]]
                _keep_leaves(work, depth // 2, candidates, candidates.slot[j])

        values[j] = value
        place = r
        while place > 0 and values[order[place - 1]] < value:
            order[place] = order[place - 1]
            place -= 1
        order[place] = j
        candidates.progress[0] = r + 1


@kernel(types.void(PROBLEM, WORKSPACE, CANDIDATES, _F64, _F64), inner=True)
def _leave_out(
    problem: Problem, work: Workspace, candidates: Candidates, low: float, high: float
) -> None:
    """Keep only those candidates to be searched that the options allow."""
    n = candidates.progress[1]
    search_candidates(problem, work, candidates, n, 0, 1, low, high)  # static: all are exact
    values, order = candidates.values, candidates.order
    kept = min(n, problem.options.replies)
    while values[order[kept - 1]] < values[order[0]] - problem.options.margin:
        kept -= 1
    for r in range(kept, n):
        candidates.exact[order[r]] = False
    candidates.progress[1] = kept


@kernel(
    _INT(
        *PROBLEM_FIELDS, _F64, _F64, WORKSPACE, CANDIDATES,
        types.int8[:, ::1], types.int64[::1], types.uint64[::1], _INT, _INT, _INT,
        types.int8[:, ::1],
    )
)  # fmt: skip
def decide_kernel(
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
    candidates: Candidates,
    states: npt.NDArray[np.int8],
    chosen: npt.NDArray[np.int64],
    noise_seeds: npt.NDArray[np.uint64],
    begin: int,
    depth: int,
    top: int,
    best: npt.NDArray[np.int8],
) -> int:
    """Decide N times; return how many successors the last decision had.

    The first `top` candidates of `order` are exact afterwards, and the value or bound of
    every other one is at most theirs.

    Args:
        outcomes ... options: the fields of a `Problem`.
        low: no value is below it, for the player who decides.
        high: no value is above it.
        work: buffers for chance nodes of depth - 1. If it has room for leaves, those
            of the first `top` candidates are kept, if the search is one of the Stars.
        candidates: what is known of the last decision; with `top` slots for leaves.
        states: int8 [N, W], seen from the player who decides; no game is over.
        chosen: int64 [N], the outcomes of chance.
        noise_seeds: uint64 [N], in place of `noise_seed`; or none.
        begin: the first depth of chance nodes. If it is not 0, `candidates` holds what
            an earlier call to a smaller depth has left, and N is 1.
        depth: plies, odd.
        top: how many exact values are wanted, at least 1.
        best: int8 [N, W], the best successors, seen from the opponent.
    """
    for i in range(states.shape[0]):
        if noise_seeds.shape[0] > 0:
            noise_seed = noise_seeds[i]
        problem = Problem(
            outcomes, successors, terminal, bounds, max_outcomes, max_successors,
            leaf, leaf_weights, probe, probe_weights, probes, sigma, noise_seed, options,
        )  # fmt: skip
        if begin == 0:
            begin_decision(problem, work, candidates, states[i], chosen[i])
        if begin == 0 and options.replies > 0:
            _leave_out(problem, work, candidates, low, high)
        n = candidates.progress[1]
        deepen = options.deepen and _cuts(probes)
        for chance_depth in range(begin if deepen else depth - 1, depth, 2):
            search_candidates(problem, work, candidates, n, chance_depth, top, low, high)
        copy_state(candidates.rows[candidates.order[0]], best[i])
    found: int = candidates.found[0]
    return found
