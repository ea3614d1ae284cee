"""Decisions: check once, call one kernel, name the results."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gammon.search.decision import Candidates, decide_kernel
from gammon.search.game import Evaluator, Game
from gammon.search.leaves import Leaves
from gammon.search.options import Options
from gammon.search.problem import State, opponents
from gammon.search.query import (
    DEFAULT,
    SearchError,
    check_depth,
    check_leaves,
    checked_states,
    limits,
    problem_of,
)
from gammon.search.stats import STOPPED, Stats
from gammon.search.table import Table
from gammon.search.value import chance_value
from gammon.search.workspace import Workspace

__all__ = ["Decision", "decide", "decide_many"]

_NO_SEEDS = np.empty(0, np.uint64)
#: Decisions of a smaller depth are not worth dividing.
_TASKS_FROM = 5


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
    options: Options = DEFAULT,
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
    problem = problem_of(game, evaluator, probe, algorithm, sigma, noise_seed, options)
    problem = problem._replace(probes=opponents(problem.probes))
    check_depth(depth, 1)
    check_leaves(algorithm, leaves)
    state = checked_states(game, state, (game.width,))
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
    works = [work]
    for _ in range(1, threads or 1):
        again = None if table is None else table.another()
        works.append(Workspace.allocate(game, depth - 1, leaves, problem.probes, again))

    def search(begin: int, depth: int) -> int:
        """Search from chance nodes of depth `begin` to decisions of `depth`."""
        if threads is not None and depth >= _TASKS_FROM:
            if begin == 0:
                search(0, depth - 2)
            # Its compiled code takes long to load: only where it is needed.
            from gammon.search.tasks import search_by_tasks

            search_by_tasks(problem, game, works, candidates, depth - 1, top)
            return int(candidates.found[0])
        return int(
            decide_kernel(
                *problem, game.low, game.high, work, candidates, state[None],
                np.array([outcome], np.int64), _NO_SEEDS, begin, depth, top,
                np.empty_like(state[None]),
            )
        )  # fmt: skip

    limited = max_nodes is not None or max_seconds is not None
    done = 1 if limited else depth
    n = search(0, done)
    with limits([each.stats for each in works], max_nodes, max_seconds):
        while done < depth:
            complete = candidates.copy()
            search(done + 1, done + 2)
            if any(each.stats[STOPPED] for each in works):
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
    noise_seeds: npt.ArrayLike | None = None,
    options: Options = DEFAULT,
    table: Table | None = None,
) -> State:
    """Return the best successors of N states and outcomes, in one call of the kernel.

    Args:
        states: int8 [N, W], each seen from the player who decides.
        outcomes: int [N], what chance brought in each.
        noise_seeds: int [N], in place of `noise_seed`: which noise for each; without a
            table, which knows one evaluator only.

        The others are as for `decide`.

    Returns:
        int8 [N, W], each seen from the opponent, who is then on roll.

    Raises:
        SearchError: an argument is not as described here.
    """
    problem = problem_of(game, evaluator, probe, algorithm, sigma, noise_seed, options)
    problem = problem._replace(probes=opponents(problem.probes))
    check_depth(depth, 1)
    chosen = np.ascontiguousarray(outcomes, np.int64)
    if chosen.ndim != 1 or not ((chosen >= 0) & (chosen < game.max_outcomes)).all():
        raise SearchError(f"outcomes {outcomes!r}: expected 0 to {game.max_outcomes - 1}")
    states = checked_states(game, states, (len(chosen), game.width))
    seeds = _NO_SEEDS
    if noise_seeds is not None:
        seeds = np.ascontiguousarray(noise_seeds, np.uint64)
        if seeds.shape != chosen.shape or table is not None:
            raise SearchError(
                f"noise seeds of shape {seeds.shape}: expected {chosen.shape}, and no table"
            )
    best = np.empty_like(states)
    work = Workspace.allocate(game, depth - 1, False, problem.probes, table)
    candidates = Candidates.allocate(game)
    decide_kernel(
        *problem, game.low, game.high, work, candidates, states, chosen, seeds, 0, depth,
        1, best,
    )  # fmt: skip
    return best
