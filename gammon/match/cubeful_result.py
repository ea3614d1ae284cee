"""The result of matches, or of money games, with the cube: means over pairs."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gammon.match.cubeful_record import CubeGameRecord
from gammon.match.result import Mean, mean_of

__all__ = ["CubefulResult", "cubeful_result_of"]

Floats = npt.NDArray[np.float64]
#: A number of A and of B.
Both = tuple[float, float]


class CubefulResult(NamedTuple):
    """Matches with the cube, seen from A. For money each game counts as a match.

    Attributes:
        length: points of a match, 0 for money.
        matches: the number of matches.
        games: the number of games.
        wins: the share of matches that A won.
        points: points a game, with the cube.
        adjusted: `wins`, or for money `points`, less the luck of the dice.
        gammons: the shares of games that A and that B won by a gammon or a backgammon.
        backgammons: the shares of games that A and that B won by a backgammon.
        doubles: the doubles a game of A and of B.
        takes: the takes a game of A and of B.
        passes: the passes a game of A and of B.
        cube: the mean value of the cube at the end of a game.
        turns: the mean length of a game, in turns of either player.
    """

    length: int
    matches: int
    games: int
    wins: Mean
    points: Mean
    adjusted: Mean
    gammons: Both
    backgammons: Both
    doubles: Both
    takes: Both
    passes: Both
    cube: float
    turns: float

    @property
    def played(self) -> int:
        """How many matches, or games for money, were played."""
        return self.matches

    def __str__(self) -> str:
        unit = "matches won" if self.length else "points a game"
        return f"{self.matches} {'matches' if self.length else 'games'}, {self.adjusted} {unit}"


def _per_game(sums: Floats, games: Floats) -> Floats:
    """Return a number for each pair whose mean and error are those of a sum a game.

    A ratio of two means has, to first order, the error of the mean of these numbers.

    Args:
        sums: float64 [N], of pairs.
        games: float64 [N], how many each pair has.
    """
    ratio = float(sums.sum() / games.sum())
    return np.asarray(ratio + (sums - ratio * games) / games.mean())


def cubeful_result_of(games: Sequence[CubeGameRecord], length: int) -> CubefulResult:
    """Return the result of whole matches, in which the two of each pair are neighbours.

    Args:
        games: those of two matches or more, in their order.
        length: points of a match, 0 for money.
    """
    matches = np.array([game["match"] for game in games])
    matches -= matches[0]
    count = int(matches[-1]) + 1
    points = np.array([game["points"] for game in games], np.float64)
    cube = np.array([game["cube"] for game in games], np.float64)
    luck = np.bincount(matches, [game["luck"] for game in games], count)
    last = np.append(np.diff(matches) > 0, True)
    won = points[last] > 0  # the last game decides a match
    totals = np.bincount(matches, points, count)
    a_game = _per_game(_of_pairs(totals), _of_pairs(np.bincount(matches)))
    worth = won if length else totals
    doubles, passes = (_doubles(games, only_passed) for only_passed in (False, True))
    takes = doubles[1] - passes[0], doubles[0] - passes[1]

    def shares(least: int) -> Both:
        return float((points >= least * cube).mean()), float((points <= -least * cube).mean())

    return CubefulResult(
        length, count, len(games), mean_of(_of_pairs(won) / 2.0), mean_of(a_game),
        mean_of(_of_pairs(worth - luck) / 2.0), shares(2), shares(3), doubles, takes, passes,
        float(cube.mean()), float(np.mean([len(game["positions"]) for game in games])),
    )  # fmt: skip


def _of_pairs(values: npt.ArrayLike) -> Floats:
    """Return the sums over the two matches of each pair."""
    first, second = np.asarray(values, np.float64).reshape(-1, 2).T
    return np.asarray(first + second)


def _doubles(games: Sequence[CubeGameRecord], only_passed: bool) -> Both:
    """Return doubles a game of A and of B, or passes by A and by B."""
    counts = [0, 0]
    for game in games:
        for turn in game["doubles"]:
            side = (game["first"] + turn) % 2
            if not only_passed:
                counts[side] += 1
            elif turn == len(game["positions"]):
                counts[1 - side] += 1
    return counts[0] / len(games), counts[1] / len(games)
