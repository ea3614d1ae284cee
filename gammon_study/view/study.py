"""A library for the terminal: its statistics, errors, matches and notes, plans, and progress.

The types of what it shows are not imported: to list matches must not wait for them.
"""

from collections.abc import Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

from rich.console import Group as Parts
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from gammon.formats.characters import one_line
from gammon.formats.context import several
from gammon.view.tables import indented, new_table, numbered, without_last_columns

if TYPE_CHECKING:
    from gammon.base.mean import Interval
    from gammon_study.library.decks import ReferencePositions
    from gammon_study.library.matches import MatchList, StoredReview
    from gammon_study.library.notes import NoteList
    from gammon_study.library.plan import DrillProgress, Plan
    from gammon_study.library.stats import Error, Group, LargestErrors, Statistics, Trend
    from gammon_study.view.plot import Axes


def statistics_view(statistics: "Statistics") -> RenderableType:
    """Return the figures of groups for the terminal, one row each."""
    by, groups, analyses = statistics
    if not groups:
        matches = sum(group.matches for group in analyses)
        where = several(matches, "match", "es") if matches else "the library"
        return Text(f"No decision of {where} answers to that.")
    whole = any(group.won is not None for group in groups)
    columns = [by.capitalize(), "PR", "95 %", "class", "decisions", "lost", "errors", "bad", "matches"]
    columns += ["won", "luck"] if whole else []
    table = new_table(*columns, left=(0, 3), wrap=False)
    for group in groups:
        cells = [
            one_line(group.name) or "all",
            _number(group.pr, ".2f"),
            _ranged(group.interval, otherwise="-")[1],
            group.pr_class or "-",
            str(group.counted),
            f"{-group.error:+z.3f}",
            str(group.wrong) if group.decisions is None else f"{group.wrong} of {group.decisions}",
            str(group.bad),
            str(group.matches),
        ]
        cells += [_number(group.won, ""), _number(group.luck, "+z.3f")] if whole else []
        table.add_row(*cells)
    by_whom = "; ".join(
        f"{one_line(group.name)}: {several(group.matches, 'match', 'es')}" for group in analyses
    )
    analyzed_by = Text(f"Analyzed by {by_whom}")
    parts: list[RenderableType] = [analyzed_by, "", indented(without_last_columns(table, 2)), ""]
    if groups[0].plays is not None:
        parts += [indented(without_last_columns(_parts_table(by, groups), 2)), ""]
    notes = (
        "PR, with its 95 % interval from the variation between matches, uses the decisions that count; "
        "bad errors lost 0.06 or more."
    )
    if any(group.decisions is not None for group in groups):
        notes += (
            " Missed doubles and wrong doubles, takes and passes are errors, and have no PR: "
            "their number is followed by the number of decisions of their kind."
        )
    return Parts(*parts, Text(notes))


def _parts_table(by: str, groups: "Sequence[Group]") -> Table:
    """Return the table of plays, doubles and takes: PRs, then numbers, errors and bad errors."""
    names = "plays", "doubles", "takes"
    columns = [f"{of}{name}" for of in ("PR ", "", "errors ", "bad ") for name in names]
    table = new_table(by.capitalize(), *columns, wrap=False)
    for group in groups:
        parts = [part for part in (group.plays, group.doubles, group.takes) if part is not None]
        cells = [
            "{} ({})".format(*_ranged(part.interval)) if part.interval else _number(part.pr, ".2f")
            for part in parts
        ]
        for name in ("counted", "wrong", "bad"):
            cells += [str(getattr(part, name)) for part in parts]
        table.add_row(one_line(group.name) or "all", *cells)
    return table


def _number(value: float | None, form: str) -> str:
    return "-" if value is None else format(value, form)


def errors_view(selection: "LargestErrors") -> RenderableType:
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


def error_lines(error: "Error") -> list[str]:
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


def trend_svg(trend: "Sequence[Trend]") -> str:
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


def match_list_view(matches: "MatchList") -> RenderableType:
    """Return matches for the terminal, one row each."""
    table = new_table(
        "Match", "day", "player", "PR", "won", "opponent", "PR", "to", "analyzed by", "file",
        left=(1, 2, 4, 5, 8, 9), wrap=False,
    )  # fmt: skip
    for match in matches.matches:
        (player, opponent), (own, their) = match.players, match.prs
        table.add_row(
            str(match.match),
            match.played or "-",
            one_line(player),
            _number(own, ".2f"),
            {True: "yes", False: "no", None: "-"}[match.won],
            one_line(opponent),
            _number(their, ".2f"),
            str(match.length or "money"),
            one_line(match.analysis),
            one_line(PurePath(match.file).name),
        )
    number, listed = several(matches.number, "match", "es"), len(matches.matches)
    title = number if listed == matches.number else f"The last {listed} of {number}"
    return Parts(Text(title), "", without_last_columns(table, 2))


def note_list_view(notes: "NoteList") -> RenderableType:
    """Return notes and remarks for the terminal."""
    parts: list[RenderableType] = [] if notes.notes else [Text("No note answers to that.")]
    for rank, note in enumerate(notes.notes, 1):
        lines = [one_line(note.text) or "-", note.xgid]
        if note.match is not None:
            lines.append(f"In the file of match {note.match}, game {note.game}")
        for name, words in (("Tags", note.tags), ("Themes", note.themes)):
            if words:
                lines.append(one_line(f"{name}: {', '.join(words)}"))
        parts.append(numbered(rank, *lines))
    return Parts(*parts)


def _ranged(
    interval: "Interval | None",
    digits: int = 2,
    scale: float = 1.0,
    sign: str = "",
    otherwise: str = "not enough yet",
) -> list[str]:
    """Return the cells of a figure and of its interval, or of what there is otherwise."""
    if interval is None:
        return ["-", otherwise]
    value, low, high = (f"{scale * number:{sign}.{digits}f}" for number in interval)
    return [value, f"{low} to {high}"]


def plan_view(plan: "Plan") -> RenderableType:
    """Return a plan for the terminal: the themes, then the biases."""
    from gammon_study.library.plan import LEAST_ERRORS, LEAST_LEANING

    money = plan.unit == "money"
    unit, scale, digits = ("points", 1.0, 3) if money else ("%", 100.0, 2)
    themes = new_table("Theme", f"to win back, {unit}", "95 % interval", "errors", "decisions")
    for theme in plan.themes:
        cells = _ranged(theme.recoverable, digits, scale, "+z")
        themes.add_row(theme.name, *cells, str(theme.errors), str(theme.decisions))
    biases = new_table("Bias", "equity", "95 % interval", "decisions", "", left=(0, 4))
    for bias in plan.biases:
        biases.add_row(bias.name, *_ranged(bias.lean, 4, sign="+z"), str(bias.decisions), bias.verdict)
    matches = several(plan.matches, *(("session",) if money else ("match", "es")))
    notes = (
        f"To win back: {'points that a session' if money else 'chances that a match'} would bring more if "
        f"{one_line(plan.player)} played as a player of PR 5 does in these decisions. Themes overlap. "
        f"A theme needs {LEAST_ERRORS} errors, a bias {LEAST_LEANING} decisions, both three matches. "
        "docs/review.md explains the figures."
    )
    return Parts(
        Text(f"{one_line(plan.player)}, {matches}"),
        "",
        indented(themes),
        "",
        indented(biases),
        "",
        Text(notes),
    )


def progress_view(progress: "DrillProgress") -> RenderableType:
    """Return a player's progress for the terminal."""
    from gammon_study.library.plan import LEAST_AROUND

    table = new_table("", "PR", "95 % interval", "decisions", "matches")
    for name, period in ((f"before {progress.day}", progress.before), ("since then", progress.after)):
        table.add_row(name, *_ranged(period.pr), str(period.decisions), str(period.matches))
    table.add_row(f"change in {progress.name}", *_ranged(progress.change, sign="+z"), "", "")
    table.add_row("change elsewhere", *_ranged(progress.elsewhere, sign="+z"), "", "")
    notes = (
        "The changes allow for the difficulty of the decisions; negative is better. Whoever drills the theme "
        "of the worst results gets better ones afterwards even without a drill (regression to the mean): "
        f"so compare both changes, and mistrust a small one. Each side needs {LEAST_AROUND} decisions and "
        "three matches."
    )
    return Parts(Text(f"{one_line(progress.player)}: {progress.name}"), "", indented(table), "", Text(notes))


def stored_review_view(stored: "StoredReview", player: int | None = None, most: int = 10) -> RenderableType:
    """Return a match of a library: its review, and the figures with intervals.

    Args:
        stored: the match.
        player: the player to show, 0 or 1; None: both.
        most: how many of the worst choices to show.
    """
    from gammon_study.view.review import review_view

    review = stored.review
    sides = (0, 1) if player is None else (player,)
    table = new_table(
        "Player", *(name for part in ("PR", "plays", "doubles", "takes") for name in (part, "95 %"))
    )
    for side in sides:
        name, *intervals, _ = stored.intervals[side]
        cells = [cell for interval in intervals for cell in _ranged(interval, otherwise="-")]
        table.add_row(one_line(name), *cells)
    note = Text("The intervals are from the variation between games; with fewer than three there is none.")
    return Parts(review_view(review, player, most), "", indented(table), "", note)
