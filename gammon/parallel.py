"""Many independent units of work: in parallel, written down as they finish, resumable."""

import json
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from gammon.errors import GammonError

__all__ = ["HERE", "Enough", "OnDone", "Pool", "Unit", "run_units"]

_CONNECT_SECONDS = 10.0

#: What tells one unit from another: plain JSON values, seed and all.
Unit = dict[str, Any]
#: Called with the units done and the units in all, after each.
OnDone = Callable[[int, int], None]
#: Called with the results of the first units; tells whether they are enough.
Enough = Callable[[Sequence[Any]], bool]


@dataclass(frozen=True)
class Pool:
    """Who does units of work.

    Attributes:
        workers: processes on this machine.
        scheduler: the address of a Dask scheduler, such as `tcp://10.0.0.1:8786`, whose
            workers do them instead; gammon must be installed there, in the same version.
    """

    workers: int = 1
    scheduler: str | None = None


#: One process, this one.
HERE = Pool()


def _key(unit: Unit) -> str:
    return json.dumps(unit, sort_keys=True)


def _stored(store: Path) -> dict[str, Any]:
    """Return the results that an earlier run has left, by unit."""
    if not store.exists():
        return {}
    found = {}
    for line in store.read_text(errors="replace").splitlines():
        try:
            entry = json.loads(line)
            found[_key(entry["unit"])] = entry["result"]
        except (ValueError, KeyError, TypeError):
            continue  # the line that a kill cut short; its unit is done again
    return found


def _mend(store: Path) -> None:
    """End the file with a whole line, so that the next one begins anew."""
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
        task: a module's function from a unit to plain JSON values. It must depend on
            the unit alone: then so do the results, whatever the number of workers.
        units: distinct units.
        store: a file of JSON lines. Units found there are not done again; each result
            is appended when it is there, so that a kill loses unfinished units only.
        pool: who does them.
        on_done: progress.
        enough: called with the results of the first 1, 2, 3 ... units; where it says so,
            no more are done, and these are returned. Which they are depends neither on
            the workers nor on what was done before.

    Raises:
        GammonError: the store cannot be written, or the cluster not reached.
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
    """The results of the first units, as far as none is missing.

    Args:
        units: all of them, in their order.
        results: by unit; they come in any order, while this is in use.
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
        """Take up what has come, one by one, and tell whether that is enough."""
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
            # An early end is meant: nobody needs to be told that units were given up.
            warnings.filterwarnings("ignore", message=".*have been cancelled", module="joblib")
            yield from parallel(delayed(_with_unit)(task, unit) for unit in units)


def _on_cluster(
    task: Callable[[Unit], Any], units: Sequence[Unit], scheduler: str
) -> Iterator[tuple[Unit, Any]]:
    """Do the units by Dask, which gives those of a worker that dies to another one."""
    try:
        from distributed import Client, as_completed
    except ImportError:
        raise GammonError(
            f"scheduler {scheduler!r}: expected Dask, which is not installed; "
            "install gammon[cluster]"
        ) from None
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
