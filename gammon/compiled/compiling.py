"""Tells whoever waits that kernels are compiled. Only programs listen: a library is silent.

The first time in a process that compiling takes longer than a second, the listener is told.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer

#: Seconds until then.
PATIENCE = 1.0

#: Who is told, or nobody: it takes how many kernels are compiled, or found on disk.
listeners: list[Callable[[int], None]] = []
_timers: list[Timer] = []


@contextmanager
def compiling(count: Callable[[], int]) -> Iterator[None]:
    """Compile in this context, of which contexts inside it are a part; a thread at a time.

    Args:
        count: returns how many kernels there are.
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
