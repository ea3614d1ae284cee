"""Runs independent units of work in parallel, records each result, and can be resumed."""

import json
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from gammon.errors import GammonError
from gammon.extras import extra

__all__ = ["HERE", "Enough", "OnDone", "Pool", "Unit", "run_units"]

_CONNECT_SECONDS = 10.0

#: The parameters of a unit, its seed included: plain JSON values, different in each unit.
Unit = dict[str, Any]
#: Called after each unit with the number of units done and the number of all units.
OnDone = Callable[[int, int], None]
#: Called with the results of the first units; tells whether no more are needed.
Enough = Callable[[Sequence[Any]], bool]


@dataclass(frozen=True)
class Pool:
    """The processes that run units of work.

    Attributes:
        workers: the number of processes on this machine.
        scheduler: the address of a Dask scheduler, such as `tcp://10.0.0.1:8786`, whose
            workers run the units instead. They must have the same version of gammon.
    """

    workers: int = 1
    scheduler: str | None = None


#: This process alone.
HERE = Pool()


def _key(unit: Unit) -> str:
    return json.dumps(unit, sort_keys=True)


def _stored(store: Path) -> dict[str, Any]:
    """Return the results of an earlier run, by unit."""
    if not store.exists():
        return {}
    found = {}
    for line in store.read_text(errors="replace").splitlines():
        try:
            entry = json.loads(line)
            found[_key(entry["unit"])] = entry["result"]
        except (ValueError, KeyError, TypeError):
            continue  # a killed run left part of a line; its unit runs again
    return found


def _mend(store: Path) -> None:
    """Complete the last line of the file: the next result begins a line of its own."""
    if store.exists() and not store.read_bytes().endswith(b"\n"):
        with store.open("a") as file:
            file.write("\n")


def run_units(
    task: Callable[[Unit], Any],
    units: Sequence[Unit],
    store: Path,
    pool: Pool = HERE,
    on_done: OnDone = lambda done, total: None,
    enough: Enough | None = None,
) -> list[Any]:
    """Return the results of all units, in their order.

    Args:
        task: a function of a module, from a unit to plain JSON values. It must depend on
            the unit alone. Then the results do too, for any number of workers.
        units: distinct units.
        store: a file of JSON lines. Units found there are not run again. Each result is
            appended as it arrives, so a killed run loses only its unfinished units.
        pool: the processes that run the units.
        on_done: called for progress.
        enough: called with the results of the first 1, 2, 3 ... units. Once it returns
            True, these results are returned and no more units are run. Their number
            depends neither on the workers nor on an earlier run.

    Raises:
        GammonError: the store cannot be written, or the cluster cannot be reached.
    """
    try:
        store.parent.mkdir(parents=True, exist_ok=True)
        results = _stored(store)
        _mend(store)
        first = _First(units, results, enough)
        missing = [unit for unit in units if _key(unit) not in results]
        done = len(units) - len(missing)
        on_done(done, len(units))
        if first.are_enough():
            return first.found
        # Closed at once at an early end: workers stop, and warnings are as they were before.
        with store.open("a") as file, closing(_run(task, missing, pool)) as finished:
            for unit, result in finished:
                file.write(json.dumps({"unit": unit, "result": result}) + "\n")
                file.flush()
                # As a resumed run would read it: floats and lists survive JSON unchanged.
                results[_key(unit)] = json.loads(json.dumps(result))
                done += 1
                on_done(done, len(units))
                if first.are_enough():
                    break
    except OSError as error:
        raise GammonError(f"{str(store)!r} cannot be written: {error.strerror}") from None
    return first.found


class _First:
    """The results of the first units, up to the first one that is missing.

    Args:
        units: all units, in their order.
        results: the results by unit; more arrive, in any order, while this is in use.
        enough: see `run_units`.
    """

    def __init__(
        self, units: Sequence[Unit], results: dict[str, Any], enough: Enough | None
    ) -> None:
        self.found: list[Any] = []
        self._units = units
        self._results = results
        self._enough = enough

    def are_enough(self) -> bool:
        """Take up new results one by one, and tell whether no more are needed."""
        while len(self.found) < len(self._units):
            key = _key(self._units[len(self.found)])
            if key not in self._results:
                return False
            self.found.append(self._results[key])
            if self._enough is not None and self._enough(self.found):
                return True
        return True


def _run(
    task: Callable[[Unit], Any], units: Sequence[Unit], pool: Pool
) -> Generator[tuple[Unit, Any]]:
    if pool.scheduler is not None:
        yield from _on_cluster(task, units, pool.scheduler)
    elif pool.workers <= 1:
        for unit in units:
            yield unit, task(unit)
    else:
        from joblib import Parallel, delayed

        parallel = Parallel(n_jobs=pool.workers, return_as="generator_unordered", batch_size=1)
        with warnings.catch_warnings():
            # An early end is intended, so joblib need not warn of units it has dropped.
            warnings.filterwarnings("ignore", message=".*have been cancelled", module="joblib")
            yield from parallel(delayed(_with_unit)(task, unit) for unit in units)


def _on_cluster(
    task: Callable[[Unit], Any], units: Sequence[Unit], scheduler: str
) -> Iterator[tuple[Unit, Any]]:
    """Run the units on Dask, which hands the units of a dead worker to another one."""
    with extra("cluster", "a Dask scheduler"):
        from distributed import Client, as_completed
    try:
        client = Client(scheduler, timeout=_CONNECT_SECONDS)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise GammonError(f"scheduler {scheduler!r} cannot be reached: {error}") from None
    with client:
        futures = client.map(partial(_with_unit, task), units, pure=False)
        for future in as_completed(futures):  # type: ignore[no-untyped-call]
            yield future.result()


def _with_unit(task: Callable[[Unit], Any], unit: Unit) -> tuple[Unit, Any]:
    return unit, task(unit)
