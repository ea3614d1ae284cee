"""Arrays that take long to make: kept in the user's cache, checked, and mapped into memory.

A file has the numbers of an array, float32, and then their SHA-256, 32 bytes. Its name has a
digest of the sources that make such arrays, so that an array of other sources is never met.
Nobody but the user may write there (`files.user_folder`), for kernels trust what they are
given. Nothing in a file is code.

A mapped array is read from disk where it is used, and all processes share it.
"""

import errno
import hashlib
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from mmap import ACCESS_COPY, mmap
from pathlib import Path

import numpy as np

from gammon.base.errors import GammonError
from gammon.base.files import user_folder, written_whole
from gammon.compiled.records import Float32Vector

_LOG = logging.getLogger(__name__)
#: Of a checksum.
_SEAL_BYTES = hashlib.sha256().digest_size
#: As they are in the file, on any machine.
_NUMBERS = np.dtype("<f4")
#: How long another process may make an array, in seconds; it takes one or so.
_PATIENCE = 120.0
#: Reasons of the system to refuse a file that is there and may be sound.
_SHORTAGES = (errno.ENOMEM, errno.EMFILE, errno.ENFILE)
#: The subpackages whose functions make arrays.
_SUBPACKAGES = ("eval", "rules")
#: Bytes of a file that are read at a time for its checksum.
_PIECE = 1 << 18


@cache
def _folder() -> Path:
    return user_folder("arrays")


@cache
def _makers() -> str:
    """Return 16 characters that stand for the sources that make arrays."""
    digest = hashlib.sha256()
    for name in _SUBPACKAGES:
        for path in sorted((Path(__file__).parents[1] / name).glob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def kept_path(name: str) -> Path:
    """Return where an array of a name is kept."""
    return _folder() / f"{_makers()}-{name}"


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Let one process at a time make a file.

    Where there can be no lock, or the other one takes too long, several make it: each
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


def write(path: Path, numbers: Float32Vector) -> None:
    """Write an array, with its checksum, as a whole file.

    Raises:
        GammonError: the file cannot be written.
    """
    stored = numbers.astype(_NUMBERS, copy=False)
    with written_whole(path) as beside, beside.open("wb") as file:
        file.write(stored.data)
        file.write(hashlib.sha256(stored.data).digest())


def sound(path: Path, size: int | None = None) -> Float32Vector | None:
    """Return the array of a file, or None if it is not what was written.

    Args:
        path: the file.
        size: how many numbers it must have; None for any number.

    Returns:
        float32, mapped. Nobody writes into it; if somebody did, the file would stay as it is.

    Raises:
        OSError: the file cannot be read.
    """
    with path.open("rb") as file:
        count, rest = divmod(path.stat().st_size - _SEAL_BYTES, _NUMBERS.itemsize)
        if count <= 0 or rest or size not in (None, count):
            return None
        # To read a file takes no more memory than a piece, and to look at what is mapped all.
        digest, left = hashlib.sha256(), count * _NUMBERS.itemsize
        while left and (piece := file.read(min(left, _PIECE))):
            digest.update(piece)
            left -= len(piece)
        if file.read() != digest.digest():
            return None
        return np.frombuffer(mmap(file.fileno(), 0, access=ACCESS_COPY), _NUMBERS, count)


def kept(path: Path, what: str, make: Callable[[], Float32Vector], size: int | None = None) -> Float32Vector:
    """Return the array of a file, made if the file is missing or damaged.

    A warning is logged that it was damaged. Where it cannot be kept, it is made all the same.

    Args:
        path: the file.
        what: the array is, for messages.
        make: makes it.
        size: how many numbers it has, where that is known before.

    Raises:
        GammonError: there is too little memory for it.
    """
    try:
        found = _found(path, size)
        if found is not None:
            return found
        with alone(path):
            found = _found(path, size)  # another process may have made it
            if found is not None:
                return found
            if path.is_file():
                _LOG.warning("%r is damaged: left out, and made again", str(path))
            made = make()
            with suppress(GammonError):
                write(path, made)
                written = _found(path, made.size)
                return made if written is None else written
            return made
    except (MemoryError, OSError) as error:
        reason = getattr(error, "strerror", None) or "too little memory"
        raise GammonError(f"{what} cannot be loaded: {reason}") from None


def _found(path: Path, size: int | None) -> Float32Vector | None:
    """Return the array of a file if it has one; a shortage is an error of its own."""
    try:
        return sound(path, size)
    except OSError as error:
        if error.errno in _SHORTAGES:
            raise
        return None
