"""The root of a search: its memory, and its passes to growing depth.

There is one driver for any number of threads. Passes to small depth are one call of
`decide_kernel`. From `DIVIDED_FROM` on a pass is a list of tasks (see `tasks`), which one
thread does inside that kernel and several share.

The threads that help come from one pool of the process, which keeps them from one decision to
the next. A decision never waits for a thread that has not begun: whoever leads does all tasks
that nobody else takes.
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
from gammon.search.tasks import HALTED, OPEN, Tasks, room_below
from gammon.search.tasks_kernel import begin_pass, help_tasks, lead_tasks
from gammon.search.workspace import Workspace, begin_again

#: The noise of a decision is that of its problem.
NO_SEEDS = np.empty(0, np.uint64)
#: Each thread has a workspace of its own, and depth 7 a table of 16 MB in it.
MAX_THREADS = 256
#: Seconds for which a thread sleeps that has waited for a while.
_PAUSE = 5e-5

_Found = TypeVar("_Found")

_THREADS = ThreadPoolExecutor(MAX_THREADS, "gammon-search")


class Memory(NamedTuple):
    """The memory of one thread.

    Attributes:
        work: its buffers.
        room: see `tasks.room_below`.
    """

    work: Workspace
    room: Candidates


class Team:
    """The caller's thread, which leads, and others that help while the context lasts.

    Args:
        make: returns the memory of a thread that helps, with its counts; that thread calls it.
        counts: for each thread that is to help.
    """

    def __init__(self, make: Callable[[Counts], Memory], counts: Sequence[Counts]) -> None:
        self._make = make
        self._counts = counts
        #: Whether a pass is under way, or all are over.
        self._begun = Event()
        self._pass: tuple[Search, Candidates, Tasks] | None = None
        self._over = False
        #: The error of a thread that helps, or None.
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
        # A thread that has not begun never will; the others leave now, and hold nothing more.
        wait([each for each in self._helping if not each.cancel()])

    def share(
        self, search: Search, memory: Memory, candidates: Candidates, tasks: Tasks, depth: int, top: int
    ) -> None:
        """Search a pass by tasks.

        Args:
            search: see `lead_tasks`.
            memory: the caller's.
            candidates: see `lead_tasks`.
            tasks: planned by nobody yet.
            depth: plies of the candidates' chance nodes, at least 2.
            top: how many exact values are wanted.

        Raises:
            BaseException: what a game or an evaluator raised in a thread that helps.
        """
        begin_pass(tasks, depth)
        self._pass = search, candidates, tasks
        self._begun.set()
        try:
            while lead_tasks(search, *memory, candidates, tasks, top):
                time.sleep(_PAUSE)
        finally:
            tasks.marks[OPEN] = 0  # an error leaves it open
            self._begun.clear()
        if self._error is not None:
            raise self._error

    def _help(self, counts: Counts) -> None:
        """Do tasks of each pass: what a thread that helps does."""
        if self._over:
            return
        memory = self._make(counts)
        while self._begun.wait() and not self._over:
            assert self._pass is not None, "it is set first"
            search, candidates, tasks = self._pass
            try:
                while help_tasks(search, *memory, candidates, tasks):
                    time.sleep(_PAUSE)
            except BaseException as error:  # its task is lost: nobody may wait for it
                self._error = error
                tasks.marks[HALTED] = 1
                return


class Room(NamedTuple):
    """The memory of a decision.

    Attributes:
        size: its depth, whether principal leaves are kept, and of how many candidates.
        memory: of the thread that leads.
        candidates: of the decision.
        tasks: none; see `Root.search`.
    """

    size: tuple[int, bool, int]
    memory: Memory
    candidates: Candidates
    tasks: Tasks


class Rooms:
    """Rooms of the decisions of one search. To make one takes longer than a small search.

    Args:
        problem: of the search.
        game: its game.
    """

    def __init__(self, problem: Problem, game: Game) -> None:
        self._problem, self._game = problem, game
        #: A room without a table that nobody is in, or none. Any thread may take it.
        self._idle: list[Room] = []

    def enter(self, depth: int, leaves: bool, top: int, table: Table | None) -> Room:
        """Return an empty room for decisions of a depth.

        Args:
            depth: plies, odd.
            leaves: whether the principal leaves of the first `top` candidates are kept.
            top: how many exact values are wanted.
            table: for the search, or None.
        """
        size = depth, leaves, top
        if table is None:
            try:
                room = self._idle.pop()
            except IndexError:  # there is none
                room = None
            if room is not None and room.size == size:
                begin_again(room.memory.work)
                return room
        memory = self.memory(depth, leaves, table, new_counts())
        capacity, slots = memory.work.leaf_rows.shape[1], top if leaves else 0
        candidates = Candidates.allocate(self._game, slots, capacity)
        return Room(size, memory, candidates, Tasks.allocate(self._game, 0))

    def memory(self, depth: int, leaves: bool, table: Table | None, counts: Counts) -> Memory:
        """Return the memory of one thread; the arguments are those of `enter`."""
        work = Workspace.allocate(self._problem, self._game.width, depth - 1, leaves, table)
        return Memory(work._replace(stats=counts), room_below(self._game, work))

    def leave(self, room: Room) -> None:
        """Let another decision have a room, after all that was found in it is copied."""
        if room.memory.work.table.depth.size == 0 and not self._idle:
            self._idle.append(room)


class Root:
    """A decision under way.

    Args:
        search: what is searched, seen from the player who decides, and how.
        game: its game.
        state: int8 [W], seen from that player.
        outcome: what chance brought.
        depth: plies, odd, at most.
        top: how many exact values are wanted.
        leaves: keep the principal leaves of the first `top` candidates.
        table: see `setup.Setup.decide`; each further thread gets one like it.
        threads: how many share a pass.
        rooms: of the search.

    Attributes:
        candidates: what is known of them, after `search` to the depth that it returned.
        capacity: of principal leaves of each candidate; 0 where none are kept.
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
        rooms: Rooms,
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
        self._rooms = rooms
        self._room = rooms.enter(depth, leaves, top, table)
        _, self._memory, self.candidates, self._tasks = self._room
        self.capacity = self._memory.work.leaf_rows.shape[1]

    def _make_another(self, counts: Counts) -> Memory:
        """Return the memory of a thread that helps."""
        table = None if self._table is None else self._table.another()
        return self._rooms.memory(self._depth, self._leaves, table, counts)

    def leave(self) -> None:
        """Let another decision have the room, when all that this one has found is copied."""
        self._rooms.leave(self._room)

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
        """Search to a depth, or to the last one that a limit allows, and return it.

        With a limit, `candidates` is of the last depth that was completed.
        """
        problem = self._search.problem
        limits = max_nodes, max_seconds, stop
        limited = any(each is not None for each in (*limits, max_evaluations))
        deepen = problem.options.deepen
        divided = self._search.divides and depth >= DIVIDED_FROM
        # One call of the kernel as far as nothing has to be asked in between.
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
            found = int(self.candidates.found[0])
            self._tasks = Tasks.allocate(self._game, found, self._top, self.capacity)
            if self.capacity > 0:
                self.candidates = self.candidates.with_slots(found)
            every = [self.counts, *self._others]
            with stopped_after(every, *limits):
                while done < depth and not _enough(self.counts, max_evaluations):
                    complete = self.candidates.copy() if limited else self.candidates
                    if done == 1 and problem.filter.replies > 0:
                        drop_worst(self.candidates, problem.filter)
                    step = done + 2 if limited or deepen else depth
                    self._search_pass(step, team)
                    if any(counts[STOPPED] for counts in every):
                        self.candidates = complete
                        break
                    done = step
        return done

    def _search_pass(self, depth: int, team: Team) -> None:
        """Search decisions of `depth`, alone or with the threads that help."""
        if not self._others or depth < DIVIDED_FROM:
            self._search_alone(depth - 1, depth)
            return
        before = self.counts[:N_COUNTS].copy()
        team.share(self._search, self._memory, self.candidates, self._tasks, depth - 1, self._top)
        self.counts[:N_COUNTS] = before + self._tasks.total

    def _search_alone(self, begin: int, depth: int) -> None:
        """Search from chance nodes of depth `begin` to decisions of `depth`, in one thread."""
        decide_kernel(
            self._search, *self._memory, self.candidates, self._tasks, self._states,
            self._chosen, NO_SEEDS, begin, depth, self._top, np.empty_like(self._states),
        )  # fmt: skip


def _enough(counts: Counts, max_evaluations: int | None) -> bool:
    """Return whether a search has asked the leaf evaluator as often as it may."""
    return max_evaluations is not None and int(counts[EVALUATIONS]) >= max_evaluations


def deepened(
    search: Callable[[int], _Found],
    depth: int,
    work: Workspace,
    max_nodes: int | None,
    max_seconds: float | None,
    stop: Stop | None,
    max_evaluations: int | None,
) -> tuple[_Found, int]:
    """Search a chance node to a depth, or to the last one that a limit allows.

    Args:
        search: to the depth that it is given; it counts in `work`.
        depth: plies, even.
        work: the search's memory.
        max_nodes: a limit, as for `setup.Setup.value`.
        max_seconds: a limit, too.
        stop: a limit, too.
        max_evaluations: as for `setup.Setup`.

    Returns:
        The result of the deepest search that was completed, and its depth.
    """
    limits = max_nodes, max_seconds, stop
    limited = any(each is not None for each in (*limits, max_evaluations))
    done = 0 if limited else depth
    found = search(done)
    if done == depth:
        return found, done
    with stopped_after([work.stats], *limits):
        while done < depth and not _enough(work.stats, max_evaluations):
            deeper = search(done + 2)
            if work.stats[STOPPED]:
                break
            found, done = deeper, done + 2
    return found, done
