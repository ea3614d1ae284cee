"""The bearoff tables on disk: built once and kept; see `gammon.eval.kept`.

They are the tables of `gammon.eval.bearoff`, one after the other, and behind them that of two
checkers (`gammon.eval.race_cube`).
"""

from functools import cache
from pathlib import Path

from gammon.compiled.records import Float32Vector
from gammon.eval.kept import alone, kept, kept_path, write
from gammon.eval.race_cube import N_TABLES


def tables_path() -> Path:
    """Return where the tables of this machine are kept."""
    return kept_path("bearoff.tables")


@cache
def _built() -> Float32Vector:
    from gammon.eval.bearoff_build import build_tables

    return build_tables()


def bearoff_tables() -> Float32Vector:
    """Return the tables of this machine, mapped; built if they are missing or damaged.

    If they cannot be kept, each process builds them for itself, once.

    Raises:
        GammonError: there is too little memory for them.
    """
    return kept(tables_path(), "the bearoff tables", _built, N_TABLES)


def build_again() -> None:
    """Build the tables of this machine, and keep them in place of what is there.

    Raises:
        GammonError: the file cannot be written.
    """
    with alone(tables_path()):
        write(tables_path(), _built())
