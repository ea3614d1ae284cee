"""OpenGammon's and HedgeHog's OGID: one line for checkers, cube, dice, turn and score.

    OGID=white:black:cube:dice:colour:state:white_score:black_score:length:play:checkers

Each character stands for a checker: 0 to 9 and a to p are the points 0 to 25 in White's
direction, from White's bar to Black's, and q is off. The cube field has the owner, the logarithm
of the value, and the last action. The colour is the player who made the last action (after a
double, the doubler), so the other player acts next. (As HedgeHog and OpenGammon write IDs;
docs/files.md has IDs of real matches, and sources that differ.)
"""

import re
from collections import Counter

from gammon.base.errors import FormatError
from gammon.formats.characters import quoted, shortened
from gammon.formats.context import BOTTOM, MOST_POINTS, TOP, Context, checked, in_range
from gammon.formats.gnubg_id import Dice
from gammon.rules.board import CHECKERS, SIZE, Points, check_points, flipped

PREFIX = "OGID="
_PREFIX = re.compile(f"^{PREFIX}", re.ASCII | re.IGNORECASE)
#: The fewest fields, and the defaults of the others: those behind the colour may be left out.
_LEAST, _DEFAULTS = 5, ("IW", "0", "0", "0", "0", str(CHECKERS))
#: The characters of the places, from White's bar to Black's.
_PLACES = "0123456789abcdefghijklmnop"
_OFF = "q"
_SEATS = {"W": BOTTOM, "B": TOP}
_COLOURS = {BOTTOM: "W", TOP: "B"}
#: A centred cube, a dead cube, and a cube that is not set yet have no owner.
_OWNERS = {**_SEATS, "N": 0, "D": 0, "?": 0}
_DICE = re.compile("([1-6]{2})?")
_CUBE = re.compile("([WBND?])([0-9]{1,2})([NOT])")
_LENGTH = re.compile("([0-9]{0,5})(C|L|G[0-9]{1,5})?")
_NUMBER = re.compile("[0-9]{0,9}")
#: First roll, rolled, before a roll, doubled, taken. In all other states the game is over.
_STATES = ("", "IW", "IB", "R", "C", "D", "A")
_BEFORE_A_ROLL = ("C", "D")


def parse_ogid(text: str) -> tuple[Points, Context, Dice]:
    """Return 26 counts seen from the player on roll, the context, and the dice.

    The text is an OGID and nothing else, with its prefix in any case or without it.
    White is the bottom player, as OpenGammon writes an XGID.

    Raises:
        FormatError: the text is not an OGID, a field is out of range, or the game is over or
            impossible; see `gammon.formats.context.checked`.
        IllegalPositionError: the checkers are not a possible position.
    """
    parts = _PREFIX.sub("", text).split(":")
    if not _LEAST <= len(parts) <= _LEAST + len(_DEFAULTS):
        raise FormatError(
            f"{quoted(text)}: expected an OGID of {_LEAST} to {_LEAST + len(_DEFAULTS)} fields "
            f"between colons, found {len(parts)}"
        )
    parts += _DEFAULTS[len(parts) - _LEAST :]
    white, black, cube_field, dice_field, colour, state = parts[:6]
    numbers = [*parts[6:8], parts[9]]
    cube, length_field = _CUBE.fullmatch(cube_field), _LENGTH.fullmatch(parts[8])
    for name, field, good, expected in (
        ("cube", cube_field, cube, "an owner, a number and N, O or T, such as N0N"),
        ("dice", dice_field, _DICE.fullmatch(dice_field), "none, or two digits 1 to 6"),
        ("colour", colour, colour in _SEATS, "W or B"),
        ("state", state, state in _STATES, "the state of a game, such as R or C"),
        ("match length", parts[8], length_field, "a number, with C in the Crawford game"),
        ("checkers", parts[10], parts[10] in ("", str(CHECKERS)), f"{CHECKERS} on each side"),
        *(("number", field, _NUMBER.fullmatch(field), "digits") for field in numbers),
    ):
        if not good:
            raise FormatError(f"{quoted(text)}: {name} {quoted(field)}, expected {expected}")
    assert cube is not None
    assert length_field is not None
    owner, log2, action = cube.groups()
    scores, length = (int(parts[6] or 0), int(parts[7] or 0)), int(length_field[1] or 0)
    for name, number in (("score", max(scores)), ("match length", length)):
        in_range(text, name, number, 0, MOST_POINTS)
    if length and (length_field[2] or "").startswith("G"):
        raise FormatError(f"{quoted(text)}: a match with a limit of games, expected none")
    offered = action == "O" or state == "D"
    if dice_field and (offered or state in _BEFORE_A_ROLL):
        raise FormatError(f"{quoted(text)}: dice {dice_field} before the roll, expected none")
    on_roll = _SEATS[colour] if offered else -_SEATS[colour]
    if state == "IW" and not dice_field:
        on_roll = BOTTOM  # nobody has rolled yet
    cube_log2 = in_range(text, "cube", int(log2), 0, 15)
    context = Context(
        cube_log2=cube_log2,
        cube_owner=_OWNERS[owner],
        on_roll=on_roll,
        scores=scores,
        length=length,
        crawford=bool(length) and length_field[2] == "C",
        max_cube_log2=cube_log2 if owner == "D" else Context.max_cube_log2,
        offer="D" if offered else "",
        to_decide=-on_roll if offered else 0,
    )
    bottom = _read_checkers(white, black, text)
    points = check_points(bottom if on_roll == BOTTOM else flipped(bottom), shortened(text))
    dice = (int(dice_field[0]), int(dice_field[1])) if dice_field else None
    return points, checked(text, context), dice


def _read_checkers(white: str, black: str, text: str) -> Points:
    """Return 26 counts seen from White, the bottom player."""
    points = [0] * SIZE
    for name, side, sign, their_bar in (("white", white, 1, 25), ("black", black, -1, 0)):
        for character, count in Counter(side.replace(_OFF, "")).items():
            place = _PLACES.find(character)
            if place in (-1, their_bar):
                raise FormatError(
                    f"{quoted(text)}: {name} checker {character!r}, expected its bar, a point or {_OFF}"
                )
            if points[SIZE - 1 - place]:
                raise FormatError(f"{quoted(text)}: both sides stand on point {place}")
            points[SIZE - 1 - place] = sign * count
    return tuple(points)


def format_ogid(points: Points, context: Context, dice: Dice) -> str:
    """Return the OGID of 26 counts seen from the player on roll, a context and dice.

    An OGID has no field for the Jacoby rule, beavers, the highest cube and an offered resignation.
    The number of the play is written as 0, and an offered beaver as no offer.
    """
    bottom = points if context.on_roll == BOTTOM else flipped(points)
    white, black = (
        "".join(_PLACES[n] * max(sign * bottom[SIZE - 1 - n], 0) for n in range(SIZE)) for sign in (1, -1)
    )
    offered = context.offer == "D"
    dead = not context.cube_owner and context.cube_log2 >= context.max_cube_log2
    owner = "D" if dead else _COLOURS.get(context.cube_owner, "N")
    length = str(context.length)
    if context.length > 1 and context.length - 1 in context.scores:
        length += "C" if context.crawford else "L"
    fields = (
        white,
        black,
        f"{owner}{context.cube_log2}{'O' if offered else 'N'}",
        f"{dice[0]}{dice[1]}" if dice else "",
        _COLOURS[context.on_roll if offered else -context.on_roll],
        "R" if dice else "D" if offered else "C",
        *context.scores,
        length,
        0,
    )
    return PREFIX + ":".join(map(str, fields))
