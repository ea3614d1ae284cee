"""Statistics, errors and drills of a library for the terminal, and the plot of a trend."""

from collections.abc import Sequence
from datetime import datetime, timedelta

import numpy as np
from rich.console import Group as Parts
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from gammon.formats.characters import one_line
from gammon.formats.position import Position
from gammon.formats.words import SEATS, cube_words, doubling_words, score_words, several
from gammon.view.analysis import CHANCES, chances_cells
from gammon.view.heading import board_view, unit_of
from gammon.view.tables import indented, new_table, numbered, without_last_columns
from gammon_study.library.cover import ReferencePositions
from gammon_study.library.decks import Card
from gammon_study.library.drill import Answered
from gammon_study.library.stats import Error, Group, LargestErrors, Statistics, Trend
from gammon_study.reviews.choice import Choice, ChoiceKind, CubeValues
from gammon_study.reviews.explain import why
from gammon_study.view.plot import COLOURS, Axes, svg_of


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


def references_view(references: ReferencePositions) -> RenderableType:
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

    def draw(axes: Axes) -> None:
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


_GRADES = {1: "Wrong", 2: "Nearly right", 3: "Right"}


def question(card: Card) -> str:
    """Return the question of a card."""
    position = Position.parse(card.xgid)
    context = position.context
    own, their = SEATS[context.on_roll], SEATS[-context.on_roll]
    terms = context.terms()
    at_stake = score_words(context) if context.length else "for money"
    at_stake = f"{at_stake}, {cube_words(terms.cube, terms.owner * context.on_roll)}"
    text = {
        "play": "{} to play {}{}: which play?".format(own, *(position.dice or ("", ""))),
        "double": f"{own} on roll: double?",
        "take": f"{own} doubles: does {their} take?",
        "pips": f"How many pips does {own} have?",
        "epc": f"What is the effective pip count of {own}?",
    }[card.ask]
    text = doubling_words(text, terms.owner)
    return text if card.ask in ("pips", "epc") else f"{text} ({at_stake})"


def card_view(card: Card, number: int) -> RenderableType:
    """Return a card for the terminal: the board and the question."""
    position = Position.parse(card.xgid)
    board = board_view(position, pips=card.ask != "pips")
    return Parts(Text(f"{number}. {card.deck}", "bold"), board, "", Text(question(card)))


def answer_view(answered: Answered) -> RenderableType:
    """Return the judgement of an answer for the terminal: its loss and the reasons."""
    card, choice = answered.card, answered.choice
    if choice is None:
        unit = "pips" if card.ask == "pips" else "effective pips"
        parts: list[RenderableType] = [Text(f"{_GRADES[answered.grade]}: {answered.right:.4g} {unit}.")]
        return Parts(*parts, "")
    verdict = f"{_GRADES[answered.grade]}: {choice.made}"
    if choice.error:
        verdict += f" loses {choice.error:.4f}, best is {choice.best}"
    elif answered.grade == 1:
        verdict = f"Best is {choice.best}"
    table = without_last_columns(candidates_table(choice), 3)
    parts = [Text(f"{verdict}."), "", indented(table), ""]
    notes = [note for note in (why(choice, Position.parse(choice.xgid)), card.note) if note]
    if notes:
        parts += [*(Text(one_line(note)) for note in notes), ""]
    return Parts(*parts)


def candidates_table(choice: Choice) -> Table:
    """Return the table of the plays of a choice, or of the cube actions."""
    terms = Position.parse(choice.xgid).context.terms()
    unit = unit_of(terms)
    if choice.values is None:
        best = choice.plays[0].equity
        table = new_table("Play", unit, "Loss", *CHANCES, wrap=False)
        for play in choice.plays:
            cells = [f"{play.equity:+z.4f}", f"{best - play.equity:.4f}"]
            style = "bold" if play.play == choice.made else ""
            chances = chances_cells(play.probabilities)
            table.add_row(f"{play.play}  {play.level}".rstrip(), *cells, *chances, style=style)
        return table
    if choice.kind in (ChoiceKind.TAKE, ChoiceKind.PASS):
        return _answers_table(choice.values, unit, choice.level)
    table = new_table(f"Action  {choice.level}".rstrip(), unit, wrap=False)
    for name, value in zip(("No double", "Double, take", "Double, pass"), choice.values, strict=True):
        table.add_row(doubling_words(name, terms.owner), f"{value:+z.4f}")
    return table


def _answers_table(values: CubeValues, unit: str, level: str) -> Table:
    """Return the table of the answers to a double, the best first, for the player who answers."""
    table = new_table(f"Answer  {level}".rstrip(), unit, "Loss", wrap=False)
    equities = {"Pass": -values.double_pass, "Take": -values.double_take}
    best = max(equities.values())
    for name in sorted(equities, key=lambda answer: -equities[answer]):
        table.add_row(name, f"{equities[name]:+z.4f}", f"{best - equities[name]:.4f}")
    return table


def waits(due: datetime, now: datetime) -> str:
    """Return the wait until a time, in words."""
    left = max(due - now, timedelta())
    for unit, seconds in (("day", 86_400), ("hour", 3600), ("minute", 60)):
        count = round(left.total_seconds() / seconds)
        if count:
            return several(count, unit)
    return "a moment"
