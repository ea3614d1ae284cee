"""Results of units of work in a file of JSON lines, each with a checksum."""

import json
import logging
import re
import zlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from gammon.base.files import check_unlinked, regular, unwritable, write_bytes

_LOG = logging.getLogger(__name__)

#: The parameters of a unit, including its seed: JSON values, different for each unit.
Unit = dict[str, Any]
#: Called with a unit and a result from a file; returns whether the result fits the unit.
Fits = Callable[[Unit, Any], bool]

#: The start of a line. The checksum covers a brace and the rest of the line.
_HEAD = re.compile(rb'\{"crc32": "([0-9a-f]{8})", ')


def key_of(unit: Unit) -> str:
    """Return a text that is equal for equal units only."""
    return json.dumps(unit, sort_keys=True)


def are_numbers(result: Any, *shape: int) -> bool:
    """Return whether JSON values, such as from a file, are an array of numbers of a shape."""
    if not shape:
        return type(result) in (int, float) and abs(result) < 1 << 63
    return (
        isinstance(result, list)
        and len(result) == shape[0]
        and all(are_numbers(entry, *shape[1:]) for entry in result)
    )


def _line(unit: Unit, result: Any) -> bytes:
    body = json.dumps({"unit": unit, "result": result}).encode()
    return b'{"crc32": "%08x", %b\n' % (zlib.crc32(body), body[1:])


def _entry(line: bytes) -> tuple[str, Any] | None:
    """Return the key and the result of a line, or None if the line is damaged."""
    head = _HEAD.match(line)
    if head is None:
        return None
    body = b"{" + line[head.end() :]
    if zlib.crc32(body) != int(head[1], 16):
        return None
    try:
        entry = json.loads(body)
        return key_of(entry["unit"]), entry["result"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None  # not written by gammon, though the checksum is right


class Store:
    """The results of units in a file, to which each result is appended as it arrives.

    Damaged and incomplete lines are removed from the file, and a warning with their number is
    logged.

    Args:
        path: the file; it and its folder are created if they are missing.
        units: the units of this run. Lines of other units stay in the file.
        fits: see `Fits`. A line whose result does not fit counts as damaged.

    Attributes:
        results: the results, JSON values, by `key_of`.

    Raises:
        GammonError: the file cannot be read or written.
    """

    def __init__(self, path: Path, units: Sequence[Unit], fits: Fits) -> None:
        self.path = path
        self.results: dict[str, Any] = {}
        check_unlinked(path)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with regular(path).open("ab"):  # fails before the work if the file cannot be written
                pass
            self._read(path.read_bytes(), {key_of(unit): unit for unit in units}, fits)
        except OSError as error:
            raise unwritable(path, error) from None

    def _read(self, data: bytes, wanted: Mapping[str, Unit], fits: Fits) -> None:
        good, damaged = [], 0
        for line in data.splitlines():
            entry = _entry(line)
            if entry is None or (entry[0] in wanted and not fits(wanted[entry[0]], entry[1])):
                damaged += 1
                continue
            good.append(line + b"\n")
            if entry[0] in wanted:
                self.results[entry[0]] = entry[1]
        if damaged:
            lines = "1 damaged line is" if damaged == 1 else f"{damaged} damaged lines are"
            _LOG.warning("%r: %s left out, and worked out again", str(self.path), lines)
        whole = b"".join(good)
        if whole != data:  # a new line must not continue an incomplete one
            write_bytes(self.path, whole)

    def add(self, unit: Unit, result: Any) -> None:
        """Append a result to the file and to `results`.

        Raises:
            GammonError: the file cannot be written.
        """
        line = _line(unit, result)
        try:
            with self.path.open("ab") as file:
                file.write(line)
        except OSError as error:
            raise unwritable(self.path, error) from None
        # The same value that a resumed run would read; floats and lists survive JSON unchanged.
        self.results[key_of(unit)] = json.loads(json.dumps(result))
