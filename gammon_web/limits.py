"""The limits of requests, and lanes: thread pools that limit the requests that run or wait.

The event loop itself never searches or parses a position. Quick work, long work and the library of
matches have a lane each, so that a rollout or a lock never delays a move.
"""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from gammon_web.refusal import busy

#: A search to this depth takes milliseconds; a deeper one may take long.
SHORT = 3
#: Seconds that a client has to send the body of its request.
SECONDS_TO_SEND = 10.0


@dataclass(frozen=True)
class Limits:
    """The limits of requests.

    Attributes:
        depth: the most plies of a search.
        seconds: the most seconds of a search; a rollout may take ten times as long.
        review_seconds: the most seconds of a review; None: no limit.
        searches: how many long searches, rollouts and reviews can run at the same time.
        threads: processors that share one search.
        body: the most bytes of a request's body.
        library: the file of the library of matches that the page shows, or None.
    """

    depth: int = 5
    seconds: float = 30.0
    review_seconds: float | None = None
    searches: int = 2
    threads: int = 1
    body: int = 500_000
    library: Path | None = None

    @property
    def long_seconds(self) -> float:
        """The most seconds for a rollout, or for reading a match file."""
        return 10.0 * self.seconds


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
