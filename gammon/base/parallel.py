"""Runs independent units of work in parallel, records each result, and can be resumed."""

from asyncio import CancelledError as AsyncCancelledError
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from gammon.base.checks import shown, whole
from gammon.base.errors import GammonError, SettingError
from gammon.base.extras import extra
from gammon.base.stop import Stop
from gammon.base.store import Fits, Store, Unit, key_of
from gammon.base.workers import in_processes

_CONNECT_SECONDS = 10.0

#: Called after each unit with the number of units done and the number of all units.
OnDone = Callable[[int, int], None]
#: Called with the results of the first units; tells whether no more are needed.
Enough = Callable[[Sequence[Any]], bool]


@dataclass(frozen=True)
class Pool:
    """The processes that run units of work.

    Attributes:
        workers: the number of processes on this machine. Each new process imports the
            script that runs, so a script that asks for more than one begins its work below
            `if __name__ == "__main__":`.
        scheduler: the address of a Dask scheduler, such as `tcp://10.0.0.1:8786`, whose
            workers run the units instead. They must have the same version of gammon.

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
        task: a function of a module, from a unit to plain JSON values. It must depend on
            the unit alone. Then the results do too, for any number of workers.
        units: distinct units.
        store: a file of JSON lines, see `gammon.base.store`. Units found there are not run
            again. Each result is appended as it arrives, so a killed run loses only its
            unfinished units, and a damaged file only the units of its damaged lines.
        pool: the processes that run the units.
        on_done: called for progress.
        enough: called with the results of the first 1, 2, 3 ... units. Once it returns
            True, these results are returned and no more units are run. Their number
            depends neither on the workers nor on an earlier run.
        fits: called with a unit and what the store has for it; tells whether that can be
            its result.
        stop: ends the work when it is set. Each unit then gets a stop as a second argument, to
            end in its midst; of a unit that was stopped nothing is kept. On another machine a
            stop knows its time alone, from when the unit begins. Set here, it ends the work of
            a cluster once the next unit is done.

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
        return first.found
    # Closed at once at an early end, so that workers stop.
    work = task if stop is None else partial(_unless_stopped, task, stop)
    with closing(unit_results(work, missing, pool, stop)) as finished:
        for unit, result in finished:
            stored.add(unit, result)
            done += 1
            on_done(done, len(units))
            if first.are_enough():
                break
    return first.found


class _First:
    """The results of the first units, up to the first one that is missing.

    Args:
        units: all units, in their order.
        results: the results by unit; more arrive, in any order, while this is in use.
        enough: see `run_units`.
    """

    def __init__(self, units: Sequence[Unit], results: dict[str, Any], enough: Enough | None) -> None:
        self.found: list[Any] = []
        self._units = units
        self._results = results
        self._enough = enough

    def are_enough(self) -> bool:
        """Take up new results one by one, and tell whether no more are needed."""
        while len(self.found) < len(self._units):
            key = key_of(self._units[len(self.found)])
            if key not in self._results:
                return False
            self.found.append(self._results[key])
            if self._enough is not None and self._enough(self.found):
                return True
        return True


def _unless_stopped(task: Callable[[Unit, Stop], Any], stop: Stop, unit: Unit) -> Any:
    """Do a unit, unless it is stopped first."""
    result = task(unit, stop)
    stop.check()
    return result


def unit_results(
    task: Callable[[Unit], Any], units: Sequence[Unit], pool: Pool, stop: Stop | None = None
) -> Generator[tuple[Unit, Any]]:
    """Yield each unit and its result, as they are done; nothing is kept of them.

    Closed early, it stops the workers. It raises what `run_units` does.

    Args:
        task: a function of a module, from a unit to plain JSON values.
        units: plain JSON values.
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
    """Run the units on Dask, which hands the units of a dead worker to another one."""
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
                # All at once: to ask for each result would double the time of a unit.
                done = [future for future in batch if future.status == "finished"]
                yield from client.gather(done)  # type: ignore[no-untyped-call]
                for future in batch:
                    if future not in done:
                        yield future.result()
                if stop is not None and not ended.is_empty():
                    stop.check()
        except (KilledWorker, CancelledError, AsyncCancelledError, OSError):
            raise GammonError(
                f"scheduler {scheduler!r} was lost, or several workers at one unit: what "
                "is done is kept, and the same command goes on"
            ) from None


def _with_unit(task: Callable[[Unit], Any], unit: Unit) -> tuple[Unit, Any]:
    return unit, task(unit)
