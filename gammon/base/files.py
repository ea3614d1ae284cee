"""Files: read where they have an end, written beside their place and renamed once, those that
come with gammon, and the folder for files that can be made again."""

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

#: The end of names of files that are being written, see `written_whole`: by which process, and
#: eight digits by chance.
_PART = f".[0-9]*-{'[0-9a-f]' * 8}.part"
#: The pattern of their names.
PARTS = f"*{_PART}"
#: Bytes of such an end; no system has a process of more digits.
_LONGEST_END = len(".0123456789-01234567.part")
#: Seconds after which a file of this kind may be one that a killed process left.
_OLD = 60.0
#: Folders in which no link is followed, see `without_links`.
_UNLINKED: list[Path] = []
#: Bytes that a name of a file may have.
_LONGEST_NAME = 255


def regular(path: Path) -> Path:
    """Return the path of a file that is to be read: one that is there has an end.

    Raises:
        OSError: it is a pipe or a device, for which a reader might wait for ever.
    """
    if _is_endless(path):
        raise OSError(errno.EINVAL, "a pipe or a device, not a file")
    return path


def _is_endless(path: Path) -> bool:
    """Tell whether a path is a pipe or a device."""
    with suppress(OSError, ValueError):
        mode = path.stat().st_mode
        return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))
    return False


def read_bytes(path: Path, most: int, what: str = "") -> bytes:
    """Return the bytes of a file; one that is too long has `most` + 1 of them.

    Args:
        path: of the file.
        most: the bytes that it may have.
        what: a word for the error, with a blank at its end.

    Raises:
        GammonError: it cannot be read.
    """
    try:
        with regular(path).open("rb") as file:
            return file.read(most + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise GammonError(f"{what}{str(path)!r} cannot be read: {reason}") from None


def unwritable(path: Path, error: OSError) -> GammonError:
    """Return the error of a file or a folder that the system refuses to write."""
    return GammonError(f"{str(path)!r} cannot be written: {error.strerror or error}")


def is_same_file(one: Path, other: Path) -> bool:
    """Tell whether two paths lead to one file, there or not; a pipe or a device is none."""
    return os.path.realpath(one) == os.path.realpath(other) and not _is_endless(one)


@contextmanager
def without_links(folder: Path) -> Iterator[None]:
    """Let nothing be written by way of a link in a folder during the block.

    A folder that somebody else has filled may have links to files of this user.
    """
    place = folder.absolute()
    _UNLINKED.append(place)
    try:
        yield
    finally:
        _UNLINKED.remove(place)


def check_unlinked(path: Path) -> None:
    """Check that a file that is to be written is no link out of a folder of `without_links`.

    Raises:
        GammonError: it is one, or a folder on the way is.
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
    """Give a path beside `path` to write to, and rename that file at the end of the block.

    So `path` is always a whole file, the old one or the new one; of a link, it is the file that
    the link leads to. A file that is there keeps its mode. Its folder is made where it is
    missing. A pipe or a device gets what was written elsewhere. If the block raises an error,
    the file beside is removed; if its process was killed, the next one that writes `path` does.

    Raises:
        SettingError: it is no path.
        GammonError: the path is a folder, or the system refuses to write (any OSError of the
            block).
    """
    if not path_of("file", path).name:
        raise GammonError(f"{str(path)!r} cannot be written: expected the name of a file")
    check_unlinked(path)
    is_endless = _is_endless(path)
    place = Path(os.path.realpath(path))
    folder = _private_folder() if is_endless else place.parent
    # A name of its own: other processes may be writing the same file.
    name = _shortened(place.name)
    beside = folder / f"{name}.{os.getpid()}-{os.urandom(4).hex()}.part"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _sweep(folder, name)
        yield beside
        if is_endless:
            path.write_bytes(beside.read_bytes())
        else:
            with suppress(OSError):  # there is no old file, or the system keeps no modes
                beside.chmod(stat.S_IMODE(place.stat().st_mode))
            beside.replace(place)
    except OSError as error:
        raise unwritable(path, error) from None
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)


def _shortened(name: str) -> str:
    """Return as much of a name as leaves room for the end of `PARTS`."""
    while len(os.fsencode(name)) > _LONGEST_NAME - _LONGEST_END:
        name = name[:-1]
    return name


def _sweep(folder: Path, name: str) -> None:
    """Remove what processes that were killed left of a file, by its name.

    Another machine may write here too. So what was written a moment ago stays.
    """
    if os.name != "posix":  # where one cannot ask for a process without ending it
        return
    for left in folder.glob(f"{glob.escape(name)}{_PART}"):
        with suppress(OSError, ValueError):
            process = int(left.name.removeprefix(f"{name}.").partition("-")[0])
            is_old = time.time() - left.lstat().st_mtime > _OLD
            if is_old and not _is_running(process):
                left.unlink()


def _is_running(process: int) -> bool:
    """Tell whether a process of this number is there."""
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:  # somebody else's
        return True
    return True


def write_text(path: Path, text: str) -> None:
    """Write a text file whole, in UTF-8.

    Raises:
        GammonError: the system refuses to write.
    """
    write_bytes(path, text.encode())


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file whole.

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
    """Return a file given by its path, or by the name of one that comes with gammon."""
    path = Path(name)
    with suppress(OSError):  # what is too long for a path
        if path.is_file():
            return path
    return next((file for file in shipped_files(suffix) if file.stem == name), None)


def user_cache() -> Path:
    """Return the folder for files that gammon can make again: compiled code and tables.

    It exists and can be written. `GAMMON_CACHE` names it; otherwise it is `gammon` in the
    user's cache folder, as the system has it (on Linux `XDG_CACHE_HOME`, or `~/.cache`).
    Where neither can be written, it is a temporary folder that only the user can write.
    """
    for named in (os.environ.get("GAMMON_CACHE"), None):
        with suppress(OSError, RuntimeError):  # there may be no home
            folder = Path(named).expanduser() if named else _system_cache()
            folder.mkdir(parents=True, exist_ok=True)
            if os.access(folder, os.W_OK):
                return folder
    return _private_folder()


def _system_cache() -> Path:
    """Return gammon's folder in the user's cache folder, which may not be there."""
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
        return Path(local, "gammon", "Cache")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "gammon"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "gammon")


def is_private(folder: Path) -> bool:
    """Tell whether a folder is the user's own, and nobody else may write in it.

    Where a system has no users, every folder is.
    """
    if not hasattr(os, "getuid"):
        return folder.is_dir()
    found = folder.lstat()
    ours = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()
    return ours and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def user_folder(name: str) -> Path:
    """Return a folder in `user_cache` that nobody else may write in, for code.

    Code that is loaded from there runs. So a folder that somebody else made, or that others
    may write, is not taken; a temporary one takes its place.
    """
    for place in (user_cache, _private_folder):
        folder = place() / name
        with suppress(OSError):
            folder.mkdir(mode=0o700, exist_ok=True)
            if is_private(folder):
                return folder
    return _new_folder()


def _private_folder() -> Path:
    """Return a temporary folder of the user's own, the same one each time where possible."""
    if hasattr(os, "getuid"):
        folder = Path(_temporary().gettempdir(), f"gammon-{os.getuid()}")
        with suppress(OSError):
            folder.mkdir(mode=0o700, exist_ok=True)
            if is_private(folder):
                return folder
    return _new_folder()


def _new_folder() -> Path:
    """Return a temporary folder that nobody else has."""
    return Path(_temporary().mkdtemp(prefix="gammon-"))


def _temporary() -> ModuleType:
    """Return the module `tempfile`, which is slow to import and seldom needed."""
    import tempfile

    return tempfile
