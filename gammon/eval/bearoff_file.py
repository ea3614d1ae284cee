"""The bearoff tables on disk: built once, checked, mapped into memory.

The file has the numbers of the three tables, float32, one table after the other, and then
their SHA-256, 32 bytes.
"""

import errno
import hashlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

import numpy as np

from gammon.compiled import cache_folder
from gammon.errors import GammonError
from gammon.eval.bearoff import N_NUMBERS
from gammon.files import written_whole
from gammon.records import Float32Vector

__all__ = ["N_NUMBERS", "build_file", "default_path", "load_file", "tables"]

#: Of a checksum.
_SEAL_BYTES = hashlib.sha256().digest_size
#: As they are in the file, on any machine.
_NUMBERS = np.dtype("<f4")
#: How long another process may build, in seconds; it takes three or so.
_PATIENCE = 120.0
#: Reasons of the system to refuse a file that is there and may be sound.
_SHORTAGES = (errno.ENOMEM, errno.EMFILE, errno.ENFILE)


def default_path() -> Path:
    """Return where the tables are kept: beside the compiled code that made them."""
    return cache_folder() / "bearoff.tables"


@cache
def _built() -> Float32Vector:
    from gammon.eval.bearoff_build import build_one_sided, build_two_sided

    every = (*build_one_sided(), build_two_sided())
    return np.concatenate([table.ravel() for table in every])


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


def build_file(path: Path) -> Path:
    """Build the tables and write them, with their checksum.

    Args:
        path: where to.

    Returns:
        The same path.

    Raises:
        GammonError: the file cannot be written.
    """
    if path.is_dir():
        raise GammonError(f"{str(path)!r} cannot be written: expected a file, found a folder")
    with _alone(path):
        _write(path, _built())
    return path


def _sound(path: Path) -> Float32Vector | None:
    """Return the tables of a file, or None if they are not what was written.

    Raises:
        OSError: the file cannot be read.
    """
    if path.stat().st_size != N_NUMBERS * _NUMBERS.itemsize + _SEAL_BYTES:
        return None
    numbers = np.memmap(path, _NUMBERS, "r", shape=(N_NUMBERS,))
    with path.open("rb") as file:
        file.seek(-_SEAL_BYTES, 2)
        return numbers if file.read() == _digest(numbers) else None


def load_file(path: Path) -> Float32Vector:
    """Return the tables of a file, float32, mapped into memory and read-only.

    Raises:
        GammonError: the file is not there, or is not what was written.
    """
    try:
        found = _sound(path)
    except OSError as error:
        reason = error.strerror or error
        raise GammonError(f"bearoff tables {str(path)!r} cannot be read: {reason}") from None
    if found is None:
        raise GammonError(
            f"bearoff tables {str(path)!r}: damaged, of another size or checksum; expected "
            "what `gammon bearoff build` writes"
        )
    return found


def _kept(path: Path) -> Float32Vector | None:
    """Return the tables of a file if it has them; a shortage is an error of its own."""
    try:
        return _sound(path)
    except OSError as error:
        if error.errno in _SHORTAGES:
            raise
        return None


def tables() -> Float32Vector:
    """Return the tables of this machine, built if they are missing or damaged.

    They are read from their file at each call, in 7 ms, as who uses them makes a copy. If they
    cannot be kept, each process builds them for itself, once.

    Raises:
        GammonError: there is too little memory for them.
    """
    path = default_path()
    try:
        found = _kept(path)
        if found is None:
            with _alone(path):
                found = _kept(path)  # another process may have built them
                if found is None:
                    found = _built()
                    with suppress(GammonError):
                        _write(path, found)
    except (MemoryError, OSError) as error:
        reason = getattr(error, "strerror", None) or "too little memory"
        raise GammonError(
            f"the bearoff tables cannot be loaded: {reason}; expected room for "
            f"{N_NUMBERS * _NUMBERS.itemsize // 10**6} MB in memory"
        ) from None
    return found
