"""Worker processes on this machine, which never outlive the process that started them."""

import os
import pickle
import signal
import threading
import time
import traceback
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, NoReturn

from gammon.base.errors import GammonError
from gammon.base.stop import Stop
from gammon.base.store import Unit

#: Seconds that idle workers have to end by themselves.
_PATIENCE = 0.5
#: Seconds between two checks of a stop.
_GLANCE = 0.05


@dataclass
class _Worker:
    """A process, and our end of the pipe to it."""

    process: BaseProcess
    pipe: Connection
    busy: bool = False

    def give(self, unit: Unit) -> None:
        """Send a unit to the worker."""
        try:
            self.pipe.send(unit)
        except OSError:
            self._lost()
        self.busy = True

    def take(self) -> tuple[Unit, Any]:
        """Return the unit that the worker has done, and its result."""
        try:
            unit, result, error = self.pipe.recv()
        except (EOFError, OSError):
            self._lost()
        self.busy = False
        if error is not None:
            raise error
        return unit, result

    def _lost(self) -> NoReturn:
        self.process.join(_PATIENCE)
        code = self.process.exitcode
        how = f"ended with exit code {code}"
        if code == 1:  # the worker could not import the script or the task
            how += " (a script begins its work below `if __name__ == '__main__':`)"
        if code is not None and code < 0:
            how = f"was killed by signal {-code}"
        if code == -9:  # SIGKILL, a name that not every system has
            how += " (perhaps the system ran out of memory: try fewer workers)"
        raise GammonError(f"a worker process {how}: what is done is kept, and the same command goes on")


def in_processes(
    task: Callable[[Unit], Any], units: Sequence[Unit], workers: int, stop: Stop | None = None
) -> Generator[tuple[Unit, Any]]:
    """Yield each unit and its result as it is done; closing the generator stops the workers.

    Args:
        task: a function of a module that worker processes can import.
        units: JSON values.
        workers: the number of processes; at most one for each unit is started.
        stop: ends the workers when it is set.

    Raises:
        UnfinishedError: the stop was set.
        GammonError: a worker process was killed or cannot be started, or `task` raised it.
        RuntimeError: `task` raised another error.
    """
    team: list[_Worker] = []
    waiting = iter(units)
    try:
        pickled = pickle.dumps(task)
        with _no_interrupts():
            for _ in range(min(workers, len(units))):
                team.append(_start(pickled, workers))
        for worker, unit in zip(team, waiting, strict=False):
            worker.give(unit)
        yield from _collected(team, waiting, stop)
    finally:
        _stop(team)


def _collected(team: list[_Worker], waiting: Iterator[Unit], stop: Stop | None) -> Iterator[tuple[Unit, Any]]:
    """Yield the results of the workers, and give each worker its next unit."""
    while busy := {worker.pipe: worker for worker in team if worker.busy}:
        failures = []
        if stop is not None:
            stop.check()
        for pipe in wait(list(busy), None if stop is None else _GLANCE):
            worker = busy[pipe]  # type: ignore[index]
            try:
                done = worker.take()
            except (GammonError, RuntimeError) as error:
                failures.append(error)  # other workers may have results
                continue
            following = next(waiting, None)
            if following is not None:
                try:
                    worker.give(following)
                except GammonError as error:
                    failures.append(error)
            yield done
        if failures:
            raise failures[0]


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """Start processes in this block that ignore Ctrl-C from the start.

    A terminal sends an interrupt to all processes; the parent process ends the others.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _start(task: bytes, workers: int) -> _Worker:
    spawn = get_context("spawn")  # a fork would copy threads and locks of this process
    try:
        ours, theirs = spawn.Pipe()
        process = spawn.Process(target=_work, args=(task, theirs), daemon=True)
        process.start()
    except OSError as error:
        raise GammonError(f"{workers} workers cannot be started ({error.strerror}): try fewer") from None
    theirs.close()
    return _Worker(process, ours)


def _stop(team: list[_Worker]) -> None:
    for worker in team:
        if worker.busy:
            worker.process.kill()
        worker.pipe.close()  # an idle worker then ends
    until = time.monotonic() + _PATIENCE
    for worker in team:
        worker.process.join(max(until - time.monotonic(), 0.0))
        worker.process.kill()
        worker.process.join()


def _work(pickled: bytes, pipe: Connection) -> None:
    """Run units until there are no more; the main function of a worker process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    task = pickle.loads(pickled)  # slow: it imports what the task needs
    try:
        while True:
            unit = pipe.recv()
            pipe.send(_outcome(task, unit))
    except (EOFError, OSError):
        return  # the parent has closed the pipe


def _end_with_parent() -> None:
    """End this process when its parent process has ended for whatever reason."""
    parent = parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)


def _outcome(task: Callable[[Unit], Any], unit: Unit) -> tuple[Unit, Any, GammonError | RuntimeError | None]:
    try:
        return unit, task(unit), None
    except GammonError as error:
        return unit, None, error
    except MemoryError:
        return unit, None, GammonError("a worker process ran out of memory: try fewer workers")
    except Exception:
        return unit, None, RuntimeError(f"in a worker process:\n{traceback.format_exc()}")
