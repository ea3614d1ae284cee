"""Decks: each card asks what can be asked of its position."""

import re
from itertools import islice
from pathlib import Path

import pytest

from gammon.engine.engine import Engine
from gammon.formats.play import find_play
from gammon.formats.position import Position
from gammon_study.library.ask import Selection
from gammon_study.library.decks import BOOK, Card, new_cards
from gammon_study.library.errors import errors_found
from gammon_study.library.library import Library
from gammon_study.reviews.names import DECKS

PAGE = Path(__file__).parents[3] / "docs" / "openings.md"


def some(deck: str, library: Library, count: int = 40, seed: int = 1) -> list[Card]:
    return list(islice(new_cards(deck, library, Selection(), seed), count))


def test_the_book_has_the_best_plays_of_its_page() -> None:
    table = PAGE.read_text().split("<!-- table openings -->")[1].split("<!-- end -->")[0]
    first: dict[str, str] = {}
    for roll, play in re.findall(r"^\| (\d\d) \| ([^|]+) \|", table, re.MULTILINE):
        first.setdefault(roll, play.strip())
    assert first == BOOK


@pytest.mark.parametrize("deck", DECKS)
def test_cards_follow_from_the_seed(library: Library, deck: str) -> None:
    cards = some(deck, library)
    assert cards == some(deck, library)
    assert len(set(cards)) == len(cards)
    if deck != "errors":
        assert cards != some(deck, library, seed=2)
    for card in cards:
        position = Position.parse(card.xgid)
        assert card.deck == deck
        assert (card.ask == "play") == (position.dice is not None)
        assert (card.ask == "take") == (position.context.offer == "D")


def test_errors_are_those_of_the_library(library: Library) -> None:
    found, count, _ = errors_found(library, Selection(player="gnubg"))
    cards = list(new_cards("errors", library, Selection(player="gnubg"), 1))
    assert [card.xgid for card in cards] == [error.xgid for error in found]
    assert len(cards) == count
    assert cards[0].note.startswith(f"gnubg against {found[0].opponent}")
    kinds = {error.kind: card.ask for error, card in zip(found, cards, strict=True)}
    assert kinds.items() <= {
        "play": "play", "no double": "double", "double": "double", "take": "take",
        "pass": "take",
    }.items()  # fmt: skip


def test_openings_and_replies_are_complete(library: Library) -> None:
    assert len(some("openings", library, 99)) == 15
    replies = some("replies", library, 999)
    assert len({card.xgid for card in replies}) == 15 * 21
    before = find_play(Position.opening(), (3, 1), "8/5 6/5").position
    assert before.with_dice((6, 6)).xgid in {card.xgid for card in replies}


def test_cubes_of_races_are_close_and_exact(library: Library) -> None:
    cubes = [card for card in some("races", library, 60) if card.ask in ("double", "take")]
    assert len(cubes) > 10
    engines = [Engine(depth=depth) for depth in (1, 5)]
    for card in cubes[:10]:
        one, deep = (engine.cube(Position.parse(card.xgid)) for engine in engines)
        assert one.no_double == deep.no_double
        gain = one.gain if card.ask == "double" else one.answer_gain
        assert gain is not None
        assert abs(gain) < 0.15
