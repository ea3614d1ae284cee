"""The kernels behind `TreeSearch.decide`, `best` and `rank`: the passes of decisions."""

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float64Vector, Int8Matrix, Int64Vector, UInt64Vector
from gammon.search.algorithms import Search
from gammon.search.candidates import Candidates, begin_decision, leave_out, search_candidates
from gammon.search.leaves import copy_state
from gammon.search.problem import Problem
from gammon.search.tasks import Tasks
from gammon.search.tasks_kernel import begin_pass, lead_tasks
from gammon.search.workspace import Workspace

#: The lowest depth of a decision at which a pass is divided into tasks.
DIVIDED_FROM = 5


@kernel(inline=True)
def _search_pass(
    search: Search,
    work: Workspace,
    below: Candidates,
    candidates: Candidates,
    tasks: Tasks,
    depth: int,
    top: int,
) -> None:
    """Search the candidates' chance nodes to `depth`, as tasks if the pass is divided."""
    problem = search.problem
    if search.divides and depth + 1 >= DIVIDED_FROM:
        begin_pass(tasks, depth)
        lead_tasks(search, work, below, candidates, tasks, top)
    else:
        search_candidates(
            search, work, candidates, candidates.progress[1], depth, top, problem.stake,
            problem.low, problem.high,
        )  # fmt: skip


@kernel()
def decide_kernel(
    search: Search,
    work: Workspace,
    below: Candidates,
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
    """Search N decisions.

    Afterwards the first `top` candidates of `order` have exact values, and the value or bound
    of every other candidate is not higher.

    Args:
        search: the problem, seen from the player who decides, and the algorithm.
        work: buffers for chance nodes of depth - 1. If it has memory for leaves and the
            algorithm keeps any, the leaves of the first `top` candidates are kept.
        below: see `tasks.candidates_below`.
        candidates: the candidates of the last decision afterwards; with `top` slots for leaves.
        tasks: memory for the tasks of a decision of that depth.
        states: int8 [N, W], seen from the player who decides; no game is over.
        chosen: int64 [N], the outcomes of chance.
        noise_seeds: uint64 [N], a noise seed for each decision; or empty, for the problem's.
        begin: the first depth of chance nodes. If it is not 0, `candidates` holds the result
            of an earlier call to a smaller depth, and N is 1.
        depth: plies, odd.
        top: how many exact values are wanted, at least 1.
        best: int8 [N, W], to be written: the best successors, seen from the opponent.
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
            _search_pass(search, work, below, candidates, tasks, chance_depth, top)
        copy_state(candidates.rows[candidates.order[0]], best[i])


@kernel()
def count_kernel(
    problem: Problem, rows: Int8Matrix, states: Int8Matrix, chosen: Int64Vector, offsets: Int64Vector
) -> None:
    """Count the successors of N decisions.

    Args:
        problem: has the game.
        rows: int8 [R, W], scratch.
        states: int8 [N, W], each seen from the player who decides; no game is over.
        chosen: int64 [N], the outcomes of chance.
        offsets: int64 [N + 1], to be written: the cumulative counts, beginning with 0.
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
        search: the problem, seen from the player who decides, and the algorithm.
        work: buffers for chance nodes of depth 0.
        candidates: scratch for one decision.
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
