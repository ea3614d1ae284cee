"""Lanes: threads that work while the event loop goes on, and places to wait for them.

The event loop itself never searches, and reads no position. Quick work and long work have a
lane each, so that a rollout holds up no move.
"""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from gammon.web.refusal import busy

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["Lane", "Stop", "StoppedError"]

T = TypeVar("T")


class StoppedError(Exception):
    """The client of some work has left."""


class Stop:
    """Says to work in another thread that nobody waits for it any more.

    Attributes:
        asked: whether it shall end.
    """

    def __init__(self) -> None:
        self.asked = False

    @cached_property
    def flag(self) -> "npt.NDArray[np.int64]":
        """The same as a search reads it: int64 [1], 1 once it shall end."""
        import numpy as np

        return np.array([self.asked], np.int64)

    def set(self) -> None:
        """Ask the work to end."""
        self.asked = True
        self.flag[0] = 1

    def check(self) -> None:
        """Raise `StoppedError` if the work shall end."""
        if self.asked:
            raise StoppedError


class Lane:
    """Some threads for work of one kind.

    Args:
        threads: pieces of work at the same time.
        waiting: pieces of work that may wait for a thread.
    """

    def __init__(self, threads: int, waiting: int) -> None:
        self.room = threads + waiting
        self._inside = 0
        self._lock = threading.Lock()
        self._pool = ThreadPoolExecutor(threads, "gammon-web")

    @property
    def inside(self) -> int:
        """The pieces of work that are done or wait now."""
        return self._inside

    def check_room(self) -> None:
        """Raise a `Refusal` if no more work may wait here."""
        if self._inside >= self.room:
            raise busy()

    async def run(self, work: Callable[[], T]) -> T:
        """Do work in a thread, and return what it returns.

        Raises:
            Refusal: there is no room.
        """
        with self._lock:
            self.check_room()
            self._inside += 1
        future: Future[T] = self._pool.submit(work)
        future.add_done_callback(self._leave)
        return await asyncio.wrap_future(future)

    def _leave(self, future: "Future[T]") -> None:
        with self._lock:
            self._inside -= 1

    def close(self) -> None:
        """Drop the work that waits; that under way goes on."""
        self._pool.shutdown(wait=False, cancel_futures=True)
