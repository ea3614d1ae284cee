"""Smile, the binary JSON that Jackson writes: a reader of all but big numbers and raw bytes.

A value is a token of one byte and what follows it. Short names, and short texts where the
heading says so, are kept in tables, and later ones are numbers in these. (FasterXML's
smile-format-specification.)
"""

import struct
from typing import Any

from gammon.base.errors import FormatError

MAGIC = b":)\n"
_NAMES_SHARED, _TEXTS_SHARED = 1, 2
#: No value lies deeper in others, and no file has more of them.
_DEEPEST, MOST = 32, 2_000_000
_PLAIN = {0x20: "", 0x21: None, 0x22: False, 0x23: True}
_ARRAY, _ARRAY_END, _OBJECT, _OBJECT_END, _TEXT_END = 0xF8, 0xF9, 0xFA, 0xFB, 0xFC
#: The size of each table. A full one begins anew.
_TABLE = 1024


def parse_smile(data: bytes) -> Any:
    """Return the value of a document: objects as dicts, arrays as lists.

    Raises:
        FormatError: the bytes are no such document, or hold a big number or bytes.
    """
    if data[:3] != MAGIC or len(data) < 5 or data[3] >> 4:
        raise FormatError("expected Smile's heading of version 0")
    try:
        return _Reader(data).value(0)
    except (IndexError, UnicodeDecodeError):
        raise FormatError("its Smile is cut short or damaged") from None


class _Reader:
    """The rest of a document, and the tables of names and texts."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 4
        self.values = 0
        # A table is None where nothing is shared.
        self.names: list[str] | None = [] if data[3] & _NAMES_SHARED else None
        self.texts: list[str] | None = [] if data[3] & _TEXTS_SHARED else None

    def value(self, depth: int) -> Any:
        """Return the next value."""
        return self.of(self.byte(), depth)

    def of(self, token: int, depth: int) -> Any:
        """Return the value that a token begins."""
        self.values += 1
        if depth > _DEEPEST or self.values > MOST:
            raise FormatError(
                f"its Smile is deeper than {_DEEPEST}, or has over {MOST:,} values"
            )
        if token in _PLAIN:
            return _PLAIN[token]
        if token in (_ARRAY, _OBJECT):
            return self.array(depth + 1) if token == _ARRAY else self.object(depth + 1)
        if 0xC0 <= token <= 0xDF:
            return _signed(token & 0x1F)
        if token in (0x24, 0x25):
            return _signed(self.whole())
        if token in (0x28, 0x29):
            size, kind = ((5, ">f"), (10, ">d"))[token - 0x28]
            bits = self.bits(size) & (1 << 8 * struct.calcsize(kind)) - 1
            return struct.unpack(kind, bits.to_bytes(struct.calcsize(kind)))[0]
        if 0x40 <= token <= 0xBF:
            return self.shared(token % 0x40 + (1 if token < 0x80 else 2), self.texts)
        if token in (0xE0, 0xE4):
            return self.long_text()
        if 0x01 <= token <= 0x1F:
            return self.known(token - 1, self.texts)
        if 0xEC <= token <= 0xEF:
            return self.known((token & 3) << 8 | self.byte(), self.texts)
        raise FormatError(f"its Smile has the value 0x{token:02x}, which is not understood")

    def array(self, depth: int) -> list[Any]:
        found = []
        while (token := self.byte()) != _ARRAY_END:
            found.append(self.of(token, depth))
        return found

    def object(self, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        while (token := self.byte()) != _OBJECT_END:
            name = self.name(token)
            if name in found:
                raise FormatError(f"its Smile has {name[:40]!r} twice in one object")
            found[name] = self.value(depth)
        return found

    def name(self, token: int) -> str:
        """Return the name in an object that a token begins."""
        if 0x40 <= token <= 0x7F:
            return self.known(token - 0x40, self.names)
        if 0x80 <= token <= 0xF7:
            return self.shared(token - (0x7F if token < 0xC0 else 0xBE), self.names)
        if 0x30 <= token <= 0x33:
            return self.known((token & 3) << 8 | self.byte(), self.names)
        if token == 0x34:
            return self.long_text()
        if token == 0x20:
            return ""
        raise FormatError(f"its Smile has the name 0x{token:02x}, which is not understood")

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def bits(self, size: int) -> int:
        """Return a number of `size` bytes of 7 bits."""
        found = 0
        for _ in range(size):
            found = found << 7 | self.byte() & 0x7F
        return found

    def whole(self) -> int:
        """Return a number without sign: bytes of 7 bits, and a marked last one of 6."""
        found = 0
        for _ in range(10):  # 64 bits
            byte = self.byte()
            if byte & 0x80:
                return found << 6 | byte & 0x3F
            found = found << 7 | byte
        raise FormatError("its Smile has a number of more than 64 bits")

    def shared(self, size: int, table: list[str] | None) -> str:
        """Return a text of `size` bytes, which a table keeps."""
        end = self.at + size
        if end > len(self.data):
            raise IndexError
        text = self.data[self.at : end].decode()
        self.at = end
        if table is not None and size <= 64:
            if len(table) == _TABLE:
                table.clear()
            table.append(text)
        return text

    def long_text(self) -> str:
        end = self.data.find(_TEXT_END, self.at)
        if end < 0:
            raise IndexError
        text = self.data[self.at : end].decode()
        self.at = end + 1
        return text

    def known(self, number: int, table: list[str] | None) -> str:
        """Return a text of a table."""
        return (table or [])[number]


def _signed(number: int) -> int:
    """Return a number whose last bit is its sign."""
    return number >> 1 ^ -(number & 1)
