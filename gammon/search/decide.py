"""Decisions: check once, call one kernel, name the results."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gammon.base.errors import SearchError
from gammon.base.stop import Stop
from gammon.search.candidates import EXACT, Candidates
from gammon.search.checks import (
    EVERYTHING,
    USUAL,
    check_decision,
    check_depth,
    check_leaves,
    check_outcome,
    check_progress,
    check_table,
    check_value,
    check_values,
    checked_states,
    problem_of,
)
from gammon.search.contract import check_once
from gammon.search.decide_kernel import (
    DIVIDED_FROM,
    count_kernel,
    decide_kernel,
    rank_kernel,
)
from gammon.search.filter import Filter
from gammon.search.game import Evaluator, Game, Rows
from gammon.search.leaves import Leaves
from gammon.search.node import search_of
from gammon.search.options import Options
from gammon.search.problem import STAR, Problem, opponents
from gammon.search.root import Root
from gammon.search.stats import Stats
from gammon.search.table import Table
from gammon.search.tasks import Tasks, room_below
from gammon.search.team import MAX_THREADS
from gammon.search.value import chance_value
from gammon.search.workspace import Workspace

__all__ = ["Decision", "Ranking", "decide", "decide_many", "rank_many"]

_NO_SEEDS = np.empty(0, np.uint64)


class Decision(NamedTuple):
    """The n successors of a decision, and what a search found out about them.

    Attributes:
        rows: int8 [n, W], each seen from the opponent, who is then on roll.
        values: float64 [n], to the player who decides.
        kind: int8 [n]: EXACT, BOUND (the value is a proven upper bound) or STATIC (the
            filter left the successor out).
        order: int64 [n], best first: `rows[order[0]]` is the best successor. The first
            `top` are exact, and static ones come last.
        leaves: the principal leaves of the first `top` of `order`, in that order, with
            signs for the player who decides; empty unless they were kept.
        stats: the work that it took.
        depth: plies searched; less than was asked for only where a limit ended the search.
    """

    rows: npt.NDArray[np.int8]
    values: npt.NDArray[np.float64]
    kind: npt.NDArray[np.int8]
    order: npt.NDArray[np.int64]
    leaves: tuple[Leaves, ...]
    stats: Stats
    depth: int

    @property
    def exact(self) -> npt.NDArray[np.bool_]:
        """Where values are exact, bool [n]."""
        return np.asarray(self.kind == EXACT)


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
    options: Options = USUAL,
    filter: Filter = EVERYTHING,
    table: Table | None = None,
    max_nodes: int | None = None,
    max_seconds: float | None = None,
    stop: Stop | None = None,
    threads: int = 1,
) -> Decision:
    """Search a decision: the exact values of the best successors, bounds for the rest.

    Args:
        game: the rules.
        evaluator: what leaves are worth; it also orders successors.
        state: int8 [W], seen from the player who decides; its game is not over.
        outcome: what chance brought, below the number of the state's outcomes.
        depth: plies, odd.
        algorithm: as for `chance_value`.
        probe: picks the successors for Star2's probes; `evaluator` unless given.
        top: how many successors need exact values. Depth 1, expectimax, gamma-b and the
            searches of `BIASES` value all.
        sigma: the standard deviation of the noise at leaves.
        noise_seed: which noise.
        leaves: keep the principal leaves of the first `top` successors, unless there
            could be more than `workspace.MAX_LEAVES` of one.
        progress: int64 [2], kept at (successors searched to the depth under way,
            successors in all) for another thread to read.
        options: how *-minimax goes about it; they never change an exact value.
        filter: which part of the tree is searched.
        table: what earlier searches of the same game, evaluator and noise found, for
            *-minimax to use and add to.
        max_nodes: stop when more chance nodes would be expanded.
        max_seconds: stop after this time.
        stop: stop when another thread sets it. With any of these limits the search goes to
            depth 1, 3, 5, ... and the answer is that of the last depth that it completed;
            depth 1 it always completes.
        threads: how many share the passes to depth 5 and more, of the Stars. The result
            is the same for any number of them. Each has a table of the size of `table`,
            which is emptied for each task; see `tasks`.

    Raises:
        GameError: the game or an evaluator does not keep its contract; see
            `contract.check_game`, of which a search does a small part.
        SearchError: another argument is not as described here.
    """
    problem = _problem_below(
        game, evaluator, probe, algorithm, sigma, noise_seed, options, filter
    )
    check_depth(depth, 1)
    check_leaves(algorithm, leaves)
    state = checked_states(game, state, (game.width,))
    check_outcome(outcome, game.max_outcomes)
    check_table(game, table)
    bounded = sigma == 0.0 and not filter.node_bounds
    check_once(game, evaluator, probe, state, outcome, depth + 1, bounded)
    check_decision(game, state, outcome)
    if top < 1:
        raise SearchError(f"top {top!r}: expected 1 or more")
    _check_threads(threads, problem.algorithm == STAR and options.divide, max_nodes)
    top = min(top, game.max_successors)
    if depth < DIVIDED_FROM:
        threads = 1  # there is nothing to share
    if progress is not None:
        check_progress(progress)
    root = Root(problem, game, state, outcome, depth, top, leaves, table, threads)
    if progress is not None:
        root.candidates = root.candidates._replace(progress=progress)
    done = root.search(depth, max_nodes, max_seconds, stop)
    candidates = root.candidates
    n = int(candidates.found[0])
    order = candidates.order[:n].copy()
    check_value(game, state, float(candidates.values[order[0]]))
    kept: tuple[Leaves, ...] = ()
    if root.capacity > 0:

        def leaves_of(candidate: int) -> Leaves | None:
            if problem.algorithm == STAR:
                return candidates.leaves(candidate)
            found = chance_value(
                game.turned(), evaluator, candidates.rows[candidate], done - 1, "star1",
                sigma=sigma, noise_seed=noise_seed, leaves=True, options=options,
                filter=filter, on_turn=True,
            ).leaves  # fmt: skip
            return None if found is None else found._replace(signs=-found.signs)

        each = [leaves_of(int(j)) for j in order[: min(top, int(candidates.progress[1]))]]
        kept = tuple(found for found in each if found is not None)
    return Decision(
        candidates.rows[:n].copy(), candidates.values[:n].copy(), candidates.kind[:n].copy(),
        order, kept, Stats.of(root.counts), done,
    )  # fmt: skip


def _problem_below(*arguments: Any) -> Problem:
    """Return `problem_of` of the arguments, with sides as the candidates' nodes see them."""
    problem = problem_of(*arguments)
    return problem._replace(sides=opponents(problem.sides))


def _checked_decisions(
    game: Game,
    evaluator: Evaluator,
    probe: Evaluator | None,
    states: npt.ArrayLike,
    outcomes: npt.ArrayLike,
    depth: int,
    bounded: bool,
) -> tuple[Rows, npt.NDArray[np.int64]]:
    """Return N states and outcomes as the kernels take them, once the first is checked."""
    chosen = np.ascontiguousarray(outcomes, np.int64)
    if chosen.ndim != 1 or not ((chosen >= 0) & (chosen < game.max_outcomes)).all():
        raise SearchError(f"outcomes {outcomes!r}: expected 0 to {game.max_outcomes - 1}")
    rows = checked_states(game, states, (None, game.width))
    if len(rows) != len(chosen):
        raise SearchError(
            f"{len(chosen)} outcomes for {len(rows)} states: expected one for each"
        )
    for state, outcome in zip(rows[:1], chosen[:1].tolist(), strict=True):
        check_once(game, evaluator, probe, state, outcome, depth + 1, bounded)
    return rows, chosen


def _check_threads(threads: int, divides: bool, max_nodes: int | None) -> None:
    if not 1 <= threads <= MAX_THREADS:
        raise SearchError(f"{threads!r} threads: expected 1 to {MAX_THREADS}")
    if threads > 1 and (not divides or max_nodes is not None):
        raise SearchError(
            f"{threads} threads: expected one of the Stars with the option `divide`, and no "
            "limit of nodes"
        )


class Ranking(NamedTuple):
    """The successors of N decisions of depth 1, K in all, those of each best first.

    Attributes:
        rows: int8 [K, W], each seen from the opponent, who is then on roll.
        values: float64 [K], to the players who decide.
        offsets: int64 [N + 1]: decision i has `slice(offsets[i], offsets[i + 1])` of them.
    """

    rows: Rows
    values: npt.NDArray[np.float64]
    offsets: npt.NDArray[np.int64]


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
    options: Options = USUAL,
    filter: Filter = EVERYTHING,
    table: Table | None = None,
) -> Rows:
    """Return the best successors of N states and outcomes, in one call of the kernel.

    Args:
        game: the rules.
        evaluator: what leaves are worth; it also orders successors.
        states: int8 [N, W], each seen from the player who decides.
        outcomes: int [N], what chance brought in each.
        depth: plies, odd.
        algorithm: as for `chance_value`.
        probe: picks the successors for Star2's probes; `evaluator` unless given.
        sigma: the standard deviation of the noise at leaves.
        noise_seed: which noise.
        noise_seeds: int [N], in place of `noise_seed`: which noise for each; without a
            table, which knows one evaluator only.
        options: as for `decide`.
        filter: which part of each tree is searched.
        table: as for `decide`.

    Returns:
        int8 [N, W], each seen from the opponent, who is then on roll.

    Raises:
        GameError: the game or an evaluator does not keep its contract; see
            `contract.check_game`, of which a search does a small part.
        SearchError: another argument is not as described here.
    """
    problem = _problem_below(
        game, evaluator, probe, algorithm, sigma, noise_seed, options, filter
    )
    check_depth(depth, 1)
    bounded = sigma == 0.0 and not filter.node_bounds
    states, chosen = _checked_decisions(
        game, evaluator, probe, states, outcomes, depth, bounded
    )
    check_table(game, table)
    seeds = _NO_SEEDS
    if noise_seeds is not None:
        seeds = np.ascontiguousarray(noise_seeds, np.uint64)
        if seeds.shape != chosen.shape or table is not None:
            raise SearchError(
                f"noise seeds of shape {seeds.shape}: expected {chosen.shape}, and no table"
            )
    best = np.empty_like(states)
    work = Workspace.allocate(problem, game.width, depth - 1, False, table)
    size = game.max_successors if depth >= DIVIDED_FROM else 0
    decide_kernel(
        search_of(problem), work, room_below(game, work), Candidates.allocate(game),
        Tasks.allocate(game, size), states, chosen, seeds, 0, depth, 1, best,
    )  # fmt: skip
    return best


def rank_many(
    game: Game,
    evaluator: Evaluator,
    states: npt.ArrayLike,
    outcomes: npt.ArrayLike,
    *,
    sigma: float = 0.0,
    noise_seed: int = 0,
) -> Ranking:
    """Return all successors of N states and outcomes by their values at depth 1.

    They are those of `decide` to depth 1, in its order, from one call of the kernel.

    Args:
        game: the rules.
        evaluator: what leaves are worth.
        states: int8 [N, W], each seen from the player who decides.
        outcomes: int [N], what chance brought in each.
        sigma: the standard deviation of the noise at leaves.
        noise_seed: which noise.

    Raises:
        SearchError: an argument is not as described here.
    """
    problem = _problem_below(
        game, evaluator, None, "star1", sigma, noise_seed, USUAL, EVERYTHING
    )
    states, chosen = _checked_decisions(
        game, evaluator, None, states, outcomes, 1, sigma == 0.0
    )
    room = Candidates.allocate(game)
    offsets = np.empty(len(chosen) + 1, np.int64)
    count_kernel(problem, room.rows, states, chosen, offsets)
    rows = np.empty((offsets[-1], game.width), np.int8)
    values = np.empty(offsets[-1])
    work = Workspace.allocate(problem, game.width, 0, False, None)
    rank_kernel(search_of(problem), work, room, states, chosen, offsets, rows, values)
    check_values(game, rows, values)
    return Ranking(rows, values, offsets)
