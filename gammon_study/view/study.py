"""Statistics and errors of a library for the terminal, and the plot of a trend."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Group as Parts
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from gammon.formats.characters import one_line
from gammon.formats.context import several
from gammon.view.tables import indented, new_table, numbered, without_last_columns
from gammon_study.library.stats import Error, Group, LargestErrors, Statistics, Trend

if TYPE_CHECKING:
    from gammon_study.library.cover import ReferencePositions
    from gammon_study.view.plot import Axes


def statistics_view(statistics: Statistics) -> RenderableType:
    """Return the figures of groups for the terminal, one row each."""
    by, groups, analyses = statistics
    if not groups:
        matches = sum(group.matches for group in analyses)
        where = several(matches, "match", "es") if matches else "the library"
        return Text(f"No decision of {where} answers to that.")
    whole = any(group.won is not None for group in groups)
    columns = [by.capitalize(), "PR", "±", "class", "decisions", "lost", "errors", "bad", "matches"]
    columns += ["won", "luck"] if whole else []
    table = new_table(*columns, left=(0, 3), wrap=False)
    for group in groups:
        sums = group.sums
        cells = [
            one_line(group.name) or "all",
            _number(group.pr, ".2f"),
            _number(group.margin, ".2f"),
            group.pr_class or "-",
            str(sums.counted),
            f"{-sums.error:+z.3f}",
            str(sums.wrong) if group.decisions is None else f"{sums.wrong} of {group.decisions}",
            str(group.bad),
            str(group.matches),
        ]
        cells += [_number(group.won, ""), _number(group.luck, "+z.3f")] if whole else []
        table.add_row(*cells)
    by_whom = ", ".join(
        f"{one_line(group.name)}: {several(group.matches, 'match', 'es')}" for group in analyses
    )
    analyzed_by = Text(f"Analyzed by {by_whom}")
    parts: list[RenderableType] = [analyzed_by, "", indented(without_last_columns(table, 2)), ""]
    if groups[0].plays is not None:
        parts += [indented(without_last_columns(_parts_table(by, groups), 2)), ""]
    notes = "PR, ± its 95 % interval, uses the decisions that count; bad errors lost 0.06 or more."
    if any(group.decisions is not None for group in groups):
        notes += (
            " Missed doubles and wrong doubles, takes and passes are errors, and have no PR: "
            "their number is followed by the number of decisions of their kind."
        )
    return Parts(*parts, Text(notes))


def _parts_table(by: str, groups: Sequence[Group]) -> Table:
    """Return the table of plays, doubles and takes: PR, number, errors and bad errors."""
    names = "plays", "doubles", "takes"
    columns = [f"{of}{name}" for name in names for of in ("PR ", "", "errors ", "bad ")]
    table = new_table(by.capitalize(), *columns, wrap=False)
    for group in groups:
        cells = [one_line(group.name) or "all"]
        for part in (group.plays, group.doubles, group.takes):
            assert part is not None, "groups of all decisions have parts"
            margin = "" if part.margin is None else f" ±{part.margin:.2f}"
            cells += [_number(part.pr, ".2f") + margin, *map(str, (part.counted, part.wrong, part.bad))]
        table.add_row(*cells)
    return table


def _number(value: float | None, form: str) -> str:
    return "-" if value is None else format(value, form)


def errors_view(selection: LargestErrors) -> RenderableType:
    """Return errors for the terminal, after their number and total loss."""
    errors, count, lost = selection
    parts: list[RenderableType] = [Text(f"{several(count, 'error')}, {-lost:+z.3f} in all")]
    for rank, error in enumerate(errors, 1):
        parts.append(numbered(rank, *error_lines(error)))
    return Parts(*parts)


def references_view(references: "ReferencePositions") -> RenderableType:
    """Return reference positions for the terminal."""
    positions, count, lost = references
    covered = sum(position.covers for position in positions)
    few, many = several(len(positions), "position"), several(count, "error")
    parts: list[RenderableType] = [Text(f"{few} for {covered} of {many}, {-lost:+z.3f} in all")]
    for rank, position in enumerate(positions, 1):
        title, *lines = error_lines(position.error)
        stands = f"Stands for {several(position.covers, 'error')}, {-position.total_error:+z.3f}"
        parts.append(numbered(rank, title, *lines, stands))
    return Parts(*parts)


def error_lines(error: Error) -> list[str]:
    """Return the lines of an error: its loss and place, the XGID, the themes, and the reason."""
    what = f"to {error.length}" if error.length else "for money"
    cost = f"{-100.0 * error.cost:+z.2f} %" if error.length else f"{-error.cost:+z.3f}"
    day = f"{error.played}, " if error.played else ""
    names = one_line(f"{error.player} against {error.opponent}")
    where = f"{day}{names}, {what}, match {error.match}, game {error.game}"
    lines = [
        f"{-error.error:+z.4f} ({cost})  {one_line(error.made)}, best {one_line(error.best)}; {where}",
        one_line(error.xgid),
    ]
    themes = ", ".join(error.themes)
    more = (
        f"Themes: {themes}" * bool(themes),
        error.explanation,
        f"Analyzed by {error.level}" * bool(error.level),
        f"Remark: {error.remark}" * bool(error.remark),
    )
    return lines + [one_line(line) for line in more if line]


def trend_svg(trend: Sequence[Trend]) -> str:
    """Return a plot of PR from match to match, as the text of an SVG file.

    Raises:
        MissingExtraError: the extra `plots` is not installed.
    """
    # These modules are slow to load.
    import numpy as np

    from gammon_study.view.plot import COLOURS, svg_of

    def draw(axes: "Axes") -> None:
        numbers = range(1, len(trend) + 1)
        single, mean = (
            np.array([getattr(match, name) for match in trend], np.float64) for name in ("pr", "mean")
        )
        axes.plot(numbers, single, "o", color=COLOURS[4], alpha=0.5, label="a match")
        axes.plot(numbers, mean, color=COLOURS[0], label="the last ten")
        axes.set_xlabel("match, in the order of their days")
        axes.set_ylabel("PR")
        axes.set_ylim(bottom=0.0)

    return svg_of(draw)
