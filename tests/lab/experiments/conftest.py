"""The small versions of the reproductions."""

import csv
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner

from gammon.commands.main import main
from gammon_lab.experiments.study import Study


def reproduced(folder: Path, name: str, *more: str):
    """Run one, and return a function that reads its CSV files by name."""
    pytest.importorskip("matplotlib")
    done = CliRunner().invoke(main, ["reproduce", name, "--quick", "--out", str(folder), *more])
    assert done.exit_code == 0, done.output

    def rows(table: str):
        with (folder / f"{table}.csv").open() as file:
            return list(csv.DictReader(file))

    assert all(path.stat().st_size > 10_000 for path in folder.glob("*.svg"))
    assert list(folder.glob("*.svg"))
    return rows


def cut(folder: Path, copy: Path) -> None:
    """Copy half of the answers and units of a study, and a torn line, as an interrupt may."""
    for name in ("answers.jsonl", "units.jsonl"):
        lines = (folder / name).read_bytes().splitlines(keepends=True)
        (copy / name).write_bytes(b"".join(lines[: len(lines) // 2]) + lines[-1][:99])


@pytest.fixture(scope="module")
def small(request, tmp_path_factory):
    """The report of the module's EXPERIMENT in its small version, its folder, its progress."""
    seen: list[tuple[int, int]] = []
    folder = tmp_path_factory.mktemp("small")
    study = Study(folder, 3, True, on_done=lambda done, total: seen.append((done, total)))
    return request.module.EXPERIMENT(study), folder, seen


@pytest.fixture
def reproduce(tmp_path):
    """Return `reproduced`, in a folder of the test."""
    return partial(reproduced, tmp_path)
