"""GNU Backgammon's Match ID: 12 characters of Base64 for cube, score and dice.

The characters encode nine bytes, little-endian, which contain fields of bits. (GNU Backgammon
manual, "A technical description of the Match ID"; the Jacoby bit as version 1.07 writes it.)
"""

import base64

from gammon.base.errors import FormatError
from gammon.formats.context import BOTTOM, TOP, Context, checked, in_range
from gammon.formats.position_id import decode

#: Two dice in the order given, or None before the roll.
Dice = tuple[int, int] | None

LENGTH = 12
_BYTES = 9
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


def parse_match_id(text: str) -> tuple[Context, Dice]:
    """Return the context and the dice of a Match ID.

    Raises:
        FormatError: the text is not 12 Base64 characters, a field is out of range, there is a
            roll while a double is on offer, or the game is impossible; see
            `gammon.formats.context.checked`.
    """
    bits = int.from_bytes(decode(text, LENGTH, "a Match ID"), "little")
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
    return base64.b64encode(bits.to_bytes(_BYTES, "little")).decode()
