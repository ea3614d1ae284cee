"""The bearoff tables on disk: built once, checked, mapped into memory.

A file has the numbers of its tables, float32, one table after the other, and then their
SHA-256, 32 bytes. The table with the cube has a file of its own, since only games with the cube
need it.
"""

import errno
import hashlib
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from gammon.base.errors import GammonError
from gammon.base.files import user_folder, written_whole
from gammon.compiled.records import Float32Vector
from gammon.compiled.sources import module_digest
from gammon.eval.bearoff import N_NUMBERS, N_WITH_CUBE

__all__ = ["CHANCES", "WITH_CUBE", "TableFile"]

_LOG = logging.getLogger(__name__)
#: Of a checksum.
_SEAL_BYTES = hashlib.sha256().digest_size
#: As they are in the file, on any machine.
_NUMBERS = np.dtype("<f4")
#: How long another process may build, in seconds; it takes three or so.
_PATIENCE = 120.0
#: Reasons of the system to refuse a file that is there and may be sound.
_SHORTAGES = (errno.ENOMEM, errno.EMFILE, errno.ENFILE)


def _digest(numbers: Float32Vector) -> bytes:
    return hashlib.sha256(numbers.data).digest()


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Let one process at a time build a file.

    Where there can be no lock, or the other one takes too long, several build it: each
    writes to a name of its own, so that takes time and does no harm.
    """
    from filelock import FileLock  # which takes long to import

    lock = FileLock(f"{path}.lock", timeout=_PATIENCE)
    with suppress(OSError, NotImplementedError):
        lock.acquire()
    try:
        yield
    finally:
        lock.release()


def _write(path: Path, numbers: Float32Vector) -> None:
    with written_whole(path) as beside, beside.open("wb") as file:
        stored = numbers.astype(_NUMBERS, copy=False)
        file.write(stored.data)
        file.write(_digest(stored))


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
        """Return where the tables are kept, by what made them."""
        return user_folder("tables") / f"{module_digest(__name__)}-{self.name}"

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
        with _alone(path):
            _write(path, self.built())
        return path

    def load(self, path: Path) -> Float32Vector:
        """Return the tables of a file, float32, mapped into memory and read-only.

        Raises:
            GammonError: the file is not there, or is not what was written.
        """
        try:
            found = self._sound(path)
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
        """Return the tables of this machine, built if they are missing or damaged.

        A warning is logged that they were damaged.

        They are read from their file at each call, in 7 ms, as who uses them makes a copy. If
        they cannot be kept, each process builds them for itself, once.

        Raises:
            GammonError: there is too little memory for them.
        """
        path = self.path()
        try:
            found = self._kept(path)
            if found is None:
                with _alone(path):
                    found = self._kept(path)  # another process may have built them
                    if found is None:
                        if path.is_file():
                            damaged = "%r is damaged: left out, and built again"
                            _LOG.warning(damaged, str(path))
                        found = self.built()
                        with suppress(GammonError):
                            _write(path, found)
        except (MemoryError, OSError) as error:
            reason = getattr(error, "strerror", None) or "too little memory"
            raise GammonError(
                f"the bearoff tables cannot be loaded: {reason}; expected room for "
                f"{self.size * _NUMBERS.itemsize // 10**6} MB in memory"
            ) from None
        return found

    def _sound(self, path: Path) -> Float32Vector | None:
        """Return the tables of a file, or None if they are not what was written.

        Raises:
            OSError: the file cannot be read.
        """
        if path.stat().st_size != self.size * _NUMBERS.itemsize + _SEAL_BYTES:
            return None
        numbers = np.memmap(path, _NUMBERS, "r", shape=(self.size,))
        with path.open("rb") as file:
            file.seek(-_SEAL_BYTES, 2)
            return numbers if file.read() == _digest(numbers) else None

    def _kept(self, path: Path) -> Float32Vector | None:
        """Return the tables of a file if it has them; a shortage is an error of its own."""
        try:
            return self._sound(path)
        except OSError as error:
            if error.errno in _SHORTAGES:
                raise
            return None


@cache
def _chances() -> Float32Vector:
    from gammon.eval.bearoff_build import build_one_sided, build_two_sided

    every = (*build_one_sided(), build_two_sided())
    return np.concatenate([table.ravel() for table in every])


@cache
def _with_cube() -> Float32Vector:
    from gammon.eval.bearoff_build import build_with_cube

    return build_with_cube().ravel()


#: The three tables of chances, one after the other.
CHANCES = TableFile("bearoff.tables", N_NUMBERS, _chances)
#: The table with the cube.
WITH_CUBE = TableFile("bearoff-cube.tables", N_WITH_CUBE, _with_cube)
