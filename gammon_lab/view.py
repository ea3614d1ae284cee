"""Tables of grades, reports and values of hypergammon for the terminal."""

from collections.abc import Mapping, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from gammon.match.player import Player
from gammon.view.tables import indented, new_table, without_last_columns
from gammon_lab.experiments.grade import Grade
from gammon_lab.hypergammon.judge import Judged
from gammon_lab.hypergammon.table import Exact
from gammon_lab.report import Report


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


def exact_view(exact: Exact) -> RenderableType:
    """Return the tables of a position's values: with and without a cube, and the chances."""
    values = new_table("", "no double", "double")
    values.add_row("without a cube", f"{exact.equity:+.6f}", "")
    for name, value in (("with your cube", exact.own), ("with the cube in the middle", exact.centred)):
        values.add_row(name, f"{value:+.6f}", f"{exact.doubled:+.6f}")
    values.add_row("with the opponent's cube", f"{exact.theirs:+.6f}", "")
    chances = new_table(*_CHANCES)
    chances.add_row(*(f"{100 * chance:.3f} %" for chance in exact.chances))
    return Group(indented(values), "", indented(chances))


_CHANCES = ("win", "gammon", "backgammon", "lose gammon", "lose backgammon")


def exact_plays_view(plays: Sequence[tuple[str, Exact]]) -> RenderableType:
    """Return the table of plays, best first, with their values to the player who moves."""
    table = new_table("play", "without a cube", "loss", "your cube", "in the middle", "opponent's cube")
    for name, exact in plays:
        loss = plays[0][1].equity - exact.equity
        numbers = exact.equity, exact.own, exact.centred, exact.theirs
        known, *with_cube = (f"{number:+.6f}" for number in numbers)
        table.add_row(name or "(no move)", known, f"{-loss:.6f}" if loss else "", *with_cube)
    return indented(table)


def judged_view(judged: Mapping[str, Judged]) -> RenderableType:
    """Return the table of players and their games against perfect play."""
    table = new_table("", "games", "points a game", "given away a game", "decisions", "PR", "best play")
    for name, one in judged.items():
        table.add_row(
            name,
            str(one.games),
            f"{one.points:+.4f} ± {one.points_error:.4f}",
            f"{one.given:.4f} ± {one.given_error:.4f}",
            str(one.decisions),
            f"{one.rating:.2f} ± {one.rating_error:.2f}",
            f"{100 * one.best:.1f} %",
        )
    return indented(table)
