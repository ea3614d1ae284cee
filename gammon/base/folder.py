"""The folder of a run: it belongs to one run, and to one process at a time."""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import gammon
from gammon.base.checks import path_of
from gammon.base.errors import GammonError
from gammon.base.files import PARTS, check_unlinked, regular, unwritable, without_links, write_text

_CARD, _LOCK = "run.json", "run.lock"
#: Settings from which others follow, so that these are named where they differ.
_FIRST = "format", "depth"
#: Names of files with the results of units end so.
_RESULTS = ".jsonl"
#: Files of runs. A folder that has one of them but no card is not of this version.
_TRACES = (
    "units.jsonl", "ballard.jsonl", "dice.jsonl", "hauk.jsonl", "checkpoint.pt",
    "checkpoint.safetensors", "games.jsonl", "report.md",
)  # fmt: skip


@contextmanager
def run_folder(folder: Path, title: str, settings: Mapping[str, Any]) -> Iterator[None]:
    """Hold a folder for a run, which goes on where it was interrupted.

    When a run begins, it leaves the file `run.json`: what it is, its settings, and the
    version of gammon. A lock in the folder, which the system drops with the process, is held
    during the block, and nothing is written by way of a link in the folder.

    Args:
        folder: made where it is missing.
        title: tells people what the run is, such as `a match of depth=3 and depth=1, seed 1`.
        settings: what the results depend on; plain JSON values.

    Raises:
        SettingError: the folder is no path.
        GammonError: the folder holds another run, another process is at work there, or it
            cannot be written. In the block: a file that is to be written there is a link.
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
            for left in folder.glob(PARTS):  # by a process that was killed while it wrote
                left.unlink(missing_ok=True)
            yield
    finally:
        lock.release()


def check_held(folder: Path, title: str, settings: Mapping[str, Any]) -> None:
    """Check that a folder holds this run. Nothing is written, and nobody is kept out.

    The arguments are those of `run_folder`.

    Raises:
        GammonError: it holds none, or another one.
    """
    path = folder / _CARD
    if not path.exists():
        raise GammonError(f"{str(folder)!r} holds no {_CARD}: expected {title}")
    _compare(path, _card_of(title, settings))


def is_own_file(file: Path, folder: Path) -> bool:
    """Tell whether a path is that of a file that a run keeps in its folder to go on from."""
    place = Path(os.path.realpath(file))
    is_inside = place.parent == Path(os.path.realpath(folder))
    return is_inside and (place.name in (_CARD, _LOCK) or place.suffix == _RESULTS)


def is_held(folder: Path) -> bool:
    """Tell whether a folder holds a run; of one that cannot be looked at, no.

    Raises:
        SettingError: it is no path.
    """
    try:
        return (path_of("out", folder) / _CARD).exists()
    except OSError:
        return False


@contextmanager
def kept_or_passing(folder: str | Path | None, title: str, settings: Mapping[str, Any]) -> Iterator[Path]:
    """Give the folder of a run: the one that is asked for, or without one a passing one.

    The arguments are those of `run_folder`.

    Raises:
        SettingError: the folder is neither a path nor None.
        GammonError: as for `run_folder`.
    """
    if folder is None:
        with TemporaryDirectory(prefix="gammon-") as passing:
            yield Path(passing)
        return
    kept = path_of("out", folder)
    with run_folder(kept, title, settings):
        yield kept


def _card_of(title: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the card of a run as it would be read: with lists, and no tuples."""
    card = {"run": title, "settings": dict(settings), "gammon": gammon.__version__}
    return dict(json.loads(json.dumps(card)))


def _claim(folder: Path, card: dict[str, Any]) -> None:
    """Leave the card in a folder without one; otherwise compare.

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
    """Raise a GammonError unless a file is this card."""
    folder = path.parent
    try:
        found = json.loads(regular(path).read_bytes())
        title, settings, of = str(found["run"]), dict(found["settings"]), str(found["gammon"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        raise GammonError(
            f"{str(path)!r} cannot be read, and tells which run the folder holds: choose another folder"
        ) from None
    difference = f", not {card['run']}"
    if title == card["run"] and settings != card["settings"]:
        difference = _difference(settings, card["settings"])
    elif title == card["run"] and of != card["gammon"]:
        difference = f", by gammon {_short(of)}, and this is {card['gammon']}"
    elif title == card["run"]:
        return
    raise GammonError(f"{str(folder)!r} holds {_short(title)}{difference}: choose another folder")


def _difference(held: Mapping[str, Any], asked: Mapping[str, Any]) -> str:
    """Return the first setting that differs, in words."""
    for name in sorted(held.keys() | asked.keys(), key=lambda name: (name not in _FIRST, name)):
        there, here = (_said(name, each.get(name, "missing")) for each in (held, asked))
        if there != here:
            return f" with {_short(name)} {there}, not {here}"
    return " with other settings"


def _said(name: str, value: object) -> str:
    """Return the value of a setting in words; cards have a rollout's whole games as 0."""
    off = value is None or value == "" or (name, value) == ("truncate", 0)
    return "none" if off else _short(value)


def _short(value: object) -> str:
    """Return a value in one line that is not too long."""
    text = "".join(c if c.isprintable() else " " for c in str(value))
    return text if len(text) <= 100 else f"{text[:97]}..."
