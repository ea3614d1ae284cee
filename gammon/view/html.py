"""Answers as HTML for notebooks: the board, and the tables of the answer below it.

The HTML has no scripts, no style sheets and no external resources.
"""

from collections.abc import Sequence
from html import escape

from rich.table import Table

from gammon.formats.play import Play
from gammon.formats.position import Position
from gammon.view.svg import board


def table_html(table: Table) -> str:
    """Return a table of texts as HTML, with column names and with bold and dim rows."""
    columns = table.columns
    head = "".join(_cell("th", str(column.header), column.justify) for column in columns)
    rows = [f"<tr>{head}</tr>"]
    cells = zip(*(column.cells for column in columns), strict=True)
    for row, texts in zip(table.rows, cells, strict=True):
        body = "".join(
            _cell("td", str(text), column.justify, str(row.style or ""))
            for text, column in zip(texts, columns, strict=True)
        )
        rows.append(f"<tr>{body}</tr>")
    return f"<table>{''.join(rows)}</table>"


def position_html(position: Position, play: Play | None, below: Sequence[str]) -> str:
    """Return the board, its XGID, and the parts below as HTML.

    Args:
        position: the position.
        play: the play that arrows show, or None.
        below: further parts in HTML.
    """
    ids = f"<p><code>{escape(position.xgid)}</code></p>"
    drawing = board(position, play=play)
    return f'<div style="overflow-x:auto">{drawing}{ids}{"".join(below)}</div>'


def _cell(tag: str, text: str, justify: str, style: str = "") -> str:
    styles = f"text-align:{justify};white-space:nowrap;padding:0.1em 0.5em;"
    styles += {"bold": "font-weight:bold", "dim": "opacity:0.65"}.get(style, "")
    return f'<{tag} style="{styles}">{escape(text)}</{tag}>'


def lines_html(*texts: str) -> str:
    """Return texts as paragraphs, without empty ones."""
    return "".join(f"<p>{escape(text)}</p>" for text in texts if text)
