"""Totals: the errors and the luck of a player, in the units that other programs use."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from gammon_study.reviews.choice import ALIKE, BLUNDERS, Choice, ChoiceKind, Luck
from gammon_study.reviews.names import KINDS_BY_PART
from gammon_study.reviews.rates import GNU_RATINGS, ErrorSums, performance_rating, word_of


class Totals(NamedTuple):
    """The choices of a player in a match, or in a game of it.

    Attributes:
        all: all choices.
        plays: the plays.
        cube: the choices about the cube.
        doubles: the choices to double or not.
        takes: the choices to take or to pass.
        kinds: the choices of each kind.
        rolls: the number of rolls of both players.
        luck: the luck of the player's rolls, as equities.
        luck_value: the luck as a chance to win the match, or for money in points.
    """

    all: ErrorSums
    plays: ErrorSums
    cube: ErrorSums
    doubles: ErrorSums
    takes: ErrorSums
    kinds: dict[ChoiceKind, ErrorSums]
    rolls: int
    luck: float
    luck_value: float

    @property
    def snowie(self) -> float | None:
        """The Snowie error rate: 1000 times the error per roll of either player."""
        return 1000.0 * self.all.error / self.rolls if self.rolls else None

    @property
    def rating(self) -> str | None:
        """GNU Backgammon's word for its rate of all decisions; None for few decisions."""
        return word_of(GNU_RATINGS, self.all.rate, self.all.active)


def errors_of(choices: Iterable[Choice]) -> ErrorSums:
    """Return the sums of some choices."""
    items = list(choices)
    marks = [sum(choice.mark == level for choice in items) for level in range(1, 4)]
    assert len(marks) == len(BLUNDERS)
    error, counted = sum(choice.error for choice in items), sum(choice.counted for choice in items)
    active, wrong = sum(choice.active for choice in items), sum(choice.error >= ALIKE for choice in items)
    return ErrorSums(
        choices=len(items),
        counted=counted,
        active=active,
        wrong=wrong,
        error=error,
        cost=sum(choice.cost for choice in items),
        marks=(marks[0], marks[1], marks[2]),
        pr=performance_rating(error, counted),
        rate=1000.0 * error / active if active else None,
    )


def totals_of(choices: Sequence[Choice], lucks: Sequence[Luck], player: int) -> Totals:
    """Return the totals of a player.

    Args:
        choices: the choices of both players.
        lucks: the luck of both players' rolls.
        player: 0 or 1.
    """
    own = [choice for choice in choices if choice.player == player]
    own_rolls = [luck for luck in lucks if luck.player == player]

    def of(*kinds: str) -> ErrorSums:
        return errors_of(choice for choice in own if choice.kind in kinds)

    return Totals(
        all=errors_of(own),
        cube=errors_of(choice for choice in own if choice.kind is not ChoiceKind.PLAY),
        **{part: of(*kinds) for part, kinds in KINDS_BY_PART.items()},
        kinds={kind: of(kind) for kind in ChoiceKind},
        rolls=len(lucks),
        luck=sum(luck.equity for luck in own_rolls),
        luck_value=sum(luck.value for luck in own_rolls),
    )
