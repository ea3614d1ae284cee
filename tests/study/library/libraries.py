"""Libraries for tests: three matches, reviewed at depth 1, and libraries of earlier versions."""

import sqlite3
from contextlib import closing
from pathlib import Path

from gammon_study.library.add import Added, add_matches
from gammon_study.library.library import _APPLICATION, Library, _take_steps
from tests.matches import HAND, MATCH5, SAMPLE

FILES = [HAND, MATCH5, SAMPLE]


def added(library: Library, *files: Path, again: bool = False) -> list[Added]:
    """Add files at depth 1."""
    return list(add_matches(library, files, depth=1, again=again))


def filled(path: Path) -> Path:
    """Make a library of `FILES`."""
    with Library(path, make=True) as library:
        assert {each.what for each in added(library, *FILES)} == {"reviewed"}
    return path


def of_version(source: Path, path: Path, version: int) -> Path:
    """Write the matches of a library into a file of an earlier version."""
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as base:
        _take_steps(base, 0, version)
        base.execute(f"PRAGMA application_id = {_APPLICATION}")
        base.execute(f"PRAGMA user_version = {version}")
        base.execute("ATTACH ? AS source", [str(source)])
        for (table,) in base.execute("SELECT name FROM main.sqlite_master WHERE type = 'table'").fetchall():
            columns = ", ".join(row[1] for row in base.execute(f"PRAGMA main.table_info ({table})"))
            base.execute(f"INSERT INTO main.{table} ({columns}) SELECT {columns} FROM source.{table}")
        base.commit()
    return path
