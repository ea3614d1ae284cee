"""The bearoff tables on disk: built once, checked, mapped into memory."""

import hashlib
from functools import cache
from pathlib import Path

import numpy as np

from gammon.compiled import cache_folder
from gammon.errors import GammonError
from gammon.files import write_text, written_whole
from gammon.records import Float32Vector

__all__ = ["build_file", "default_path", "load_file", "tables"]


def default_path() -> Path:
    """Return where the tables are kept: beside the compiled code that made them."""
    return cache_folder() / "bearoff.npy"


def _seal(path: Path) -> Path:
    return path.with_name(path.name + ".sha256")


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def build_file(path: Path) -> Path:
    """Build the tables and write them, flat, with their checksum beside them.

    Args:
        path: where to.

    Returns:
        The same path.

    Raises:
        GammonError: the file cannot be written.
    """
    from gammon.eval.bearoff_build import build_one_sided, build_two_sided

    if path.is_dir():
        raise GammonError(f"{str(path)!r} cannot be written: expected a file, found a folder")
    with written_whole(path) as beside:
        with beside.open("wb") as file:
            every = (*build_one_sided(), build_two_sided())
            np.save(file, np.concatenate([table.ravel() for table in every]))
        digest = _digest(beside)
    write_text(_seal(path), digest + "\n")
    return path


def load_file(path: Path) -> Float32Vector:
    """Return the tables of a file, float32, mapped into memory and read-only.

    Raises:
        GammonError: the file is not there, or is not what was written.
    """
    try:
        sound = _seal(path).read_text().strip() == _digest(path)
        if sound:
            return np.load(path, mmap_mode="r")  # type: ignore[no-any-return]
    except (OSError, ValueError) as error:
        raise GammonError(f"bearoff tables {str(path)!r} cannot be read: {error}") from None
    raise GammonError(
        f"bearoff tables {str(path)!r}: damaged, the checksum is another one; expected what "
        "`gammon bearoff build` writes"
    )


@cache
def tables() -> Float32Vector:
    """Return the tables of this machine, built anew if they are missing or damaged."""
    path = default_path()
    try:
        return load_file(path)
    except GammonError:
        return load_file(build_file(path))
