"""The result of a match: means with their standard errors, over pairs of games."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gammon.base.mean import mean_and_error, t_quantile
from gammon.match.played import GameRecord
from gammon.rules.outcome import POINTS
from gammon.rules.stakes import MONEY, Stakes

__all__ = ["Mean", "Result", "as_json", "mean_of", "result_of"]


class Mean(NamedTuple):
    """A mean with its standard error and the 95 % confidence interval."""

    mean: float
    error: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.mean:+.4f} +- {self.error:.4f}"


class Result(NamedTuple):
    """A match, seen from A.

    Attributes:
        games: the number of games.
        points: points a game, as they were won; at other stakes than money, in their unit.
        adjusted: the same, less the luck of the dice.
        wins: the share of games that A won.
        gammons: the shares of games that A and that B won by a gammon or a backgammon.
        backgammons: the shares of games that A and that B won by a backgammon.
        turns: the mean length of a game, in turns of either player.
        fair_wins: the share of games that A won, less what the luck of the dice, in points,
            predicts of it.
    """

    games: int
    points: Mean
    adjusted: Mean
    wins: Mean
    gammons: tuple[float, float]
    backgammons: tuple[float, float]
    turns: float
    fair_wins: Mean

    @property
    def played(self) -> int:
        """How many games were played."""
        return self.games

    def __str__(self) -> str:
        return f"{self.games} games, {self.adjusted} points a game"


def mean_of(pairs: npt.NDArray[np.float64]) -> Mean:
    """Return the mean of values float64 [N], one for each pair, with its error."""
    mean, error = mean_and_error(pairs)
    if len(pairs) < 2:
        return Mean(mean, float("inf"), -float("inf"), float("inf"))
    reach = t_quantile(len(pairs) - 1) * error
    return Mean(mean, error, mean - reach, mean + reach)


def result_of(games: Sequence[GameRecord], stakes: Stakes = MONEY) -> Result:
    """Return the result of games, in which the two games of each pair are neighbours.

    Args:
        games: two or more.
        stakes: what results are worth to A.
    """
    points = np.array([game["points"] for game in games], np.float64)
    luck = np.array([game["luck"] for game in games], np.float64)
    worth = stakes.worth[np.searchsorted(POINTS, points)]
    wins = (points > 0).astype(np.float64)

    def by_pair(values: npt.NDArray[np.float64]) -> Mean:
        return mean_of(values.reshape(-1, 2).mean(axis=1))

    paired_wins, paired_luck = (each.reshape(-1, 2).mean(axis=1) for each in (wins, luck))

    def shares(least: int) -> tuple[float, float]:
        return float((points >= least).mean()), float((points <= -least).mean())

    return Result(
        len(games), by_pair(worth), by_pair(worth - luck), by_pair(wins), shares(2),
        shares(3), float(np.mean([len(game["positions"]) for game in games])),
        mean_of(paired_wins - _slope(paired_luck, paired_wins) * paired_luck),
    )  # fmt: skip


def _slope(luck: npt.NDArray[np.float64], wins: npt.NDArray[np.float64]) -> float:
    """Return by how much the share of wins [N] rises with luck [N], by least squares.

    The mean of luck is 0, so a multiple of it shifts no mean; this one leaves the least error.
    """
    centred = luck - luck.mean()
    spread = float(centred @ centred)
    return float(centred @ wins) / spread if spread > 0.0 else 0.0


def as_json(result: NamedTuple) -> dict[str, Any]:
    """Return plain JSON values."""
    return {
        name: value._asdict() if isinstance(value, Mean) else value
        for name, value in result._asdict().items()
    }
