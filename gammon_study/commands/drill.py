"""`gammon drill`: positions to train with."""

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import click

from gammon.base.errors import GammonError
from gammon.commands.options import Decimal, Integer, record_options, with_default
from gammon.commands.process import input_lines
from gammon.commands.shared import check_used, print_view, seed_option
from gammon.engine.question import Question
from gammon.formats.context import several
from gammon_study.commands.study import selecting
from gammon_study.library.selection import OF_DECISIONS, OF_ERRORS, OF_MATCHES, Selection
from gammon_study.reviews.names import DECKS, USUAL_DECKS

if TYPE_CHECKING:
    from gammon_study.library.library import Library

#: The number of cards in a drill without --cards and --minutes.
_CARDS = 20


@click.command()
@click.option(
    "--deck",
    "decks",
    multiple=True,
    type=click.Choice(DECKS),
    metavar="DECK",
    help="errors, reference, notes, openings, replies, cubes or races; may be repeated. All but "
    "reference unless given.",
)
@click.option(
    "--cards",
    type=Integer(1, 100_000),
    metavar="N",
    help="End after this many cards; 20 unless --minutes is given.",
)
@click.option(
    "--minutes",
    type=Decimal(0.0, 1440.0),
    metavar="N",
    help="End with the first answer after this many minutes.",
)
@record_options(Question, "judge", with_default("depth", 3, "Plies of the search that judges answers."))
@seed_option("the positions that are drawn")
@selecting(*OF_MATCHES, *OF_DECISIONS, *OF_ERRORS, make=True, own=True)
def drill(
    library: "Library",
    selection: Selection,
    decks: tuple[str, ...],
    cards: int | None,
    minutes: float | None,
    judge: Question,
    seed: int,
) -> None:
    """Ask about positions, and show what answers lose.

    Cards are your errors in the library of `gammon study`, a few that stand for all (reference),
    positions with a note, opening plays, replies to them, close doubles and takes, and races: pips,
    effective pips, and doubles and takes with a known exact answer. The better your answers to a card,
    the later it comes again. Write a play as
    `13/7 8/7`, n or d for no double or double, t or p for take or pass, a number, or ? if you do
    not know. An empty line ends the drill. The library stores each answer at once.

    The options from --player to --board select errors; without --player, yours (`gammon study me`).

    \b
    gammon drill --deck errors --player Ann --minutes 10
    gammon drill --deck races --cards 10
    """
    of_errors = *OF_MATCHES, *OF_DECISIONS, *OF_ERRORS
    check_used(
        "the deck errors or reference", bool({"errors", "reference"} & {*(decks or USUAL_DECKS)}), *of_errors
    )
    from gammon_study.library.drill import GIVEN_UP, Drill
    from gammon_study.view.cards import answer_view, card_view, waits

    session = Drill(library, decks or USUAL_DECKS, selection, seed, judge.depth)
    limit = cards or (None if minutes is not None else _CARDS)
    end = None if minutes is None else _now() + timedelta(minutes=minutes)
    click.echo(f"Due: {several(len(session.due()), 'card')}. An empty line ends the drill.\n")
    lines, lost, given_up = input_lines(), 0.0, 0
    grades: list[int] = []
    while (limit is None or len(grades) < limit) and (end is None or _now() < end):
        card = session.next()
        if card is None:
            click.echo("No card is left that is new or due.")
            break
        print_view(card_view(card, len(grades) + 1))
        answered = None
        while answered is None:
            click.echo("> ", nl=False)
            text = next(lines, "").strip()[:200]
            if not text:
                break
            try:
                answered = session.answered(card, text)
            except GammonError as error:
                click.echo(str(error))
        if answered is None:
            click.echo()
            break
        grades.append(answered.grade)
        lost += answered.lost
        given_up += text == GIVEN_UP
        click.echo()
        print_view(answer_view(answered))
        click.echo(f"It comes again in {waits(answered.due, _now())}.\n")
    right = sum(grade == 3 for grade in grades)
    answers = several(len(grades), "answer")
    unknown = f", {given_up} not known" if given_up else ""
    click.echo(f"{answers}, {right} right{unknown}, {-lost:+z.3f} in all")


def _now() -> datetime:
    return datetime.now(UTC)
