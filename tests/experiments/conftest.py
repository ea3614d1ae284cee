"""The small versions of the reproductions."""

import csv

import pytest
from click.testing import CliRunner

from gammon.commands.main import main


@pytest.fixture
def reproduce(tmp_path):
    """Return a function that runs one, and then reads its CSV files by name."""
    pytest.importorskip("matplotlib")

    def run(name: str, *more: str):
        done = CliRunner().invoke(
            main, ["reproduce", name, "--quick", "--out", str(tmp_path), *more]
        )
        assert done.exit_code == 0, done.output

        def rows(table: str):
            with (tmp_path / f"{table}.csv").open() as file:
                return list(csv.DictReader(file))

        assert all(path.stat().st_size > 10_000 for path in tmp_path.glob("*.svg"))
        assert list(tmp_path.glob("*.svg"))
        return rows

    return run
