"""Turns of a game: each choice is in one, with what the file says of it."""

from gammon.formats.transcript import ActionKind
from gammon.reviews.choice import ChoiceKind
from gammon.reviews.review import Review
from gammon.shown.page.turns import turns_of


def test_every_choice_is_in_one_turn(match5: Review) -> None:
    for number in range(len(match5.transcript.games)):
        turns = list(turns_of(match5, number))
        choices = [choice for turn in turns for choice in turn.choices]
        assert choices == [each for each in match5.choices if each.game == number]
        assert [turn.number for turn in turns] == list(range(1, len(turns) + 1))
        assert len({turn.name for turn in turns}) == len(turns)


def test_what_is_together(match5: Review) -> None:
    pairs = {
        tuple(choice.kind for choice in turn.choices)
        for number in range(4)
        for turn in turns_of(match5, number)
    }
    assert pairs == {
        (ChoiceKind.PLAY,), (ChoiceKind.NO_DOUBLE, ChoiceKind.PLAY),
        (ChoiceKind.DOUBLE, ChoiceKind.TAKE), (ChoiceKind.DOUBLE, ChoiceKind.PASS),
    }  # fmt: skip


def test_the_action_the_luck_and_the_file(match5: Review) -> None:
    lucks = {(each.game, each.action): each.equity for each in match5.lucks}
    for turn in turns_of(match5, 1):
        place = 1, turn.choices[0].action
        assert turn.action == match5.transcript.games[1].actions[place[1]]
        assert (turn.luck is not None) == (turn.action.kind is ActionKind.ROLL)
        assert turn.luck == lucks.get(place)
        assert turn.stored[0] == match5.transcript.stored.get(place)
        assert turn.worst.error == max(choice.error for choice in turn.choices)


def test_a_double_without_an_answer(hand: Review) -> None:
    """A game may break off there."""
    from dataclasses import replace

    double = next(c for c in hand.choices if c.kind is ChoiceKind.DOUBLE)
    cut = [c for c in hand.choices if (c.game, c.action) <= (double.game, double.action)]
    turns = list(turns_of(replace(hand, choices=tuple(cut)), double.game))
    assert turns[-1].choices == [double]
