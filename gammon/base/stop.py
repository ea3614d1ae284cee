"""A stop, by which one thread ends the work of others."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from math import isnan
from threading import TIMEOUT_MAX, RLock, Timer
from typing import Any

from gammon.base.checks import is_real, shown
from gammon.base.errors import SettingError, UnfinishedError


class Stop:
    """Ends searches, rollouts and reviews from another thread, permanently.

    A search with a stop goes to depth 1, 3, 5, ... as with a time limit. When the stop is set,
    the search answers from the last complete depth. Any number of searches may share a stop, in
    sequence or at the same time. A stop that is sent to another process has only its time limit
    there.

    Args:
        seconds: the time after which the stop sets itself, or None.
        other: a stop that also sets this one, or None.

    Raises:
        SettingError: `seconds` is not a number, or `other` is not a stop.
    """

    def __init__(self, seconds: float | None = None, other: "Stop | None" = None) -> None:
        if seconds is not None and (not is_real(seconds) or isnan(seconds)):
            raise SettingError(f"seconds {shown(seconds)}: expected a number, or None")
        check_stop(other)
        self._late = None if seconds is None else time.monotonic() + seconds
        self._other = other
        self._lock = RLock()  # reentrant: a signal handler may set the stop at any point
        self._set = False
        self._listeners: list[Callable[[], None]] = []

    def __repr__(self) -> str:
        return f"Stop(set={self.is_set()})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Stop, (self._left(),)

    def _left(self) -> float | None:
        """Return the seconds until the stop sets itself."""
        return None if self._late is None else max(self._late - time.monotonic(), 0.0)

    def set(self) -> None:
        """End the work in progress, and any later work when it begins."""
        with self._lock:
            self._set = True
            for listener in tuple(self._listeners):
                listener()

    def is_set(self) -> bool:
        """Return whether the stop is set."""
        late = self._left() == 0.0
        return self._set or late or (self._other is not None and self._other.is_set())

    def check(self) -> None:
        """Raise an `UnfinishedError` if the stop is set."""
        if self.is_set():
            raise UnfinishedError("the work was stopped before its end")

    @contextmanager
    def telling(self, tell: Callable[[], None]) -> Iterator[None]:
        """Call `tell`, which must not block, if the stop is set before the context ends.

        The thread that sets the stop calls it, sometimes more than once.
        """
        with self._lock:
            self._listeners.append(tell)
        if self.is_set():
            tell()
        with ExitStack() as ending:
            ending.callback(self._forget, tell)
            left = self._left()
            if left is not None:
                timer = Timer(min(left, TIMEOUT_MAX), self.set)
                timer.daemon = True
                timer.start()
                ending.callback(timer.cancel)
            if self._other is not None:
                ending.enter_context(self._other.telling(tell))
            yield

    def _forget(self, tell: Callable[[], None]) -> None:
        with self._lock:
            self._listeners.remove(tell)


def check_stop(stop: object) -> None:
    """Raise a `SettingError` if something is neither a stop nor None."""
    if stop is not None and not isinstance(stop, Stop):
        raise SettingError(f"stop {shown(stop)}: expected a gammon.Stop")
