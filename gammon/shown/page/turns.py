"""Turns: the choices of a game that are made at one position, in one piece of the page."""

from collections.abc import Iterator
from typing import NamedTuple

from gammon.formats.stored import StoredAnalysis
from gammon.formats.transcript import Action
from gammon.reviews.choice import Choice, ChoiceKind
from gammon.reviews.review import Review

__all__ = ["Turn", "turns_of"]


class Turn(NamedTuple):
    """A roll with the decision about a double before it; or a double and its answer.

    Attributes:
        game: its number in the match, from 0 on.
        number: of the turn in the game, from 1 on.
        action: the roll, or the double.
        choices: in their order.
        stored: what the file says of each choice, or None.
        luck: of a roll, as an equity.
    """

    game: int
    number: int
    action: Action
    choices: list[Choice]
    stored: list[StoredAnalysis | None]
    luck: float | None

    @property
    def name(self) -> str:
        """The name by which links lead to the turn."""
        return f"g{self.game + 1}-{self.number}"

    @property
    def worst(self) -> Choice:
        """The choice that lost the most."""
        return max(self.choices, key=lambda choice: choice.error)


def turns_of(review: Review, game: int) -> Iterator[Turn]:
    """Yield the turns of a game, from 0 on."""
    choices = [each for each in review.choices if each.game == game]
    lucks = {each.action: each.equity for each in review.lucks if each.game == game}
    actions, number = review.transcript.games[game].actions, 0
    while choices:
        first = choices.pop(0)
        together = [first]
        if first.kind is ChoiceKind.NO_DOUBLE or (
            choices and choices[0].kind in (ChoiceKind.TAKE, ChoiceKind.PASS)
        ):
            together.append(choices.pop(0))
        number += 1
        yield Turn(
            game, number, actions[first.action], together,
            [review.transcript.stored.get((game, each.action)) for each in together],
            lucks.get(first.action),
        )  # fmt: skip
