"""The common style of tables for people, views that fit any width, and views as plain text.

Pipes and the `str` of an answer get plain text.
"""

from collections.abc import Callable, Collection
from copy import copy
from typing import Any

from rich.cells import cell_len
from rich.console import (
    Console,
    ConsoleOptions,
    Group,
    JustifyMethod,
    OverflowMethod,
    RenderableType,
    RenderResult,
)
from rich.measure import Measurement
from rich.padding import Padding
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

#: The characters of a line without a terminal.
WIDTH = 120


class Endless(Console):
    """A console without a right edge: a line that must not be broken may be longer."""

    def render_lines(
        self, renderable: RenderableType, options: ConsoleOptions | None = None, **how: Any
    ) -> list[list[Segment]]:
        """Return the lines of a view inside another one, uncut."""
        options = options or self.options
        end = [Segment.line()] if how.get("new_lines") else []
        lines = Segment.split_lines(self.render(renderable, options))
        return [
            Segment.adjust_line_length(line, max(options.max_width, Segment.get_line_length(line))) + end
            for line in lines
        ]


def plain_text(view: RenderableType, width: int | None = None) -> str:
    """Return a table, or a group of tables, as lines without colours and trailing blanks.

    Args:
        view: the table or group.
        width: the most characters of a line. None: text has `WIDTH` characters, and lines that must
            not be broken may be longer.
    """
    console = (Endless if width is None else Console)(
        width=WIDTH if width is None else width,
        force_terminal=False,
        force_jupyter=False,
        highlight=False,
        markup=False,
        emoji=False,
    )
    text = "".join(segment.text for segment in console.render(view))
    return "\n".join(line.rstrip() for line in text.splitlines())


#: Blanks between two columns where there is room.
_GAP = 2
#: Blanks before the lines of an entry of a list.
_HUNG = 5


class Fitted:
    """A view that is made for the available width.

    Args:
        make: returns the view for a number of characters.
        whole: the characters that the complete view needs; a console without an edge gives them.
    """

    def __init__(self, make: Callable[[int], RenderableType], whole: int = 0) -> None:
        self._make, self._whole = make, whole

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width = options.max_width
        if isinstance(console, Endless) and width < self._whole:
            width = self._whole
            yield from console.render(self._make(width), options.update(width=width))
        else:
            yield self._make(width)

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return Measurement.get(console, options, self._make(options.max_width))


def new_table(*columns: str, left: Collection[int] = (0,), wrap: bool = True) -> Table:
    """Return an empty table without rules, with bold column names and numbers flush right.

    Args:
        columns: the names of the columns.
        left: the indices of the columns that are flush left.
        wrap: whether a cell that is too wide is wrapped; else it is cut off.
    """
    table = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0), header_style="bold")
    for number, name in enumerate(columns):
        justify: JustifyMethod = "left" if number in left else "right"
        overflow: OverflowMethod = "fold" if wrap else "ellipsis"
        table.add_column(name, justify=justify, no_wrap=not wrap, overflow=overflow)
    return table


def without_last_columns(table: Table, least: int, *below: RenderableType) -> Fitted:
    """Return a table that drops its last columns if it is too wide.

    Before a column is dropped, the gaps shrink to one blank. A line names the dropped columns.

    Args:
        table: a table whose cells are lines of text.
        least: the number of columns that always stay.
        below: lines that belong to the table.
    """
    columns = table.columns
    widths = [max(cell_len(str(cell)) for cell in (column.header, *column.cells)) for column in columns]

    def fit(width: int) -> Group:
        gap = _GAP if sum(widths) + _GAP * (len(widths) - 1) <= width else 1
        kept = len(widths)
        while kept > least and sum(widths[:kept]) + gap * (kept - 1) > width:
            kept -= 1
        fitted = copy(table)
        fitted.columns = columns[:kept]
        fitted.padding = (0, gap, 0, 0)
        dropped = ", ".join(str(column.header) for column in columns[kept:])
        note = f"The terminal is too narrow for more columns: {dropped}."
        return Group(fitted, *below, *([Text(note, "dim")] if dropped else []))

    return Fitted(fit, sum(widths) + _GAP * (len(widths) - 1))


def indented(view: RenderableType) -> Padding:
    """Return a view indented by two characters."""
    return Padding(view, (0, 0, 0, 2), expand=False)


def numbered(rank: int, title: str, unbroken: str, *more: str) -> Group:
    """Return an entry of a numbered list, with its lines indented.

    Args:
        rank: the number of the entry.
        title: the first line.
        unbroken: a line to copy, which is never broken.
        more: further lines.
    """
    head = Table.grid()
    head.add_column(no_wrap=True)
    head.add_column(overflow="fold")
    head.add_row(f"{rank:3}. ", Text(title))
    copied = Text(f"{'':{_HUNG}}{unbroken}", no_wrap=True, overflow="ignore")
    return Group(head, copied, *(Padding(Text(line), (0, 0, 0, _HUNG)) for line in more))
