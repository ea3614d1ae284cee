"""The bearoff tables on disk: built once and kept; see `gammon.eval.kept`.

The table with the cube has a file of its own, as `gammon bearoff build --out` writes the others
alone.
"""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from gammon.base.errors import GammonError
from gammon.compiled.records import Float32Vector
from gammon.eval.bearoff import N_NUMBERS, N_WITH_CUBE
from gammon.eval.kept import alone, kept, kept_path, sound, write
from gammon.eval.race_cube import N_TWO_CHECKERS


class TableFile(NamedTuple):
    """Tables and the file that keeps them.

    Attributes:
        name: of the file.
        size: how many numbers there are.
        built: makes them, float32, flat.
    """

    name: str
    size: int
    built: Callable[[], Float32Vector]

    def path(self) -> Path:
        """Return where the tables are kept."""
        return kept_path(self.name)

    def build(self, path: Path) -> Path:
        """Build the tables and write them, with their checksum.

        Args:
            path: where to.

        Returns:
            The same path.

        Raises:
            GammonError: the file cannot be written.
        """
        if path.is_dir():
            raise GammonError(
                f"{str(path)!r} cannot be written: expected a file, found a folder"
            )
        with alone(path):
            write(path, self.built())
        return path

    def load(self, path: Path) -> Float32Vector:
        """Return the tables of a file, float32, mapped into memory.

        Raises:
            GammonError: the file is not there, or is not what was written.
        """
        try:
            found = sound(path, self.size)
        except OSError as error:
            reason = error.strerror or error
            raise GammonError(
                f"bearoff tables {str(path)!r} cannot be read: {reason}"
            ) from None
        if found is None:
            raise GammonError(
                f"bearoff tables {str(path)!r}: damaged, of another size or checksum; expected "
                "what `gammon bearoff build` writes"
            )
        return found

    def tables(self) -> Float32Vector:
        """Return the tables of this machine, mapped; built if they are missing or damaged.

        If they cannot be kept, each process builds them for itself, once.

        Raises:
            GammonError: there is too little memory for them.
        """
        return kept(self.path(), "the bearoff tables", self.built, self.size)


@cache
def _chances() -> Float32Vector:
    from gammon.eval.bearoff_build import build_chances

    return build_chances()


@cache
def _with_cube() -> Float32Vector:
    from gammon.eval.bearoff_build import build_with_cube

    return build_with_cube()


#: The three tables of chances, one after the other.
CHANCES = TableFile("bearoff.tables", N_NUMBERS, _chances)
#: The table with the cube, and that of two checkers.
WITH_CUBE = TableFile("bearoff-cube.tables", N_WITH_CUBE + N_TWO_CHECKERS, _with_cube)
