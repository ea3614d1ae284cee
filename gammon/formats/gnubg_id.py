"""GNU Backgammon's Position ID and Match ID, texts of Base64 for fields of bits.

A Position ID has 14 characters, for the checkers of both sides. The opponent's side comes first. Each
side lists its points 1 to 24 and then its bar: a one for each checker, and a zero at the end of each
point. The 80 bits fill ten bytes from the least significant bit up. (GNU Backgammon manual, "A
technical description of the Position ID".)

A Match ID has 12 characters, for cube, score and dice. They encode nine bytes, little-endian. (GNU
Backgammon manual, "A technical description of the Match ID"; the Jacoby bit as version 1.07 writes
it.)
"""

import base64

import numpy as np
import numpy.typing as npt

from gammon.base.errors import FormatError
from gammon.formats.characters import quoted
from gammon.formats.context import BOTTOM, TOP, Context, checked, in_range
from gammon.rules.board import SIZE, Points, check_points

_POSITION_LENGTH = 14
_POSITION_BYTES = 10
_BITS = 8 * _POSITION_BYTES
_PLACES = 25

#: Two dice in the order given, or None before the roll.
Dice = tuple[int, int] | None

MATCH_LENGTH = 12
_MATCH_BYTES = 9
_CENTRED = 3
#: Name, offset and width of each field.
_FIELDS = (
    ("cube", 0, 4), ("owner", 4, 2), ("on_roll", 6, 1), ("crawford", 7, 1), ("state", 8, 3),
    ("turn", 11, 1), ("doubled", 12, 1), ("resignation", 13, 2), ("die1", 15, 3),
    ("die2", 18, 3), ("length", 21, 15), ("score0", 36, 15), ("score1", 51, 15),
    ("no_jacoby", 66, 1), ("reserved", 67, 5),
)  # fmt: skip
_SEATS = {0: TOP, 1: BOTTOM}
_NUMBERS = {TOP: 0, BOTTOM: 1}


def parse_position_id(text: str) -> Points:
    """Return 26 counts, seen from the player on roll.

    Raises:
        FormatError: the text is not 14 Base64 characters, or their bits are not a board.
        IllegalPositionError: the board is not a possible position.
    """
    bits = int.from_bytes(_decode(text, _POSITION_LENGTH, "a Position ID"), "little")
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
    return base64.b64encode(bits.to_bytes(_POSITION_BYTES, "little")).decode()[:_POSITION_LENGTH]


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
    return [base64.b64encode(row.tobytes()).decode()[:_POSITION_LENGTH] for row in rows]


def _decode(text: str, length: int, what: str) -> bytes:
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


def parse_match_id(text: str) -> tuple[Context, Dice]:
    """Return the context and the dice of a Match ID.

    Raises:
        FormatError: the text is not 12 Base64 characters, a field is out of range, there is a
            roll while a double is on offer, or the game is impossible; see
            `gammon.formats.context.checked`.
    """
    bits = int.from_bytes(_decode(text, MATCH_LENGTH, "a Match ID"), "little")
    field = {name: bits >> at & (1 << width) - 1 for name, at, width in _FIELDS}
    if field["owner"] == 2:
        raise FormatError(f"{text!r}: cube owner 2, expected 0, 1 or 3 (centred)")
    dice = (in_range(text, "die", field["die1"], 0, 6), in_range(text, "die", field["die2"], 0, 6))
    if (dice[0] == 0) != (dice[1] == 0):
        raise FormatError(f"{text!r}: dice {dice[0]}{dice[1]}, expected none or two")
    if dice[0] and field["doubled"]:
        raise FormatError(f"{text!r}: dice {dice[0]}{dice[1]} before the roll, expected none")
    on_roll, turn = _SEATS[field["on_roll"]], _SEATS[field["turn"]]
    context = Context(
        cube_log2=field["cube"],
        cube_owner=_SEATS.get(field["owner"], 0),
        on_roll=on_roll,
        scores=(field["score1"], field["score0"]),
        length=field["length"],
        crawford=bool(field["crawford"]),
        jacoby=not field["no_jacoby"],
        offer="D" if field["doubled"] else "",
        resignation=field["resignation"],
        to_decide=turn if turn != on_roll else 0,
        game_state=field["state"],
        reserved=field["reserved"],
    )
    return checked(text, context), dice if dice[0] else None


def format_match_id(context: Context, dice: Dice) -> str:
    """Return the Match ID of a context and dice. A Match ID has no field for beavers."""
    die1, die2 = dice or (0, 0)
    bottom, top = context.scores
    field = {
        "cube": context.cube_log2,
        "owner": _NUMBERS.get(context.cube_owner, _CENTRED),
        "on_roll": _NUMBERS[context.on_roll],
        "crawford": context.crawford,
        "state": context.game_state,
        "turn": _NUMBERS[context.to_decide or context.on_roll],
        "doubled": context.offer == "D",
        "resignation": context.resignation,
        "die1": die1,
        "die2": die2,
        "length": context.length,
        "score0": top,
        "score1": bottom,
        "no_jacoby": not context.jacoby,
        "reserved": context.reserved,
    }
    bits = sum(int(field[name]) << at for name, at, _ in _FIELDS)
    return base64.b64encode(bits.to_bytes(_MATCH_BYTES, "little")).decode()
