"""A turn on the page."""

import pytest

from gammon.formats.stored import StoredAnalysis, StoredCube, StoredPlay
from gammon.reviews.choice import ChoiceKind
from gammon.reviews.review import Review
from gammon.shown.page.card import turn_card
from gammon.shown.page.turns import Turn, turns_of
from tests.shown.page.pages import Page

PLAYERS = "Ann <b>", "Bob"
CHANCES = 0.5, 0.1, 0.0, 0.1, 0.0


def turn_with(review: Review, wanted: "set[ChoiceKind]", least: float = 0.0) -> Turn:
    """The first turn with such choices and such a loss."""
    return next(
        turn
        for game in range(len(review.transcript.games))
        for turn in turns_of(review, game)
        if wanted <= {choice.kind for choice in turn.choices} and turn.worst.error >= least
    )


def page_of(turn: Turn) -> Page:
    return Page(turn_card(turn, PLAYERS))


@pytest.mark.parametrize("game", [0, 1])
def test_all_turns_of_a_game(hand: Review, game: int) -> None:
    for turn in turns_of(hand, game):
        page = page_of(turn)
        (whole,) = page.of_class("t")
        assert whole["id"] == turn.name
        assert ("open" in whole) == (turn.worst.error >= 0.02)
        assert len(page.of_class("gammon-board")) == 1
        assert turn.choices[-1].xgid in page.texts
        for choice in turn.choices:
            if choice.error >= 0.0005:
                assert f"{-choice.error:+.3f}" in page.text
                assert choice.best in page.texts


def test_a_wrong_play(hand: Review) -> None:
    turn = turn_with(hand, {ChoiceKind.PLAY}, 0.001)
    turn = next(
        turn for game in (0, 1) for turn in turns_of(hand, game)
        if turn.choices[-1].kind is ChoiceKind.PLAY and turn.choices[-1].error > 0.0
    )  # fmt: skip
    page, choice = page_of(turn), turn.choices[-1]
    assert len(page.of_class("gb-best")) == len(page.of_class("gb-made")) == 1
    assert (len(page.of_class("k")), len(page.of_class("m"))) == (1, 1)
    for play in choice.plays:
        assert page.texts.count(play.play) >= 1
        assert f"{play.equity:+.3f}" in page.texts
    assert f"{-100 * choice.cost:+.2f} % MWC" in page.texts


def test_names_are_escaped(hand: Review) -> None:
    turn = turn_with(hand, {ChoiceKind.PLAY})
    page = page_of(turn._replace(choices=[turn.choices[-1]._replace(player=0)]))
    assert "Ann <b>" in page.texts


def test_a_double_and_its_answer(hand: Review) -> None:
    page = page_of(turn_with(hand, {ChoiceKind.DOUBLE}))
    assert "double" in page.text
    assert "Double, pass" in page.texts
    assert "+1.000" in page.texts


def test_what_a_rollout_says_stands_beside(hand: Review) -> None:
    turn = next(
        turn for game in (0, 1) for turn in turns_of(hand, game)
        if any(choice.rollout for choice in turn.choices)
    )  # fmt: skip
    page = page_of(turn)
    rollout = next(choice.rollout for choice in turn.choices if choice.rollout)
    assert f"rollout, {rollout.trials} games" in page.texts
    for each in rollout.candidates:
        assert f"{each.equity:+.3f}" in page.texts
        assert f"{each.error:.3f}" in page.texts


def test_what_the_file_says_stands_beside(hand: Review) -> None:
    turn = turn_with(hand, {ChoiceKind.NO_DOUBLE, ChoiceKind.PLAY})
    play = turn.choices[-1].plays[0].play
    plays = tuple(
        StoredPlay(name, equity, "2-ply", CHANCES)
        for name, equity in (("9/8 7/6", 0.777), (play, 0.654), ("2/1(2)", 0.5))
    )
    cube = StoredCube(0.432, 0.345, "3-ply", CHANCES)
    choices = [each._replace(active=True) for each in turn.choices]
    stored = [StoredAnalysis(cube=cube), StoredAnalysis(plays)]
    page = page_of(turn._replace(choices=choices, stored=stored))
    for words in ("in the file, 2-ply", "in the file, 3-ply", "9/8 7/6", "+0.777", "+0.654",
                  "-0.123", "+0.432", "+0.345", "-0.087"):  # fmt: skip
        assert words in page.texts
    assert "2/1(2)" not in page.texts, "beyond the best two, only plays of ours"
