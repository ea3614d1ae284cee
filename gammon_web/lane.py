"""Lanes: thread pools with a limit on the requests that run or wait.

The event loop itself never searches or parses a position. Quick work, long work and the library of
matches have a lane each, so that a rollout or a lock never delays a move.
"""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from gammon_web.refusal import busy

T = TypeVar("T")


class Lane:
    """Some threads for one kind of work.

    Args:
        threads: how many requests can run at the same time.
        waiting: how many requests may wait for a thread.

    Attributes:
        inside: how many requests run or wait now.
    """

    def __init__(self, threads: int, waiting: int) -> None:
        self.room = threads + waiting
        self.inside = 0
        self._lock = threading.Lock()
        self._pool = ThreadPoolExecutor(threads, "gammon-web")

    def check_room(self) -> None:
        """Raise a `Refusal` if the lane is full."""
        if self.inside >= self.room:
            raise busy()

    async def run(self, work: Callable[[], T]) -> T:
        """Run a function in a thread, and return its result.

        Raises:
            Refusal: the lane is full.
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
        """Drop the waiting work; running work goes on."""
        self._pool.shutdown(wait=False, cancel_futures=True)
