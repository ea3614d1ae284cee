"""The root of a search: its memory, and its passes to growing depth.

One driver serves any number of threads. Passes to small depths are one call of
`decide_kernel`. From `DIVIDED_FROM` on, a pass is a list of tasks (see `tasks`): a single
thread does them inside that kernel, several threads share them.

The helper threads come from one pool of the process, which keeps them between decisions. A
decision never waits for a helper that has not begun: the leading thread does all tasks that no
helper takes.
"""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from threading import Event
from typing import NamedTuple, Self, TypeVar

import numpy as np

from gammon.base.stop import Stop
from gammon.search.algorithms import Search
from gammon.search.candidates import Candidates, drop_worst
from gammon.search.checks import stopped_after
from gammon.search.decide_kernel import DIVIDED_FROM, decide_kernel
from gammon.search.game import Game, State
from gammon.search.problem import Problem
from gammon.search.stats import EVALUATIONS, N_COUNTS, STOPPED, Counts, new_counts
from gammon.search.table import Table
from gammon.search.tasks import HALTED, OPEN, Tasks, candidates_below
from gammon.search.tasks_kernel import begin_pass, help_tasks, lead_tasks
from gammon.search.workspace import Workspace, begin_again

#: No seeds: the decision uses its problem's noise seed.
NO_SEEDS = np.empty(0, np.uint64)
#: Each thread has its own workspace, which at depth 7 has a table of 16 MB.
MAX_THREADS = 256
#: Seconds that a thread sleeps after it has waited for a while.
_PAUSE = 5e-5

_Result = TypeVar("_Result")

_THREADS = ThreadPoolExecutor(MAX_THREADS, "gammon-search")


class Memory(NamedTuple):
    """The memory of one thread.

    Attributes:
        work: its buffers.
        below: see `tasks.candidates_below`.
    """

    work: Workspace
    below: Candidates


class Team:
    """A context in which helper threads share the work of the caller's thread, which leads.

    Args:
        make: returns the memory of a helper with the given counts; the helper calls it.
        counts: the counts of each helper.
    """

    def __init__(self, make: Callable[[Counts], Memory], counts: Sequence[Counts]) -> None:
        self._make = make
        self._counts = counts
        #: Set while a pass is under way, and when all passes are over.
        self._begun = Event()
        self._pass: tuple[Search, Candidates, Tasks] | None = None
        self._over = False
        #: The error of a helper, or None.
        self._error: BaseException | None = None
        self._helping: list[Future[None]] = []

    def __enter__(self) -> Self:
        try:
            for counts in self._counts:
                self._helping.append(_THREADS.submit(self._help, counts))
        except RuntimeError:  # the system has no more threads: fewer will do
            pass
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *error: object) -> None:
        self._over = True
        self._begun.set()
        for counts in self._counts:  # after an error, tasks may be under way
            counts[STOPPED] = 1
        # A helper that has not begun is cancelled; the others return now and free their memory.
        wait([future for future in self._helping if not future.cancel()])

    def share(
        self, search: Search, memory: Memory, candidates: Candidates, tasks: Tasks, depth: int, top: int
    ) -> None:
        """Search a pass as tasks, together with the helpers.

        Args:
            search: see `lead_tasks`.
            memory: the caller's memory.
            candidates: see `lead_tasks`.
            tasks: memory for the tasks; none is planned yet.
            depth: plies of the candidates' chance nodes, at least 2.
            top: how many exact values are wanted.

        Raises:
            BaseException: the error that a game or an evaluator raised in a helper.
        """
        begin_pass(tasks, depth)
        self._pass = search, candidates, tasks
        self._begun.set()
        try:
            while lead_tasks(search, *memory, candidates, tasks, top):
                time.sleep(_PAUSE)
        finally:
            tasks.marks[OPEN] = 0  # after an error it is still set
            self._begun.clear()
        if self._error is not None:
            raise self._error

    def _help(self, counts: Counts) -> None:
        """Do tasks of each pass: the main function of a helper."""
        if self._over:
            return
        memory = self._make(counts)
        while self._begun.wait() and not self._over:
            assert self._pass is not None, "it is set first"
            search, candidates, tasks = self._pass
            try:
                while help_tasks(search, *memory, candidates, tasks):
                    time.sleep(_PAUSE)
            except BaseException as error:  # the task is lost, so no thread may wait for it
                self._error = error
                tasks.marks[HALTED] = 1
                return


class Scratch(NamedTuple):
    """The memory of a decision.

    Attributes:
        size: the depth, whether principal leaves are kept, and of how many candidates.
        memory: the memory of the leading thread.
        candidates: the candidates of the decision.
        tasks: memory for no tasks; see `Root.search`.
    """

    size: tuple[int, bool, int]
    memory: Memory
    candidates: Candidates
    tasks: Tasks


class ScratchPool:
    """Memory for the decisions of one search, reused: to allocate it can take longer than to search.

    Args:
        problem: the problem of the search.
        game: its game.
    """

    def __init__(self, problem: Problem, game: Game) -> None:
        self._problem, self._game = problem, game
        #: At most one unused scratch, without a table. Any thread may take it.
        self._idle: list[Scratch] = []

    def acquire(self, depth: int, leaves: bool, top: int, table: Table | None) -> Scratch:
        """Return scratch memory for decisions of a depth, reset as if new.

        Args:
            depth: plies, odd.
            leaves: whether the principal leaves of the first `top` candidates are kept.
            top: how many exact values are wanted.
            table: for the search, or None.
        """
        size = depth, leaves, top
        if table is None:
            try:
                scratch = self._idle.pop()
            except IndexError:  # there is none
                scratch = None
            if scratch is not None and scratch.size == size:
                begin_again(scratch.memory.work)
                return scratch
        memory = self.memory(depth, leaves, table, new_counts())
        capacity, slots = memory.work.leaf_rows.shape[1], top if leaves else 0
        candidates = Candidates.allocate(self._game, slots, capacity)
        return Scratch(size, memory, candidates, Tasks.allocate(self._game, 0))

    def memory(self, depth: int, leaves: bool, table: Table | None, counts: Counts) -> Memory:
        """Return the memory of one thread that uses these counts; see `acquire` for the rest."""
        work = Workspace.allocate(self._problem, self._game.width, depth - 1, leaves, table)
        return Memory(work._replace(stats=counts), candidates_below(self._game, work))

    def release(self, scratch: Scratch) -> None:
        """Give scratch memory back for other decisions, after all results in it are copied."""
        if scratch.memory.work.table.depth.size == 0 and not self._idle:
            self._idle.append(scratch)


class Root:
    """A decision under way.

    Args:
        search: the problem, seen from the player who decides, and the algorithm.
        game: its game.
        state: int8 [W], seen from the player who decides.
        outcome: the outcome of chance.
        depth: the greatest depth: plies, odd.
        top: how many exact values are wanted.
        leaves: keep the principal leaves of the first `top` candidates.
        table: see `tree_search.TreeSearch.decide`; each further thread gets a table of the same size.
        threads: how many share a pass.
        pool: the search's pool of scratch memory.

    Attributes:
        candidates: the candidates, after `search` to the depth that it returned.
        capacity: the most principal leaves of a candidate; 0 if none are kept.
    """

    def __init__(
        self,
        search: Search,
        game: Game,
        state: State,
        outcome: int,
        depth: int,
        top: int,
        leaves: bool,
        table: Table | None,
        threads: int,
        pool: ScratchPool,
    ) -> None:
        self._search = search
        self._game = game
        self._states = state[None]
        self._chosen = np.array([outcome], np.int64)
        self._top = top
        self._depth = depth
        self._leaves = leaves
        self._table = table
        self._others = [new_counts() for _ in range(1, threads)]
        self._pool = pool
        self._scratch = pool.acquire(depth, leaves, top, table)
        _, self._memory, self.candidates, self._tasks = self._scratch
        self.capacity = self._memory.work.leaf_rows.shape[1]

    def _make_another(self, counts: Counts) -> Memory:
        """Return the memory of a helper thread."""
        table = None if self._table is None else self._table.another()
        return self._pool.memory(self._depth, self._leaves, table, counts)

    def release(self) -> None:
        """Give the scratch memory back, after all results in it are copied."""
        self._pool.release(self._scratch)

    @property
    def counts(self) -> Counts:
        """The work of all threads so far; see `stats`."""
        return self._memory.work.stats

    def search(
        self,
        depth: int,
        max_nodes: int | None,
        max_seconds: float | None,
        stop: Stop | None,
        max_evaluations: int | None,
    ) -> int:
        """Search to a depth, or to the last depth within a limit, and return the depth reached.

        With a limit, `candidates` is from the last depth completed.
        """
        problem = self._search.problem
        limits = max_nodes, max_seconds, stop
        limited = any(limit is not None for limit in (*limits, max_evaluations))
        deepen = problem.options.deepen
        divided = self._search.divides and depth >= DIVIDED_FROM
        # One call of the kernel, up to the first depth after which limits must be checked.
        done = depth
        if limited or (divided and not deepen):
            done = 1
        elif divided:
            done = DIVIDED_FROM - 2
        if done == depth:
            self._search_alone(0, depth)
            return done
        with Team(self._make_another, self._others) as team:
            self._search_alone(0, done)
            n = int(self.candidates.n_candidates[0])
            self._tasks = Tasks.allocate(self._game, n, self._top, self.capacity)
            if self.capacity > 0:
                self.candidates = self.candidates.with_slots(n)
            all_counts = [self.counts, *self._others]
            with stopped_after(all_counts, *limits):
                while done < depth and not _enough(self.counts, max_evaluations):
                    complete = self.candidates.copy() if limited else self.candidates
                    if done == 1 and problem.filter.replies > 0:
                        drop_worst(self.candidates, problem.filter)
                    step = done + 2 if limited or deepen else depth
                    self._search_pass(step, team)
                    if any(counts[STOPPED] for counts in all_counts):
                        self.candidates = complete
                        break
                    done = step
        return done

    def _search_pass(self, depth: int, team: Team) -> None:
        """Search the decision to `depth`, alone or with the helpers."""
        if not self._others or depth < DIVIDED_FROM:
            self._search_alone(depth - 1, depth)
            return
        before = self.counts[:N_COUNTS].copy()
        team.share(self._search, self._memory, self.candidates, self._tasks, depth - 1, self._top)
        self.counts[:N_COUNTS] = before + self._tasks.total

    def _search_alone(self, begin: int, depth: int) -> None:
        """Deepen from chance nodes of depth `begin` to a decision of `depth`, in one thread."""
        decide_kernel(
            self._search, *self._memory, self.candidates, self._tasks, self._states,
            self._chosen, NO_SEEDS, begin, depth, self._top, np.empty_like(self._states),
        )  # fmt: skip


def _enough(counts: Counts, max_evaluations: int | None) -> bool:
    """Return whether a search has reached its limit of evaluations."""
    return max_evaluations is not None and int(counts[EVALUATIONS]) >= max_evaluations


def deepened(
    search: Callable[[int], _Result],
    depth: int,
    work: Workspace,
    max_nodes: int | None,
    max_seconds: float | None,
    stop: Stop | None,
    max_evaluations: int | None,
) -> tuple[_Result, int]:
    """Search a chance node to a depth, or to the last depth within a limit.

    Args:
        search: searches to the given depth, and counts in `work`.
        depth: plies, even.
        work: the search's memory.
        max_nodes: a limit, as for `tree_search.TreeSearch.value`.
        max_seconds: a limit, as for `tree_search.TreeSearch.value`.
        stop: a limit, as for `tree_search.TreeSearch.value`.
        max_evaluations: as for `tree_search.TreeSearch`.

    Returns:
        The result of the deepest search that was completed, and its depth.
    """
    limits = max_nodes, max_seconds, stop
    limited = any(limit is not None for limit in (*limits, max_evaluations))
    done = 0 if limited else depth
    result = search(done)
    if done == depth:
        return result, done
    with stopped_after([work.stats], *limits):
        while done < depth and not _enough(work.stats, max_evaluations):
            deeper = search(done + 2)
            if work.stats[STOPPED]:
                break
            result, done = deeper, done + 2
    return result, done
