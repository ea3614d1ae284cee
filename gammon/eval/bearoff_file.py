"""The bearoff tables on disk: built once and cached; see `gammon.eval.array_cache`.

They are the tables of `gammon.eval.bearoff`, one after the other, followed by the table of two
checkers (`gammon.eval.race_cube`).
"""

from functools import cache
from pathlib import Path

from gammon.compiled.records import Float32Vector
from gammon.eval.array_cache import cache_path, cached_array, exclusive, write_array
from gammon.eval.race_cube import N_TABLES


def tables_path() -> Path:
    """Return the path of this machine's tables."""
    return cache_path("bearoff.tables")


@cache
def _built() -> Float32Vector:
    from gammon.eval.bearoff_build import build_tables

    return build_tables()


def bearoff_tables() -> Float32Vector:
    """Return this machine's tables, mapped into memory; built if they are missing or damaged.

    If they cannot be written to disk, each process builds them for itself, once.

    Raises:
        GammonError: memory does not suffice for them.
    """
    return cached_array(tables_path(), "the bearoff tables", _built, N_TABLES)


def build_again() -> None:
    """Build this machine's tables, and write them over any that exist.

    Raises:
        GammonError: the file cannot be written.
    """
    with exclusive(tables_path()):
        write_array(tables_path(), _built())
