"""Arrays that take long to compute: cached in the user's folder, verified, and memory-mapped.

A file holds the numbers of an array, float32, and then their SHA-256, 32 bytes. Its name holds a
digest of the source files that compute such arrays, so an array of other sources is never read.
Only the user may write to the folder (`files.user_folder`), since kernels trust their data.
Nothing in a file is code.

Small networks ship as such files (`LearnedFile`). A mapped array is read from disk on use, and all
processes share its memory.
"""

import errno
import hashlib
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from mmap import ACCESS_COPY, mmap
from pathlib import Path
from typing import NamedTuple

import numpy as np

from gammon.base.errors import GammonError, ModelError
from gammon.base.files import shipped_files, user_folder, written_whole
from gammon.compiled.records import Float32Vector

_LOG = logging.getLogger(__name__)
#: Bytes of a checksum.
_SEAL_BYTES = hashlib.sha256().digest_size
#: Number type in the file, on any machine.
_NUMBERS = np.dtype("<f4")
#: Seconds to wait for another process that computes an array; that takes about one.
_PATIENCE = 120.0
#: Errors of the system about a file that may be intact.
_SHORTAGES = (errno.ENOMEM, errno.EMFILE, errno.ENFILE)
#: The subpackages whose functions compute arrays.
_SUBPACKAGES = ("eval", "rules")
#: Bytes read at a time for a checksum.
_PIECE = 1 << 18


@cache
def _folder() -> Path:
    return user_folder("arrays")


@cache
def _makers() -> str:
    """Return 16 hexadecimal digits that identify the sources that compute arrays."""
    digest = hashlib.sha256()
    for name in _SUBPACKAGES:
        for path in sorted((Path(__file__).parents[1] / name).glob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def cache_path(name: str) -> Path:
    """Return the path of the cached array with a name."""
    return _folder() / f"{_makers()}-{name}"


@contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Let only one process at a time compute a file.

    Without a lock, or if the other process takes too long, several compute it. That costs time
    but does no harm, since each writes to a temporary name of its own.
    """
    from filelock import FileLock  # slow to import

    lock = FileLock(f"{path}.lock", timeout=_PATIENCE)
    with suppress(OSError, NotImplementedError):
        lock.acquire()
    try:
        yield
    finally:
        lock.release()


def write_array(path: Path, numbers: Float32Vector) -> None:
    """Write an array and its checksum as a whole file.

    Raises:
        GammonError: the file cannot be written.
    """
    stored = numbers.astype(_NUMBERS, copy=False)
    with written_whole(path) as beside, beside.open("wb") as file:
        file.write(stored.data)
        file.write(hashlib.sha256(stored.data).digest())


def read_array(path: Path, size: int | None = None) -> Float32Vector | None:
    """Return the array in a file, or None if the file is not as it was written.

    Args:
        path: the file.
        size: how many numbers it must have; None for any number.

    Returns:
        float32, mapped. Nobody may write into it; if somebody did, the file would not change.

    Raises:
        OSError: the file cannot be read.
    """
    with path.open("rb") as file:
        count, rest = divmod(path.stat().st_size - _SEAL_BYTES, _NUMBERS.itemsize)
        if count <= 0 or rest or size not in (None, count):
            return None
        # Reading the file takes no more memory than a piece; touching the mapping would take all.
        digest, left = hashlib.sha256(), count * _NUMBERS.itemsize
        while left and (piece := file.read(min(left, _PIECE))):
            digest.update(piece)
            left -= len(piece)
        if file.read() != digest.digest():
            return None
        return np.frombuffer(mmap(file.fileno(), 0, access=ACCESS_COPY), _NUMBERS, count)


def cached_array(
    path: Path, what: str, make: Callable[[], Float32Vector], size: int | None = None
) -> Float32Vector:
    """Return the cached array of a file, computed if the file is missing or damaged.

    A damaged file is logged as a warning. If the array cannot be stored, it is returned anyway.

    Args:
        path: the file.
        what: name of the array, for messages.
        make: computes the array.
        size: how many numbers it has, if that is known beforehand.

    Raises:
        GammonError: memory does not suffice for it.
    """
    try:
        array = _read(path, size)
        if array is not None:
            return array
        with exclusive(path):
            array = _read(path, size)  # another process may have computed it
            if array is not None:
                return array
            if path.is_file():
                _LOG.warning("%r is damaged: left out, and made again", str(path))
            computed = make()
            with suppress(GammonError):
                write_array(path, computed)
                written = _read(path, computed.size)
                return computed if written is None else written
            return computed
    except (MemoryError, OSError) as error:
        reason = getattr(error, "strerror", None) or "too little memory"
        raise GammonError(f"{what} cannot be loaded: {reason}") from None


def _read(path: Path, size: int | None) -> Float32Vector | None:
    """Return the array in a file if it has a valid one; a shortage of memory or handles is raised."""
    try:
        return read_array(path, size)
    except OSError as error:
        if error.errno in _SHORTAGES:
            raise
        return None


class LearnedFile(NamedTuple):
    """The file of a small network.

    Attributes:
        name: name of the file in `models/`.
        size: how many numbers it has.
        what: name of the network, for messages.
    """

    name: str
    size: int
    what: str

    @cache  # noqa: B019 - there are only two files
    def numbers(self) -> Float32Vector:
        """Return the numbers, float32 [size], mapped.

        Raises:
            ModelError: the file is missing or damaged.
        """
        paths = shipped_files(self.name)
        if not paths:
            raise ModelError(f"{self.what}, models/{self.name}, is not there")
        path = paths[0]
        try:
            numbers = read_array(path, self.size)
        except OSError as error:
            reason = error.strerror or error
            raise ModelError(f"{self.what} {str(path)!r} cannot be read: {reason}") from None
        if numbers is None:
            raise ModelError(f"{self.what} {str(path)!r} is damaged: of another size or checksum")
        return numbers

    def id(self) -> str:
        """Return twelve digits that identify the shipped network.

        Raises:
            ModelError: as for `numbers`.
        """
        return hashlib.sha256(self.numbers().data).hexdigest()[:12]
