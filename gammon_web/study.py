"""The library of matches for the page: its statistics, errors, drills, matches, and notes on positions."""

from base64 import b64decode
from binascii import Error
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
from gammon.search import Stop
from gammon.view import to_json
from gammon.view.json_parts import encoded
from gammon_study.library.add import add_match
from gammon_study.library.decks import ASKS, Card
from gammon_study.library.drill import Drill
from gammon_study.library.export import StudiedChoice, choices_of
from gammon_study.library.library import Library, LockedError
from gammon_study.library.matches import (
    MatchList,
    match_list,
    match_number,
    remove_matches,
    rename_player,
    stored_review,
)
from gammon_study.library.notes import Note, NoteList, find_notes, note_on, write_note
from gammon_study.library.plan import DrillProgress, Plan, plan_of, progress_of
from gammon_study.library.record import board_of
from gammon_study.library.selection import Selection
from gammon_study.library.stats import Statistics, Trend, largest_errors, statistics, trend_of
from gammon_study.reviews.choice import Choice
from gammon_study.reviews.explain import explained
from gammon_study.reviews.names import DECKS, GROUPS, USUAL_DECKS
from gammon_study.view.cards import question
from gammon_study.view.json import ReviewJson, StudiedChoiceJson, studied_choice_json
from gammon_web import answers
from gammon_web.parameters import (
    AGAIN,
    DIGEST,
    DRILLED_DECKS,
    FIRST_ERROR,
    GROUPED_BY,
    MANY_ERRORS,
    NOTED_BOARD,
    NOTED_PLACE,
    NOTED_TAG,
    NOTED_THEME,
    NOTED_WORDS,
    READ_REVIEWS,
    SEED,
    SINCE_DRILL,
)
from gammon_web.query import Client, Query, read_entry, read_position
from gammon_web.refusal import Refusal, bad, busy, refusal_of, shown
from gammon_web.searches import REVIEWED
from gammon_web.stream import Emit, Stage

#: Seconds that a request waits for another program to finish writing into the library.
_PATIENCE = 2.0


class LibraryErrors(TypedDict):
    """Errors of a library.

    Attributes:
        count: how many errors the selection has.
        total_error: the equity that all these errors lost.
        choices: the decisions of the largest errors.
    """

    count: int
    total_error: float
    choices: list[StudiedChoiceJson]


class DrillCard(TypedDict):
    """A card of a drill.

    Attributes:
        ask: what the card asks for: `play`, `double`, `take`, `pips` or `epc`.
        xgid: the position; if the card asks for a take, with the double on offer.
        deck: the deck that the card comes from.
        note: a text to be shown after the answer.
        question: the question of the card in words.
        due: how many cards are due now.
        today: how many cards were answered today and are not due again.
    """

    ask: str
    xgid: str
    deck: str
    note: str
    question: str
    due: int
    today: int


class DrillAnswer(TypedDict):
    """The judgement of an answer to a card.

    Attributes:
        grade: 1 for a wrong answer, 2 for a small error, 3 for a right answer.
        right: the right number, if the card asks for a number.
        choice: the decision and the best one, if the card asks for a decision.
        days: days until the card comes again.
    """

    grade: int
    right: float | None
    choice: StudiedChoiceJson | None
    days: float


class AddedFile(TypedDict):
    """The fate of a file that was to be added to the library.

    Attributes:
        file: the name of the file.
        what: `reviewed`, `kept as analyzed`, `continued`, `already there`, `removed before`, or
            `left out`.
        detail: who analyzed the match, or why it is left out.
    """

    file: str
    what: str
    detail: str


class Changed(TypedDict):
    """A change of the library.

    Attributes:
        matches: how many matches were changed or removed.
    """

    matches: int


@contextmanager
def library_of(query: Query, make: bool = False) -> Iterator[Library]:
    """Open the library of the server.

    Args:
        query: the request, which has the limits.
        make: whether a missing library is created.

    Raises:
        Refusal: the server has no library, its file is missing, or another program locks it.
        GammonError: the library cannot be opened.
    """
    path = query.limits.library
    if path is None:
        raise Refusal(404, "not_found", "this server has no library: gammon serve --library")
    if not (make or path.exists()):
        raise Refusal(404, "not_found", "no matches yet: `gammon study add FOLDER` adds them")
    try:
        with Library(path, make, patience=_PATIENCE) as opened:
            yield opened
    except LockedError:
        raise busy("another program uses the library: try again in a second") from None


def check_editable(query: Query) -> None:
    """Raise a `Refusal` if other machines can reach the server, whose library then stays as it is."""
    if not query.limits.editable:
        raise Refusal(403, "forbidden_host", "other machines can reach this server: its library stays")


def stats(query: Query, client: Client) -> Annotated[dict[str, Any], Statistics]:
    """Answer `GET /study/stats`: the JSON of `gammon study stats --json`."""
    with library_of(query) as library:
        by = _one_of("by", query.value(GROUPED_BY), GROUPS)
        return to_json(statistics(library, query.record(Selection), by))


def trend(query: Query, client: Client) -> Annotated[Any, list[Trend]]:
    """Answer `GET /study/trend`: the PR of each match, in the order of the days."""
    with library_of(query) as library:
        return encoded(trend_of(library, query.record(Selection)))


def plan(query: Query, client: Client) -> Annotated[dict[str, Any], Plan]:
    """Answer `GET /study/plan`: the JSON of `gammon study plan --json`."""
    with library_of(query) as library:
        return to_json(plan_of(library, query.record(Selection)))


def progress(query: Query, client: Client) -> Annotated[dict[str, Any], DrillProgress]:
    """Answer `GET /study/progress`: the JSON of `gammon study progress --json`."""
    with library_of(query) as library:
        return to_json(progress_of(library, query.record(Selection), query.value(SINCE_DRILL)))


def errors(query: Query, client: Client) -> LibraryErrors:
    """Answer `GET /study/errors`."""
    begin, most, read = (query.value(name) for name in (FIRST_ERROR, MANY_ERRORS, READ_REVIEWS))
    with library_of(query) as library:
        selected, count, total_error = largest_errors(library, query.record(Selection), begin + most)
        client.check()
        choices = [studied_choice_json(choice) for choice in choices_of(library, selected[begin:], read)]
        return {"count": count, "total_error": total_error, "choices": encoded(choices)}


def card(query: Query, client: Client) -> DrillCard | None:
    """Answer `GET /study/card`: the due card that waited longest, or else a new card."""
    decks = query.texts(DRILLED_DECKS.name) or list(USUAL_DECKS)
    with library_of(query, make=query.limits.editable) as library:
        for deck in decks:
            _one_of("deck", deck, DECKS)
        # The number of answers so far determines the deck of the next new card.
        (row,) = library.ask("SELECT SUM(answers) AS given FROM card")
        first = (row["given"] or 0) % len(decks)
        drill = _drill(library, [*decks[first:], *decks[:first]], query)
        due = drill.due()
        card = drill.next()
        if card is None:
            return None
        return {
            "ask": card.ask,
            "xgid": card.xgid,
            "deck": card.deck,
            "note": card.note,
            "question": question(card),
            "due": len(due),
            "today": drill.today(),
        }


def answer(query: Query, client: Client) -> DrillAnswer:
    """Answer `POST /study/answer`: the judgement of an answer to a card."""
    body = query.json()
    card, text = _card(body), read_entry(body, "answer", Text(), "")
    with library_of(query) as library:
        drill = _drill(library, [card.deck], query)
        try:
            judged = drill.answered(card, text)
        except (FormatError, IllegalPlayError, AmbiguousPlayError) as error:
            raise refusal_of(error, "answer") from None
        except (IllegalPositionError, SettingError) as error:
            raise refusal_of(error, "xgid") from None
    return {
        "grade": judged.grade,
        "right": judged.right,
        "choice": None if judged.choice is None else encoded(_studied(card, judged.choice)),
        "days": (judged.due - datetime.now(UTC)).total_seconds() / 86_400,
    }


def notes(query: Query, client: Client) -> Annotated[dict[str, Any], NoteList]:
    """Answer `GET /study/notes`: the JSON of `gammon study find --json`."""
    words, tag, theme, board, place = map(
        query.value, (NOTED_WORDS, NOTED_TAG, NOTED_THEME, NOTED_BOARD, NOTED_PLACE)
    )
    there = None if place is None else board_of(read_position(place, NOTED_PLACE.name))
    with library_of(query, make=query.limits.editable) as library:
        return to_json(find_notes(library, words, tag, theme, board, there))


def note(query: Query, client: Client) -> Annotated[dict[str, Any], Note]:
    """Answer `POST /study/note`: the text and the tags replace those that the position had."""
    check_editable(query)
    body = query.json()
    xgid = read_position(read_entry(body, "xgid", Text(), None), "xgid").xgid
    text, tags = read_entry(body, "text", Text(), ""), body.get("tags")
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        raise bad("tags: expected texts", "tags")
    with library_of(query, make=True) as library:
        known = note_on(library, xgid)
        gone = [f"-{tag}" for tag in (known.tags if known else ()) if tag not in tags]
        try:
            written = write_note(library, xgid, text, [*gone, *filter(None, tags)])
        except SettingError as error:
            raise refusal_of(error, "tags" if str(error).startswith("tag") else "text") from None
    answer: dict[str, Any] = encoded(written)
    return answer


def _studied(card: Card, choice: Choice) -> StudiedChoiceJson:
    explanation = explained(choice, Position.parse(card.xgid))
    return studied_choice_json(StudiedChoice(choice, *explanation, ("You", "You"), card.deck))


def _drill(library: Library, decks: list[str], query: Query) -> Drill:
    seed = query.value(SEED)
    return Drill(library, decks, query.record(Selection), seed, query.depth)


def _card(body: Mapping[str, Any]) -> Card:
    """Return the card of a body.

    Raises:
        Refusal: an entry is not a text, the XGID is invalid, the card asks for a play without a
            roll or for something unknown, or there is no such deck.
    """
    for name in Card._fields:
        if not isinstance(body.get(name), str):
            raise bad(f"{name}: expected a text, as the card has it", name)
    card = Card(*(body[name] for name in Card._fields))
    _one_of("ask", card.ask, ASKS)
    _one_of("deck", card.deck, DECKS)
    position = read_position(card.xgid, "xgid")
    if card.ask == "play" and position.dice is None:
        raise bad(f"xgid {shown(card.xgid)}: expected a position with a roll", "xgid")
    return card


def _one_of(name: str, value: str, choices: Iterable[str]) -> str:
    """Return a name if it is one of some names; else raise a `Refusal`."""
    try:
        return one_of(name, value, choices)
    except SettingError as error:
        raise refusal_of(error, name) from None


def matches(query: Query, client: Client) -> Annotated[dict[str, Any], MatchList]:
    """Answer `GET /library/matches`: the JSON of `gammon study list --json`."""
    with library_of(query) as library:
        return to_json(match_list(library, query.record(Selection)))


def match(query: Query, client: Client) -> Annotated[dict[str, Any], ReviewJson]:
    """Answer `GET /library/match`: the review of a match, from its stored results."""
    with library_of(query) as library:
        return to_json(stored_review(library, _number(library, query.text(DIGEST.name))).review)


def remove(query: Query, client: Client) -> Changed:
    """Answer `POST /library/remove`."""
    check_editable(query)
    digest = read_entry(query.json(), "digest", Text(), None)
    with library_of(query) as library:
        return {"matches": remove_matches(library, [_number(library, digest)])}


def rename(query: Query, client: Client) -> Changed:
    """Answer `POST /library/rename`."""
    check_editable(query)
    body = query.json()
    player, name = (read_entry(body, entry, Text(), None) for entry in ("player", "name"))
    with library_of(query) as library:
        return {"matches": rename_player(library, player, name)}


def add_stages(
    query: Query, client: Client
) -> Annotated[list[Stage], {"progress": answers.Progress, "added": AddedFile}]:
    """Answer `POST /library/add`: review the match of a file, and add it."""
    check_editable(query)
    body, seed, removed = query.json(), query.value(SEED), query.value(AGAIN)
    file = read_entry(body, "file", Text(), "")
    try:
        content = b64decode(read_entry(body, "data", Text(), ""), validate=True)
    except (Error, ValueError):
        raise bad("data: expected the bytes of a file in base64", "data") from None

    def work(client: Client, emit: Emit) -> None:
        def tell(done: int, total: int) -> None:
            progress: answers.Progress = {"done": done, "total": total, "depth": query.depth}
            emit("progress", progress)

        stop = Stop(query.limits.review_seconds, client.stop)
        with library_of(query, make=True) as library:
            added = add_match(
                library, file, content, REVIEWED, stop, query.depth, query.level, seed, removed, tell
            )
        emit("added", added._asdict())

    return [Stage(query.depth, work)]


def _number(library: Library, digest: str | None) -> int:
    """Return the number of the match of a digest.

    Raises:
        Refusal: the library has no such match, or no digest is given.
    """
    if digest is None:
        raise bad("no digest: expected the digest of a match, as /library/matches gives it", "digest")
    try:
        return match_number(library, digest)
    except SettingError as error:
        raise Refusal(404, "not_found", str(error), "digest") from None
