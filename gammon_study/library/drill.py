"""Drills: choose the next card, judge an answer, and schedule the card again.

A pasted position is judged as a card is, as if it were a decision of a library.

The library stores the state of each card that was answered. The package `fsrs`, in the extra
`drill`, schedules the cards.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, NamedTuple

from gammon.base.checks import shown
from gammon.base.errors import FormatError
from gammon.engine.bearoff import bearoff
from gammon.engine.cube import decision_terms
from gammon.formats.met_file import read_met
from gammon.formats.pasted import read_pasted
from gammon.formats.play import find_play, legal_plays
from gammon.formats.position import Position
from gammon.rules.match_equity import MatchEquityTable
from gammon_study.library.decks import ASKS, OF_LIBRARY, Card, ask_of, new_cards
from gammon_study.library.export import StudiedChoice
from gammon_study.library.library import Library, Row
from gammon_study.library.selection import Selection
from gammon_study.library.stats import Error
from gammon_study.reviews.choice import ALIKE, BLUNDERS, Choice, ChoiceKind
from gammon_study.reviews.explain import explained, game_phase
from gammon_study.reviews.task import cube_choice, play_choice, review_facts, review_unit

#: The answer of a person who does not know.
GIVEN_UP = "?"
#: The answers about the cube, by what a card asks; their first letters are enough.
_ACTIONS = {"double": (ChoiceKind.NO_DOUBLE, ChoiceKind.DOUBLE), "take": (ChoiceKind.TAKE, ChoiceKind.PASS)}
#: The largest errors of a number that is right, and of a number that is nearly right.
_OFF = {"pips": (0.0, 0.0), "epc": (1.0, 2.0)}
#: A number as a person writes it.
_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)")
#: The errors that `fsrs` raises on a damaged card.
_DAMAGES = (
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
    AssertionError,
    RecursionError,
)
#: A card whose last answer is this far in the future was answered under a wrong clock.
_LATER = timedelta(days=1)
#: The grades of `fsrs` for a wrong, a nearly right and a right answer.
_GRADES = 1, 2, 3


class Answered(NamedTuple):
    """A card that was answered.

    Attributes:
        card: the card.
        grade: 1 for a wrong answer, 2 for a small error, 3 for a right answer.
        choice: the decision and the best one; None if the card asks for a number.
        right: the right number, or None.
        due: when the card comes again.
    """

    card: Card
    grade: int
    choice: Choice | None
    right: float | None
    due: datetime

    @property
    def lost(self) -> float:
        """The equity that the answer lost; 0 if the card asks for a number."""
        return 0.0 if self.choice is None else self.choice.error


class Drill:
    """A drill under way.

    Args:
        library: an open library, which stores the answers.
        decks: the names of the decks, from which new cards come by turns.
        selection: the selection of errors.
        seed: determines the positions that are drawn.
        depth: plies of the search that judges answers.
        now: returns the time, in UTC.

    Raises:
        SettingError: the selection is malformed, or there is no such depth.
    """

    def __init__(
        self,
        library: Library,
        decks: Sequence[str],
        selection: Selection,
        seed: int = 1,
        depth: int = 3,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        import fsrs  # which takes a while to import

        selection.of_errors()  # raises an error if the selection is malformed
        self._fsrs = fsrs
        self._scheduler = fsrs.Scheduler(enable_fuzzing=False)
        self._library, self._decks, self._now = library, tuple(decks), now
        self._by_deck: dict[str, dict[tuple[str, str], Card]] = {}
        self._deck = partial(new_cards, library=library, selection=selection, seed=seed)
        self._facts, self._met = review_facts(depth, "leaf", read_met()), read_met()
        self._fresh = self._turns([self._deck(deck) for deck in decks])

    def _turns(self, decks: list[Iterator[Card]]) -> Iterator[Card]:
        """Yield cards that were never answered, from each deck in turn."""
        while decks:
            for deck in tuple(decks):
                card = next((candidate for candidate in deck if not self._known(candidate)), None)
                if card is None:
                    decks.remove(deck)
                else:
                    yield card

    def _known(self, card: Card) -> list[dict[str, Any]]:
        question = "SELECT * FROM card WHERE ask = ? AND xgid = ?"
        return self._library.ask(question, [card.ask, card.xgid])

    def due(self) -> list[Card]:
        """Return the cards that are due, the longest waiting first.

        A card that was answered while the clock was ahead is due, too.
        """
        return self._answered_cards(
            "(due <= ? OR CASE WHEN json_valid(state) THEN json_extract(state, '$.last_review') > ? END)",
            [_text(self._now()), (self._now() + _LATER).isoformat()],
        )

    def today(self) -> int:
        """Return how many cards of these decks were answered today and are not due again.

        The day begins at midnight by the clock of this machine.
        """
        now = self._now()
        begun = now.astimezone().replace(hour=0, minute=0, second=0, microsecond=0)
        answered = self._answered_cards(
            "due > ? AND CASE WHEN json_valid(state) THEN json_extract(state, '$.last_review') >= ? END",
            [_text(now), begun.astimezone(UTC).isoformat()],
        )
        return len(answered)

    def _answered_cards(self, condition: str, values: list[str]) -> list[Card]:
        """Return the answered cards of these decks that fulfil an SQL condition, by the days they are due."""
        asks = ", ".join("?" * len(ASKS))
        rows = self._library.ask(
            "SELECT ask, xgid, deck, note FROM card "
            f"WHERE {condition} AND ask IN ({asks}) ORDER BY due, xgid",
            [*values, *ASKS],
        )
        for row in rows:  # an earlier gammon ended some notes with a full stop
            row["note"] = str(row["note"]).removesuffix(".")
        return [card for row in rows if (card := self._meant(Card(**row)))]

    def _meant(self, card: Card) -> Card | None:
        """Return a card if it is of these decks, and if it is an error, of the selected ones; else None.

        A card has the deck of its first answer. Other decks of the library may have it, too. The match
        may have been removed, or the note changed or taken away since then.
        """
        key = card.ask, card.xgid
        if card.deck in self._decks and card.deck != "notes":
            of_errors = card.deck in ("errors", "reference")
            return card if not of_errors or key in self._cards("errors") else None
        for deck in OF_LIBRARY:
            if deck in self._decks and (present := self._cards(deck).get(key)):
                return card._replace(note=present.note) if card.deck == "notes" else card
        return None

    def _cards(self, deck: str) -> dict[tuple[str, str], Card]:
        """Return the cards of a deck of the library by what they ask."""
        if deck not in self._by_deck:
            self._by_deck[deck] = {(card.ask, card.xgid): card for card in self._deck(deck)}
        return self._by_deck[deck]

    def next(self) -> Card | None:
        """Return the next card: a due one, or else a new one; None if there is neither."""
        due = self.due()
        return due[0] if due else next(self._fresh, None)

    def answered(self, card: Card, text: str) -> Answered:
        """Judge an answer, store it, and return the judgement.

        Raises:
            FormatError: the text is not an answer to the card, or the library is damaged.
            IllegalPlayError: the play is not legal.
            AmbiguousPlayError: the text can mean several plays.
        """
        position, text = Position.parse(card.xgid), text.strip()
        choice = right = None
        if card.ask in _OFF:
            right, grade = _number(card, position, text)
        else:
            choice = judged(card, text, self._facts, self._met)
            grade = 1 + (choice.error < BLUNDERS[0]) + (choice.error < ALIKE)
            if text == GIVEN_UP:
                grade, choice = 1, choice._replace(made=choice.best, error=0.0, cost=0.0)
        with self._library.writing():  # nothing is written between reading the card and storing it
            due = self._keep(card, grade, choice.error if choice else 0.0)
        return Answered(card, grade, choice, right, due)

    def _keep(self, card: Card, grade: int, lost: float) -> datetime:
        """Store an answer, and return when the card is due."""
        known = self._known(card)
        today = self._now().date().isoformat()
        row: Row = known[0] if known else {"answers": 0, "lost": 0.0, "began": today}
        try:
            state = self._fsrs.Card.from_json(str(row["state"])) if known else self._fsrs.Card()
            if state.last_review and state.last_review > self._now() + _LATER:
                state = self._fsrs.Card()
            rating = self._fsrs.Rating(_GRADES[grade - 1])
            state, _ = self._scheduler.review_card(state, rating, self._now())
        except _DAMAGES:
            path = shown(str(self._library.path))
            raise FormatError(f"{path}: a card is damaged") from None
        self._library.keep_card(
            {
                **card._asdict(),
                "state": state.to_json(),
                "due": _text(state.due),
                "answers": row["answers"] + 1,
                "lost": row["lost"] + lost,
                "began": row["began"],
            }
        )
        due: datetime = state.due
        return due


def judged(card: Card, text: str, facts: dict[str, Any], met: MatchEquityTable) -> Choice:
    """Return the decision that an answer to a card makes; without an answer, any decision.

    Args:
        card: asks for a play, a double or a take.
        text: the answer, or `GIVEN_UP`.
        facts: the settings of the analysis, from `review_facts`.
        met: the match equity table.

    Raises:
        FormatError: the text is not an answer to the card.
        IllegalPlayError: the play is not legal.
        AmbiguousPlayError: the text can mean several plays.
    """
    position, item = Position.parse(card.xgid), dict[str, Any](action=0)
    kind = ChoiceKind.PLAY
    if card.ask == "play":
        dice = position.dice or (0, 0)
        play = legal_plays(position, dice)[0] if text == GIVEN_UP else find_play(position, dice, text)
        item |= {"roll": card.xgid, "play": play.notation, "first": False}
    else:
        kind = _action(card, text)
        item["cube"] = position.with_offer(False).xgid
    (result,) = review_unit({**facts, "game": 0, "items": [item]})
    if kind is ChoiceKind.PLAY:
        return play_choice(item, result, met)
    return cube_choice(kind, item, result, met)


def _text(time: datetime) -> str:
    return time.isoformat(" ", "seconds")


def _action(card: Card, text: str) -> ChoiceKind:
    """Return the action that a person wrote; for a person who gives up, the first one."""
    kinds = _ACTIONS[card.ask]
    if text == GIVEN_UP:
        return kinds[0]
    prefix = text.lower().replace("redouble", "double")
    matching = [kind for kind in kinds if prefix and kind.value.startswith(prefix)]
    if not matching:
        words = " or ".join(f"{kind.value[0]} for {kind.value}" for kind in kinds)
        raise FormatError(f"{shown(text)}: expected {words}")
    return matching[0]


def _number(card: Card, position: Position, text: str) -> tuple[float, int]:
    """Return the right number, and the grade of a person's answer."""
    right = float(position.pips[0])
    if card.ask == "epc":
        right = bearoff(position).own.epc
    if text == GIVEN_UP:
        return right, 1
    if not _NUMBER.fullmatch(text):
        raise FormatError(f"{shown(text)}: expected a number")
    off = abs(float(text) - right)
    good, near = _OFF[card.ask]
    return right, 1 + (off <= near) + (off <= good)


def judged_position(text: str, depth: int) -> tuple[Error, StudiedChoice]:
    """Return the right decision at a pasted position, as an error without a loss and without players.

    Args:
        text: a text with the position.
        depth: plies of the search.

    Raises:
        FormatError: the text has no position, or the player cannot decide anything there.
        GammonError: no game has this position or score.
    """
    position, met = Position(*read_pasted(text)), read_met()
    ask = ask_of(position)
    if ask == "double" and not decision_terms(position).may_offer:
        raise FormatError(f"{position.xgid}: the player on roll cannot double")
    choice = judged(Card(ask, position.xgid, "notes"), GIVEN_UP, review_facts(depth, "leaf", met), met)
    choice = choice._replace(made=choice.best, error=0.0, cost=0.0)
    text, themes = explained(choice, position)
    terms = position.context.terms()
    error = Error(
        0, "", None, "", "", terms.length, 0, choice.kind.value, game_phase(position.points), themes,
        choice.xgid, choice.made, choice.best, 0.0, 0.0, text,
    )  # fmt: skip
    return error, StudiedChoice(choice, text, themes, ("", ""), "")
