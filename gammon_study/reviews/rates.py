"""Rates: what some choices cost, in the units that other programs use.

This module imports nothing that is slow to load, as the lists of a library use it.
"""

from collections.abc import Iterable, Sequence
from math import inf
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from gammon.base.mean import Interval

#: A performance rating (PR) is the mean loss of a decision in points times 500, as in XG.
RATING = 500.0
#: GNU Backgammon's words for its rates, each with the upper bound of the rate.
GNU_RATINGS = (
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
#: A lower PR is written as 0.00, and has no meaning: a program is judged by its own search.
_FLAWLESS = 0.005


def performance_rating(error: float, counted: int) -> float | None:
    """Return 500 times the mean error of counted decisions; None without such decisions."""
    return RATING * error / counted if counted else None


def pr_interval(errors: Sequence[float], counts: Sequence[float]) -> "Interval | None":
    """Return a PR with its 95 % confidence interval from its variation between units.

    Args:
        errors: the lost equity of each unit, such as a match or a game.
        counts: the number of its decisions that count.

    Returns:
        The interval, as `ratio_interval` computes it, without PRs below 0; None with fewer than three
        units, or if they do not differ.
    """
    from gammon.base.mean import ratio_interval

    interval = ratio_interval(errors, counts, RATING)
    return None if interval is None else interval._replace(low=max(interval.low, 0.0))


def class_of(pr: float | None, counted: int) -> str | None:
    """Return XG's class of a PR; None for few decisions, or if the PR has no meaning."""
    return None if pr is not None and pr < _FLAWLESS else word_of(_CLASSES, pr, counted)


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
        pr: the performance rating: 500 times the mean error of counted decisions.
        rate: GNU Backgammon's rate: 1000 times the mean error of active decisions.
    """

    choices: int
    counted: int
    active: int
    wrong: int
    error: float
    cost: float
    marks: tuple[int, int, int]
    pr: float | None
    rate: float | None

    @property
    def flawless(self) -> bool:
        """Whether some decisions count and the PR is written as 0.00, so that it has no meaning."""
        return self.pr is not None and self.pr < _FLAWLESS

    @property
    def pr_class(self) -> str | None:
        """XG's class of the PR; None for few decisions, or if the PR has no meaning."""
        return class_of(self.pr, self.counted)


def word_of(words: Iterable[tuple[float, str]], value: float | None, decisions: int) -> str | None:
    """Return the word of the first bound above a value; None for few decisions.

    Args:
        words: bounds and words.
        value: a rate, or None.
        decisions: the number of decisions behind the rate.
    """
    if decisions < LEAST_DECISIONS:
        return None
    return next((word for bound, word in words if value is not None and value < bound), None)
