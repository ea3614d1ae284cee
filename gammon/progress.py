"""A progress bar for work that takes longer than a second; nothing for the rest."""

import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import TypeVar

import numpy as np
import numpy.typing as npt

__all__ = ["Bar", "shown"]

T = TypeVar("T")
#: int64 [2]: steps done and steps in all, written by the work, read by the bar.
Bar = npt.NDArray[np.int64]

_PATIENCE = 1.0
_REFRESH = 0.1


def shown(work: Callable[[Bar], T]) -> T:
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


def _draw(future: "Future[T]", bar: Bar) -> None:
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("searching", total=None)
        while not future.done():
            wait([future], _REFRESH)
            progress.update(task, completed=int(bar[0]), total=int(bar[1]) or None)
