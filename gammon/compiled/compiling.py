"""A notice that kernels are being compiled, for programs that want to show it.

The listener is called the first time that compiling takes longer than a second in a process. A
program that uses gammon as a library sets no listener, and sees no notice.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer

#: Seconds of compiling before the notice.
PATIENCE = 1.0

#: At most one listener. It gets the number of kernels that are compiled, or found on disk.
listeners: list[Callable[[int], None]] = []
_timers: list[Timer] = []


@contextmanager
def compiling(count: Callable[[], int]) -> Iterator[None]:
    """The context in which kernels are compiled, one thread at a time; inner ones count with it.

    Args:
        count: returns the number of kernels.
    """
    if not listeners or _timers:
        yield
        return
    timer = Timer(PATIENCE, lambda: listeners.pop()(count()))
    timer.daemon = True
    _timers.append(timer)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        _timers.clear()
