"""Totals: the errors and the luck of a player, in the units that other programs use."""

from collections.abc import Iterable, Sequence
from math import inf
from typing import NamedTuple

from gammon.engine.analysis import RATING
from gammon_study.reviews.choice import ALIKE, BLUNDERS, Choice, ChoiceKind, Luck

#: GNU Backgammon's words for its rates below these.
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
#: XG's classes of PR below these, as Wikipedia's article "eXtreme Gammon" lists them.
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
#: A player with fewer decisions gets no word for them.
LEAST_DECISIONS = 30


def performance_rating(error: float, counted: int) -> float | None:
    """Return 500 times the error of a decision that counts, None if there are none."""
    return RATING * error / counted if counted else None


class ErrorSums(NamedTuple):
    """Some choices and what they cost.

    Attributes:
        choices: how many there are, forced ones and clear ones too.
        counted: those that are decisions by XG's rule.
        active: those that are decisions by GNU Backgammon's rule.
        wrong: those that lost .001 or more.
        error: the sum of the equities that were lost.
        cost: the same as chances to win the match, or for money in points.
        marks: how many were doubtful, bad, very bad.
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
        """The performance rating: 500 times the error of a counted decision."""
        return performance_rating(self.error, self.counted)

    @property
    def flawless(self) -> bool:
        """Whether decisions count and none of them was wrong, so that PR says nothing.

        So it is with a program that is judged by its own search.
        """
        return self.pr is not None and self.pr < 0.005  # which is written as 0.00

    @property
    def pr_class(self) -> str | None:
        """XG's class of the PR; None where that says nothing, or there are few decisions."""
        return None if self.flawless else _word(_CLASSES, self.pr, self.counted)

    @property
    def rate(self) -> float | None:
        """GNU Backgammon's rate: 1000 times the error of an active decision."""
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
        rolls: of both players.
        luck: of the player's rolls, as equities.
        luck_worth: the same as a chance to win the match, or for money in points.
    """

    all: ErrorSums
    plays: ErrorSums
    cube: ErrorSums
    doubles: ErrorSums
    takes: ErrorSums
    kinds: dict[ChoiceKind, ErrorSums]
    rolls: int
    luck: float
    luck_worth: float

    @property
    def snowie(self) -> float | None:
        """The Snowie error rate: 1000 times the error of a roll of either player."""
        return 1000.0 * self.all.error / self.rolls if self.rolls else None

    @property
    def rating(self) -> str | None:
        """GNU Backgammon's word for its rate of all decisions; None of few ones."""
        return _word(_RATINGS, self.all.rate, self.all.active)


def _word(words: Iterable[tuple[float, str]], value: float | None, decisions: int) -> str | None:
    """Return the word of a value: that of the first bound above it, if there is one.

    Args:
        words: bounds and words.
        value: a rate, or None.
        decisions: how many it is the rate of.
    """
    if decisions < LEAST_DECISIONS:
        return None
    return next((word for bound, word in words if value is not None and value < bound), None)


def errors_of(choices: Iterable[Choice]) -> ErrorSums:
    """Return the sums of some choices."""
    found = list(choices)
    marks = [sum(each.mark == level for each in found) for level in range(1, 4)]
    assert len(marks) == len(BLUNDERS)
    return ErrorSums(
        choices=len(found),
        counted=sum(each.counted for each in found),
        active=sum(each.active for each in found),
        wrong=sum(each.error >= ALIKE for each in found),
        error=sum(each.error for each in found),
        cost=sum(each.cost for each in found),
        marks=(marks[0], marks[1], marks[2]),
    )


def totals_of(choices: Sequence[Choice], lucks: Sequence[Luck], player: int) -> Totals:
    """Return the totals of a player.

    Args:
        choices: of both players.
        lucks: of both players' rolls.
        player: 0 or 1.
    """
    mine = [each for each in choices if each.player == player]
    rolled = [each for each in lucks if each.player == player]
    kinds = {kind: errors_of(c for c in mine if c.kind is kind) for kind in ChoiceKind}
    answers = ChoiceKind.TAKE, ChoiceKind.PASS
    cube = [each for each in mine if each.kind is not ChoiceKind.PLAY]
    return Totals(
        all=errors_of(mine),
        plays=kinds[ChoiceKind.PLAY],
        cube=errors_of(cube),
        doubles=errors_of(each for each in cube if each.kind not in answers),
        takes=errors_of(each for each in cube if each.kind in answers),
        kinds=kinds,
        rolls=len(lucks),
        luck=sum(each.equity for each in rolled),
        luck_worth=sum(each.worth for each in rolled),
    )
