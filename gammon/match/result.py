"""Games as plain JSON values, and their result: means with standard errors, over pairs."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple, TypedDict, get_origin, get_type_hints

import numpy as np
import numpy.typing as npt

from gammon.base.mean import FEW, mean_and_error, ratio_and_error, t_quantile
from gammon.rules.outcome import POINTS
from gammon.rules.terms import HIGHEST_CUBE, Score


class GameRecord(TypedDict):
    """A game as plain JSON values.

    Attributes:
        match: number of the match; matches 2n and 2n + 1 are pair n. A game for money counts as
            a match.
        game: number of the game in the match, from 0 on.
        score: points of A and B before the game.
        crawford: whether it is the Crawford game.
        first: the player who began, 0 for A and 1 for B.
        rolls: two digits per turn, without separators.
        positions: the Position ID after each play, seen from the opponent of the mover.
        doubles: turns, from 0 on, in which the player doubled before the roll. All doubles were
            taken, except that the last one was passed if no roll follows it.
        cube: value of the cube at the end.
        points: points that A won, with the cube; negative if B won.
        luck: luck of A's and B's dice in all, counted for A: as a chance to win the match; for
            money in points, or in the unit of the stakes.
    """

    match: int
    game: int
    score: list[int]
    crawford: bool
    first: int
    rolls: str
    positions: list[str]
    doubles: list[int]
    cube: int
    points: int
    luck: float


_KINDS = {name: get_origin(kind) or kind for name, kind in get_type_hints(GameRecord).items()}


def _is_record(value: Any) -> bool:
    """Return whether plain JSON values have the types of a game record."""
    return (
        isinstance(value, dict)
        and {name: type(entry) for name, entry in value.items()} == _KINDS
        and value["first"] in (0, 1)
        and abs(value["luck"]) < 1e6
        and len(value["rolls"]) == 2 * len(value["positions"])
        and all(isinstance(text, str) for text in value["positions"])
    )


def _fits_cube(game: Any, start: Score) -> bool:
    """Return whether the doubles, the cube and the points of a game agree with each other."""
    doubles, turns = game["doubles"], len(game["positions"])
    if not all(type(turn) is int for turn in doubles):
        return False
    passed = turns in doubles
    results = (1,) if passed or (start.jacoby and game["cube"] == 1) else (1, 2, 3)
    return (
        doubles == sorted(set(doubles))
        and (start.live or not doubles)
        and all(0 < turn <= turns for turn in doubles)
        and game["cube"] == 1 << (len(doubles) - passed) <= HIGHEST_CUBE
        and abs(game["points"]) in [result * game["cube"] for result in results]
    )


def are_matches(games: Any, numbers: Sequence[int], start: Score) -> bool:
    """Return whether plain JSON values, such as the contents of a file, are whole matches.

    Args:
        games: the values to check.
        numbers: expected numbers of the matches.
        start: the score that each match begins with.
    """
    remaining = iter(games)
    game: Any
    for number in numbers:
        score, count = start, 0
        while not score.over:
            game = next(remaining, None)
            if not (
                _is_record(game)
                and _fits_cube(game, start)
                and (game["match"], game["game"]) == (number, count)
                and game["score"] == list(score.points)
                and game["crawford"] == score.crawford
            ):
                return False
            score, count = score.after(game["points"]), count + 1
    return next(remaining, None) is None


Floats = npt.NDArray[np.float64]
#: A number for A and one for B.
Both = tuple[float, float]


class Mean(NamedTuple):
    """A mean with its standard error and the 95 % confidence interval."""

    mean: float
    error: float
    low: float
    high: float

    @classmethod
    def of(cls, pairs: Floats) -> "Mean":
        """Return the mean of values float64 [N], one per pair."""
        return cls.known(*mean_and_error(pairs), len(pairs) - 1)

    @classmethod
    def known(cls, mean: float, error: float, degrees: int) -> "Mean":
        """Return a mean with its confidence interval; the error is infinite without degrees of freedom.

        Args:
            mean: the mean.
            error: its standard error.
            degrees: degrees of freedom of the error.
        """
        if degrees < 1:
            return cls(mean, float("inf"), -float("inf"), float("inf"))
        margin = t_quantile(degrees) * error
        return cls(mean, error, mean - margin, mean + margin)

    @property
    def told_error(self) -> float | None:
        """The standard error; None if it rests on fewer than `FEW` pairs.

        The width of the interval reveals the number of pairs, as it comes from Student's t.
        """
        widest = t_quantile(FEW - 1) * (1 + 1e-9)
        return self.error if self.high - self.mean <= widest * self.error else None

    def __str__(self) -> str:
        return f"{self.mean:+.4f} +- {self.error:.4f}"


class MatchResult(NamedTuple):
    """Games or matches, seen from A. A game for money counts as a match.

    Attributes:
        length: points of a match, 0 for money.
        live: whether the cube was in play.
        matches: the number of matches.
        games: the number of games.
        points: points per game, with the cube; in the unit of the payoffs, if games have any.
        adjusted: `wins`, or for money `points`, less the luck of the dice if it was judged.
        wins: share of matches that A won.
        fair_wins: `wins`, less what the luck of the dice explains (a control variate), if there
            are three pairs or more.
        gammons: shares of games that A and B won by a gammon or a backgammon.
        backgammons: shares of games that A and B won by a backgammon.
        doubles: doubles per game of A and of B.
        takes: takes per game of A and of B.
        passes: passes per game of A and of B.
        cube: mean value of the cube at the end of a game.
        turns: mean length of a game, in turns of either player.
    """

    length: int
    live: bool
    matches: int
    games: int
    points: Mean
    adjusted: Mean
    wins: Mean
    fair_wins: Mean
    gammons: Both
    backgammons: Both
    doubles: Both
    takes: Both
    passes: Both
    cube: float
    turns: float

    def __str__(self) -> str:
        unit = "matches won" if self.length else "points a game"
        return f"{self.matches} {'matches' if self.length else 'games'}, {self.adjusted} {unit}"


class Numbers(NamedTuple):
    """Numbers of N games: all games of each match, and both matches of each pair.

    Attributes:
        match: int64 [N], numbers of the games' matches, in rising order.
        points: float64 [N], points that A won, with the cube.
        luck: float64 [N], luck of A's and B's dice, counted for A.
        turns: float64 [N], turns of both players.
        cube: float64 [N], value of the cube at the end.
        doubles: float64 [N, 2], doubles by A and by B.
        passes: float64 [N, 2], passes by A and by B.
    """

    match: npt.NDArray[np.int64]
    points: Floats
    luck: Floats
    turns: Floats
    cube: Floats
    doubles: Floats
    passes: Floats

    @classmethod
    def of(cls, games: Sequence[GameRecord]) -> "Numbers":
        """Return the numbers of recorded games."""
        match = np.array([game["match"] for game in games])
        points, luck, turns, cube = np.array(
            [(game["points"], game["luck"], len(game["positions"]), game["cube"]) for game in games],
            np.float64,
        ).T
        doubles, passes = np.zeros((2, len(games), 2))
        for number, game in enumerate(games):
            for turn in game["doubles"]:
                side = (game["first"] + turn) % 2
                doubles[number, side] += 1
                passes[number, 1 - side] += turn == len(game["positions"])
        return cls(match, points, luck, turns, cube, doubles, passes)

    @classmethod
    def joined(cls, parts: Sequence["Numbers"]) -> "Numbers":
        """Return the numbers of several parts as one."""
        return cls(*map(np.concatenate, zip(*parts, strict=True)))


def result_of(numbers: Numbers, start: Score) -> MatchResult:
    """Return the result of one or more pairs of matches.

    Args:
        numbers: numbers of the games.
        start: the score that each match began with.
    """
    match, points, cube = numbers.match - numbers.match[0], numbers.points, numbers.cube
    paid = POINTS if start.payoffs is None else start.payoffs.ascending
    units = cube * paid[np.searchsorted(POINTS, points / cube)]
    won = points[np.append(np.diff(match) > 0, True)] > 0  # the last game decides a match
    totals, luck = np.bincount(match, units), np.bincount(match, numbers.luck)
    wins, lucks = (_of_pairs(values) / 2.0 for values in (won, luck))
    gain = won if start.length else totals
    doubles, passes = (counts.mean(axis=0) for counts in (numbers.doubles, numbers.passes))
    takes = doubles[::-1] - passes

    def shares(least: int) -> Both:
        return float((points >= least * cube).mean()), float((points <= -least * cube).mean())

    return MatchResult(
        start.length, start.live, len(won), len(points),
        Mean.known(*ratio_and_error(_of_pairs(totals), _of_pairs(np.bincount(match))), len(won) // 2 - 1),
        Mean.of(_of_pairs(gain - luck) / 2.0), Mean.of(wins),
        without_luck(wins, lucks),
        shares(2), shares(3), _both(doubles), _both(takes), _both(passes),
        float(cube.mean()), float(numbers.turns.mean()),
    )  # fmt: skip


def _of_pairs(values: npt.ArrayLike) -> Floats:
    """Return the sums over the two matches of each pair."""
    first, second = np.asarray(values, np.float64).reshape(-1, 2).T
    return np.asarray(first + second)


def _both(values: Floats) -> Both:
    """Return the numbers of A and of B as floats."""
    a, b = values.tolist()
    return a, b


def without_luck(wins: Floats, luck: Floats) -> Mean:
    """Return the mean of wins [N] with luck [N] as a control variate.

    The mean of luck is 0, so a multiple of it shifts no mean; the least-squares multiple leaves
    the smallest error. It is fitted to the same pairs: that takes a degree of freedom, and moves
    the mean by as much as the pairs' own luck is off from 0. It would fit two pairs exactly,
    whatever they are, so fewer than three pairs stay unadjusted.
    """
    n, shift = len(luck), float(luck.mean())
    centred = luck - shift
    spread = float(centred @ centred)
    if spread == 0.0 or n < 3:
        return Mean.of(wins)
    fair = wins - float(centred @ wins) / spread * luck
    mean, degrees = float(fair.mean()), n - 2
    variance = float(((fair - mean) ** 2).sum()) / degrees
    return Mean.known(mean, math.sqrt(variance * (1 / n + shift**2 / spread)), degrees)


def as_json(result: NamedTuple) -> dict[str, Any]:
    """Return plain JSON values."""
    return {
        name: value._asdict() if isinstance(value, Mean) else value
        for name, value in result._asdict().items()
    }
