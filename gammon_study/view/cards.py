"""The cards of a drill for the terminal, and the judgement of answers."""

from datetime import datetime, timedelta

from rich.console import Group as Parts
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from gammon.formats.characters import one_line
from gammon.formats.context import SEATS, cube_words, doubling_words, score_words, several
from gammon.formats.position import Position
from gammon.view.analysis import CHANCES, chances_cells
from gammon.view.heading import board_view, money_words, unit_of
from gammon.view.tables import indented, new_table, without_last_columns
from gammon_study.library.decks import Card
from gammon_study.library.drill import Answered
from gammon_study.reviews.choice import Choice, ChoiceKind, CubeValues
from gammon_study.reviews.explain import why

_GRADES = {1: "Wrong", 2: "Nearly right", 3: "Right"}


def question(card: Card) -> str:
    """Return the question of a card."""
    position = Position.parse(card.xgid)
    context = position.context
    own, their = SEATS[context.on_roll], SEATS[-context.on_roll]
    terms = context.terms()
    at_stake = score_words(context) if context.length else f"for {money_words(terms)}"
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
            loss = best - play.equity  # a less deep play may seem better than the best one
            cells = [f"{play.equity:+z.4f}", "" if loss < 0.0 else f"{loss:.4f}"]
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
