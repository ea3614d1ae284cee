"""A search that is set up once: a game, its evaluators and settings, checked in the constructor.

Each method then checks its own arguments, calls one kernel and names the results.

Depth counts every max, min and chance node as one ply. A decision has an odd depth: depth 1
evaluates its successors, depth 3 the replies to them after every outcome of chance, and so on.
A chance node has an even depth; depth 0 is its static value.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gammon.base.checks import Unchanging, is_whole, shown
from gammon.base.errors import SearchError
from gammon.base.stop import Stop
from gammon.search.algorithms import STAR1, STAR2, Algorithm, search_of, value_kernel, values_kernel
from gammon.search.candidates import EXACT, Candidates
from gammon.search.checks import (
    DEFAULT_OPTIONS,
    EVERYTHING,
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
from gammon.search.game import NOT_OVER, Doubled, Evaluator, Game, Rows, State
from gammon.search.leaves import Leaves
from gammon.search.problem import Filter, Options
from gammon.search.root import MAX_THREADS, NO_SEEDS, Root, ScratchPool, deepened
from gammon.search.stats import Stats, new_counts
from gammon.search.table import Table
from gammon.search.tasks import Tasks, candidates_below
from gammon.search.two_stakes import cube_kernel, cubes_kernel
from gammon.search.workspace import Workspace

#: Values that differ by less count as equal: sums over outcomes are rounded.
_EQUAL = 1e-6
_INFINITE = (-np.inf, np.inf)


class Decision(NamedTuple):
    """The n successors of a decision, and their values.

    Attributes:
        rows: int8 [n, W], each seen from the opponent, who is then on roll.
        values: float64 [n], to the player who decides.
        kind: int8 [n]: EXACT, BOUND (the value is a proven upper bound) or STATIC (the
            filter left the successor out).
        order: int64 [n], best first: `rows[order[0]]` is the best successor. The values of the
            first `top` are exact, and static ones come last.
        leaves: the principal leaves of the first `top` of `order`, in that order, with
            signs for the player who decides; empty unless they were kept.
        stats: the work of the search.
        depth: plies searched; less than requested only if a limit ended the search.
    """

    rows: Rows
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


class Ranking(NamedTuple):
    """The K successors of N decisions at depth 1, the best of each decision first.

    Attributes:
        rows: int8 [K, W], each seen from the opponent, who is then on roll.
        values: float64 [K], to the players who decide.
        offsets: int64 [N + 1]: decision i has the rows `slice(offsets[i], offsets[i + 1])`.
    """

    rows: Rows
    values: npt.NDArray[np.float64]
    offsets: npt.NDArray[np.int64]


class Value(NamedTuple):
    """The result of a search of a chance node.

    Attributes:
        value: to the player on roll. At or below the window's lower end: an upper bound. At
            or above its upper end: a lower bound. In between: exact.
        stats: the work of the search.
        depth: plies searched; less than requested only if a limit ended the search.
        leaves: the principal leaves, if they were requested, the value is exact, and there
            are at most `workspace.MAX_LEAVES`; else None.
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
        offsets: int64 [N + 1]: node i has the leaves `slice(offsets[i], offsets[i + 1])`.
    """

    values: npt.NDArray[np.float64]
    leaves: Leaves
    offsets: npt.NDArray[np.int64]


class Cube(NamedTuple):
    """The values of the cube actions of a player on roll who may double.

    Attributes:
        no_double: the value of rolling now.
        double_take: the value of a double that is taken, multiplied by `Doubled.factor` but not
            by `Doubled.beaver`. None if the player may not double.
        double_pass: what the player gets if the opponent passes. None if he may not double.
        stats: the work of the search for both values.
        depth: plies searched, the same for both values; less than requested only if a limit
            ended the search.
        leaves: the principal leaves of rolling now, if they were requested and there are at
            most `workspace.MAX_LEAVES`; else None.
    """

    no_double: float
    double_take: float | None
    double_pass: float | None
    stats: Stats
    depth: int
    leaves: Leaves | None


class Cubes(NamedTuple):
    """The values of N decisions in which the player may double; see `Cube`.

    Attributes:
        no_double: float64 [N], the values of rolling now.
        double_take: float64 [N], the values of a double that is taken.
        double_pass: what the player gets if the opponent passes.
    """

    no_double: npt.NDArray[np.float64]
    double_take: npt.NDArray[np.float64]
    double_pass: float

    @property
    def takes(self) -> npt.NDArray[np.bool_]:
        """Where the opponent's correct answer to a double is a take, bool [N]."""
        return np.asarray(self.double_take < self.double_pass)

    @property
    def doubles(self) -> npt.NDArray[np.bool_]:
        """Where a double is correct, bool [N].

        It is correct if rolling is worth less. It is also correct if rolling is worth as much
        as a pass, and a pass is the correct answer: the opponent may err.
        """
        double = np.minimum(self.double_take, self.double_pass)
        certain = ~self.takes & (self.no_double <= self.double_pass + _EQUAL)
        return (double > self.no_double) | certain


class TreeSearch(Unchanging):
    """A search with all its settings; `decide`, `value`, `cube` and others run it.

    It is immutable, and any number of threads may use it at the same time. Each method raises a
    GameError if the game or an evaluator breaks its contract (the first calls do a small part
    of `check_game`), and a SearchError if an argument is not as described.

    Args:
        game: the rules.
        evaluator: values leaves, and orders successors.
        algorithm: the name of one of `ALGORITHMS`, which all give the same value; "bounded", which
            gives another one; for a game without chance one of `WITHOUT_CHANCE`; or an
            `Algorithm` of your own.
        probe: picks the successors for Star2's probes; `evaluator` unless given.
        width: gives the widths of states, at least 0, for "bounded"; None: they are infinite.
        sigma: the standard deviation of the noise at leaves.
        noise_seed: the seed of the noise.
        options: settings of *-minimax that never change an exact value.
        filter: which part of the tree is searched.
        max_evaluations: once the leaf evaluator has valued this many states, the search begins
            no deeper pass. It deepens through 1, 3, 5, ... (a chance node through 0, 2, 4,
            ...), and the last pass may go far beyond this number. The result is the same on all
            machines, and for any number of threads. None: no limit.

    Attributes:
        algorithm: the name of the algorithm.
        divides: whether threads can share a decision.
        problem: all that stays the same at every node, as kernels take it.
        game, evaluator, probe, width, max_evaluations: as given; `probe` is the evaluator if none was
            given.

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
        width: Evaluator | None = None,
        sigma: float = 0.0,
        noise_seed: int = 0,
        options: Options = DEFAULT_OPTIONS,
        filter: Filter = EVERYTHING,
        max_evaluations: int | None = None,
    ) -> None:
        check_limit("max_evaluations", max_evaluations)
        self.max_evaluations = max_evaluations
        self.game = game
        self.evaluator = evaluator
        self._algorithm = chosen = algorithm_of(game, algorithm)
        self.problem = problem_of(game, evaluator, probe, chosen, sigma, noise_seed, options, filter, width)
        self.algorithm = chosen.name
        self.divides = chosen.divides and options.divide
        self.probe, self.width = evaluator if probe is None else probe, width
        self._search = below = search_of(self.problem, chosen)
        if chosen.below is not None:
            parameters = np.array(chosen.below, np.float64)
            below = search_of(self.problem._replace(parameters=parameters), chosen)
        #: The search for decisions: the opponent is on roll at their first chance nodes.
        self._below = below
        bounded = sigma == 0.0 and not filter.node_bounds
        self._pool = ScratchPool(self.problem, game)
        self._contract = Contract(game, evaluator, probe, width, bounded)
        self._made = True

    def for_opponent(self, algorithm: str | Algorithm | None = None) -> "TreeSearch":
        """Return the same search for the other player, optionally by another algorithm."""
        seed = int(self.problem.noise_seed[0])
        return self._again(self.game.for_opponent(), algorithm, seed, self.max_evaluations)

    def with_noise(self, seed: int) -> "TreeSearch":
        """Return the same search with another noise seed."""
        return self._again(self.game, None, seed, self.max_evaluations)

    def _again(
        self, game: Game, algorithm: str | Algorithm | None, seed: int, most: int | None
    ) -> "TreeSearch":
        """Return a search that differs from this one only in the given arguments."""
        problem = self.problem
        return TreeSearch(
            game, self.evaluator, algorithm or self._algorithm, self.probe, width=self.width,
            sigma=problem.sigma, noise_seed=seed, options=problem.options, filter=problem.filter,
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
            outcome: the outcome of chance, below the number of the state's outcomes.
            depth: plies, odd.
            top: how many successors need exact values. Depth 1, and algorithms without
                `Algorithm.cuts` such as expectimax, value all.
            leaves: keep the principal leaves of the first `top` successors, unless one
                successor could have more than `workspace.MAX_LEAVES`.
            progress: int64 [2], updated during the search for another thread to read: the
                successors searched to the current depth, and all successors.
            table: a transposition table, which *-minimax uses and extends. Earlier searches
                with it must have had the same game, evaluator, noise and filter.
            max_nodes: stop when more chance nodes would be expanded.
            max_seconds: stop after this many seconds.
            stop: stop when another thread sets it. With any of these limits the search deepens
                through 1, 3, 5, ..., and the answer is from the last depth completed; depth 1
                is always completed.
            threads: how many share the passes to depth 5 and more; more than one needs a Star
                with the option `divide`, and no `max_nodes`. The result is the same for any
                number of threads. Each has a table of the size of `table`, which is emptied
                for each task; see `tasks`.
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
        root = Root(self._below, self.game, state, outcome, depth, top, leaves, table, threads, self._pool)
        if progress is not None:
            root.candidates = root.candidates._replace(progress=progress)
        done = root.search(depth, max_nodes, max_seconds, stop, self.max_evaluations)
        candidates = root.candidates
        n = int(candidates.n_candidates[0])
        order = candidates.order[:n].copy()
        check_value(self.game, state, float(candidates.values[order[0]]))
        principal: tuple[Leaves, ...] = ()
        if root.capacity > 0:
            leading = order[: min(top, int(candidates.progress[1]))]
            principal = self._leading_leaves(candidates, leading, done - 1)
        decision = Decision(
            candidates.rows[:n].copy(),
            candidates.values[:n].copy(),
            candidates.kind[:n].copy(),
            order,
            principal,
            Stats.of(root.counts),
            done,
        )
        root.release()
        return decision

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
            outcomes: int [N], the outcome of chance in each state. Only for the first state is
                it checked that the state has this outcome and that its game goes on; in the
                package's own games for none.
            depth: plies, odd.
            noise_seeds: int [N], a noise seed for each state in place of `noise_seed`. Not
                with a table, which serves only one noise.
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
            # The kernel writes each seed into the problem, so this call needs its own copy.
            seed_copy = np.zeros(1, np.uint64)
            search = search._replace(problem=search.problem._replace(noise_seed=seed_copy))
        best = np.empty_like(rows)
        if self.max_evaluations is not None:
            for i in range(len(rows)):
                seeded = self if noise_seeds is None else self.with_noise(int(seeds[i]))
                emptied = None if table is None else table.another()
                decision = seeded.decide(rows[i], int(chosen[i]), depth, table=emptied)
                best[i] = decision.rows[decision.order[0]]
            return best
        scratch = self._pool.acquire(depth, False, 1, table)
        tasks = scratch.tasks
        if depth >= DIVIDED_FROM:
            tasks = Tasks.allocate(self.game, self.game.max_successors)
        decide_kernel(
            search, *scratch.memory, scratch.candidates, tasks, rows, chosen, seeds, 0, depth, 1, best
        )
        self._pool.release(scratch)
        return best

    def rank(self, states: npt.ArrayLike, outcomes: npt.ArrayLike) -> Ranking:
        """Return all successors of N states and outcomes, sorted by their values at depth 1.

        The result is the same as from N calls of `decide` to depth 1, in one call of a kernel.

        Args:
            states: int8 [N, W], each seen from the player who decides.
            outcomes: int [N], the outcome of chance in each state.
        """
        decided, chosen = self._decisions(states, outcomes, 1, None)
        candidates = Candidates.allocate(self.game)
        offsets = np.empty(len(chosen) + 1, np.int64)
        count_kernel(self.problem, candidates.rows, decided, chosen, offsets)
        rows = np.empty((offsets[-1], self.game.width), np.int8)
        values = np.empty(offsets[-1])
        work = self._workspace(0, False, None)
        rank_kernel(self._below, work, candidates, decided, chosen, offsets, rows, values)
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
            window: (alpha, beta). Only the Stars use it, and algorithms of your own with
                `Algorithm.cuts`.
            on_turn: return the value before the turn: the player on roll may double first, if
                the game allows it. Otherwise it is the value of rolling now.
            leaves: keep the principal leaves. Only the Stars collect them; for other exact
                algorithms a second search, which is not counted, does.
            table: as for `decide`.
            max_nodes: as for `decide`, at depths 0, 2, 4, ...; depth 0 is always completed.
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
        principal = None
        if inside:
            principal = self._leaves(work, state, on_turn, done, depth, (alpha, beta))
        return Value(value, stats, done, principal)

    def values(
        self, states: npt.ArrayLike, depth: int, *, on_turn: bool = False, table: Table | None = None
    ) -> Values:
        """Search N chance nodes, independently of each other, in one call of a kernel.

        Args:
            states: int8 [N, W], each seen from its player on roll.
            depth: plies, even, and few enough for principal leaves: see `workspace.MAX_LEAVES`.
            on_turn: as for `value`.
            table: for *-minimax to use; it is emptied before each node.

        Returns:
            The same values and leaves as N calls of `value` with an empty table, bit for bit.
        """
        check_leaves(self._algorithm, True)
        if self.max_evaluations is not None:
            raise SearchError("`values` with max_evaluations: expected `value` for each state")
        nodes = self._nodes(states, depth, table)
        work = self._workspace(depth, True, table)
        n, capacity = len(nodes), work.leaf_rows.shape[1]
        if capacity == 0:
            raise SearchError(
                f"depth {shown(depth)} for `values`: expected less, so that their leaves can be kept"
            )
        values = np.empty(n)
        rows = np.empty((n, capacity, self.game.width), np.int8)
        weight, count = np.empty((n, capacity)), np.empty(n, np.int64)
        leaf_buffers = rows, weight, count
        values_kernel(self._search, work, nodes, bool(on_turn), depth, values, *leaf_buffers)
        check_values(self.game, nodes, values)
        if not self._search.keeps_leaves:  # a second search collects them
            values_kernel(
                search_of(self.problem, STAR1), work, nodes, bool(on_turn), depth, np.empty(n), *leaf_buffers
            )
        filled = np.arange(capacity) < count[:, None]
        leaves = Leaves(rows[filled], np.abs(weight[filled]), np.sign(weight[filled]))
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
        """Search whether to double and whether to take; all values are exact.

        Both values come from one search, in which each state is evaluated once.

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
            rolling = self.value(
                state,
                depth,
                leaves=leaves,
                table=table,
                max_nodes=max_nodes,
                max_seconds=max_seconds,
                stop=stop,
            )
            return Cube(rolling.value, None, None, rolling.stats, rolling.depth, rolling.leaves)
        work = self._workspace(depth, leaves, table)
        below = candidates_below(game, work)

        def search(depth: int) -> npt.NDArray[np.float64]:
            values = np.empty(2)
            cube_kernel(self._search, double, work, below, state, depth, values)
            return values

        values, done = deepened(search, depth, work, max_nodes, max_seconds, stop, self.max_evaluations)
        rolled, taken = values.tolist()
        check_value(game, state, rolled)
        check_value(_after(game, double), state, taken)
        stats = Stats.of(work.stats)
        principal = self._leaves(work, state, False, done, depth, _INFINITE)
        return Cube(rolled, double.factor * taken, double.cash, stats, done, principal)

    def cubes(self, states: npt.ArrayLike, depth: int, *, table: Table | None = None) -> Cubes:
        """Search N decisions about a double in one call of a kernel; all values are exact.

        Args:
            states: int8 [N, W], each seen from its player on roll, who may double; no game is
                over.
            depth: plies, even.
            table: for *-minimax to use; it is emptied before each state.
        """
        game = self.game
        double = game.offer(game.stake, game.params)
        if double.cash == NOT_OVER:
            raise SearchError(f"`cubes` for {game.name}: expected a game with doubles")
        nodes = self._nodes(states, depth, table)
        values = np.empty((len(nodes), 2))
        if self.max_evaluations is not None:
            for i, state in enumerate(nodes):
                emptied = None if table is None else table.another()
                cube = self.cube(state, depth, table=emptied)
                values[i] = cube.no_double, cube.double_take
            return Cubes(values[:, 0].copy(), values[:, 1].copy(), double.cash)
        work = self._workspace(depth, False, table)
        cubes_kernel(self._search, double, work, candidates_below(game, work), nodes, depth, values)
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
        """Check the states, the depth and the table, and return the states as kernels take them."""
        check_depth(depth, parity)
        check_table(self.game, table)
        return checked_states(self.game, states, shape)

    def _nodes(self, states: npt.ArrayLike, depth: int, table: Table | None) -> Rows:
        """Check N chance nodes, and return them as kernels take them."""
        rows = self._checked(states, (None, self.game.width), depth, 0, table)
        for state in rows[:1]:
            self._contract.check(state, None, depth)
        return rows

    def _decisions(
        self, states: npt.ArrayLike, outcomes: npt.ArrayLike, depth: int, table: Table | None
    ) -> tuple[Rows, npt.NDArray[np.int64]]:
        """Check N states and their outcomes, and return them as kernels take them."""
        rows = self._checked(states, (None, self.game.width), depth, 1, table)
        most = self.game.max_outcomes - 1
        numbers = _whole("outcomes", outcomes, most)
        if numbers.ndim != 1:
            raise SearchError(f"outcomes {shown(outcomes)}: expected one for each state")
        chosen = np.ascontiguousarray(numbers, np.int64)
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
        """Return the principal leaves of leading candidates, searched as chance nodes to `depth`."""
        if self._search.keeps_leaves:
            return tuple(candidates.leaves(j) for j in leading.tolist())
        below = self._again(self.game.for_opponent(), STAR1, int(self.problem.noise_seed[0]), None)
        rows = [candidates.rows[j] for j in leading]
        per_candidate = [below.value(row, depth, leaves=True, on_turn=True).leaves for row in rows]
        return tuple(leaves._replace(signs=-leaves.signs) for leaves in per_candidate if leaves is not None)

    def _leaves(
        self, work: Workspace, state: State, on_turn: bool, done: int, depth: int, window: tuple[float, float]
    ) -> Leaves | None:
        """Return the principal leaves of a node that was searched, if `work` has memory for them.

        If the last search did not collect them, a second one does, which is not counted.
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
    numbers = array.ravel().tolist()  # for a few numbers, Python's min and max are faster
    right = array.dtype.kind in "iu"
    if numbers and not (right and min(numbers) >= 0 and max(numbers) <= most):
        raise SearchError(f"{name} {shown(given)}: expected whole numbers from 0 to {most}")
    return array


def _seeds(given: npt.ArrayLike) -> npt.NDArray[np.uint64]:
    """Return seeds as uint64, or raise a SearchError."""
    most = (1 << 64) - 1
    if isinstance(given, list | tuple) and all(is_whole(seed, 0, most) for seed in given):
        given = np.array(given, np.uint64)  # by itself numpy would turn the largest into floats
    return np.ascontiguousarray(_whole("noise seeds", given, most), np.uint64)


def _after(game: Game, double: Doubled) -> Game:
    """Return the game at the doubled stake."""
    return game._replace(stake=double.stake, low=double.low, high=double.high)
