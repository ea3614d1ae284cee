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
#: int64 [2]: steps done and steps in all, written by the work, read by the bar.
Bar = npt.NDArray[np.int64]

_PATIENCE = 1.0
_REFRESH = 0.1


def with_bar(work: Callable[[Bar], T]) -> T:
    """Run `work` and return its result, with a bar on stderr if it takes long.

    The search releases Python's lock, so it runs in a thread while this one draws. The
    thread is a daemon: an interrupt ends the program, not only the drawing.
    """
    bar: Bar = np.zeros(2, np.int64)
    future: Future[T] = Future()

    def run() -> None:
        try:
            future.set_result(work(bar))
        except BaseException as error:  # handed to the caller by `result`
            future.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    wait([future], _PATIENCE)
    if not future.done() and sys.stderr.isatty():
        _draw(future, bar)
    return future.result()


@contextmanager
def counted(total: int) -> Iterator[Callable[[float | None, str | None], None]]:
    """Give a function that shows how much is done, and a line about it, on stderr.

    A share or a text that is None stays as it was.
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
