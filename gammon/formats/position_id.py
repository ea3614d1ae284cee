"""GNU Backgammon's Position ID: 14 characters of Base64 for the checkers of both sides.

The opponent's side comes first. Each side lists its points 1 to 24 and then its bar: a one for
each checker, and a zero at the end of each point. The 80 bits fill ten bytes from the least
significant bit up. (GNU Backgammon manual, "A technical description of the Position ID".)
"""

import base64

import numpy as np
import numpy.typing as npt

from gammon.base.errors import FormatError
from gammon.formats.characters import quoted
from gammon.rules.board import SIZE, Points, check_points

LENGTH = 14
_BYTES = 10
_BITS = 8 * _BYTES
_PLACES = 25


def parse_position_id(text: str) -> Points:
    """Return 26 counts, seen from the player on roll.

    Raises:
        FormatError: the text is not 14 Base64 characters, or their bits are not a board.
        IllegalPositionError: the board is not a possible position.
    """
    bits = int.from_bytes(decode(text, LENGTH, "a Position ID"), "little")
    counts = []
    for _ in range(2 * _PLACES):
        count = 0
        while bits & 1:
            count += 1
            bits >>= 1
        bits >>= 1
        counts.append(count)
    if bits:
        raise FormatError(f"{text!r}: expected a Position ID, its bits run past two sides")
    their, own = counts[:_PLACES], counts[_PLACES:]
    points = [0, *own]
    for place, count in enumerate(their, 1):
        if count and points[SIZE - 1 - place]:
            raise FormatError(f"{text!r}: expected a Position ID, both sides stand on point {25 - place}")
        points[SIZE - 1 - place] -= count
    return check_points(points, text)


def format_position_id(points: Points) -> str:
    """Return the Position ID of 26 counts, seen from the player on roll."""
    bits, length = 0, 0
    their = [max(-points[25 - place], 0) for place in range(1, SIZE)]
    own = [max(points[place], 0) for place in range(1, SIZE)]
    for count in their + own:
        bits |= ((1 << count) - 1) << length
        length += count + 1
    return base64.b64encode(bits.to_bytes(_BYTES, "little")).decode()[:LENGTH]


def format_position_ids(boards: npt.ArrayLike) -> list[str]:
    """Return the Position IDs of N boards, int8 [N, 26]; see `format_position_id`."""
    points = np.asarray(boards, np.int64)
    their = np.maximum(-points[:, 24::-1], 0)
    own = np.maximum(points[:, 1:], 0)
    # The index of the zero bit that ends each place.
    ends = np.cumsum(np.concatenate([their, own], axis=1) + 1, axis=1) - 1
    bits = np.arange(_BITS) < ends[:, -1:]
    np.put_along_axis(bits, ends, False, axis=1)
    rows = np.packbits(bits, axis=1, bitorder="little")
    return [base64.b64encode(row.tobytes()).decode()[:LENGTH] for row in rows]


def decode(text: str, length: int, what: str) -> bytes:
    """Return the bytes of exactly `length` Base64 characters.

    Raises:
        FormatError: the text has another length, or other characters.
    """
    if len(text) != length:
        raise FormatError(f"{quoted(text)}: expected {what} of {length} characters, found {len(text)}")
    try:
        return base64.b64decode(text + "=" * (-length % 4), validate=True)
    except ValueError:
        raise FormatError(
            f"{text!r}: expected {what}, of the characters A-Z, a-z, 0-9, + and / only"
        ) from None
