"""Totals: the errors and the luck of a player, in the units that other programs use."""

from collections.abc import Iterable, Sequence
from math import inf
from typing import NamedTuple

from gammon.engine.analysis import RATING
from gammon_study.reviews.choice import ALIKE, BLUNDERS, Choice, ChoiceKind, Luck

#: GNU Backgammon's words for its rates, each with the upper bound of the rate.
_RATINGS = (
    (2.0, "supernatural"),
    (5.0, "world class"),
    (8.0, "expert"),
    (12.0, "advanced"),
    (18.0, "intermediate"),
    (26.0, "casual player"),
    (35.0, "beginner"),
    (inf, "awful"),
)
#: XG's classes, each with the upper bound of the PR, as in Wikipedia's article "eXtreme Gammon".
_CLASSES = (
    (2.5, "world champ"),
    (5.0, "world class"),
    (7.5, "expert"),
    (12.5, "advanced"),
    (17.5, "intermediate"),
    (22.5, "casual player"),
    (30.0, "beginner"),
    (inf, "distracted"),
)
#: With fewer decisions a player gets no word and no class.
LEAST_DECISIONS = 30


def performance_rating(error: float, counted: int) -> float | None:
    """Return 500 times the mean error of counted decisions; None without such decisions."""
    return RATING * error / counted if counted else None


class ErrorSums(NamedTuple):
    """Some choices and what they cost.

    Attributes:
        choices: how many choices there are, forced and clear ones included.
        counted: how many are decisions by XG's rule.
        active: how many are decisions by GNU Backgammon's rule.
        wrong: how many lost 0.001 or more.
        error: the sum of the lost equities.
        cost: the loss as chances to win the match, or for money in points.
        marks: how many were doubtful, bad and very bad.
    """

    choices: int
    counted: int
    active: int
    wrong: int
    error: float
    cost: float
    marks: tuple[int, int, int]

    @property
    def pr(self) -> float | None:
        """The performance rating: 500 times the mean error of counted decisions."""
        return performance_rating(self.error, self.counted)

    @property
    def flawless(self) -> bool:
        """Whether some decisions count and the PR rounds to 0.00, so that it has no meaning.

        This happens if a program is judged by its own search.
        """
        return self.pr is not None and self.pr < 0.005

    @property
    def pr_class(self) -> str | None:
        """XG's class of the PR; None for few decisions, or if the PR has no meaning."""
        return None if self.flawless else _word(_CLASSES, self.pr, self.counted)

    @property
    def rate(self) -> float | None:
        """GNU Backgammon's rate: 1000 times the mean error of active decisions."""
        return 1000.0 * self.error / self.active if self.active else None


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
        return _word(_RATINGS, self.all.rate, self.all.active)


def _word(words: Iterable[tuple[float, str]], value: float | None, decisions: int) -> str | None:
    """Return the word of the first bound above a value; None for few decisions.

    Args:
        words: bounds and words.
        value: a rate, or None.
        decisions: the number of decisions behind the rate.
    """
    if decisions < LEAST_DECISIONS:
        return None
    return next((word for bound, word in words if value is not None and value < bound), None)


def errors_of(choices: Iterable[Choice]) -> ErrorSums:
    """Return the sums of some choices."""
    items = list(choices)
    marks = [sum(choice.mark == level for choice in items) for level in range(1, 4)]
    assert len(marks) == len(BLUNDERS)
    return ErrorSums(
        choices=len(items),
        counted=sum(choice.counted for choice in items),
        active=sum(choice.active for choice in items),
        wrong=sum(choice.error >= ALIKE for choice in items),
        error=sum(choice.error for choice in items),
        cost=sum(choice.cost for choice in items),
        marks=(marks[0], marks[1], marks[2]),
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
    kinds = {kind: errors_of(c for c in own if c.kind is kind) for kind in ChoiceKind}
    answers = ChoiceKind.TAKE, ChoiceKind.PASS
    cube = [choice for choice in own if choice.kind is not ChoiceKind.PLAY]
    return Totals(
        all=errors_of(own),
        plays=kinds[ChoiceKind.PLAY],
        cube=errors_of(cube),
        doubles=errors_of(choice for choice in cube if choice.kind not in answers),
        takes=errors_of(choice for choice in cube if choice.kind in answers),
        kinds=kinds,
        rolls=len(lucks),
        luck=sum(luck.equity for luck in own_rolls),
        luck_value=sum(luck.value for luck in own_rolls),
    )
