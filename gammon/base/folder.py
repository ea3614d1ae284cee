"""The folder of a run. One run owns it, and one process at a time may use it.

Its card has the version of gammon. In a checkout the version can be given with the commit, too.
"""

import json
import os
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import gammon
from gammon.base.checks import path_of
from gammon.base.errors import GammonError
from gammon.base.files import PARTS, check_unlinked, regular, unwritable, without_links, write_text

_CARD, _LOCK = "run.json", "run.lock"
#: Settings that others follow from; an error names them first if they differ.
_FIRST = "format", "depth"
#: The suffix of files with the results of units.
_RESULTS = ".jsonl"
#: Files of runs. A folder with one of them but no card is from another version.
_TRACES = (
    "units.jsonl", "ballard.jsonl", "dice.jsonl", "hauk.jsonl", "checkpoint.pt",
    "checkpoint.safetensors", "games.jsonl", "report.md",
)  # fmt: skip
_ROOT = Path(__file__).resolve().parents[2]
_SECONDS = 10.0


@contextmanager
def run_folder(folder: Path, title: str, settings: Mapping[str, Any]) -> Iterator[None]:
    """Lock a folder for a run; an interrupted run continues in it.

    A new run writes the file `run.json` (the *card*): its title, its settings and the version of
    gammon. During the block the process holds a lock on the folder, which the system releases if
    the process dies, and writes through links in the folder are refused.

    Args:
        folder: the folder; created if it is missing.
        title: a description for people, such as `a match of depth=3 and depth=1, seed 1`.
        settings: all that the results depend on, as JSON values.

    Raises:
        SettingError: the folder is not a path.
        GammonError: the folder holds another run, another process uses it, or it cannot be
            written. In the block: a file to write is a link.
    """
    from filelock import FileLock, Timeout

    folder = path_of("out", folder)
    lock = FileLock(folder / _LOCK, timeout=0)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock.acquire()
    except Timeout:
        raise GammonError(
            f"{str(folder)!r} is in use by another process: wait for its end, or choose another folder"
        ) from None
    except OSError as error:
        raise unwritable(folder, error) from None
    try:
        with without_links(folder):
            _claim(folder, _card_of(title, settings))
            for part in folder.glob(PARTS):  # from a process that was killed while it wrote
                part.unlink(missing_ok=True)
            yield
    finally:
        lock.release()


def check_held(folder: Path, title: str, settings: Mapping[str, Any]) -> None:
    """Check that a folder holds this run, without a lock and without writing.

    For the arguments see `run_folder`.

    Raises:
        GammonError: the folder holds no run, or another one.
    """
    path = folder / _CARD
    if not path.exists():
        raise GammonError(f"{str(folder)!r} holds no {_CARD}: expected {title}")
    _compare(path, _card_of(title, settings))


def is_own_file(file: Path, folder: Path) -> bool:
    """Return whether a path is a file in the folder of a run that the run needs to continue."""
    place = Path(os.path.realpath(file))
    is_inside = place.parent == Path(os.path.realpath(folder))
    return is_inside and (place.name in (_CARD, _LOCK) or place.suffix == _RESULTS)


def is_held(folder: Path) -> bool:
    """Return whether a folder holds a run; False if it cannot be read.

    Raises:
        SettingError: the folder is not a path.
    """
    try:
        return (path_of("out", folder) / _CARD).exists()
    except OSError:
        return False


@contextmanager
def folder_or_temporary(folder: str | Path | None, title: str, settings: Mapping[str, Any]) -> Iterator[Path]:
    """Yield the folder of a run: the given one, or a temporary one if it is None.

    For the arguments see `run_folder`.

    Raises:
        SettingError: the folder is neither a path nor None.
        GammonError: as for `run_folder`.
    """
    if folder is None:
        with TemporaryDirectory(prefix="gammon-") as temporary:
            yield Path(temporary)
        return
    path = path_of("out", folder)
    with run_folder(path, title, settings):
        yield path


def _card_of(title: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the card of a run as JSON reads it: with lists in place of tuples."""
    card = {"run": title, "settings": dict(settings), "gammon": gammon.__version__}
    return dict(json.loads(json.dumps(card)))


def _claim(folder: Path, card: dict[str, Any]) -> None:
    """Write the card into a folder without one; otherwise compare.

    Raises:
        GammonError: the folder holds another run.
    """
    path = folder / _CARD
    check_unlinked(path)
    if not path.exists():
        for name in _TRACES:
            if os.path.lexists(folder / name):
                raise GammonError(
                    f"{str(folder)!r} holds {name} but no {_CARD}, so it is not of this "
                    "version of gammon: choose another folder"
                )
        write_text(path, json.dumps(card, indent=1) + "\n")
        return
    _compare(path, card)


def _compare(path: Path, card: dict[str, Any]) -> None:
    """Raise a GammonError unless a file holds this card."""
    folder = path.parent
    try:
        held = json.loads(regular(path).read_bytes())
        title, settings, version = str(held["run"]), dict(held["settings"]), str(held["gammon"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        raise GammonError(
            f"{str(path)!r} cannot be read, so the run in the folder is unknown: choose another folder"
        ) from None
    difference = f", not {card['run']}"
    if title == card["run"] and settings != card["settings"]:
        difference = _difference(settings, card["settings"])
    elif title == card["run"] and version != card["gammon"]:
        difference = f", by gammon {_short(version)}, and this is {card['gammon']}"
    elif title == card["run"]:
        return
    raise GammonError(f"{str(folder)!r} holds {_short(title)}{difference}: choose another folder")


def _difference(held: Mapping[str, Any], requested: Mapping[str, Any]) -> str:
    """Return a phrase about the first setting that differs."""
    for name in sorted(held.keys() | requested.keys(), key=lambda name: (name not in _FIRST, name)):
        old, new = (_value_text(name, card.get(name, "missing")) for card in (held, requested))
        if old != new:
            return f" with {_short(name)} {old}, not {new}"
    return " with other settings"


def _value_text(name: str, value: object) -> str:
    """Return the value of a setting as text; `truncate` 0 on a card means whole games."""
    off = value is None or value == "" or (name, value) == ("truncate", 0)
    return "none" if off else _short(value)


def _short(value: object) -> str:
    """Return a value on one line, shortened."""
    text = "".join(c if c.isprintable() else " " for c in str(value))
    return text if len(text) <= 100 else f"{text[:97]}..."


@cache
def version_with_commit(root: Path = _ROOT) -> str:
    """Return the version, such as `0.3.0`, or in a checkout `0.3.0+g959e409b1234`.

    It ends in `.changed` if files of the checkout differ from the commit.

    Args:
        root: the folder above the package.
    """
    if not (root / ".git").exists():
        return gammon.__version__
    command = "git", "--no-optional-locks", "describe", "--always", "--abbrev=12", "--exclude=*"
    try:
        process = subprocess.run(
            [*command, "--dirty=.changed"], cwd=root, check=True, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=_SECONDS,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):  # no git, or a folder that it does not trust
        return gammon.__version__
    return f"{gammon.__version__}+g{process.stdout.strip()}"
