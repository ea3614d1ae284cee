"""A search, set up once: a game, its evaluators and the settings, checked when it is made.

Each question after that checks its own arguments, calls one kernel and names the results.

Depth counts every max, min and chance node as one ply. A decision has an odd depth: 1 looks at
its successors, 3 at the replies to them after every outcome of chance, and so on. A chance node
has an even depth, where 0 is its static value.
"""

import numpy as np
import numpy.typing as npt

from gammon.base.checks import Unchanging, is_whole, shown
from gammon.base.errors import SearchError
from gammon.base.stop import Stop
from gammon.search.algorithms import STAR1, STAR2, Algorithm, search_of, value_kernel, values_kernel
from gammon.search.both import cube_kernel, cubes_kernel
from gammon.search.candidates import Candidates
from gammon.search.checks import (
    EVERYTHING,
    USUAL,
    algorithm_of,
    check_decision,
    check_depth,
    check_leaves,
    check_limit,
    check_limits,
    check_outcome,
    check_progress,
    check_table,
    check_value,
    check_values,
    check_window,
    checked_states,
    problem_of,
)
from gammon.search.contract import Contract
from gammon.search.decide_kernel import DIVIDED_FROM, count_kernel, decide_kernel, rank_kernel
from gammon.search.found import Cube, Cubes, Decision, Ranking, Value, Values
from gammon.search.game import NOT_OVER, Doubled, Evaluator, Game, Rows, State
from gammon.search.leaves import Leaves
from gammon.search.problem import Filter, Options
from gammon.search.root import MAX_THREADS, NO_SEEDS, Rooms, Root, deepened
from gammon.search.stats import Stats, new_counts
from gammon.search.table import Table
from gammon.search.tasks import Tasks, room_below
from gammon.search.workspace import Workspace

_INFINITE = (-np.inf, np.inf)


class Setup(Unchanging):
    """A search that is set up: `decide`, `value` and `cube` ask it, of one state or of many.

    It never changes, and any number of threads may ask one at the same time. Each question
    raises a GameError where the game or an evaluator does not keep its contract (the first
    ones do a small part of `check_game`), and a SearchError where an argument is not as
    described there.

    Args:
        game: the rules.
        evaluator: what leaves are worth; it also orders successors.
        algorithm: the name of one of `ALGORITHMS`, which all give the same value, or for a game
            without chance of `WITHOUT_CHANCE`; or an `Algorithm` of one's own.
        probe: picks the successors for Star2's probes; `evaluator` unless given.
        sigma: the standard deviation of the noise at leaves.
        noise_seed: which noise.
        options: how *-minimax goes about it; they never change an exact value.
        filter: which part of the tree is searched.
        max_evaluations: once a search has asked the leaf evaluator for so many states, it
            begins no deeper pass: it goes to depth 1, 3, 5, ... (a chance node 0, 2, 4, ...),
            and the last pass may bring it far above this number. The result is the same on
            all machines, and for any number of threads. None: no limit.

    Attributes:
        algorithm: its name.
        divides: whether threads can share a decision.
        problem: all that stays the same at every node, as kernels take it.
        game, evaluator, probe, max_evaluations: as given; without a probe, that is the
            evaluator.

    Raises:
        GameError: the game, or an evaluator, is not as `gammon.search.game` describes it.
        SearchError: another argument is not as described here.
    """

    def __init__(
        self,
        game: Game,
        evaluator: Evaluator,
        algorithm: str | Algorithm = STAR2,
        probe: Evaluator | None = None,
        *,
        sigma: float = 0.0,
        noise_seed: int = 0,
        options: Options = USUAL,
        filter: Filter = EVERYTHING,
        max_evaluations: int | None = None,
    ) -> None:
        check_limit("max_evaluations", max_evaluations)
        self.max_evaluations = max_evaluations
        self.game = game
        self.evaluator = evaluator
        self._algorithm = one = algorithm_of(game, algorithm)
        self.problem = problem_of(game, evaluator, probe, one, sigma, noise_seed, options, filter)
        self.algorithm = one.name
        self.divides = one.divides and options.divide
        self.probe = evaluator if probe is None else probe
        self._search = below = search_of(self.problem, one)
        if one.below is not None:
            parameters = np.array(one.below, np.float64)
            below = search_of(self.problem._replace(parameters=parameters), one)
        #: For decisions, whose first chance nodes have the opponent on roll.
        self._below = below
        bounded = sigma == 0.0 and not filter.node_bounds
        self._rooms = Rooms(self.problem, game)
        self._contract = Contract(game, evaluator, probe, bounded)
        self._made = True

    def turned(self, algorithm: str | Algorithm | None = None) -> "Setup":
        """Return the same search for the other player, maybe by another algorithm."""
        seed = int(self.problem.noise_seed[0])
        return self._again(self.game.turned(), algorithm, seed, self.max_evaluations)

    def with_noise(self, seed: int) -> "Setup":
        """Return the same search with another noise of the same size."""
        return self._again(self.game, None, seed, self.max_evaluations)

    def _again(self, game: Game, algorithm: str | Algorithm | None, seed: int, most: int | None) -> "Setup":
        """Return a search that differs from this one in the arguments alone."""
        problem = self.problem
        return Setup(
            game, self.evaluator, algorithm or self._algorithm, self.probe, sigma=problem.sigma,
            noise_seed=seed, options=problem.options, filter=problem.filter,
            max_evaluations=most,
        )  # fmt: skip

    def decide(
        self,
        state: npt.ArrayLike,
        outcome: int,
        depth: int,
        *,
        top: int = 1,
        leaves: bool = False,
        progress: npt.NDArray[np.int64] | None = None,
        table: Table | None = None,
        max_nodes: int | None = None,
        max_seconds: float | None = None,
        stop: Stop | None = None,
        threads: int = 1,
    ) -> Decision:
        """Search a decision: the exact values of the best successors, bounds for the rest.

        Args:
            state: int8 [W], seen from the player who decides; its game is not over.
            outcome: what chance brought, below the number of the state's outcomes.
            depth: plies, odd.
            top: how many successors need exact values. Depth 1, and algorithms without
                `Algorithm.cuts` such as expectimax, value all.
            leaves: keep the principal leaves of the first `top` successors, unless there
                could be more than `workspace.MAX_LEAVES` of one.
            progress: int64 [2], kept at (successors searched to the depth under way,
                successors in all) for another thread to read.
            table: what earlier searches of the same game, evaluator, noise and filter found,
                for *-minimax to use and add to.
            max_nodes: stop when more chance nodes would be expanded.
            max_seconds: stop after so long.
            stop: stop when another thread sets it. With any of these limits the search goes to
                depth 1, 3, 5, ... and the answer is that of the last depth that it completed;
                depth 1 it always completes.
            threads: how many share the passes to depth 5 and more; more than one needs a Star
                with the option `divide`, and no `max_nodes`. The result is the same for any
                number of them. Each has a table of the size of `table`, which is emptied for
                each task; see `tasks`.
        """
        check_leaves(self._algorithm, leaves)
        check_limits(max_nodes, max_seconds, stop)
        state = self._checked(state, (self.game.width,), depth, 1, table)
        check_outcome(outcome, self.game.max_outcomes)
        self._contract.check(state, outcome, depth + 1)
        check_decision(self.game, state, outcome)
        if not is_whole(top, 1):
            raise SearchError(f"top {shown(top)}: expected 1 or more")
        self._check_threads(threads, max_nodes)
        if progress is not None:
            check_progress(progress)
        top = min(top, self.game.max_successors)
        if depth < DIVIDED_FROM:
            threads = 1  # there is nothing to share
        root = Root(self._below, self.game, state, outcome, depth, top, leaves, table, threads, self._rooms)
        if progress is not None:
            root.candidates = root.candidates._replace(progress=progress)
        done = root.search(depth, max_nodes, max_seconds, stop, self.max_evaluations)
        candidates = root.candidates
        n = int(candidates.found[0])
        order = candidates.order[:n].copy()
        check_value(self.game, state, float(candidates.values[order[0]]))
        kept: tuple[Leaves, ...] = ()
        if root.capacity > 0:
            leading = order[: min(top, int(candidates.progress[1]))]
            kept = self._leading_leaves(candidates, leading, done - 1)
        found = Decision(
            candidates.rows[:n].copy(),
            candidates.values[:n].copy(),
            candidates.kind[:n].copy(),
            order,
            kept,
            Stats.of(root.counts),
            done,
        )
        root.leave()
        return found

    def best(
        self,
        states: npt.ArrayLike,
        outcomes: npt.ArrayLike,
        depth: int,
        *,
        noise_seeds: npt.ArrayLike | None = None,
        table: Table | None = None,
    ) -> Rows:
        """Return the best successors of N states and outcomes, in one call of the kernel.

        Args:
            states: int8 [N, W], each seen from the player who decides.
            outcomes: int [N], what chance brought in each. That a state has this outcome, and
                that its game goes on, is looked at for the first one alone, and in the
                package's own games for none.
            depth: plies, odd.
            noise_seeds: int [N], in place of `noise_seed`: which noise for each; without a
                table, which knows one evaluator only.
            table: as for `decide`; with `max_evaluations`, each decision has one of this size.

        Returns:
            int8 [N, W], each seen from the opponent, who is then on roll.
        """
        rows, chosen = self._decisions(states, outcomes, depth, table)
        search, seeds = self._below, NO_SEEDS
        if noise_seeds is not None:
            seeds = _seeds(noise_seeds)
            if seeds.shape != chosen.shape or table is not None:
                raise SearchError(
                    f"noise seeds of shape {seeds.shape}: expected {chosen.shape}, and no table"
                )
            # The kernel writes each seed into the problem: into one of this call.
            own = np.zeros(1, np.uint64)
            search = search._replace(problem=search.problem._replace(noise_seed=own))
        best = np.empty_like(rows)
        if self.max_evaluations is not None:
            for i in range(len(rows)):
                setup = self if noise_seeds is None else self.with_noise(int(seeds[i]))
                emptied = None if table is None else table.another()
                one = setup.decide(rows[i], int(chosen[i]), depth, table=emptied)
                best[i] = one.rows[one.order[0]]
            return best
        room = self._rooms.enter(depth, False, 1, table)
        tasks = room.tasks
        if depth >= DIVIDED_FROM:
            tasks = Tasks.allocate(self.game, self.game.max_successors)
        decide_kernel(search, *room.memory, room.candidates, tasks, rows, chosen, seeds, 0, depth, 1, best)
        self._rooms.leave(room)
        return best

    def rank(self, states: npt.ArrayLike, outcomes: npt.ArrayLike) -> Ranking:
        """Return all successors of N states and outcomes by their values at depth 1.

        They are those of `decide` to depth 1, in its order, from one call of the kernel.

        Args:
            states: int8 [N, W], each seen from the player who decides.
            outcomes: int [N], what chance brought in each.
        """
        decided, chosen = self._decisions(states, outcomes, 1, None)
        room = Candidates.allocate(self.game)
        offsets = np.empty(len(chosen) + 1, np.int64)
        count_kernel(self.problem, room.rows, decided, chosen, offsets)
        rows = np.empty((offsets[-1], self.game.width), np.int8)
        values = np.empty(offsets[-1])
        work = self._workspace(0, False, None)
        rank_kernel(self._below, work, room, decided, chosen, offsets, rows, values)
        check_values(self.game, rows, values)
        return Ranking(rows, values, offsets)

    def value(
        self,
        state: npt.ArrayLike,
        depth: int,
        *,
        window: tuple[float, float] = _INFINITE,
        on_turn: bool = False,
        leaves: bool = False,
        table: Table | None = None,
        max_nodes: int | None = None,
        max_seconds: float | None = None,
        stop: Stop | None = None,
    ) -> Value:
        """Search a chance node: the value of a state before its player rolls.

        Args:
            state: int8 [W], seen from the player on roll.
            depth: plies, even.
            window: (alpha, beta). Only the Stars look at it, and algorithms of one's own with
                `Algorithm.cuts`.
            on_turn: the value before a turn: the player on roll may double first, where the
                game lets him. Unless given it is that of rolling now, the cube as it is.
            leaves: keep the principal leaves. Only the Stars have them: for other exact
                algorithms a second search, which is not counted, finds them.
            table: as for `decide`.
            max_nodes: as for `decide`, by depth 0, 2, 4, ...; depth 0 is always complete.
            max_seconds: as `max_nodes`.
            stop: as `max_nodes`.
        """
        check_leaves(self._algorithm, leaves)
        check_limits(max_nodes, max_seconds, stop)
        check_window(window)
        alpha, beta = window
        state = self._checked(state, (self.game.width,), depth, 0, table)
        self._contract.check(state, None, depth)
        work = self._workspace(depth, leaves, table)

        def search(depth: int) -> float:
            return value_kernel(self._search, work, state, bool(on_turn), depth, float(alpha), float(beta))

        value, done = deepened(search, depth, work, max_nodes, max_seconds, stop, self.max_evaluations)
        inside = alpha < value < beta
        if inside or not np.isfinite(value):
            check_value(self.game, state, value)
        stats = Stats.of(work.stats)
        kept = None
        if inside:
            kept = self._leaves(work, state, on_turn, done, depth, (alpha, beta))
        return Value(value, stats, done, kept)

    def values(
        self, states: npt.ArrayLike, depth: int, *, on_turn: bool = False, table: Table | None = None
    ) -> Values:
        """Search N chance nodes in one call of the kernel, each as if it were the only one.

        Args:
            states: int8 [N, W], each seen from its player on roll.
            depth: plies, even, and few enough for principal leaves: see `workspace.MAX_LEAVES`.
            on_turn: as for `value`.
            table: for *-minimax to use; it is emptied before each node.

        Returns:
            What `value` with an empty table returns of each state, to the last bit.
        """
        check_leaves(self._algorithm, True)
        if self.max_evaluations is not None:
            raise SearchError("many nodes with max_evaluations: expected `value` of each")
        nodes = self._nodes(states, depth, table)
        work = self._workspace(depth, True, table)
        n, capacity = len(nodes), work.leaf_rows.shape[1]
        if capacity == 0:
            raise SearchError(f"depth {shown(depth)} for many nodes: expected less, for their leaves")
        values = np.empty(n)
        rows = np.empty((n, capacity, self.game.width), np.int8)
        weight, count = np.empty((n, capacity)), np.empty(n, np.int64)
        found = rows, weight, count
        values_kernel(self._search, work, nodes, bool(on_turn), depth, values, *found)
        check_values(self.game, nodes, values)
        if not self._search.keeps_leaves:  # a second search finds them
            values_kernel(
                search_of(self.problem, STAR1), work, nodes, bool(on_turn), depth, np.empty(n), *found
            )
        kept = np.arange(capacity) < count[:, None]
        leaves = Leaves(rows[kept], np.abs(weight[kept]), np.sign(weight[kept]))
        return Values(values, leaves, np.concatenate([[0], np.cumsum(count)]))

    def cube(
        self,
        state: npt.ArrayLike,
        depth: int,
        *,
        leaves: bool = False,
        table: Table | None = None,
        max_nodes: int | None = None,
        max_seconds: float | None = None,
        stop: Stop | None = None,
    ) -> Cube:
        """Search the decision whether to double, and whether to take: all values are exact.

        Both values come from one search, in which the evaluator is asked once for a state.

        Args:
            state: int8 [W], seen from the player on roll.
            depth: plies, even.
            leaves: keep the principal leaves of rolling now.
            table: as for `decide`.
            max_nodes: as for `value`, for both values together.
            max_seconds: as `max_nodes`.
            stop: as `max_nodes`.
        """
        game = self.game
        check_limits(max_nodes, max_seconds, stop)
        state = self._checked(state, (self.game.width,), depth, 0, table)
        self._contract.check(state, None, depth)
        double = game.offer(game.stake, game.params)
        over = game.terminal(state, game.stake, game.params) != NOT_OVER
        if double.cash == NOT_OVER or over:
            alone = self.value(
                state,
                depth,
                leaves=leaves,
                table=table,
                max_nodes=max_nodes,
                max_seconds=max_seconds,
                stop=stop,
            )
            return Cube(alone.value, None, None, alone.stats, alone.depth, alone.leaves)
        work = self._workspace(depth, leaves, table)
        room = room_below(game, work)

        def search(depth: int) -> npt.NDArray[np.float64]:
            values = np.empty(2)
            cube_kernel(self._search, double, work, room, state, depth, values)
            return values

        values, done = deepened(search, depth, work, max_nodes, max_seconds, stop, self.max_evaluations)
        rolled, taken = values.tolist()
        check_value(game, state, rolled)
        check_value(_after(game, double), state, taken)
        stats = Stats.of(work.stats)
        kept = self._leaves(work, state, False, done, depth, _INFINITE)
        return Cube(rolled, double.factor * taken, double.cash, stats, done, kept)

    def cubes(self, states: npt.ArrayLike, depth: int, *, table: Table | None = None) -> Cubes:
        """Search N decisions about a double in one call of the kernel: all values are exact.

        Args:
            states: int8 [N, W], each seen from its player on roll, who may double; no game is
                over.
            depth: plies, even.
            table: for *-minimax to use; it is emptied before each state.
        """
        game = self.game
        double = game.offer(game.stake, game.params)
        if double.cash == NOT_OVER:
            raise SearchError(f"doubles of {game.name}: expected a game in which one may double")
        nodes = self._nodes(states, depth, table)
        values = np.empty((len(nodes), 2))
        if self.max_evaluations is not None:
            for i, state in enumerate(nodes):
                emptied = None if table is None else table.another()
                one = self.cube(state, depth, table=emptied)
                values[i] = one.no_double, one.double_take
            return Cubes(values[:, 0].copy(), values[:, 1].copy(), double.cash)
        work = self._workspace(depth, False, table)
        cubes_kernel(self._search, double, work, room_below(game, work), nodes, depth, values)
        check_values(game, nodes, values[:, 0])
        check_values(_after(game, double), nodes, values[:, 1])
        return Cubes(values[:, 0].copy(), double.factor * values[:, 1], double.cash)

    def _checked(
        self,
        states: npt.ArrayLike,
        shape: tuple[int | None, ...],
        depth: int,
        parity: int,
        table: Table | None,
    ) -> npt.NDArray[np.int8]:
        """Return states as kernels take them, if they, the depth and the table are right."""
        check_depth(depth, parity)
        check_table(self.game, table)
        return checked_states(self.game, states, shape)

    def _nodes(self, states: npt.ArrayLike, depth: int, table: Table | None) -> Rows:
        """Return N chance nodes as kernels take them, checked."""
        rows = self._checked(states, (None, self.game.width), depth, 0, table)
        for state in rows[:1]:
            self._contract.check(state, None, depth)
        return rows

    def _decisions(
        self, states: npt.ArrayLike, outcomes: npt.ArrayLike, depth: int, table: Table | None
    ) -> tuple[Rows, npt.NDArray[np.int64]]:
        """Return N states and their outcomes as kernels take them, checked."""
        rows = self._checked(states, (None, self.game.width), depth, 1, table)
        most = self.game.max_outcomes - 1
        given = _whole("outcomes", outcomes, most)
        if given.ndim != 1:
            raise SearchError(f"outcomes {shown(outcomes)}: expected one for each state")
        chosen = np.ascontiguousarray(given, np.int64)
        if len(rows) != len(chosen):
            raise SearchError(f"{len(chosen)} outcomes for {len(rows)} states: expected one for each")
        if len(rows) > 0 and not self._contract.trusted:
            self._contract.check(rows[0], int(chosen[0]), depth + 1)
            check_decision(self.game, rows[0], int(chosen[0]))
        return rows, chosen

    def _workspace(self, depth: int, leaves: bool, table: Table | None) -> Workspace:
        return Workspace.allocate(self.problem, self.game.width, depth, leaves, table)

    def _check_threads(self, threads: int, max_nodes: int | None) -> None:
        if not is_whole(threads, 1, MAX_THREADS):
            raise SearchError(f"{shown(threads)} threads: expected 1 to {MAX_THREADS}")
        if threads > 1 and (not self.divides or max_nodes is not None):
            raise SearchError(
                f"{threads} threads: expected one of the Stars with the option `divide`, and "
                "no limit of nodes"
            )

    def _leading_leaves(
        self, candidates: Candidates, leading: npt.NDArray[np.int64], depth: int
    ) -> tuple[Leaves, ...]:
        """Return the principal leaves of some candidates, whose chance nodes have a depth."""
        if self._search.keeps_leaves:
            return tuple(candidates.leaves(j) for j in leading.tolist())
        below = self._again(self.game.turned(), STAR1, int(self.problem.noise_seed[0]), None)
        each = [below.value(candidates.rows[j], depth, leaves=True, on_turn=True).leaves for j in leading]
        return tuple(one._replace(signs=-one.signs) for one in each if one is not None)

    def _leaves(
        self, work: Workspace, state: State, on_turn: bool, done: int, depth: int, window: tuple[float, float]
    ) -> Leaves | None:
        """Return the principal leaves of a node that was searched, if there is room for them.

        Where the last search did not leave them, a second one does, which is not counted.
        """
        if work.leaf_rows.size == 0:
            return None
        if not self._search.keeps_leaves or done < depth:
            work.stats[:] = new_counts()
            alpha, beta = map(float, window)
            search = self._search if self._search.keeps_leaves else search_of(self.problem, STAR1)
            value_kernel(search, work, state, bool(on_turn), done, alpha, beta)
        level = done // 2
        return Leaves.of(work.leaf_rows[level], work.leaf_weight[level], work.leaf_count[level])


def _whole(name: str, given: npt.ArrayLike, most: int) -> npt.NDArray[np.integer]:
    """Return whole numbers from 0 to `most` as an array, or raise a SearchError."""
    try:
        array = np.asarray(given)
    except ValueError:
        raise SearchError(f"{name} of several lengths: expected whole numbers") from None
    numbers = array.ravel().tolist()  # Python finds the ends of a few of them sooner
    right = array.dtype.kind in "iu"
    if numbers and not (right and min(numbers) >= 0 and max(numbers) <= most):
        raise SearchError(f"{name} {shown(given)}: expected whole numbers from 0 to {most}")
    return array


def _seeds(given: npt.ArrayLike) -> npt.NDArray[np.uint64]:
    """Return seeds as uint64, or raise a SearchError."""
    most = (1 << 64) - 1
    if isinstance(given, list | tuple) and all(is_whole(each, 0, most) for each in given):
        given = np.array(given, np.uint64)  # numpy itself makes floats of the largest
    return np.ascontiguousarray(_whole("noise seeds", given, most), np.uint64)


def _after(game: Game, double: Doubled) -> Game:
    """Return a game at the stake after a double."""
    return game._replace(stake=double.stake, low=double.low, high=double.high)
