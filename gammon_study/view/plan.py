"""Plans, progress and stored matches for the terminal: figures with their intervals."""

from rich.console import Group, RenderableType
from rich.text import Text

from gammon.base.mean import Interval
from gammon.formats.characters import one_line
from gammon.formats.context import several
from gammon.view.tables import indented, new_table
from gammon_study.library.matches import StoredReview
from gammon_study.library.plan import LEAST_AROUND, LEAST_ERRORS, LEAST_LEANING, DrillProgress, Plan
from gammon_study.view.review import review_view


def _ranged(interval: Interval | None, digits: int = 2, scale: float = 1.0, sign: str = "") -> list[str]:
    """Return the cells of a figure and of its interval."""
    if interval is None:
        return ["-", "not enough yet"]
    value, low, high = (f"{scale * number:{sign}.{digits}f}" for number in interval)
    return [value, f"{low} to {high}"]


def plan_view(plan: Plan) -> RenderableType:
    """Return a plan for the terminal: the themes, then the biases."""
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
    return Group(
        Text(f"{one_line(plan.player)}, {matches}"),
        "",
        indented(themes),
        "",
        indented(biases),
        "",
        Text(notes),
    )


def progress_view(progress: DrillProgress) -> RenderableType:
    """Return a player's progress for the terminal."""
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
    return Group(Text(f"{one_line(progress.player)}: {progress.name}"), "", indented(table), "", Text(notes))


def stored_review_view(stored: StoredReview, player: int | None = None, most: int = 10) -> RenderableType:
    """Return a match of a library: its review, and the figures with intervals.

    Args:
        stored: the match.
        player: the player to show, 0 or 1; None: both.
        most: how many of the worst choices to show.
    """
    review = stored.review
    sides = (0, 1) if player is None else (player,)
    table = new_table(
        "Player", *(name for part in ("PR", "plays", "doubles", "takes") for name in (part, "95 %"))
    )
    for side in sides:
        name, *intervals, _ = stored.intervals[side]
        cells = [cell for interval in intervals for cell in _ranged(interval)]
        table.add_row(one_line(name), *("-" if cell == "not enough yet" else cell for cell in cells))
    note = Text("The intervals are from the variation between games; with fewer than three there is none.")
    return Group(review_view(review, player, most), "", indented(table), "", note)
