"""eXtreme Gammon's XGID: one line for checkers, cube, dice, score and rules.

    XGID=checkers:cube:owner:turn:dice:bottom:top:rules:length:max_cube

The checkers are 26 characters: the top player's bar, points 1..24 as the bottom player
numbers them, and the bottom player's bar. A to P are 1 to 16 checkers of the bottom player,
a to p are checkers of the top player. (eXtreme Gammon's help, "XGID".)
"""

import re

from gammon.base.errors import FormatError
from gammon.formats.characters import quoted, shortened
from gammon.formats.context import BOTTOM, MOST_POINTS, TOP, Context, checked, in_range
from gammon.formats.gnubg_id import Dice
from gammon.rules.board import SIZE, Points, check_points, flipped

PREFIX = "XGID="
_PREFIX = re.compile(f"^{PREFIX}", re.ASCII | re.IGNORECASE)
_NUMBER = re.compile("-?[0-9]{1,5}")  # int() would accept digits of any script
_FIELDS = 10
_ON_A_POINT = 16


def _count(letter: str, text: str) -> int:
    if letter == "-":
        return 0
    for first, sign in (("A", 1), ("a", -1)):
        count = ord(letter) - ord(first) + 1
        if 1 <= count <= _ON_A_POINT:
            return sign * count
    raise FormatError(f"{quoted(text)}: checkers {letter!r}, expected -, A to P or a to p")


def parse_xgid(text: str) -> tuple[Points, Context, Dice]:
    """Return 26 counts seen from the player on roll, the context, and the dice.

    The text is an XGID and nothing else, with its prefix in any case or without it.
    `gammon.Position.parse` also finds an XGID in a pasted text.

    Raises:
        FormatError: the text is not an XGID, a field is out of range, or the game is impossible;
            see `gammon.formats.context.checked`.
        IllegalPositionError: the checkers are not a possible position.
    """
    body = _PREFIX.sub("", text)
    parts = body.split(":")
    if len(parts) != _FIELDS:
        raise FormatError(
            f"{quoted(text)}: expected an XGID of {_FIELDS} fields between colons, found {len(parts)}"
        )
    if len(parts[0]) != SIZE:
        raise FormatError(f"{quoted(text)}: expected {SIZE} characters of checkers, found {len(parts[0])}")
    numbers = {}
    for at, name, low, high in (
        (1, "cube", 0, 15),
        (2, "cube owner", -1, 1),
        (3, "turn", -1, 1),
        (5, "score", 0, MOST_POINTS),
        (6, "score", 0, MOST_POINTS),
        (7, "rules", 0, 3),
        (8, "match length", 0, MOST_POINTS),
        (9, "maximum cube", 0, 15),
    ):
        if not _NUMBER.fullmatch(parts[at]):
            raise FormatError(f"{quoted(text)}: {name} {quoted(parts[at])}, expected {low} to {high}")
        numbers[at] = in_range(text, name, int(parts[at]), low, high)
    turn, rules, length = numbers[3], numbers[7], numbers[8]
    if turn == 0:
        raise FormatError(f"{quoted(text)}: turn 0, expected 1 or -1")
    if length and rules > 1:
        raise FormatError(f"{quoted(text)}: rules {rules} in a match, expected 0, or 1 for Crawford")
    offer, dice = _parse_dice(parts[4], text)
    context = Context(
        cube_log2=numbers[1],
        cube_owner=numbers[2],
        on_roll=BOTTOM if turn == 1 else TOP,
        scores=(numbers[5], numbers[6]),
        length=length,
        crawford=bool(length and rules),
        jacoby=not length and bool(rules & 1),
        beavers=not length and bool(rules & 2),
        max_cube_log2=numbers[9],
        offer=offer,
        to_decide=-turn if offer else 0,
    )
    bottom = [_count(letter, text) for letter in parts[0]]
    points = check_points(bottom if turn == 1 else flipped(bottom), shortened(text))
    return points, checked(text, context), dice


def _parse_dice(field: str, text: str) -> tuple[str, Dice]:
    if field in ("D", "B", "R"):
        return field, None
    if field == "00":
        return "", None
    if len(field) == 2 and all(digit in "123456" for digit in field):
        return "", (int(field[0]), int(field[1]))
    raise FormatError(f"{quoted(text)}: dice {quoted(field)}, expected 00, D, B, R or two digits 1 to 6")


def format_xgid(points: Points, context: Context, dice: Dice) -> str:
    """Return the XGID of 26 counts seen from the player on roll, a context and dice."""
    bottom = points if context.on_roll == BOTTOM else flipped(points)
    checkers = "".join(
        "-" if c == 0 else chr(ord("A") + c - 1) if c > 0 else chr(ord("a") - c - 1) for c in bottom
    )
    rules = int(context.crawford) if context.length else context.jacoby + 2 * context.beavers
    fields = (
        checkers, context.cube_log2, context.cube_owner, context.on_roll,
        context.offer or (f"{dice[0]}{dice[1]}" if dice else "00"),
        *context.scores, rules, context.length, context.max_cube_log2,
    )  # fmt: skip
    return PREFIX + ":".join(map(str, fields))
