"""The kernels behind `Setup.decide`, `best` and `rank`: the passes of decisions."""

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float64Vector, Int8Matrix, Int64Vector, UInt64Vector
from gammon.search.algorithms import Search
from gammon.search.candidates import Candidates, begin_decision, leave_out, search_candidates
from gammon.search.leaves import copy_state
from gammon.search.problem import Problem
from gammon.search.tasks import Tasks
from gammon.search.tasks_kernel import begin_pass, lead_tasks
from gammon.search.workspace import Workspace

#: Passes to a smaller depth of the decision are not worth dividing into tasks.
DIVIDED_FROM = 5


@kernel(inline=True)
def _search_pass(
    search: Search,
    work: Workspace,
    room: Candidates,
    candidates: Candidates,
    tasks: Tasks,
    depth: int,
    top: int,
) -> None:
    """Search the candidates' chance nodes to `depth`."""
    problem = search.problem
    if search.divides and depth + 1 >= DIVIDED_FROM:
        begin_pass(tasks, depth)
        lead_tasks(search, work, room, candidates, tasks, top)
    else:
        search_candidates(
            search, work, candidates, candidates.progress[1], depth, top, problem.stake,
            problem.low, problem.high,
        )  # fmt: skip


@kernel()
def decide_kernel(
    search: Search,
    work: Workspace,
    room: Candidates,
    candidates: Candidates,
    tasks: Tasks,
    states: Int8Matrix,
    chosen: Int64Vector,
    noise_seeds: UInt64Vector,
    begin: int,
    depth: int,
    top: int,
    best: Int8Matrix,
) -> None:
    """Decide N times.

    The first `top` candidates of `order` are exact afterwards, and the value or bound of
    every other one is at most theirs.

    Args:
        search: what is searched, seen from the player who decides, and how.
        work: buffers for chance nodes of depth - 1. If it has room for leaves, those
            of the first `top` candidates are kept, if the algorithm keeps any.
        room: see `tasks.room_below`.
        candidates: what is known of the last decision; with `top` slots for leaves.
        tasks: room for the tasks of a decision of that depth.
        states: int8 [N, W], seen from the player who decides; no game is over.
        chosen: int64 [N], the outcomes of chance.
        noise_seeds: uint64 [N], which noise for each; or none, for the problem's.
        begin: the first depth of chance nodes. If it is not 0, `candidates` holds what
            an earlier call to a smaller depth has left, and N is 1.
        depth: plies, odd.
        top: how many exact values are wanted, at least 1.
        best: int8 [N, W], the best successors, seen from the opponent.
    """
    problem = search.problem
    for i in range(states.shape[0]):
        if noise_seeds.shape[0] > 0:
            problem.noise_seed[0] = noise_seeds[i]
        if begin == 0:
            begin_decision(problem, work, candidates, states[i], chosen[i], problem.stake)
            if depth > 1 and problem.filter.replies > 0:
                leave_out(search, work, candidates)
        deepen = problem.options.deepen and search.cuts
        for chance_depth in range(begin if deepen else depth - 1, depth, 2):
            _search_pass(search, work, room, candidates, tasks, chance_depth, top)
        copy_state(candidates.rows[candidates.order[0]], best[i])


@kernel()
def count_kernel(
    problem: Problem, rows: Int8Matrix, states: Int8Matrix, chosen: Int64Vector, offsets: Int64Vector
) -> None:
    """Count the successors of N decisions.

    Args:
        problem: has the game.
        rows: int8 [R, W], to be written into.
        states: int8 [N, W], each seen from the player who decides; no game is over.
        chosen: int64 [N], the outcomes of chance.
        offsets: int64 [N + 1], to be written: the sums of the counts, from 0 on.
    """
    offsets[0] = 0
    for i in range(states.shape[0]):
        n = problem.successors(states[i], chosen[i], problem.params, rows)
        offsets[i + 1] = offsets[i] + n


@kernel()
def rank_kernel(
    search: Search,
    work: Workspace,
    candidates: Candidates,
    states: Int8Matrix,
    chosen: Int64Vector,
    offsets: Int64Vector,
    rows: Int8Matrix,
    values: Float64Vector,
) -> None:
    """Write the successors of N decisions of depth 1, best first.

    Args:
        search: what is searched, seen from the player who decides, and how.
        work: buffers for chance nodes of depth 0.
        candidates: room for one decision.
        states: int8 [N, W], each seen from the player who decides; no game is over.
        chosen: int64 [N], the outcomes of chance.
        offsets: int64 [N + 1], from `count_kernel`.
        rows: int8 [K, W], to be written: the successors, seen from the opponent.
        values: float64 [K], to be written: to the player who decides.
    """
    problem = search.problem
    for i in range(states.shape[0]):
        n = begin_decision(problem, work, candidates, states[i], chosen[i], problem.stake)
        search_candidates(search, work, candidates, n, 0, 1, problem.stake, problem.low, problem.high)
        for r in range(n):
            j = candidates.order[r]
            copy_state(candidates.rows[j], rows[offsets[i] + r])
            values[offsets[i] + r] = candidates.values[j]
