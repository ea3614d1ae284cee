"""Tables of grades and reports for the terminal."""

from rich.console import Group, RenderableType
from rich.text import Text

from gammon.match.player import Player
from gammon.view.tables import indented, new_table, without_last_columns
from gammon_lab.experiments.grade import Grade
from gammon_lab.reports.report import Report


def grade_view(grades: dict[Player, dict[str, Grade]]) -> RenderableType:
    """Return the table of some players' grades."""
    table = new_table("", "decisions", "PR", "s.e.", "best play", "blunders")
    for player, by_phase in grades.items():
        table.add_row(str(player), style="bold")
        for name, grade in by_phase.items():
            table.add_row(
                name,
                str(grade.decisions),
                f"{grade.rating:.2f}",
                f"{grade.error:.2f}",
                f"{100 * grade.best:.1f} %",
                f"{100 * grade.blunders:.1f} %",
            )
    return without_last_columns(table, 3)


def report_view(report: Report) -> RenderableType:
    """Return the tables of a reproduction, each with the sources of its expected figures."""
    parts: list[RenderableType] = [Text(report.title, "bold")]
    for table in report.tables:
        names, *rows = table.shown()
        grid = new_table(*names, left=table.texts())
        for row in rows:
            grid.add_row(*row)
        parts += ["", Text(f"  {table.title}"), indented(grid)]
        parts += [indented(Text(str(citation))) for citation in table.citations()]
    parts += ["", *(Text(f"  {note}") for note in report.notes)]
    return Group(*parts)
