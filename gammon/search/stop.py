"""A stop: one thread ends the searches of others."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Lock

from gammon.search.stats import STOPPED, Counts

__all__ = ["Stop"]


class Stop:
    """Ends searches from another thread, for good.

    A search that is given one goes to depth 1, 3, 5, ... as with a limit of time. When the
    stop is set, it answers from the last depth that is complete. Any number of searches may
    share a stop, one after the other or at the same time.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._set = False
        self._searches: list[Counts] = []

    def __repr__(self) -> str:
        return f"Stop(set={self._set})"

    def set(self) -> None:
        """End the searches that are under way, and each later one at its first depth."""
        with self._lock:
            self._set = True
            for counts in self._searches:
                counts[STOPPED] = 1

    def is_set(self) -> bool:
        """Return whether the stop is set."""
        return self._set

    @contextmanager
    def over(self, searches: Sequence[Counts]) -> Iterator[None]:
        """Have the stop end the searches that count here, as long as the context lasts."""
        with self._lock:
            self._searches += searches
            for counts in searches:
                counts[STOPPED] |= self._set
        try:
            yield
        finally:
            with self._lock:
                ended = {id(counts) for counts in searches}
                self._searches = [each for each in self._searches if id(each) not in ended]
