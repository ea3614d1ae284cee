"""The Python face of the search: check once, call one kernel, name the results.

Depth counts every max, min and chance node as one ply. A decision has an odd depth: 1
looks at its successors, 3 at the replies to them after every outcome of chance, and so
on. A chance node has an even depth, where 0 is its static value.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Timer
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gammon.errors import GammonError
from gammon.search.decision import (
    Candidates,
    decide_kernel,
    value_kernel,
)
from gammon.search.game import Evaluator, Game
from gammon.search.leaves import Leaves
from gammon.search.options import Options
from gammon.search.problem import (
    EXPECTIMAX,
    GAMMA,
    GAMMA_OPPONENT,
    GAMMA_ROLLER,
    GUARANTEED,
    POSSIBLE,
    Problem,
    State,
    opponents,
)
from gammon.search.stats import NODE_LIMIT, STOPPED, Counts, Stats, new_counts
from gammon.search.table import Table
from gammon.search.tasks import Worker, search_by_tasks
from gammon.search.workspace import Workspace

__all__ = [
    "ALGORITHMS", "LUCK", "WITHOUT_CHANCE", "Decision", "SearchError", "Value",
    "chance_value", "decide", "decide_many",
]  # fmt: skip

#: What `algorithm` can be for the value of best play, with the number of probes that the
#: kernels know it by. Gamma pruning is for both sides' decisions, for those of the player
#: who rolls or decides at the root, and for the other's.
ALGORITHMS = {
    "expectimax": EXPECTIMAX,
    "gamma": GAMMA,
    "gamma-a": GAMMA_ROLLER,
    "gamma-b": GAMMA_OPPONENT,
    "star1": 0,
    "star2": 1,
    "star2.5": 2,
}
#: The same algorithms by the names that they have in games without chance.
WITHOUT_CHANCE = {"minimax": EXPECTIMAX, "alpha-beta": 0}
#: What else can be asked for: the value if chance is always against the player, or for.
LUCK = {"guaranteed": GUARANTEED, "possible": POSSIBLE}

_INFINITE = (-np.inf, np.inf)
_DEFAULT = Options()
#: Decisions of a smaller depth are not worth dividing.
_TASKS_FROM = 5


class SearchError(GammonError, ValueError):
    """A search that cannot be: an unknown algorithm, a depth of the wrong parity."""


class Value(NamedTuple):
    """What a search of a chance node found.

    Attributes:
        value: to the player on roll. At most the window's lower end: an upper bound. At
            least its upper end: a lower bound. In between: exact.
        stats: the work that it took.
        depth: plies searched; less than was asked for only where a limit ended the search.
        leaves: the principal leaves, where they were asked for, the value is exact, and
            they are not more than `workspace.MAX_LEAVES`.
    """

    value: float
    stats: Stats
    depth: int
    leaves: Leaves | None


class Decision(NamedTuple):
    """The n successors of a decision, and what a search found out about them.

    Attributes:
        rows: int8 [n, W], each seen from the opponent, who is then on roll.
        values: float64 [n], to the player who decides.
        exact: bool [n]; where it is False, the value is a proven upper bound.
        order: int64 [n], best first: `rows[order[0]]` is the best successor. The first
            `top` are exact.
        leaves: the principal leaves of the first `top` of `order`, in that order, with
            signs for the player who decides; empty unless they were kept.
        stats: the work that it took.
        depth: plies searched; less than was asked for only where a limit ended the search.
        searched: how many of `order` were searched to that depth. Those that a selective
            search left out have their static values, and come last.
    """

    rows: npt.NDArray[np.int8]
    values: npt.NDArray[np.float64]
    exact: npt.NDArray[np.bool_]
    order: npt.NDArray[np.int64]
    leaves: tuple[Leaves, ...]
    stats: Stats
    depth: int
    searched: int


def _problem(
    game: Game,
    evaluator: Evaluator,
    probe: Evaluator | None,
    algorithm: str,
    sigma: float,
    noise_seed: int,
    options: Options,
) -> Problem:
    """Return the kernels' view of a search, or raise a SearchError."""
    known = ALGORITHMS | LUCK | (WITHOUT_CHANCE if game.max_outcomes == 1 else {})
    if algorithm in WITHOUT_CHANCE and algorithm not in known:
        raise SearchError(
            f"{algorithm} for {game.name}: expected a game without chance; in games of chance "
            "it is expectimax, or star1"
        )
    if algorithm not in known:
        names = ", ".join(known)
        raise SearchError(f"unknown algorithm {algorithm!r}: expected one of {names}")
    if not 0.0 <= sigma < np.inf:
        raise SearchError(f"noise of {sigma!r}: expected a standard deviation, 0 or more")
    if not 0 <= noise_seed < 1 << 64:
        raise SearchError(f"noise seed {noise_seed!r}: expected 0 to 2**64 - 1")
    if options.probes < 1:
        raise SearchError(f"{options.probes!r} probes: expected 1 or more")
    if options.replies < 0 or not options.margin >= 0.0:
        raise SearchError(
            f"{options.replies!r} replies within {options.margin!r}: expected 0 or more"
        )
    if options.replies > 0 and known[algorithm] < EXPECTIMAX:
        raise SearchError(f"{algorithm} of some replies: expected one of the Stars, expectimax")
    probe = evaluator if probe is None else probe
    probes = options.probes if algorithm == "star2.5" else known[algorithm]
    return Problem(
        game.outcomes, game.successors, game.terminal, game.bounds,
        game.max_outcomes, game.max_successors,
        evaluator.values, evaluator.weights, probe.values, probe.weights,
        probes, sigma, np.uint64(noise_seed), options,
    )  # fmt: skip


def _below(game: Game, work: Workspace) -> Candidates:
    """Return room for the decisions below a candidate, with leaves if `work` keeps them."""
    capacity = work.leaf_rows.shape[1] // game.max_outcomes
    return Candidates.allocate(game, 1 if capacity else 0, capacity)


@contextmanager
def _limits(
    several: Sequence[Counts], max_nodes: int | None, max_seconds: float | None
) -> Iterator[None]:
    """Have the searches that count here stop after so many nodes, or after so long."""
    if max_nodes is not None:
        for counts in several:
            counts[NODE_LIMIT] = max_nodes
    if max_seconds is None:
        yield
        return

    def stop() -> None:
        for counts in several:
            counts[STOPPED] = 1

    timer = Timer(max_seconds, stop)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _check_leaves(algorithm: str, leaves: bool) -> None:
    if leaves and algorithm in LUCK:
        raise SearchError(f"leaves of a search for the {algorithm} value: expected none")


def _check_depth(depth: int, parity: int) -> None:
    if depth < 0 or depth % 2 != parity:
        node, right = ("a decision", "1, 3, 5") if parity else ("a chance node", "0, 2, 4")
        raise SearchError(f"depth {depth!r} for {node}: expected one of {right} and so on")


def _states(game: Game, states: npt.ArrayLike, shape: tuple[int, ...]) -> State:
    array = np.ascontiguousarray(states, np.int8)
    if array.shape != shape:
        raise SearchError(f"states of shape {array.shape} for {game.name}: expected {shape}")
    return array


def chance_value(
    game: Game,
    evaluator: Evaluator,
    state: npt.ArrayLike,
    depth: int,
    algorithm: str = "star2",
    probe: Evaluator | None = None,
    *,
    window: tuple[float, float] = _INFINITE,
    sigma: float = 0.0,
    noise_seed: int = 0,
    leaves: bool = False,
    options: Options = _DEFAULT,
    table: Table | None = None,
    max_nodes: int | None = None,
    max_seconds: float | None = None,
) -> Value:
    """Search a chance node: the value of a state before its player rolls.

    Args:
        game: the rules.
        evaluator: what leaves are worth; it also orders successors.
        state: int8 [W], seen from the player on roll.
        depth: plies, even.
        algorithm: one of `ALGORITHMS`, which all give the same value; or of `LUCK`, or
            for a game without chance of `WITHOUT_CHANCE`.
        probe: picks the successors for Star2's probes; `evaluator` unless given.
        window: (alpha, beta), ignored by expectimax.
        sigma: the standard deviation of the noise at leaves.
        noise_seed: which noise.
        leaves: keep the principal leaves. Only the Stars have them: for the others a second
            search, which is not counted, finds them.
        options: how *-minimax goes about it.
        table: what earlier searches of the same game, evaluator and noise found, for
            *-minimax to use and add to.
        max_nodes: stop when more chance nodes would be expanded.
        max_seconds: stop after so long. With either limit the search goes to depth 0, 2,
            4, ... and the answer is that of the last depth that it completed; depth 0
            it always completes.

    Raises:
        SearchError: an argument is not as described here.
    """
    problem = _problem(game, evaluator, probe, algorithm, sigma, noise_seed, options)
    _check_depth(depth, 0)
    _check_leaves(algorithm, leaves)
    state = _states(game, state, (game.width,))
    alpha, beta = window
    if not alpha < beta:
        raise SearchError(f"window {window!r}: expected (alpha, beta) with alpha < beta")
    work = Workspace.allocate(game, depth, leaves, problem.probes, table)

    def search(depth: int, problem: Problem = problem) -> float:
        return float(
            value_kernel(*problem, game.low, game.high, work, state, depth, alpha, beta)
        )

    limited = max_nodes is not None or max_seconds is not None
    done = 0 if limited else depth
    value = search(done)
    with _limits([work.stats], max_nodes, max_seconds):
        while done < depth:
            deeper = search(done + 2)
            if work.stats[STOPPED]:
                break
            value, done = deeper, done + 2
    stats = Stats.of(work.stats)
    kept = None
    if work.leaf_rows.size > 0 and alpha < value < beta:
        if problem.probes < 0 or limited:
            work.stats[:] = new_counts()
            search(done, problem._replace(probes=max(problem.probes, 0)))
        level = done // 2
        kept = Leaves.of(work.leaf_rows[level], work.leaf_weight[level], work.leaf_count[level])
    return Value(value, stats, done, kept)


def decide(
    game: Game,
    evaluator: Evaluator,
    state: npt.ArrayLike,
    outcome: int,
    depth: int,
    algorithm: str = "star2",
    probe: Evaluator | None = None,
    *,
    top: int = 1,
    sigma: float = 0.0,
    noise_seed: int = 0,
    leaves: bool = False,
    progress: npt.NDArray[np.int64] | None = None,
    options: Options = _DEFAULT,
    table: Table | None = None,
    max_nodes: int | None = None,
    max_seconds: float | None = None,
    threads: int | None = None,
) -> Decision:
    """Search a decision: the exact values of the best successors, bounds for the rest.

    Args:
        state: int8 [W], seen from the player who decides; its game is not over.
        outcome: what chance brought, below the number of the state's outcomes.
        depth: plies, odd.
        top: how many successors need exact values. Depth 1, expectimax, gamma-b
            and luck value all.
        leaves: keep the principal leaves of the first `top` successors, unless there
            could be more than `workspace.MAX_LEAVES` of one.
        progress: int64 [2], kept at (successors searched to the depth under way,
            successors in all) for another thread to read.
        max_nodes: stop when more chance nodes would be expanded.
        max_seconds: stop after so long. With either limit the search goes to depth 1, 3,
            5, ... and the answer is that of the last depth that it completed; depth 1 it
            always completes.
        threads: do the last pass of depth 5 and more as tasks, in so many threads: see
            `tasks`. The result is the same for any number of them, but for rounding and
            for bounds not for None. A table is emptied for each task, and each thread
            has one of its size.

        The others are as for `chance_value`.

    Raises:
        SearchError: an argument is not as described here.
    """
    problem = _problem(game, evaluator, probe, algorithm, sigma, noise_seed, options)
    problem = problem._replace(probes=opponents(problem.probes))
    _check_depth(depth, 1)
    _check_leaves(algorithm, leaves)
    state = _states(game, state, (game.width,))
    if not 0 <= outcome < game.max_outcomes:
        raise SearchError(f"outcome {outcome!r}: expected 0 to {game.max_outcomes - 1}")
    if top < 1:
        raise SearchError(f"top {top!r}: expected 1 or more")
    if threads is not None and threads < 1:
        raise SearchError(f"{threads!r} threads: expected 1 or more")
    if threads is not None and (problem.probes < 0 or max_nodes is not None):
        raise SearchError("threads: expected one of the Stars, and no limit of nodes")
    top = min(top, game.max_successors)
    work = Workspace.allocate(game, depth - 1, leaves, problem.probes, table)
    candidates = Candidates.allocate(game, top if leaves else 0, work.leaf_rows.shape[1])
    if progress is not None:
        candidates = candidates._replace(progress=progress)
    workers = [Worker(work, _below(game, work))]
    for _ in range(1, threads or 1):
        again = None if table is None else table.another()
        more = Workspace.allocate(game, depth - 1, leaves, problem.probes, again)
        workers.append(Worker(more, _below(game, more)))

    def search(begin: int, depth: int) -> int:
        """Search from chance nodes of depth `begin` to decisions of `depth`."""
        if threads is not None and depth >= _TASKS_FROM:
            if begin == 0:
                search(0, depth - 2)
            search_by_tasks(problem, game, workers, candidates, depth - 1, top)
            return int(candidates.found[0])
        return int(
            decide_kernel(
                *problem, game.low, game.high, work, candidates, state[None],
                np.array([outcome], np.int64), begin, depth, top, np.empty_like(state[None]),
            )
        )  # fmt: skip

    limited = max_nodes is not None or max_seconds is not None
    done = 1 if limited else depth
    n = search(0, done)
    with _limits([worker.work.stats for worker in workers], max_nodes, max_seconds):
        while done < depth:
            complete = candidates.copy()
            search(done + 1, done + 2)
            if any(worker.work.stats[STOPPED] for worker in workers):
                candidates = complete
                break
            done += 2
    order = candidates.order[:n].copy()
    kept: tuple[Leaves, ...] = ()
    if work.leaf_rows.size > 0:
        theirs = game._replace(low=-game.high, high=-game.low)

        def leaves_of(candidate: int) -> Leaves | None:
            if problem.probes >= 0:
                return candidates.leaves(candidate)
            found = chance_value(
                theirs, evaluator, candidates.rows[candidate], done - 1, "star1",
                sigma=sigma, noise_seed=noise_seed, leaves=True, options=options,
            ).leaves  # fmt: skip
            return None if found is None else found._replace(signs=-found.signs)

        each = [leaves_of(int(j)) for j in order[: min(top, int(candidates.progress[1]))]]
        kept = tuple(found for found in each if found is not None)
    return Decision(
        candidates.rows[:n].copy(),
        candidates.values[:n].copy(),
        candidates.exact[:n].copy(),
        order,
        kept,
        Stats.of(work.stats),
        done,
        int(candidates.progress[1]),
    )


def decide_many(
    game: Game,
    evaluator: Evaluator,
    states: npt.ArrayLike,
    outcomes: npt.ArrayLike,
    depth: int,
    algorithm: str = "star2",
    probe: Evaluator | None = None,
    *,
    sigma: float = 0.0,
    noise_seed: int = 0,
    options: Options = _DEFAULT,
    table: Table | None = None,
) -> State:
    """Return the best successors of N states and outcomes, in one call of the kernel.

    Args:
        states: int8 [N, W], each seen from the player who decides.
        outcomes: int [N], what chance brought in each.

        The others are as for `decide`.

    Returns:
        int8 [N, W], each seen from the opponent, who is then on roll.

    Raises:
        SearchError: an argument is not as described here.
    """
    problem = _problem(game, evaluator, probe, algorithm, sigma, noise_seed, options)
    problem = problem._replace(probes=opponents(problem.probes))
    _check_depth(depth, 1)
    chosen = np.ascontiguousarray(outcomes, np.int64)
    if chosen.ndim != 1 or not ((chosen >= 0) & (chosen < game.max_outcomes)).all():
        raise SearchError(f"outcomes {outcomes!r}: expected 0 to {game.max_outcomes - 1}")
    states = _states(game, states, (len(chosen), game.width))
    best = np.empty_like(states)
    work = Workspace.allocate(game, depth - 1, False, problem.probes, table)
    candidates = Candidates.allocate(game)
    decide_kernel(
        *problem, game.low, game.high, work, candidates, states, chosen, 0, depth, 1, best
    )
    return best
