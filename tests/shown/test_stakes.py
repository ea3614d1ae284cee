"""Stakes in words and as JSON."""

import pytest

from gammon.formats.context import TOP, Context
from gammon.rules.stakes import GAMMON_GO, MONEY
from gammon.rules.terms import Terms
from gammon.shown.stakes import stakes_words, terms_words


def test_stakes() -> None:
    assert stakes_words(MONEY) == "money"
    assert stakes_words(GAMMON_GO) == "stakes gammon-go"


@pytest.mark.parametrize(
    ("terms", "words"),
    [
        (Terms(), "money, centred cube"),
        (Terms(jacoby=True, beavers=True), "money, Jacoby rule, beavers, centred cube"),
        (Terms(cube=2, owner=-1), "money, O's cube at 2"),
        (Terms(7, (5, 6), cube=2, owner=1),
         "X 2, O 1 in a match to 7 (5-away 6-away), X's cube at 2"),
        (Terms(7, (2, 2), cube=2, owner=1),
         "X 5, O 5 in a match to 7 (2-away 2-away), X's cube at 2, dead"),
        (Terms(7, (2, 1)),
         "X 5, O 6 in a match to 7, post-Crawford (2-away 1-away), centred cube"),
        (Terms(7, (1, 1)), "X 6, O 6 in a match to 7 (1-away 1-away), centred cube, dead"),
        (Terms(7, (1, 6), crawford=True),
         "X 6, O 1 in a match to 7, Crawford game (1-away 6-away), centred cube"),
    ],
)  # fmt: skip
def test_terms(terms: Terms, words: str) -> None:
    assert terms_words(terms, Context().with_terms(terms)) == words


def test_terms_are_those_of_the_player_on_roll() -> None:
    terms = Terms(7, (5, 6), cube=2, owner=1)
    context = Context(on_roll=TOP).with_terms(terms)
    assert terms_words(terms, context) == (
        "X 1, O 2 in a match to 7 (5-away 6-away), O's cube at 2"
    )
