"""The board as text.

Colours only repeat what the letters show, in shades that are readable on black and on white;
piped output has none.
"""

from collections.abc import Sequence

from rich.text import Text

from gammon.formats.position import Position
from gammon.formats.words import SEATS
from gammon.rules.board import OWN_BAR, THEIR_BAR
from gammon.view.plain import WIDTH
from gammon.view.tables import Fitted

_ROWS = 5
_STYLES = {"X": "bold green", "O": "bold magenta"}
_INDENT = "  "


def board_view(position: Position, turned: bool = False, pips: bool = True) -> Fitted:
    """Return the board as a view for any width; see `board_text`."""
    return Fitted(lambda width: board_text(position, width, turned, pips))


def board_text(position: Position, width: int = WIDTH, turned: bool = False, pips: bool = True) -> Text:
    """Return the board as text. The player on roll is at the bottom and bears off at the right.

    X and O are the players of the position's IDs: X is the bottom player of an XGID, and GNU
    Backgammon's player 1.

    Args:
        position: the checkers, and the player on roll.
        width: the characters of a line. If the board and its notes do not fit side by side, the
            notes stand above and below it; if the board does not fit, it is left out.
        turned: whether the player on roll is at the top.
        pips: whether to show the pip counts.
    """
    own, their = SEATS[position.context.on_roll], SEATS[-position.context.on_roll]
    (own_pips, their_pips), (own_off, their_off) = position.pips, position.off
    theirs, ours = (f"pips {count}, " if pips else "" for count in (their_pips, own_pips))
    above = f"{their}: {theirs}off {their_off}", _STYLES[their]
    turn = "" if position.is_over or position.context.offer else ", to play"
    below = f"{own}{turn}: {ours}off {own_off}", _STYLES[own]
    lines = _lines(position.points, own, their)
    if turned:
        above, below, lines = below, above, lines[::-1]
    board_width = len(_INDENT + lines[0])
    beside = board_width + len(_INDENT) + max(len(above[0]), len(below[0])) <= width
    text = Text()
    if not beside:
        text.append(_INDENT).append(*above).append("\n")
    for number, line in enumerate(lines) if board_width <= width else ():
        first, last = number == 0, number == len(lines) - 1
        text.append(_INDENT)
        for letter in line:
            text.append(letter, "" if first or last else _STYLES.get(letter, ""))
        if beside and first:
            text.append(_INDENT).append(*above)
        if beside and last:
            text.append(_INDENT).append(*below)
        text.append("\n")
    if not beside:
        text.append(_INDENT).append(*below).append("\n")
    text.right_crop(1)
    return text


def _lines(points: Sequence[int], own: str, their: str) -> list[str]:
    """Return the lines of the board; `own` and `their` are the letters of the players."""
    upper = [range(13, 19), range(19, 25)]
    lower = [range(12, 6, -1), range(6, 0, -1)]
    cells = [_column(count, own if count > 0 else their) for count in points]
    return [
        "+13-14-15-16-17-18------19-20-21-22-23-24-+",
        *_half(cells, upper, OWN_BAR, range(_ROWS)),
        "|                  |BAR|                  |",
        *_half(cells, lower, THEIR_BAR, range(_ROWS - 1, -1, -1)),
        "+12-11-10--9--8--7-------6--5--4--3--2--1-+",
    ]


def _half(cells: list[list[str]], quarters: list[range], bar: int, order: range) -> list[str]:
    """Return the lines of the upper or the lower half of the board."""
    lines = []
    for row in order:
        left, right = ("".join(f"{cells[p][row]:^3}" for p in quarter) for quarter in quarters)
        lines.append(f"|{left}|{cells[bar][row]:^3}|{right}|")
    return lines


def _column(count: int, letter: str) -> list[str]:
    """Return the cells of a point, from the edge of the board inwards.

    If there are more checkers than rows, the innermost cell shows their number.
    """
    size = abs(count)
    cells = [letter if row < size else "" for row in range(_ROWS)]
    if size > _ROWS:
        cells[-1] = str(size)
    return cells
