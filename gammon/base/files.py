"""Files: safe reads, atomic writes, files shipped with gammon, and the user's cache folder."""

import errno
import glob
import os
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import ModuleType

from gammon.base.checks import path_of
from gammon.base.errors import GammonError

#: The suffix of files that are being written, see `written_whole`: the process ID and eight
#: random digits.
_PART = f".[0-9]*-{'[0-9a-f]' * 8}.part"
#: A pattern for the names of these files.
PARTS = f"*{_PART}"
#: The most bytes of such a suffix; no system has longer process IDs.
_LONGEST_END = len(".0123456789-01234567.part")
#: Seconds after which such a file may be left over from a killed process.
_OLD = 60.0
#: Folders in which links are not followed, see `without_links`.
_UNLINKED: list[Path] = []
#: The most bytes of a file name.
_LONGEST_NAME = 255


def regular(path: Path) -> Path:
    """Return the path of a file to read, after a check that it is a regular file or missing.

    Raises:
        OSError: it is a pipe or a device, on which a reader might wait forever.
    """
    if _is_endless(path):
        raise OSError(errno.EINVAL, "a pipe or a device, not a file")
    return path


def _is_endless(path: Path) -> bool:
    """Return whether a path is a pipe or a device."""
    with suppress(OSError, ValueError):
        mode = path.stat().st_mode
        return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))
    return False


def read_bytes(path: Path, most: int, what: str = "") -> bytes:
    """Return the bytes of a file, but no more than `most` + 1.

    Args:
        path: the file.
        most: the allowed number of bytes; a longer result means that the file is too long.
        what: the first word of an error message, with a blank at its end.

    Raises:
        GammonError: the file cannot be read.
    """
    try:
        with regular(path).open("rb") as file:
            return file.read(most + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise GammonError(f"{what}{str(path)!r} cannot be read: {reason}") from None


def unwritable(path: Path, error: OSError) -> GammonError:
    """Return an error about a file or a folder that the system refuses to write."""
    return GammonError(f"{str(path)!r} cannot be written: {error.strerror or error}")


def is_same_file(path: Path, other: Path) -> bool:
    """Return whether two paths lead to the same file, existing or not, and not to a device."""
    return os.path.realpath(path) == os.path.realpath(other) and not _is_endless(path)


@contextmanager
def without_links(folder: Path) -> Iterator[None]:
    """Refuse writes through a link inside a folder during the block.

    A folder filled by another user may contain links to files of this user.
    """
    place = folder.absolute()
    _UNLINKED.append(place)
    try:
        yield
    finally:
        _UNLINKED.remove(place)


def check_unlinked(path: Path) -> None:
    """Check that a file to write is not a link inside a folder of `without_links`.

    Raises:
        GammonError: the file, or a folder on the way to it, is a link.
    """
    place = path.absolute()
    for folder in _UNLINKED:
        inside = folder in place.parents
        while inside and place != folder:
            if place.is_symlink():
                raise GammonError(
                    f"{str(place)!r} cannot be written: it is a link, which is not followed in "
                    "the folder of a run"
                )
            place = place.parent


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """Yield a temporary path in the same folder; at the end of the block rename it to `path`.

    So `path` is always a complete file, either the old or the new one. If `path` is a link, its
    target is replaced. An existing file keeps its mode. A missing folder is created. The data
    for a pipe or a device are written to a temporary file first. If the block raises an error,
    the temporary file is removed; if the process is killed, the next write to `path` removes it.

    Raises:
        SettingError: `path` is not a path.
        GammonError: `path` is a folder, or the system refuses to write (any OSError of the
            block).
    """
    if not path_of("file", path).name:
        raise GammonError(f"{str(path)!r} cannot be written: expected the name of a file")
    check_unlinked(path)
    is_endless = _is_endless(path)
    place = Path(os.path.realpath(path))
    folder = _private_folder() if is_endless else place.parent
    # A unique name, because other processes may write the same file.
    name = _shortened(place.name)
    beside = folder / f"{name}.{os.getpid()}-{os.urandom(4).hex()}.part"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _sweep(folder, name)
        yield beside
        if is_endless:
            path.write_bytes(beside.read_bytes())
        else:
            with suppress(OSError):  # there is no old file, or the system has no modes
                beside.chmod(stat.S_IMODE(place.stat().st_mode))
            beside.replace(place)
    except OSError as error:
        raise unwritable(path, error) from None
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)


def _shortened(name: str) -> str:
    """Return a name, shortened such that the suffix of `PARTS` fits behind it."""
    while len(os.fsencode(name)) > _LONGEST_NAME - _LONGEST_END:
        name = name[:-1]
    return name


def _sweep(folder: Path, name: str) -> None:
    """Remove temporary files that killed processes left behind for a file of this name.

    Recent files stay, because another machine may be writing them.
    """
    if os.name != "posix":  # elsewhere `os.kill` would end the process
        return
    for part in folder.glob(f"{glob.escape(name)}{_PART}"):
        with suppress(OSError, ValueError):
            process = int(part.name.removeprefix(f"{name}.").partition("-")[0])
            is_old = time.time() - part.lstat().st_mtime > _OLD
            if is_old and not _is_running(process):
                part.unlink()


def _is_running(process: int) -> bool:
    """Return whether a process with this ID is running."""
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:  # another user's process
        return True
    return True


def write_text(path: Path, text: str) -> None:
    """Write a text file in UTF-8, atomically; see `written_whole`.

    Raises:
        GammonError: the system refuses to write.
    """
    write_bytes(path, text.encode())


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file atomically; see `written_whole`.

    Raises:
        GammonError: the system refuses to write.
    """
    with written_whole(path) as beside:
        beside.write_bytes(data)


def shipped_files(suffix: str) -> list[Path]:
    """Return the networks (`.safetensors`) or recipes (`.toml`) that come with gammon."""
    package = Path(__file__).parents[1]
    # A wheel carries them inside the package; a checkout keeps them beside it.
    folders = (package / "models", package.parent / "models")
    return sorted(path for folder in folders for path in folder.glob(f"*{suffix}"))


def find_file(name: str, suffix: str) -> Path | None:
    """Return the file with this path, or the file of this name that comes with gammon."""
    path = Path(name)
    with suppress(OSError):  # the name is too long for a path
        if path.is_file():
            return path
    return next((file for file in shipped_files(suffix) if file.stem == name), None)


def user_cache() -> Path:
    """Return the folder for files that gammon can create again: compiled code and tables.

    The folder exists and is writable. `GAMMON_CACHE` names it; otherwise it is `gammon` in the
    user's cache folder of the system (on Linux `XDG_CACHE_HOME`, or `~/.cache`). If neither is
    writable, it is a temporary folder that only the user can write.
    """
    for named in (os.environ.get("GAMMON_CACHE"), None):
        with suppress(OSError, RuntimeError):  # there may be no home
            folder = Path(named).expanduser() if named else _system_cache()
            folder.mkdir(parents=True, exist_ok=True)
            if os.access(folder, os.W_OK):
                return folder
    return _private_folder()


def _system_cache() -> Path:
    """Return gammon's folder in the user's cache folder; it may not exist."""
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
        return Path(local, "gammon", "Cache")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "gammon"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "gammon")


def is_private(folder: Path) -> bool:
    """Return whether the user owns a folder and nobody else may write in it.

    On a system without users, every folder is private.
    """
    if not hasattr(os, "getuid"):
        return folder.is_dir()
    status = folder.lstat()
    ours = stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid()
    return ours and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _is_made_private(folder: Path) -> bool:
    """Create a folder if it is missing; return whether it is private."""
    with suppress(OSError):
        folder.mkdir(mode=0o700, exist_ok=True)
        return is_private(folder)
    return False


def user_folder(name: str) -> Path:
    """Return a folder in `user_cache`, for code, in which nobody else may write.

    Code loaded from the folder is run. So a folder that another user owns or may write is
    rejected in favour of a temporary one.
    """
    for place in (user_cache, _private_folder):
        folder = place() / name
        if _is_made_private(folder):
            return folder
    return _new_folder()


def _private_folder() -> Path:
    """Return a private temporary folder, the same one each time if possible."""
    if hasattr(os, "getuid"):
        folder = Path(_temporary().gettempdir(), f"gammon-{os.getuid()}")
        if _is_made_private(folder):
            return folder
    return _new_folder()


def _new_folder() -> Path:
    """Return a new private temporary folder."""
    return Path(_temporary().mkdtemp(prefix="gammon-"))


def _temporary() -> ModuleType:
    """Return the module `tempfile`, which is slow to import and seldom needed."""
    import tempfile

    return tempfile
