"""Limits: what requests may ask for, and how many may work and wait at the same time.

The event loop itself never searches, and reads no position. Quick work, long work and the
library of matches have a lane each, so that a rollout or a lock holds up no move.
"""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
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


#: A search to this depth takes milliseconds, and a deeper one may take long.
SHORT = 3
#: Seconds that a client has to send the body of its request.
SECONDS_TO_SEND = 10.0


@dataclass(frozen=True)
class Limits:
    """The most that requests may ask for.

    Attributes:
        depth: plies of a search, at most.
        seconds: that a search may take; a rollout takes ten times as long.
        review_seconds: that a review may take, or None: it goes on to its end.
        searches: long searches, rollouts and reviews at the same time.
        threads: processors that share one search.
        body: bytes of a request's body.
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
        """The seconds that a rollout, or the reading of a match file, may take."""
        return 10.0 * self.seconds
