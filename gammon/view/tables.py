"""The style that all tables for people share, views that suit any width, and reports."""

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
    """A view that is made for the width at hand.

    Args:
        make: returns it, for a number of characters.
        whole: the characters that all of it needs; without an edge it has them.
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
    """Return an empty table: no lines, bold names of columns, numbers flush right.

    Args:
        columns: their names.
        left: numbers of the columns that are flush left, from 0 on.
        wrap: whether a cell that is too wide may have several lines; no letter is lost then.
    """
    table = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0), header_style="bold")
    for number, name in enumerate(columns):
        justify: JustifyMethod = "left" if number in left else "right"
        overflow: OverflowMethod = "fold" if wrap else "ellipsis"
        table.add_column(name, justify=justify, no_wrap=not wrap, overflow=overflow)
    return table


def without_last_columns(table: Table, least: int, *below: RenderableType) -> Fitted:
    """Return a table that leaves out its last columns where there is no room for them.

    Before a column goes, the gaps shrink to one blank. A line names the columns that went.

    Args:
        table: its cells are lines of text.
        least: how many columns stay in any case.
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
        gone = ", ".join(str(column.header) for column in columns[kept:])
        said = f"The terminal is too narrow for more columns: {gone}."
        return Group(fitted, *below, *([Text(said, "dim")] if gone else []))

    return Fitted(fit, sum(widths) + _GAP * (len(widths) - 1))


def indented(view: RenderableType) -> Padding:
    """Return a view two characters from the left edge."""
    return Padding(view, (0, 0, 0, 2), expand=False)


def numbered(rank: int, said: str, unbroken: str, *more: str) -> Group:
    """Return an entry of a list, whose lines go on below the first word.

    Args:
        rank: its number.
        said: its first line.
        unbroken: a line to be copied, which is never broken.
        more: further lines.
    """
    head = Table.grid()
    head.add_column(no_wrap=True)
    head.add_column(overflow="fold")
    head.add_row(f"{rank:3}. ", Text(said))
    copied = Text(f"{'':{_HUNG}}{unbroken}", no_wrap=True, overflow="ignore")
    return Group(head, copied, *(Padding(Text(line), (0, 0, 0, _HUNG)) for line in more))
