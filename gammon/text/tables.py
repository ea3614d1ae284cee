"""The style that all tables for people share."""

from collections.abc import Collection

from rich.console import JustifyMethod
from rich.padding import Padding
from rich.table import Table

__all__ = ["indented", "new_table"]


def new_table(
    *columns: str, left: Collection[int] = (0,), wrap: bool = True, least: int | None = None
) -> Table:
    """Return an empty table: no lines, bold names of columns, numbers flush right.

    Args:
        columns: their names.
        left: numbers of the columns that are flush left, from 0 on.
        wrap: whether a cell that is too wide may have several lines.
        least: characters that each column is wide at least.
    """
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for number, name in enumerate(columns):
        justify: JustifyMethod = "left" if number in left else "right"
        table.add_column(name, justify=justify, no_wrap=not wrap, min_width=least)
    return table


def indented(table: Table) -> Padding:
    """Return a table two characters from the left edge."""
    return Padding(table, (0, 0, 0, 2), expand=False)
