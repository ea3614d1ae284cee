"""A progress bar for work that takes longer than a second; nothing for the rest."""

import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager
from typing import TypeVar

import numpy as np
import numpy.typing as npt

T = TypeVar("T")
#: Steps done and total steps, int64 [2]; the work writes them, the bar reads them.
Bar = npt.NDArray[np.int64]

_PATIENCE = 1.0
_REFRESH = 0.1


def with_bar(work: Callable[[Bar], T]) -> T:
    """Run `work` and return its result, with a bar on stderr if it takes long.

    The work runs in another thread while this thread draws, which a search allows because it
    releases Python's lock. The thread is a daemon, so an interrupt ends the whole program.
    """
    bar: Bar = np.zeros(2, np.int64)
    future: Future[T] = Future()

    def run() -> None:
        try:
            future.set_result(work(bar))
        except BaseException as error:  # `result` raises it in the caller
            future.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    wait([future], _PATIENCE)
    if not future.done() and sys.stderr.isatty():
        _draw(future, bar)
    return future.result()


@contextmanager
def counted(total: int) -> Iterator[Callable[[float | None, str | None], None]]:
    """Yield a function that shows progress, as a number and a text, on stderr.

    A number or a text that is None stays unchanged.
    """
    if not sys.stderr.isatty():
        yield lambda done, text: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = BarColumn(), TimeRemainingColumn(), TextColumn("{task.description}")
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("starting", total=total)
        yield lambda done, text: progress.update(task, completed=done, description=text)


def _draw(future: "Future[T]", bar: Bar) -> None:
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("searching", total=None)
        while not future.done():
            wait([future], _REFRESH)
            progress.update(task, completed=int(bar[0]), total=int(bar[1]) or None)
