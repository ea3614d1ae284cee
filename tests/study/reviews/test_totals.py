"""Totals and ratings, against GNU Backgammon's own figures and plain sums."""

import pytest

from gammon_study.reviews.choice import Choice, ChoiceKind, Luck
from gammon_study.reviews.totals import (
    LEAST_DECISIONS,
    ErrorSums,
    Totals,
    errors_of,
    totals_of,
)
from tests.study.reviews.stored import cube_choices, lucks


def choice(player: int, kind: ChoiceKind, error: float, counted: bool, active: bool) -> Choice:
    return Choice(0, 0, player, kind, "", "", "", error, error / 10, counted, active, 1)


CHOICES = [
    choice(0, ChoiceKind.PLAY, 0.0, False, False),
    choice(0, ChoiceKind.PLAY, 0.04, True, True),
    choice(0, ChoiceKind.NO_DOUBLE, 0.13, True, True),
    choice(0, ChoiceKind.TAKE, 0.0, False, True),
    choice(1, ChoiceKind.PLAY, 0.5, True, True),
]


def test_sums() -> None:
    rolls = [Luck(0, 0, 0, 0.2, 0.02), Luck(0, 1, 1, 0.3, 0.03), Luck(0, 2, 0, -0.1, -0.01)]
    found = totals_of(CHOICES, rolls, 0)
    assert found.all == (4, 2, 3, 2, pytest.approx(0.17), pytest.approx(0.017), (1, 0, 1))
    assert found.plays[:4] == (2, 1, 1, 1)
    assert found.cube[:4] == (2, 1, 2, 1)
    assert found.doubles[:4] == (1, 1, 1, 1)
    assert found.takes[:4] == (1, 0, 1, 0)
    assert found.kinds[ChoiceKind.DOUBLE].choices == 0
    assert found.all.pr == pytest.approx(500 * 0.17 / 2)
    assert found.all.rate == pytest.approx(1000 * 0.17 / 3)
    assert found.snowie == pytest.approx(1000 * 0.17 / 3)
    assert (found.luck, found.luck_worth) == (pytest.approx(0.1), pytest.approx(0.01))
    assert totals_of(CHOICES * 10, rolls, 0).rating == "awful"


def test_nobody_is_rated_without_decisions() -> None:
    found = totals_of([], [], 0)
    assert found.all.pr is found.all.rate is found.snowie is found.rating is None
    assert errors_of([]).marks == (0, 0, 0)


@pytest.mark.parametrize(
    ("rate", "word"),
    [  # thousandths of a point, and the words of match5_stats.txt for them
        (8.9, "advanced"), (3.8, "world class"), (84.9, "awful"), (33.1, "beginner"),
        (18.8, "casual player"), (6.2, "expert"), (1.9, "supernatural"), (17.9, "intermediate"),
    ],
)  # fmt: skip
def test_words_of_gnu_backgammon(rate: float, word: str) -> None:
    one = errors_of([choice(0, ChoiceKind.PLAY, rate / 1000, True, True)] * 30)
    assert Totals(*[one] * 5, {}, 1, 0.0, 0.0).rating == word


@pytest.mark.parametrize(
    ("pr", "word"),
    [
        (0.1, "world champ"), (2.4, "world champ"), (2.6, "world class"), (7.02, "expert"),
        (9.4, "advanced"), (14.9, "intermediate"), (20.0, "casual player"), (25.0, "beginner"),
        (31.0, "distracted"),
    ],
)  # fmt: skip
def test_the_class_is_of_the_pr(pr: float, word: str) -> None:
    found = errors_of([choice(0, ChoiceKind.PLAY, pr / 500, True, True)] * 30)
    assert found.pr == pytest.approx(pr)
    assert found.pr_class == word
    assert not found.flawless


def test_few_decisions_have_no_class() -> None:
    errors = [choice(0, ChoiceKind.PLAY, 0.02, True, True)] * LEAST_DECISIONS
    easy = [choice(0, ChoiceKind.PLAY, 0.0, False, False)] * 100
    for few, words in ((1, (None, None)), (0, ("advanced", "casual player"))):
        found = totals_of(errors[few:] + easy, [], 0)
        assert found.all.pr == pytest.approx(10.0)
        assert (found.all.pr_class, found.rating) == words


@pytest.mark.parametrize("error", [float("inf"), float("nan")])
def test_a_pr_that_is_no_number_has_no_class(error: float) -> None:
    found = errors_of([choice(0, ChoiceKind.PLAY, error, True, True)] * 30)
    assert found.pr_class is None
    assert Totals(*[found] * 5, {}, 1, 0.0, 0.0).rating is None


@pytest.mark.parametrize("error", [0.0, 9e-6])
def test_a_pr_of_nought_has_no_class(error: float) -> None:
    """A program that is judged by its own search has it."""
    found = errors_of([choice(0, ChoiceKind.PLAY, error, True, True)] * 20)
    assert (found.flawless, found.pr_class) == (True, None)
    nothing: ErrorSums = errors_of([])
    assert (nothing.flawless, nothing.pr_class) == (False, None)


def test_rates_of_gnu_backgammon() -> None:
    """Of its own values: 84.9 and 33.1 for the cube; luck of -17.283 and +17.834 per cent."""
    for player, rate, luck, worth in ((0, 84.9, 0.624, -0.17283), (1, 33.1, 1.867, 0.17834)):
        found = totals_of(cube_choices(), lucks(), player)
        assert found.cube.rate == pytest.approx(rate, abs=0.06)
        assert found.rolls == 222
        assert found.luck == pytest.approx(luck, abs=6e-4)
        assert found.luck_worth == pytest.approx(worth, abs=2e-5)
