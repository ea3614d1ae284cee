"""Lanes: how many requests may work, and wait, at the same time.

The event loop itself never searches, and reads no position. Quick work, long work and the
library of matches have a lane each, so that a rollout or a lock holds up no move.
"""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from gammon_web.refusal import busy

T = TypeVar("T")


class Lane:
    """Some threads for work of one kind.

    Args:
        threads: pieces of work at the same time.
        waiting: pieces of work that may wait for a thread.

    Attributes:
        inside: the pieces of work that are done or wait now.
    """

    def __init__(self, threads: int, waiting: int) -> None:
        self.room = threads + waiting
        self.inside = 0
        self._lock = threading.Lock()
        self._pool = ThreadPoolExecutor(threads, "gammon-web")

    def check_room(self) -> None:
        """Raise a `Refusal` if no more work may wait here."""
        if self.inside >= self.room:
            raise busy()

    async def run(self, work: Callable[[], T]) -> T:
        """Do work in a thread, and return what it returns.

        Raises:
            Refusal: there is no room.
        """
        with self._lock:
            self.check_room()
            try:
                future: Future[T] = self._pool.submit(work)
            except RuntimeError:  # closed
                raise busy("the server ends") from None
            self.inside += 1
        future.add_done_callback(self._leave)
        return await asyncio.wrap_future(future)

    def _leave(self, future: "Future[T]") -> None:
        with self._lock:
            self.inside -= 1

    def close(self) -> None:
        """Drop the work that waits; that under way goes on."""
        self._pool.shutdown(wait=False, cancel_futures=True)
