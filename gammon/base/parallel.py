"""Runs independent units of work in parallel, records each result, and can be resumed.

Worker processes on this machine never outlive the process that started them.
"""

import os
import pickle
import signal
import threading
import time
import traceback
from asyncio import CancelledError as AsyncCancelledError
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, NoReturn

from gammon.base.checks import shown, whole
from gammon.base.errors import GammonError, SettingError
from gammon.base.extras import extra
from gammon.base.stop import Stop
from gammon.base.store import Fits, Store, Unit, key_of

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


_CONNECT_SECONDS = 10.0

#: Called after each unit with the number of units done and the total.
OnDone = Callable[[int, int], None]
#: Called with the results of the first units; returns whether these are enough.
Enough = Callable[[Sequence[Any]], bool]


@dataclass(frozen=True)
class Pool:
    """The processes that run units of work.

    Attributes:
        workers: the number of processes on this machine. Each new process imports the running
            script, so a script with more than one worker must start its work below
            `if __name__ == "__main__":`.
        scheduler: the address of a Dask scheduler, such as `tcp://10.0.0.1:8786`, whose workers
            run the units in place of processes here. They must have the same version of gammon.

    Raises:
        SettingError: the number of processes is not from 1 to 1024, or the scheduler is
            neither a text nor None.
    """

    workers: int = 1
    scheduler: str | None = None

    def __post_init__(self) -> None:
        whole("workers", self.workers, 1, 1024)
        is_address = isinstance(self.scheduler, str) and self.scheduler
        if self.scheduler is not None and not is_address:
            raise SettingError(
                f"scheduler {shown(self.scheduler)}: expected the address of one, such as tcp://10.0.0.1:8786"
            )


#: This process alone.
HERE = Pool()


def run_units(
    task: Callable[..., Any],
    units: Sequence[Unit],
    store: Path,
    pool: Pool = HERE,
    on_done: OnDone = lambda done, total: None,
    enough: Enough | None = None,
    fits: Fits = lambda unit, result: True,
    stop: Stop | None = None,
) -> list[Any]:
    """Return the results of all units, in their order.

    Args:
        task: a module-level function from a unit to JSON values. Its result must depend on the
            unit alone; then the results do not depend on the number of workers.
        units: distinct units.
        store: a file of JSON lines, see `gammon.base.store`. Units in it are not run again.
            Each result is appended as it arrives, so a killed run loses only its unfinished
            units, and a damaged file only the units of its damaged lines.
        pool: the processes that run the units.
        on_done: called for progress.
        enough: called with the results of the first 1, 2, 3 ... units. Once it returns True,
            these results are returned and no more units are run. Their number depends neither
            on the workers nor on an earlier run.
        fits: called with a unit and a stored result; returns whether the result fits the unit.
        stop: ends the work when it is set. With a stop, `task` gets it as a second argument, so
            that it can end early; the result of a stopped unit is discarded. In another process
            a stop has only its time limit, counted from the start of the unit. A cluster ends
            its work after the next unit.

    Raises:
        UnfinishedError: the stop was set.
        GammonError: the store cannot be written, the cluster cannot be reached, or a worker
            was killed.
    """
    stored = Store(store, units, fits)
    first = _First(units, stored.results, enough)
    missing = [unit for unit in units if key_of(unit) not in stored.results]
    done = len(units) - len(missing)
    on_done(done, len(units))
    if first.are_enough():
        return first.results
    # Closed at an early end, so that workers stop at once.
    work = task if stop is None else partial(_unless_stopped, task, stop)
    with closing(unit_results(work, missing, pool, stop)) as finished:
        for unit, result in finished:
            stored.add(unit, result)
            done += 1
            on_done(done, len(units))
            if first.are_enough():
                break
    return first.results


class _First:
    """The results of the first units, up to the first one that is missing.

    Args:
        units: all units, in their order.
        results: the results by unit; more arrive, in any order, while this is in use.
        enough: see `run_units`.
    """

    def __init__(self, units: Sequence[Unit], results: dict[str, Any], enough: Enough | None) -> None:
        self.results: list[Any] = []
        self._units = units
        self._by_unit = results
        self._enough = enough

    def are_enough(self) -> bool:
        """Add new results one by one; return whether no more are needed."""
        while len(self.results) < len(self._units):
            key = key_of(self._units[len(self.results)])
            if key not in self._by_unit:
                return False
            self.results.append(self._by_unit[key])
            if self._enough is not None and self._enough(self.results):
                return True
        return True


def _unless_stopped(task: Callable[[Unit, Stop], Any], stop: Stop, unit: Unit) -> Any:
    """Return the result of a unit, or raise an `UnfinishedError` if it was stopped."""
    result = task(unit, stop)
    stop.check()
    return result


def unit_results(
    task: Callable[[Unit], Any], units: Sequence[Unit], pool: Pool, stop: Stop | None = None
) -> Generator[tuple[Unit, Any]]:
    """Yield each unit and its result as it is done, without storing results.

    Closing the generator early stops the workers. For errors see `run_units`.

    Args:
        task: a module-level function from a unit to JSON values.
        units: JSON values.
        pool: the processes that run them.
        stop: ends the workers when it is set.
    """
    if pool.scheduler is not None:
        yield from _on_cluster(task, units, pool.scheduler, stop)
    elif pool.workers == 1:
        for unit in units:
            yield unit, task(unit)
    else:
        yield from in_processes(task, units, pool.workers, stop)


def _on_cluster(
    task: Callable[[Unit], Any], units: Sequence[Unit], scheduler: str, stop: Stop | None
) -> Iterator[tuple[Unit, Any]]:
    """Run the units on Dask, which gives the units of a dead worker to another worker."""
    with extra("cluster", "a Dask scheduler"):
        from distributed import Client, KilledWorker, as_completed
    try:
        client = Client(scheduler, timeout=_CONNECT_SECONDS)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise GammonError(f"scheduler {scheduler!r} cannot be reached: {error}") from None
    with client:
        futures = client.map(partial(_with_unit, task), units, pure=False)
        ended: Any = as_completed(futures)  # type: ignore[no-untyped-call]
        try:
            if stop is not None:
                stop.check()
            for batch in ended.batches():
                # Results are gathered in batches: single requests would double the time of a unit.
                done = [future for future in batch if future.status == "finished"]
                yield from client.gather(done)  # type: ignore[no-untyped-call]
                for future in batch:
                    if future not in done:
                        yield future.result()
                if stop is not None and not ended.is_empty():
                    stop.check()
        except (KilledWorker, CancelledError, AsyncCancelledError, OSError):
            raise GammonError(
                f"scheduler {scheduler!r} was lost, or one unit killed several workers: what "
                "is done is kept, and the same command goes on"
            ) from None


def _with_unit(task: Callable[[Unit], Any], unit: Unit) -> tuple[Unit, Any]:
    return unit, task(unit)
