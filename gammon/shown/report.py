"""Reports of experiments as tables for people."""

from rich.console import Group, RenderableType
from rich.text import Text

from gammon.experiments.report import Report
from gammon.shown.tables import indented, new_table

__all__ = ["report_view"]


def report_view(report: Report) -> RenderableType:
    """Show the tables of a reproduction, each with the sources of its expected figures."""
    parts: list[RenderableType] = [Text(report.title, "bold")]
    for table in report.tables:
        names, *rows = table.shown()
        grid = new_table(*names, left=table.texts())
        for row in rows:
            grid.add_row(*row)
        parts += ["", Text(f"  {table.title}"), indented(grid)]
        parts += [indented(Text(str(each))) for each in table.references()]
    parts += ["", *(Text(f"  {note}") for note in report.notes)]
    return Group(*parts)
