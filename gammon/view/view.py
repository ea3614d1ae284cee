"""The layout of an answer, which a terminal renders as text and a notebook as HTML.

The HTML has no scripts, no style sheets and no external resources.
"""

from collections.abc import Callable, Iterator, Sequence
from html import escape
from typing import NamedTuple

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from gammon.formats.play import Play
from gammon.formats.position import Position
from gammon.view.heading import heading
from gammon.view.tables import indented, without_last_columns


class Columns(NamedTuple):
    """A table of an answer.

    Attributes:
        table: a table whose cells are texts.
        least: how many columns stay on a narrow terminal.
        more: a line below that belongs to the table, or an empty text.
    """

    table: Table
    least: int
    more: str = ""

    def view(self) -> RenderableType:
        """Return the table for a terminal."""
        below = [Text(self.more)] if self.more else []
        return without_last_columns(self.table, self.least, *below)


class Verdict(str):
    """A line that stands out."""


#: A part of an answer; a text is a line.
Part = Columns | str


class View(NamedTuple):
    """The layout of an answer.

    Attributes:
        position: the position, for the board at the top.
        title: a line with the player on roll and the kind of answer.
        notes: lines below the title: what is at stake, and what was left out.
        blocks: the parts of the answer, with an empty line between blocks.
        play: the play that arrows show on a drawn board, or None.
    """

    position: Position
    title: str
    notes: Sequence[str]
    blocks: Sequence[Sequence[Part]]
    play: Play | None = None

    def __rich__(self) -> RenderableType:
        return Group(*heading(self.position, self.title, self.notes), *self.below(indented))

    def below(self, placed: Callable[[RenderableType], RenderableType]) -> Iterator[RenderableType]:
        """Yield the views of the blocks, with an empty line before each.

        Args:
            placed: indents a view.
        """
        for block in self.blocks:
            yield ""
            for part in block:
                style = "bold" if isinstance(part, Verdict) else ""
                yield placed(part.view() if isinstance(part, Columns) else Text(part, style))

    def html(self) -> str:
        """Return the drawn board and the answer below it as HTML."""
        parts = [lines_html(self.title, *self.notes)]
        for part in (part for block in self.blocks for part in block):
            if isinstance(part, Columns):
                parts += [table_html(part.table), lines_html(part.more)]
            elif isinstance(part, Verdict):
                parts.append(f"<p><b>{escape(part)}</b></p>")
            else:
                parts.append(lines_html(part))
        return position_html(self.position, self.play, parts)


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
    from gammon.view.svg import board  # an answer in a terminal needs no drawing

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
