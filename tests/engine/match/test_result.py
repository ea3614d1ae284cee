"""The figures of games and matches, against sums done by hand."""

import math

import numpy as np
import pytest

from gammon.match.record import GameRecord
from gammon.match.result import MatchResult, Numbers, as_json, result_of, without_luck
from gammon.rules.terms import CUBELESS, NAMED_STAKES, Score, Terms

DMP = NAMED_STAKES["dmp"]
GAMMON_GO = NAMED_STAKES["gammon-go"]

WITHOUT = Score(live=False)


def game(
    match: int, points: int, luck: float = 0.0, turns: int = 4, cube: int = 1,
    doubles: tuple[int, ...] = (),
) -> GameRecord:  # fmt: skip
    return {
        "match": match, "game": 0, "score": [0, 0], "crawford": False, "first": match % 2,
        "rolls": "31" * turns, "positions": ["4HPwATDgc/ABMA"] * turns,
        "doubles": list(doubles), "cube": cube, "points": points, "luck": luck,
    }  # fmt: skip


def result(
    games: list[GameRecord], start: Score = WITHOUT, stakes: Terms = CUBELESS
) -> MatchResult:
    if not start.live:
        start = start._replace(payoffs=stakes.payoffs)
    return result_of(Numbers.of(games), start)


GAMES = [game(0, 3, 1.0, 10), game(1, -1, 0.0, 20), game(2, -2, 0.5, 30), game(3, 1, -0.5, 40)]


@pytest.mark.smoke
def test_means_are_over_pairs() -> None:
    found = result(GAMES)
    # The pairs' means are 1 and -1/2; less luck, 1/2 and -1/2.
    assert found.points[:2] == pytest.approx((0.25, 0.75))
    assert found.adjusted[:2] == pytest.approx((0, 0.5))
    assert found.wins[:2] == pytest.approx((0.5, 0))
    # The 97.5 % quantile of Student's t with one degree of freedom is tan(0.475 pi).
    reach = math.tan(0.475 * math.pi) * 0.5
    assert found.adjusted[2:] == pytest.approx((-reach, reach))
    assert found.gammons == (0.25, 0.25)
    assert found.backgammons == (0.25, 0)
    assert (found.games, found.turns, found.live, found.length) == (4, 25, False, 0)
    assert (found.cube, found.doubles, found.takes, found.passes) == (1, *[(0, 0)] * 3)
    assert str(found) == "4 games, +0.0000 +- 0.5000 points a game"
    assert as_json(found)["points"]["error"] == pytest.approx(0.75)


def test_wins_less_what_luck_predicts() -> None:
    # The pairs' luck is 1, -1 and 0, and they won 1, 0 and 1/2 of their games: all of it luck.
    lucky = [game(0, 1, 1.0), game(1, 1, 1.0), game(2, -1, -1.0), game(3, -1, -1.0)]
    even = [game(4, 1), game(5, -1)]
    assert result(lucky + even).fair_wins[:2] == pytest.approx((0.5, 0))
    assert result(lucky + even).wins[1] > 0.2
    # More luck than is fair is taken out of the mean too.
    more = [game(4, 1, 1.0), game(5, 1, 1.0)]
    assert result(lucky + more).fair_wins.mean == pytest.approx(0.5)
    unadjusted = [game(0, 1), game(1, 1), game(2, -1), game(3, -1)]
    assert result(unadjusted).fair_wins == result(unadjusted).wins


@pytest.mark.parametrize("pairs", [4, 6])
def test_wins_without_luck_are_as_far_off_as_they_say(pairs: int) -> None:
    """The truth is one half; luck takes a part of the spread, fitted to the same pairs."""
    rng, tries, inside, ratios = np.random.default_rng(1), 2000, 0, []
    for _ in range(tries):
        luck = rng.normal(size=pairs)
        wins = 0.5 + 0.2 * luck + 0.3 * rng.normal(size=pairs)
        mean, error, low, high = without_luck(wins, luck)
        inside += low < 0.5 < high
        ratios.append((mean - 0.5) / error)
    assert 0.935 < inside / tries < 0.965
    # Half of the values of Student's t with 2 and with 4 degrees are closer to 0.
    assert np.median(np.abs(ratios)) == pytest.approx({4: 0.816, 6: 0.741}[pairs], abs=0.06)


def test_too_few_pairs_say_nothing_of_their_error() -> None:
    assert result(GAMES[:2]).points == (1, math.inf, -math.inf, math.inf)
    assert result(GAMES[:2]).fair_wins.error == math.inf


def test_luck_predicts_nothing_of_two_pairs() -> None:
    """A line goes through both, however far apart they are."""
    two = result([game(0, 1, 1.0), game(1, 1, 1.0), game(2, -1, -0.5), game(3, 1, 0.5)])
    assert two.fair_wins == two.wins
    assert two.wins.error == pytest.approx(0.25)


def test_stakes_say_what_points_are_worth() -> None:
    # Won by a backgammon, lost, lost by a gammon, won: 3 - 1 and -1 + 1.
    found = result(GAMES, stakes=GAMMON_GO)
    assert found.points[:2] == pytest.approx((0.5, 0.5))
    assert found.adjusted[:2] == pytest.approx((0.25, 0.25))
    assert result(GAMES, stakes=GAMMON_GO.turned()).points.mean == pytest.approx(-0.5)
    assert result(GAMES, stakes=DMP).points.mean == 0
    assert found.wins == result(GAMES).wins
    assert found.gammons == (0.25, 0.25)


#: A doubles and wins a gammon; A doubles and B passes; B wins; A doubles, and B redoubles,
#: which A passes.
WITH_CUBE = [
    game(6, 4, 1.0, cube=2, doubles=(2,)), game(7, 1, 0.5, 5, doubles=(5,)), game(8, -1, -0.25),
    game(9, -2, 0.0, 6, 2, (1, 6)),
]  # fmt: skip


@pytest.mark.smoke
def test_money_with_the_cube() -> None:
    found = result(WITH_CUBE, Score())
    assert (found.matches, found.games, found.live) == (4, 4, True)
    # The pairs' means are 5/2 and -3/2; less luck, 7/4 and -11/8.
    assert found.points[:2] == pytest.approx((0.5, 2.0))
    assert found.adjusted[:2] == pytest.approx((0.1875, 1.5625))
    assert found.wins[:2] == pytest.approx((0.5, 0.5))
    reach = math.tan(0.475 * math.pi) * 2.0
    assert found.points[2:] == pytest.approx((0.5 - reach, 0.5 + reach))
    assert found.gammons == (0.25, 0.0)
    assert found.backgammons == (0.0, 0.0)
    # B began games 7 and 9, so that A has their odd turns.
    assert found.doubles == (0.75, 0.25)
    assert found.takes == (0.0, 0.5)
    assert found.passes == (0.25, 0.25)
    assert found.cube == 1.5
    assert found.turns == 4.75
    assert str(found) == "4 games, +0.1875 +- 1.5625 points a game"


def test_matches_are_won_by_their_last_games() -> None:
    games = [
        game(0, 2, 0.25, cube=2, doubles=(2,)), game(0, 1, 0.25), game(1, -1),
        game(1, 4, cube=4, doubles=(1, 2, 4)), game(2, -3, -0.5), game(3, 1),
        game(3, -2, 0.125),
    ]  # fmt: skip
    found = result(games, Score(3))
    assert (found.matches, found.games, found.length) == (4, 7, 3)
    assert found.wins[:2] == pytest.approx((0.5, 0.5))  # of the pairs: 1 and 0
    assert found.adjusted[:2] == pytest.approx((15 / 32, 9 / 32))  # 3/4 and 3/16
    assert found.points.mean == pytest.approx(2 / 7)
    # By hand: the sums are 6 and -4 in 4 and 3 games; 6 - 8/7 and -4 - 6/7, over 7/2.
    assert found.points.error == pytest.approx((34 / 7) / 3.5)
    assert str(found) == "4 matches, +0.4688 +- 0.2812 matches won"


def test_numbers_can_be_joined() -> None:
    games = [*GAMES, *(game(4 + n, n + 1, cube=1 + n, doubles=(1,) * n) for n in (0, 1))]
    parts = Numbers.of(games[:2]), Numbers.of(games[2:4]), Numbers.of(games[4:])
    for joined, whole in zip(Numbers.joined(parts), Numbers.of(games), strict=True):
        assert np.array_equal(joined, whole)
