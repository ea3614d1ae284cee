"""Many independent units of work: in parallel, written down as they finish, resumable."""

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from gammon.errors import GammonError

__all__ = ["OnDone", "Unit", "run_units"]

#: What tells one unit from another: plain JSON values, seed and all.
Unit = dict[str, Any]
#: Called with the units done and the units in all, after each.
OnDone = Callable[[int, int], None]


def _key(unit: Unit) -> str:
    return json.dumps(unit, sort_keys=True)


def _stored(store: Path) -> dict[str, Any]:
    """Return the results that an earlier run has left, by unit."""
    if not store.exists():
        return {}
    found = {}
    for line in store.read_text().splitlines():
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
    workers: int = 1,
    on_done: OnDone = lambda done, total: None,
) -> list[Any]:
    """Return the results of all units, in their order.

    Args:
        task: a module's function from a unit to plain JSON values. It must depend on
            the unit alone: then so do the results, whatever the number of workers.
        units: distinct units.
        store: a file of JSON lines. Units found there are not done again; each result
            is appended when it is there, so that a kill loses unfinished units only.
        workers: processes.
        on_done: progress.

    Raises:
        GammonError: the store cannot be written.
    """
    try:
        store.parent.mkdir(parents=True, exist_ok=True)
        results = _stored(store)
        _mend(store)
        missing = [unit for unit in units if _key(unit) not in results]
        done = len(units) - len(missing)
        on_done(done, len(units))
        with store.open("a") as file:
            for unit, result in _run(task, missing, workers):
                file.write(json.dumps({"unit": unit, "result": result}) + "\n")
                file.flush()
                # As a resumed run would read it: floats and lists survive JSON unchanged.
                results[_key(unit)] = json.loads(json.dumps(result))
                done += 1
                on_done(done, len(units))
    except OSError as error:
        raise GammonError(f"{str(store)!r} cannot be written: {error.strerror}") from None
    return [results[_key(unit)] for unit in units]


def _run(
    task: Callable[[Unit], Any], units: Sequence[Unit], workers: int
) -> Iterator[tuple[Unit, Any]]:
    if workers <= 1:
        for unit in units:
            yield unit, task(unit)
        return
    from joblib import Parallel, delayed

    pool = Parallel(n_jobs=workers, return_as="generator_unordered", batch_size=1)
    yield from pool(delayed(_with_unit)(task, unit) for unit in units)


def _with_unit(task: Callable[[Unit], Any], unit: Unit) -> tuple[Unit, Any]:
    return unit, task(unit)
