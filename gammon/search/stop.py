"""A stop: one thread ends the searches of others."""

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from threading import TIMEOUT_MAX, Lock, Timer
from typing import Any

from gammon.base.errors import UnfinishedError
from gammon.search.stats import STOPPED, Counts

__all__ = ["Stop"]


class Stop:
    """Ends searches from another thread, for good.

    A search that is given one goes to depth 1, 3, 5, ... as with a limit of time. When the
    stop is set, it answers from the last depth that is complete. Any number of searches may
    share a stop, one after the other or at the same time. In another process, to which it was
    sent with work, it knows its time alone.

    Args:
        seconds: after so long it is set by itself; None: never.
        other: when this one is set, the new one is too.
    """

    def __init__(self, seconds: float | None = None, other: "Stop | None" = None) -> None:
        self._late = None if seconds is None else time.monotonic() + seconds
        self._other = other
        self._lock = Lock()
        self._set = False
        self._searches: list[Counts] = []

    def __repr__(self) -> str:
        return f"Stop(set={self.is_set()})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Stop, (self._left(),)

    def _left(self) -> float | None:
        """Return the seconds until it is set by itself."""
        return None if self._late is None else max(self._late - time.monotonic(), 0.0)

    def set(self) -> None:
        """End the searches that are under way, and each later one at its first depth."""
        with self._lock:
            self._set = True
            for counts in self._searches:
                counts[STOPPED] = 1

    def is_set(self) -> bool:
        """Return whether the stop is set."""
        late = self._left() == 0.0
        return self._set or late or (self._other is not None and self._other.is_set())

    def check(self) -> None:
        """Raise an `UnfinishedError` if the stop is set."""
        if self.is_set():
            raise UnfinishedError("the work was stopped before its end")

    @contextmanager
    def over(self, searches: Sequence[Counts]) -> Iterator[None]:
        """Have the stop end the searches that count here, as long as the context lasts."""
        with self._lock:
            self._searches += searches
            for counts in searches:
                counts[STOPPED] |= self.is_set()
        with ExitStack() as ending:
            ending.callback(self._forget, searches)
            left = self._left()
            if left is not None:
                timer = Timer(min(left, TIMEOUT_MAX), self.set)
                timer.daemon = True
                timer.start()
                ending.callback(timer.cancel)
            if self._other is not None:
                ending.enter_context(self._other.over(searches))
            yield

    def _forget(self, searches: Sequence[Counts]) -> None:
        with self._lock:
            ended = {id(counts) for counts in searches}
            self._searches = [each for each in self._searches if id(each) not in ended]
