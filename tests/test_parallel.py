"""Units of work: any number of workers, interrupted or not, the same results."""

import json
from pathlib import Path

import pytest

from gammon.errors import GammonError
from gammon.parallel import Unit, run_units

UNITS: list[Unit] = [{"number": n, "seed": 7} for n in range(12)]


def cube(unit: Unit) -> dict[str, float]:
    return {"cube": unit["number"] ** 3 / 3, "seed": unit["seed"]}


def never(unit: Unit) -> None:
    raise AssertionError(f"{unit} was done already")


EXPECTED = [cube(unit) for unit in UNITS]


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_results_are_in_order(workers: int, tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    store = tmp_path / "deep" / "units.jsonl"
    found = run_units(cube, UNITS, store, workers, lambda *counts: seen.append(counts))
    assert found == EXPECTED
    assert seen == [(done, 12) for done in range(13)]
    assert run_units(never, UNITS, store, workers) == EXPECTED


def test_a_killed_run_goes_on(tmp_path: Path) -> None:
    store = tmp_path / "units.jsonl"
    run_units(cube, UNITS, store)
    whole = store.read_text()
    for length in (0, 1, 100, len(whole) // 2, len(whole) - 1):
        store.write_text(whole[:length])  # what is on disk when the power goes
        asked: list[Unit] = []

        def counted(unit: Unit, asked: list[Unit] = asked) -> dict[str, float]:
            asked.append(unit)
            return cube(unit)

        assert run_units(counted, UNITS, store) == EXPECTED
        kept = sum(len(prefix) <= length for prefix in _prefixes(whole))
        assert len(asked) == len(UNITS) - kept
        assert run_units(never, UNITS, store) == EXPECTED


def _prefixes(whole: str) -> list[str]:
    lines = whole.splitlines()
    return ["\n".join(lines[: n + 1]) for n in range(len(lines))]


def test_other_settings_are_other_units(tmp_path: Path) -> None:
    store = tmp_path / "units.jsonl"
    run_units(cube, UNITS, store)
    other = [{**unit, "seed": 8} for unit in UNITS]
    assert run_units(cube, other, store) == [cube(unit) for unit in other]
    assert len([json.loads(line) for line in store.read_text().splitlines()]) == 24


def test_an_unwritable_store(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(GammonError, match="cannot be written"):
        run_units(cube, UNITS, tmp_path / "file" / "units.jsonl")
