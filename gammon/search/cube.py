"""A decision about a double: what rolling is worth, and what a double is."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gammon.base.stop import Stop
from gammon.search.checks import (
    EVERYTHING,
    USUAL,
    check_depth,
    check_table,
    check_value,
    check_values,
    checked_states,
    problem_of,
)
from gammon.search.contract import check_once
from gammon.search.filter import Filter
from gammon.search.game import NOT_OVER, Doubled, Evaluator, Game
from gammon.search.leaves import Leaves
from gammon.search.node import search_of
from gammon.search.options import Options
from gammon.search.problem import STAR
from gammon.search.stats import Stats, new_counts
from gammon.search.table import Table
from gammon.search.tasks import room_below
from gammon.search.value import chance_value, deepened
from gammon.search.workspace import Workspace

__all__ = ["Cube", "Cubes", "cube_values", "cube_values_many"]

#: Values that differ by less are equal: sums over outcomes are rounded.
_EQUAL = 1e-6


class Cube(NamedTuple):
    """The values of the actions of a player who is on roll and may double.

    Attributes:
        no_double: of rolling now.
        double_take: of a double that is taken, multiplied by the factor of the double, but not
            by that of a beaver. None where the player may not double.
        double_pass: what the player gets if the opponent passes, or None.
        stats: the work that both values took.
        depth: plies searched, the same for both; less than was asked for only where a limit
            ended the search.
        leaves: the principal leaves of rolling now, where they were asked for and are not
            more than `workspace.MAX_LEAVES`.
    """

    no_double: float
    double_take: float | None
    double_pass: float | None
    stats: Stats
    depth: int
    leaves: Leaves | None


class Cubes(NamedTuple):
    """The values of N decisions about a double that may be made; see `Cube`.

    Attributes:
        no_double: float64 [N], of rolling now.
        double_take: float64 [N], of a double that is taken.
        double_pass: what the player gets if the opponent passes.
    """

    no_double: npt.NDArray[np.float64]
    double_take: npt.NDArray[np.float64]
    double_pass: float

    @property
    def takes(self) -> npt.NDArray[np.bool_]:
        """Where the opponent's right answer to a double is to take it, bool [N]."""
        return np.asarray(self.double_take < self.double_pass)

    @property
    def doubles(self) -> npt.NDArray[np.bool_]:
        """Where a double is right, bool [N].

        It is where rolling is worth less, and where it is worth as much as a pass that is the
        right answer: the opponent may err.
        """
        worth = np.minimum(self.double_take, self.double_pass)
        certain = ~self.takes & (self.no_double <= self.double_pass + _EQUAL)
        return (worth > self.no_double) | certain


def _after(game: Game, double: Doubled) -> Game:
    """Return a game at the stake after a double."""
    return game._replace(stake=double.stake, low=double.low, high=double.high)


def cube_values(
    game: Game,
    evaluator: Evaluator,
    state: npt.ArrayLike,
    depth: int,
    algorithm: str = "star2",
    probe: Evaluator | None = None,
    *,
    sigma: float = 0.0,
    noise_seed: int = 0,
    leaves: bool = False,
    options: Options = USUAL,
    filter: Filter = EVERYTHING,
    table: Table | None = None,
    max_nodes: int | None = None,
    max_seconds: float | None = None,
    stop: Stop | None = None,
) -> Cube:
    """Search the decision whether to double, and whether to take: all values are exact.

    Both values come from one search, in which the evaluator is asked once for a state.

    Args:
        game: the rules, with an `offer`, and the stake.
        evaluator: what leaves are worth; it also orders successors.
        state: int8 [W], seen from the player on roll.
        depth: plies, even.
        algorithm: one of `ALGORITHMS` that can search a game with doubles.
        probe: as for `chance_value`.
        sigma: as for `chance_value`.
        noise_seed: as for `chance_value`.
        leaves: keep the principal leaves of rolling now.
        options: as for `chance_value`.
        filter: as for `chance_value`.
        table: as for `chance_value`.
        max_nodes: as for `chance_value`, for both values together.
        max_seconds: as for `chance_value`, for both values together.
        stop: as for `chance_value`, for both values together.

    Raises:
        GameError: see `chance_value`.
        SearchError: an argument is not as described there.
    """
    from gammon.search.cube_kernel import cube_kernel

    problem = problem_of(game, evaluator, probe, algorithm, sigma, noise_seed, options, filter)
    state = checked_states(game, state, (game.width,))
    double = game.offer(game.stake, game.params)
    over = game.terminal(state, game.stake, game.params) != NOT_OVER
    if double.cash == NOT_OVER or over:
        alone = chance_value(
            game, evaluator, state, depth, algorithm, probe, sigma=sigma,
            noise_seed=noise_seed, leaves=leaves, options=options, filter=filter, table=table,
            max_nodes=max_nodes, max_seconds=max_seconds, stop=stop,
        )  # fmt: skip
        return Cube(alone.value, None, None, alone.stats, alone.depth, alone.leaves)
    check_depth(depth, 0)
    check_table(game, table)
    bounded = sigma == 0.0 and not filter.node_bounds
    check_once(game, evaluator, probe, state, None, depth, bounded)
    work = Workspace.allocate(problem, game.width, depth, leaves, table)
    room = room_below(game, work)

    def search(depth: int) -> npt.NDArray[np.float64]:
        values = np.empty(2)
        cube_kernel(search_of(problem), double, work, room, state, depth, values)
        return values

    values, done = deepened(search, depth, work, max_nodes, max_seconds, stop)
    rolled, taken = values.tolist()
    check_value(game, state, rolled)
    check_value(_after(game, double), state, taken)
    stats = Stats.of(work.stats)
    kept = None
    if work.leaf_rows.size > 0:
        if problem.algorithm != STAR or done < depth:  # a second search finds the leaves
            from gammon.search.value_kernel import value_kernel

            work.stats[:] = new_counts()
            star = search_of(problem._replace(algorithm=STAR))
            value_kernel(star, work, state, False, done, -np.inf, np.inf)
        level = done // 2
        kept = Leaves.of(work.leaf_rows[level], work.leaf_weight[level], work.leaf_count[level])
    return Cube(rolled, double.factor * taken, double.cash, stats, done, kept)


def cube_values_many(
    game: Game,
    evaluator: Evaluator,
    states: npt.ArrayLike,
    depth: int,
    algorithm: str = "star2",
    probe: Evaluator | None = None,
    *,
    sigma: float = 0.0,
    noise_seed: int = 0,
    options: Options = USUAL,
    filter: Filter = EVERYTHING,
    table: Table | None = None,
) -> Cubes:
    """Search N decisions about a double in one call of the kernel: all values are exact.

    Args:
        game: the rules, and the stake of the players on roll, who may double.
        evaluator: what leaves are worth; it also orders successors.
        states: int8 [N, W], each seen from its player on roll; no game is over.
        depth: plies, even.
        algorithm: as for `cube_values`.
        probe: as for `chance_value`.
        sigma: as for `chance_value`.
        noise_seed: as for `chance_value`.
        options: as for `chance_value`.
        filter: as for `chance_value`.
        table: for *-minimax to use; it is emptied before each state.

    Raises:
        GameError: see `chance_value`.
        SearchError: an argument is not as described there.
    """
    from gammon.search.cube_kernel import cubes_kernel

    problem = problem_of(game, evaluator, probe, algorithm, sigma, noise_seed, options, filter)
    double = game.offer(game.stake, game.params)
    check_depth(depth, 0)
    states = checked_states(game, states, (None, game.width))
    check_table(game, table)
    bounded = sigma == 0.0 and not filter.node_bounds
    for state in states[:1]:
        check_once(game, evaluator, probe, state, None, depth, bounded)
    work = Workspace.allocate(problem, game.width, depth, False, table)
    room = room_below(game, work)
    values = np.empty((len(states), 2))
    cubes_kernel(search_of(problem), double, work, room, states, depth, values)
    check_values(game, states, values[:, 0])
    check_values(_after(game, double), states, values[:, 1])
    return Cubes(values[:, 0].copy(), double.factor * values[:, 1], double.cash)
