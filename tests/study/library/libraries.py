"""A library for tests: three matches, reviewed at depth 1."""

from pathlib import Path

from gammon_study.library.add import Added, add_matches
from gammon_study.library.library import Library
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
