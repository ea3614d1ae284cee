"""The threads that help with the tasks of a decision.

They come from one pool of the process, which keeps them from one decision to the next. A
decision never waits for a thread that has not begun: whoever leads does all tasks that nobody
else takes.
"""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from threading import Event
from typing import NamedTuple, Self

from gammon.search.candidates import Candidates
from gammon.search.node import Search
from gammon.search.stats import STOPPED, Counts
from gammon.search.tasks import OPEN, Tasks
from gammon.search.tasks_kernel import begin_pass, help_tasks, lead_tasks
from gammon.search.workspace import Workspace

__all__ = ["MAX_THREADS", "Memory", "Team"]

#: Each thread has a workspace of its own, and depth 7 a table of 16 MB in it.
MAX_THREADS = 256
#: Seconds for which a thread sleeps that has waited for a while.
_PAUSE = 5e-5

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
        self,
        search: Search,
        memory: Memory,
        candidates: Candidates,
        tasks: Tasks,
        depth: int,
        top: int,
    ) -> None:
        """Search a pass by tasks.

        Args:
            search: see `lead_tasks`.
            memory: the caller's.
            candidates: see `lead_tasks`.
            tasks: planned by nobody yet.
            depth: plies of the candidates' chance nodes, at least 2.
            top: how many exact values are wanted.
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

    def _help(self, counts: Counts) -> None:
        """Do tasks of each pass: what a thread that helps does."""
        if self._over:
            return
        memory = self._make(counts)
        while self._begun.wait() and not self._over:
            assert self._pass is not None, "it is set first"
            search, candidates, tasks = self._pass
            while help_tasks(search, *memory, candidates, tasks):
                time.sleep(_PAUSE)
