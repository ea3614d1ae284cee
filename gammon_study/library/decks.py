"""Decks of cards for drills: your own errors, openings, replies, doubles and takes, and races.

A card asks one question about a position. The cards of errors come from a library; a seed
determines the positions of the other decks and the order of their cards.

The reference positions are few errors whose neighbourhoods contain all others, the most costly
first. Two positions are neighbours if moving checkers on one board to places of the same side on
the other takes at most `REACH` pips in all, as in blunderDB (its decision record 0080), and if the
decisions are of one kind: both plays, both doubles or both takes.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gammon.engine.cube import decision_terms
from gammon.engine.engine import Engine
from gammon.formats.context import Context
from gammon.formats.play import find_play
from gammon.formats.position import Position
from gammon.rules.board import CHECKERS, SIZE
from gammon.rules.dice import ROLLS
from gammon.rules.home import MOST_CHECKERS
from gammon_study.library.judged_decisions import judged_decisions
from gammon_study.library.library import Library
from gammon_study.library.notes import find_notes
from gammon_study.library.selection import Selection
from gammon_study.library.stats import Error, largest_errors
from gammon_study.reviews.names import KINDS_BY_PART

#: The kinds of questions of cards.
ASKS = "play", "double", "take", "pips", "epc"
#: The decks whose cards come from a library.
OF_LIBRARY = "notes", "errors", "reference"

#: The best play of each opening roll in our book, docs/analyze.md.
BOOK = {
    "21": "24/23 13/11", "31": "8/5 6/5", "32": "24/21 13/11", "41": "24/23 13/9",
    "42": "8/4 6/4", "43": "24/21 13/9", "51": "24/23 13/8", "52": "24/22 13/8",
    "53": "8/3 6/3", "54": "24/20 13/8", "61": "13/7 8/7", "62": "24/18 13/11",
    "63": "24/18 13/10", "64": "8/2 6/2", "65": "24/13",
}  # fmt: skip
#: A card asks about a double or a take that gains or loses less than this at depth 1.
_CLOSE = 0.15
#: The number of positions that are drawn for a deck of races.
_MOST = 2000
#: The most pips between neighbours.
REACH = 12


class Card(NamedTuple):
    """A question about a position.

    Attributes:
        ask: one of `ASKS`.
        xgid: the position; if the card asks for a take, with the double on offer.
        deck: the deck that the card comes from.
        note: a text to be shown after the answer, without a full stop.
    """

    ask: str
    xgid: str
    deck: str
    note: str = ""


def new_cards(deck: str, library: Library, selection: Selection, seed: int) -> Iterator[Card]:
    """Yield the cards of a deck.

    Args:
        deck: one of `gammon_study.reviews.names.DECKS`.
        library: an open library.
        selection: the selection of errors.
        seed: determines the positions and their order.

    Raises:
        SettingError: the selection is malformed.
    """
    if deck == "errors":
        yield from map(card_of, largest_errors(library, selection).errors)
    elif deck == "reference":
        for position in reference_positions(library, selection, _MOST).positions:
            yield card_of(position.error)._replace(deck=deck)
    elif deck == "notes":
        for note in find_notes(library, remarks=False).notes:
            place = Position.parse(note.xgid)
            if ask_of(place) != "double" or decision_terms(place).may_offer:
                yield Card(ask_of(place), note.xgid, deck, note.text)
    else:
        yield from _DRAWN[deck](np.random.default_rng(seed))


def ask_of(position: Position) -> str:
    """Return what a card about a position asks for, one of `ASKS`."""
    return "play" if position.dice else "take" if position.context.offer == "D" else "double"


def card_of(error: Error) -> Card:
    """Return the card that asks for the decision of an error again."""
    ask = {"no double": "double", "pass": "take"}.get(error.kind, error.kind)
    day = f" on {error.played}" if error.played else ""
    who = f"{error.player} against {error.opponent}{day}"
    return Card(ask, error.xgid, "errors", f"{who}: {error.made}, {-error.error:+z.3f}")


def _openings(rng: np.random.Generator) -> Iterator[Card]:
    for number in rng.permutation(len(BOOK)):
        roll = list(BOOK)[number]
        position = Position.opening().with_dice((int(roll[0]), int(roll[1])))
        yield Card("play", position.xgid, "openings")


def _replies(rng: np.random.Generator) -> Iterator[Card]:
    cards = [(roll, reply) for roll in BOOK for reply in ROLLS]
    for number in rng.permutation(len(cards)):
        roll, reply = cards[number]
        dice = int(roll[0]), int(roll[1])
        before = find_play(Position.opening(), dice, BOOK[roll]).position
        note = f"It answers {roll}, {BOOK[roll]}"
        yield Card("play", before.with_dice(reply).xgid, "replies", note)


def _cubes(rng: np.random.Generator) -> Iterator[Card]:
    """Yield close doubles and takes at positions of the judged decisions for `gammon grade`."""
    known = judged_decisions()
    for number in rng.permutation(len(known)):
        if known[number].phase not in ("race", "bearoff"):
            yield from _close(Position(known[number].points, Context()), "cubes")


def _close(position: Position, deck: str) -> Iterator[Card]:
    """Yield the double of a position if it is close, and the take if it is close."""
    analysis = Engine(depth=1).cube(position)
    if analysis.gain is None or analysis.answer_gain is None:
        return
    if abs(analysis.gain) < _CLOSE:
        yield Card("double", position.xgid, deck)
    if analysis.answer_gain < _CLOSE:
        yield Card("take", position.with_offer(True).xgid, deck)


def _races(rng: np.random.Generator) -> Iterator[Card]:
    """Yield pip counts, effective pip counts, and cube decisions that are known exactly."""
    known = judged_decisions()
    for number in rng.integers(len(known), size=_MOST):
        yield Card("pips", Position(known[number].points, Context()).xgid, "races")
        own, their = rng.integers(CHECKERS // 3, CHECKERS + 1, size=2)
        yield Card("epc", _bearoff(rng, own, their).xgid, "races")
        for _ in range(_MOST):
            own, their = rng.integers(2, MOST_CHECKERS + 1, size=2)
            if cards := list(_close(_bearoff(rng, own, their), "races")):
                yield from cards
                break


def _bearoff(rng: np.random.Generator, own: int, their: int) -> Position:
    """Return a random race for money with the cube in the centre and all checkers at home.

    Args:
        rng: draws the points.
        own: checkers of the player on roll.
        their: checkers of the opponent.
    """
    points = [0] * SIZE
    for place in rng.integers(1, 7, size=own):
        points[place] += 1
    for place in rng.integers(19, 25, size=their):
        points[place] -= 1
    return Position(tuple(points), Context())


_DRAWN: dict[str, Callable[[np.random.Generator], Iterator[Card]]] = {
    "openings": _openings,
    "replies": _replies,
    "cubes": _cubes,
    "races": _races,
}


class ReferencePosition(NamedTuple):
    """An error that stands for others.

    Attributes:
        error: the error.
        covers: how many errors it stands for that no earlier one does, itself included.
        total_error: the equity that these errors lost.
    """

    error: Error
    covers: int
    total_error: float


class ReferencePositions(NamedTuple):
    """Errors that stand for all errors of a selection.

    Attributes:
        positions: the errors, each the one that stands for the largest loss left.
        number: how many errors the selection has.
        total_error: the equity that all these errors lost.
    """

    positions: list[ReferencePosition]
    number: int
    total_error: float


def reference_positions(library: Library, selection: Selection, most: int) -> ReferencePositions:
    """Return the reference positions of a selection of errors, by greedy cover.

    Args:
        library: an open library.
        selection: the selection.
        most: how many positions to return at most.

    Raises:
        SettingError: the selection is malformed.
    """
    errors, number, total_error = largest_errors(library, selection)
    losses = np.array([error.error for error in errors])
    neighbours = _neighbours(errors)
    left = np.ones(len(errors), np.bool_)
    gains = np.array([losses[near].sum() for near in neighbours])
    positions: list[ReferencePosition] = []
    while left.any() and len(positions) < most:
        best = int(gains.argmax())
        covered = neighbours[best][left[neighbours[best]]]
        positions.append(ReferencePosition(errors[best], len(covered), float(losses[covered].sum())))
        left[covered] = False
        for index in covered:
            gains[neighbours[index]] -= losses[index]
    return ReferencePositions(positions, number, total_error)


def _neighbours(errors: list[Error]) -> list[npt.NDArray[np.int64]]:
    """Return the indices of each error's neighbours, itself included."""
    kinds = {kind: number for number, kinds in enumerate(KINDS_BY_PART.values()) for kind in kinds}
    kind = np.array([kinds[error.kind] for error in errors], np.int64)
    points = np.array([Position.parse(error.xgid).points for error in errors], np.int16).reshape(-1, 26)
    # Checkers at a place or behind it: pips between boards are the sum of the differences, for each side.
    own = np.maximum(points, 0)[:, ::-1].cumsum(1, dtype=np.int16)
    their = np.maximum(-points, 0).cumsum(1, dtype=np.int16)
    behind = np.hstack([own[:, :-1], their[:, :-1]])
    pips = behind.sum(1, dtype=np.int64)
    order = np.argsort(pips, kind="stable")
    first = np.searchsorted(pips[order], pips - REACH)
    end = np.searchsorted(pips[order], pips + REACH, side="right")
    neighbours = []
    for index in range(len(errors)):
        near = order[first[index] : end[index]]  # the pips of others differ by more than REACH
        near = near[kind[near] == kind[index]]
        apart = np.abs(behind[near] - behind[index]).sum(1)
        neighbours.append(near[apart <= REACH])
    return neighbours
