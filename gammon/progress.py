"""A progress bar for work that takes longer than a second; nothing for the rest."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, TimeoutError
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

    The search releases Python's lock, so it runs in a thread while this one draws.
    """
    bar: Bar = np.zeros(2, np.int64)
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(work, bar)
        try:
            return future.result(timeout=_PATIENCE)
        except TimeoutError:
            if future.done():
                raise
        from rich.console import Console
        from rich.progress import Progress

        with Progress(console=Console(stderr=True), transient=True) as progress:
            task = progress.add_task("searching", total=None)
            while True:
                try:
                    return future.result(timeout=_REFRESH)
                except TimeoutError:
                    progress.update(task, completed=int(bar[0]), total=int(bar[1]) or None)
