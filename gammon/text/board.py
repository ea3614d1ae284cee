"""The board in letters.

Colour only repeats what letters say, and only in shades that can be read on black
and on white; piped output is plain.
"""

from collections.abc import Sequence

from rich.text import Text

from gammon.formats.position import Position
from gammon.rules.board import OWN_BAR, THEIR_BAR

__all__ = ["board_text"]

_ROWS = 5
_OWN, _THEIR = "X", "O"
_STYLES = {_OWN: "bold green", _THEIR: "bold magenta"}


def board_text(position: Position) -> Text:
    """Draw the board with the player on roll (X) at the bottom, moving to the right."""
    points = position.points
    upper = [range(13, 19), range(19, 25)]
    lower = [range(12, 6, -1), range(6, 0, -1)]
    lines = ["+13-14-15-16-17-18------19-20-21-22-23-24-+"]
    lines += _half(points, upper, points[OWN_BAR], range(_ROWS))
    lines += ["|                  |BAR|                  |"]
    lines += _half(points, lower, points[THEIR_BAR], range(_ROWS - 1, -1, -1))
    lines += ["+12-11-10--9--8--7-------6--5--4--3--2--1-+"]
    (own_pips, their_pips), (own_off, their_off) = position.pips, position.off
    notes = {
        0: f"O: pips {their_pips}, off {their_off}",
        len(lines) - 1: f"X, to play: pips {own_pips}, off {own_off}",
    }
    text = Text()
    for number, line in enumerate(lines):
        edge = 0 < number < len(lines) - 1
        text.append("  ")
        for letter in line:
            style = _STYLES.get(letter, "") if edge else ""
            text.append(letter, style)
        note = notes.get(number, "")
        if note:
            text.append("  ")
            text.append(note, _STYLES[note[0]])
        text.append("\n")
    text.right_crop(1)
    return text


def _half(points: Sequence[int], quarters: list[range], bar: int, order: range) -> list[str]:
    """Return the lines of the upper or the lower half of the board."""
    lines = []
    for row in order:
        left, right = (
            "".join(f"{_column(points[p])[row]:^3}" for p in quarter) for quarter in quarters
        )
        lines.append(f"|{left}|{_column(bar)[row]:^3}|{right}|")
    return lines


def _column(count: int) -> list[str]:
    """Return a point's checkers from the edge of the board inwards, a cell a row.

    Where they are more than the rows, the innermost cell shows their number.
    """
    size = abs(count)
    cells = [(_OWN if count > 0 else _THEIR) if row < size else "" for row in range(_ROWS)]
    if size > _ROWS:
        cells[-1] = str(size)
    return cells
