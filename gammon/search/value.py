"""The value of a chance node: check once, call one kernel, name the results."""

from collections.abc import Callable
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from gammon.base.errors import SearchError
from gammon.base.stop import Stop
from gammon.search.checks import (
    EVERYTHING,
    USUAL,
    check_depth,
    check_leaves,
    check_table,
    check_value,
    check_values,
    checked_states,
    problem_of,
    stopped_after,
)
from gammon.search.contract import check_once
from gammon.search.filter import Filter
from gammon.search.game import Evaluator, Game
from gammon.search.leaves import Leaves
from gammon.search.node import search_of
from gammon.search.options import Options
from gammon.search.problem import STAR, Problem
from gammon.search.stats import STOPPED, Stats, new_counts
from gammon.search.table import Table
from gammon.search.workspace import Workspace

__all__ = ["Value", "Values", "chance_value", "chance_values", "deepened"]

_INFINITE = (-np.inf, np.inf)

_Found = TypeVar("_Found")


class Value(NamedTuple):
    """The result of a search of a chance node.

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


class Values(NamedTuple):
    """The results of searches of N chance nodes.

    Attributes:
        values: float64 [N], to the players on roll.
        leaves: the principal leaves of all nodes, one node after the other.
        offsets: int64 [N + 1]: those of node i are `slice(offsets[i], offsets[i + 1])`.
    """

    values: npt.NDArray[np.float64]
    leaves: Leaves
    offsets: npt.NDArray[np.int64]


def deepened(
    search: Callable[[int], _Found],
    depth: int,
    work: Workspace,
    max_nodes: int | None,
    max_seconds: float | None,
    stop: Stop | None,
) -> tuple[_Found, int]:
    """Search a chance node to a depth, or to the last one that a limit allows.

    Args:
        search: to the depth that it is given; it counts in `work`.
        depth: plies, even.
        work: the search's memory.
        max_nodes: a limit, as for `chance_value`.
        max_seconds: a limit, as for `chance_value`.
        stop: as for `chance_value`.

    Returns:
        The result of the deepest search that was completed, and its depth.
    """
    limits = max_nodes, max_seconds, stop
    done = 0 if any(each is not None for each in limits) else depth
    found = search(done)
    with stopped_after([work.stats], *limits):
        while done < depth:
            deeper = search(done + 2)
            if work.stats[STOPPED]:
                break
            found, done = deeper, done + 2
    return found, done


def chance_value(
    game: Game,
    evaluator: Evaluator,
    state: npt.ArrayLike,
    depth: int,
    algorithm: str = "star2",
    probe: Evaluator | None = None,
    *,
    window: tuple[float, float] = _INFINITE,
    on_turn: bool = False,
    sigma: float = 0.0,
    noise_seed: int = 0,
    leaves: bool = False,
    options: Options = USUAL,
    filter: Filter = EVERYTHING,
    table: Table | None = None,
    max_nodes: int | None = None,
    max_seconds: float | None = None,
    stop: Stop | None = None,
) -> Value:
    """Search a chance node: the value of a state before its player rolls.

    Args:
        game: the rules.
        evaluator: what leaves are worth; it also orders successors.
        state: int8 [W], seen from the player on roll.
        depth: plies, even.
        algorithm: one of `ALGORITHMS`, which all give the same value; or of `BIASES`, or
            for a game without chance of `WITHOUT_CHANCE`.
        probe: picks the successors for Star2's probes; `evaluator` unless given.
        window: (alpha, beta), ignored by expectimax.
        on_turn: the value before a turn: the player on roll may double first, where the game
            lets him. Unless given it is that of rolling now, the cube as it is.
        sigma: the standard deviation of the noise at leaves.
        noise_seed: which noise.
        leaves: keep the principal leaves. Only the Stars have them: for the others a second
            search, which is not counted, finds them.
        options: how *-minimax goes about it; they never change the value.
        filter: which part of the tree is searched.
        table: what earlier searches of the same game, evaluator and noise found, for
            *-minimax to use and add to.
        max_nodes: stop when more chance nodes would be expanded.
        max_seconds: stop after so long.
        stop: stop when another thread sets it. With any of these limits the search goes to
            depth 0, 2, 4, ... and the answer is that of the last depth that it completed;
            depth 0 it always completes.

    Raises:
        GameError: the game or an evaluator does not keep its contract; see
            `contract.check_game`, of which a search does a small part.
        SearchError: another argument is not as described here.
    """
    from gammon.search.value_kernel import value_kernel

    problem = problem_of(game, evaluator, probe, algorithm, sigma, noise_seed, options, filter)
    check_depth(depth, 0)
    check_leaves(algorithm, leaves)
    state = checked_states(game, state, (game.width,))
    alpha, beta = window
    if not alpha < beta:
        raise SearchError(f"window {window!r}: expected (alpha, beta) with alpha < beta")
    check_table(game, table)
    bounded = sigma == 0.0 and not filter.node_bounds
    check_once(game, evaluator, probe, state, None, depth, bounded)
    work = Workspace.allocate(problem, game.width, depth, leaves, table)

    def search(depth: int, problem: Problem = problem) -> float:
        return value_kernel(
            search_of(problem), work, state, bool(on_turn), depth, float(alpha), float(beta)
        )

    value, done = deepened(search, depth, work, max_nodes, max_seconds, stop)
    if alpha < value < beta or not np.isfinite(value):
        check_value(game, state, value)
    stats = Stats.of(work.stats)
    kept = None
    if work.leaf_rows.size > 0 and alpha < value < beta:
        if problem.algorithm != STAR or done < depth:
            work.stats[:] = new_counts()
            search(done, problem._replace(algorithm=STAR))
        level = done // 2
        kept = Leaves.of(work.leaf_rows[level], work.leaf_weight[level], work.leaf_count[level])
    return Value(value, stats, done, kept)


def chance_values(
    game: Game,
    evaluator: Evaluator,
    states: npt.ArrayLike,
    depth: int,
    algorithm: str = "star2",
    probe: Evaluator | None = None,
    *,
    on_turn: bool = False,
    sigma: float = 0.0,
    noise_seed: int = 0,
    options: Options = USUAL,
    filter: Filter = EVERYTHING,
    table: Table | None = None,
) -> Values:
    """Search N chance nodes in one call of the kernel, each as if it were the only one.

    Args:
        game: the rules.
        evaluator: what leaves are worth; it also orders successors.
        states: int8 [N, W], each seen from its player on roll.
        depth: plies, even, and few enough for principal leaves: see `workspace.MAX_LEAVES`.
        algorithm: one of `ALGORITHMS`, or for a game without chance of `WITHOUT_CHANCE`.
        probe: picks the successors for Star2's probes; `evaluator` unless given.
        on_turn: as for `chance_value`.
        sigma: the standard deviation of the noise at leaves.
        noise_seed: which noise.
        options: how *-minimax goes about it; they never change the value.
        filter: which part of the tree is searched.
        table: for *-minimax to use; it is emptied before each node.

    Returns:
        What `chance_value` with an empty table returns of each state, to the last bit.

    Raises:
        GameError: as for `chance_value`.
        SearchError: another argument is not as described here.
    """
    from gammon.search.value_kernel import values_kernel

    problem = problem_of(game, evaluator, probe, algorithm, sigma, noise_seed, options, filter)
    check_depth(depth, 0)
    check_leaves(algorithm, True)
    states = checked_states(game, states, (None, game.width))
    n = len(states)
    check_table(game, table)
    bounded = sigma == 0.0 and not filter.node_bounds
    for state in states[:1]:
        check_once(game, evaluator, probe, state, None, depth, bounded)
    work = Workspace.allocate(problem, game.width, depth, True, table)
    capacity = work.leaf_rows.shape[1]
    if capacity == 0:
        raise SearchError(f"depth {depth!r} for many nodes: expected less, for their leaves")
    values = np.empty(n)
    rows = np.empty((n, capacity, game.width), np.int8)
    weight = np.empty((n, capacity))
    count = np.empty(n, np.int64)
    values_kernel(
        search_of(problem), work, states, bool(on_turn), depth, values, rows, weight, count
    )
    check_values(game, states, values)
    if problem.algorithm != STAR:  # a second search finds the leaves
        star = problem._replace(algorithm=STAR)
        values_kernel(
            search_of(star),
            work,
            states,
            bool(on_turn),
            depth,
            np.empty(n),
            rows,
            weight,
            count,
        )
    kept = np.arange(capacity) < count[:, None]
    found = weight[kept]
    offsets = np.concatenate([[0], np.cumsum(count)])
    return Values(values, Leaves(rows[kept], np.abs(found), np.sign(found)), offsets)
