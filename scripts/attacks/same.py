"""Whether two folders of one run are the same, apart from what its work took."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from safetensors import safe_open

#: Entries that say how long work took.
_TIMES = {"cpu_seconds", "seconds", "minutes"}
#: Stores of units.
_STORES = ("units.jsonl", "rollouts.jsonl", "ballard.jsonl")


def timeless(value: Any) -> Any:
    """Return plain JSON values without the times in them."""
    if isinstance(value, dict):
        return {name: timeless(each) for name, each in value.items() if name not in _TIMES}
    if isinstance(value, list):
        return [timeless(each) for each in value]
    return value


def _units(path: Path) -> dict[str, Any]:
    """Return the results of a store by their units; one that is there twice has none."""
    found: dict[str, Any] = {}
    for line in map(json.loads, path.read_bytes().splitlines()):
        key = json.dumps(line["unit"], sort_keys=True)
        found[key] = None if key in found else timeless(line["result"])
    return found


def _agree(one: Path, other: Path) -> bool:
    """Tell whether two stores have the same results of the units that both have.

    A run that ends early may have done another unit or two, by the speed of its workers.
    """
    here, there = _units(one), _units(other)
    both = here.keys() & there.keys()
    return None not in [*here.values(), *there.values()] and all(here[key] == there[key] for key in both)


def _content(path: Path) -> object:
    """Return what a file says, so that equal ones are equal."""
    if path.suffix == ".safetensors":
        with safe_open(path, "numpy") as file:
            arrays = {name: file.get_tensor(name).tobytes() for name in file.keys()}  # noqa: SIM118
            header = file.metadata()
        texts = [json.loads(header[name]) for name in ("card", "facts") if name in header]
        return arrays, timeless(texts)
    if path.suffix == ".json":
        return timeless(json.loads(path.read_bytes()))
    return path.read_bytes()


def _same(one: Path, other: Path) -> bool:
    if one.name in _STORES:
        return _agree(one, other)
    return _content(one) == _content(other)


def differences(one: Path, other: Path) -> Iterator[str]:
    """Yield the names of files that only one of two folders has, or that differ."""
    names = {
        path.relative_to(folder)
        for folder in (one, other)
        for path in folder.rglob("*")
        if path.is_file() and path.suffix != ".lock"
    }
    for name in sorted(names):
        here, there = one / name, other / name
        if not (here.exists() and there.exists() and _same(here, there)):
            yield str(name)
