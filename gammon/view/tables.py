"""The common style of tables for people, and views that fit any width."""

from collections.abc import Callable, Collection
from copy import copy

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
from rich.table import Table
from rich.text import Text

from gammon.view.plain import Endless

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
