"""Whether two folders of one run are the same, apart from times."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from safetensors import safe_open

#: Entries with the time that work took.
_TIMES = {"cpu_seconds", "seconds", "minutes"}
#: Stores of units.
_STORES = ("units.jsonl", "rollouts.jsonl", "ballard.jsonl")


def timeless(value: Any) -> Any:
    """Return plain JSON values without the times in them."""
    if isinstance(value, dict):
        return {name: timeless(entry) for name, entry in value.items() if name not in _TIMES}
    if isinstance(value, list):
        return [timeless(entry) for entry in value]
    return value


def _units(path: Path) -> dict[str, Any]:
    """Return the results of a store by their units; a unit that occurs twice has None."""
    results: dict[str, Any] = {}
    for line in map(json.loads, path.read_bytes().splitlines()):
        key = json.dumps(line["unit"], sort_keys=True)
        results[key] = None if key in results else timeless(line["result"])
    return results


def _agree(first: Path, second: Path) -> bool:
    """Return whether two stores have the same results for their common units.

    A run that ends early may have done another unit or two, depending on the speed of its workers.
    """
    ours, theirs = _units(first), _units(second)
    both = ours.keys() & theirs.keys()
    return None not in [*ours.values(), *theirs.values()] and all(ours[key] == theirs[key] for key in both)


def _content(path: Path) -> object:
    """Return the content of a file, without times, in a form that can be compared."""
    if path.suffix == ".safetensors":
        with safe_open(path, "numpy") as file:
            arrays = {name: file.get_tensor(name).tobytes() for name in file.keys()}  # noqa: SIM118
            header = file.metadata()
        texts = [json.loads(header[name]) for name in ("card", "facts") if name in header]
        return arrays, timeless(texts)
    if path.suffix == ".json":
        return timeless(json.loads(path.read_bytes()))
    return path.read_bytes()


def _same(first: Path, second: Path) -> bool:
    if first.name in _STORES:
        return _agree(first, second)
    return _content(first) == _content(second)


def differences(first: Path, second: Path) -> Iterator[str]:
    """Yield the names of files that only one of the two folders has, or that differ."""
    names = {
        path.relative_to(folder)
        for folder in (first, second)
        for path in folder.rglob("*")
        if path.is_file() and path.suffix != ".lock"
    }
    for name in sorted(names):
        path, twin = first / name, second / name
        if not (path.exists() and twin.exists() and _same(path, twin)):
            yield str(name)
