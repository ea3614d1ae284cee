"""Small parts of the page: tables, marks of errors, links."""

from collections.abc import Sequence
from html import escape

from gammon.reviews.choice import Choice

__all__ = ["MARKS", "badge", "grid", "player_mark"]

#: The words for an error by its mark.
MARKS = "", "doubtful", "bad", "very bad"
#: Errors below this are not written as such.
_LEAST = 0.0005


def badge(choice: Choice) -> str:
    """Return the error of a choice, coloured by its size, and in words; or nothing."""
    if choice.error < _LEAST:
        return ""
    said = f"{-choice.error:+.3f} {MARKS[choice.mark]}".strip()
    return f'<b class="e e{choice.mark}">{said}</b>'


def player_mark(side: int) -> str:
    """Return a small checker of a side: X has light ones with a ring, O dark ones."""
    return f'<i class="sw {"xo"[side]}"></i>'


def grid(
    head: Sequence[str], rows: Sequence[Sequence[str]], styles: Sequence[str], above: str = ""
) -> str:
    """Return a table.

    Args:
        head: the names of the columns.
        rows: cells of text, the first one of each flush left.
        styles: the class of each row, or nothing.
        above: a row of HTML above the names.
    """
    names = "".join(f"<th>{escape(name)}" for name in head)
    lines = [
        f"<tr{f' class={style}' if style else ''}>" + "".join(f"<td>{escape(c)}" for c in row)
        for row, style in zip(rows, styles, strict=True)
    ]
    return f"<div class=w><table class=g>{above}<tr>{names}{''.join(lines)}</table></div>"
