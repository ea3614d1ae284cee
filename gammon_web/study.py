"""The library of matches for the page: its statistics, its errors, and drills."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Annotated, Any, TypedDict

from gammon.base.checks import one_of
from gammon.base.errors import (
    AmbiguousPlayError,
    FormatError,
    IllegalPlayError,
    IllegalPositionError,
    SettingError,
)
from gammon.base.settings import Text
from gammon.formats.position import Position
from gammon.view import to_json
from gammon.view.json_parts import encoded
from gammon_study.library.ask import Selection
from gammon_study.library.decks import ASKS, Card
from gammon_study.library.drill import Drill
from gammon_study.library.errors import errors_found
from gammon_study.library.export import StudiedChoice, choices_of
from gammon_study.library.library import Library, LockedError
from gammon_study.library.stats import statistics
from gammon_study.reviews.choice import Choice
from gammon_study.reviews.explain import explained
from gammon_study.reviews.names import DECKS, GROUPS
from gammon_study.view.drill import question
from gammon_study.view.json import StatisticsJson, StudiedChoiceJson, studied_choice_json
from gammon_web.asked import Asked, read_entry, read_position
from gammon_web.client import Client
from gammon_web.parameters import DRILLED_DECKS, GROUPED_BY, MANY_ERRORS, SEED
from gammon_web.refusal import Refusal, bad, busy, refusal_of, shown

#: Seconds that a request waits for another program to have written into the library.
_PATIENCE = 2.0


class LibraryErrors(TypedDict):
    """Errors of a library.

    Attributes:
        count: how many there are like that.
        lost: equity, by all of them.
        choices: the largest ones.
    """

    count: int
    lost: float
    choices: list[StudiedChoiceJson]


class DrillCard(TypedDict):
    """A card of a drill.

    Attributes:
        ask: what is asked: `play`, `double`, `take`, `pips` or `epc`.
        xgid: the position; where a take is asked for, with the double on offer.
        deck: that it comes from.
        note: what is told after the answer.
        question: the same in words.
        due: the cards that are to be answered again now.
        today: those that were answered today, and are not due again.
    """

    ask: str
    xgid: str
    deck: str
    note: str
    question: str
    due: int
    today: int


class DrillAnswer(TypedDict):
    """The worth of an answer to a card.

    Attributes:
        grade: 1 for a wrong answer, 2 for a small error, 3 for a right one.
        right: the number that is right, where one is asked for.
        choice: what was decided, and what is right.
        days: until the card comes again.
    """

    grade: int
    right: float | None
    choice: StudiedChoiceJson | None
    days: float


@contextmanager
def _library(asked: Asked) -> Iterator[Library]:
    """Open the library of the server.

    Raises:
        Refusal: it has none, or none any more, or another program does not leave it.
        GammonError: it cannot be opened.
    """
    path = asked.limits.library
    if path is None:
        raise Refusal(404, "not_found", "this server has no library: gammon serve --library")
    if not path.exists():
        raise Refusal(404, "not_found", "the library of this server is not there any more")
    try:
        with Library(path, patience=_PATIENCE) as opened:
            yield opened
    except LockedError:
        raise busy("another program uses the library: try again in a second") from None


def stats(asked: Asked, client: Client) -> Annotated[dict[str, Any], StatisticsJson]:
    """Answer `GET /study/stats`: what `gammon study stats --json` writes."""
    with _library(asked) as library:
        by = _one_of("by", asked.value(GROUPED_BY), GROUPS)
        return to_json(statistics(library, asked.record(Selection), by))


def errors(asked: Asked, client: Client) -> LibraryErrors:
    """Answer `GET /study/errors`."""
    most = asked.value(MANY_ERRORS)
    with _library(asked) as library:
        found, count, lost = errors_found(library, asked.record(Selection), most)
        client.check()
        choices = [studied_choice_json(choice) for choice in choices_of(library, found)]
        return {"count": count, "lost": lost, "choices": encoded(choices)}


def card(asked: Asked, client: Client) -> DrillCard | None:
    """Answer `GET /study/card`: the one that waited longest, or else a new one."""
    decks = asked.texts(DRILLED_DECKS.name) or list(DECKS)
    with _library(asked) as library:
        for deck in decks:
            _one_of("deck", deck, DECKS)
        # New cards come of one deck after the other, by how many were answered.
        (row,) = library.ask("SELECT SUM(answers) AS given FROM card")
        first = (row["given"] or 0) % len(decks)
        drill = _drill(library, [*decks[first:], *decks[:first]], asked)
        due = drill.due()
        found = drill.next()
        if found is None:
            return None
        return {
            "ask": found.ask,
            "xgid": found.xgid,
            "deck": found.deck,
            "note": found.note,
            "question": question(found),
            "due": len(due),
            "today": drill.today(),
        }


def answer(asked: Asked, client: Client) -> DrillAnswer:
    """Answer `POST /study/answer`: what an answer to a card is worth."""
    body = asked.json()
    found, text = _card(body), read_entry(body, "answer", Text(), "")
    with _library(asked) as library:
        drill = _drill(library, [found.deck], asked)
        try:
            told = drill.answered(found, text)
        except (FormatError, IllegalPlayError, AmbiguousPlayError) as error:
            raise refusal_of(error, "answer") from None
        except (IllegalPositionError, SettingError) as error:
            raise refusal_of(error, "xgid") from None
    return {
        "grade": told.grade,
        "right": told.right,
        "choice": None if told.choice is None else encoded(_studied(found, told.choice)),
        "days": (told.due - datetime.now(UTC)).total_seconds() / 86_400,
    }


def _studied(card: Card, choice: Choice) -> StudiedChoiceJson:
    said = explained(choice, Position.parse(card.xgid))
    return studied_choice_json(StudiedChoice(choice, None, *said, ("You", "You"), card.deck))


def _drill(library: Library, decks: list[str], asked: Asked) -> Drill:
    seed = asked.value(SEED)
    return Drill(library, decks, asked.record(Selection), seed, asked.depth)


def _card(body: Mapping[str, Any]) -> Card:
    """Return the card of a body.

    Raises:
        Refusal: an entry is no text, the XGID is none, or a play is asked for without a roll;
            it asks for something else, or there is no such deck.
    """
    for name in Card._fields:
        if not isinstance(body.get(name), str):
            raise bad(f"{name}: expected a text, as the card has it", name)
    found = Card(*(body[name] for name in Card._fields))
    _one_of("ask", found.ask, ASKS)
    _one_of("deck", found.deck, DECKS)
    position = read_position(found.xgid, "xgid")
    if found.ask == "play" and position.dice is None:
        raise bad(f"xgid {shown(found.xgid)}: expected a position with a roll", "xgid")
    return found


def _one_of(name: str, value: str, choices: Iterable[str]) -> str:
    """Return one of some names; a `Refusal` says that it is none."""
    try:
        return one_of(name, value, choices)
    except SettingError as error:
        raise refusal_of(error, name) from None
