"""The figures of a match, against sums done by hand."""

import math

import pytest

from gammon.match.played import GameRecord
from gammon.match.result import as_json, result_of
from gammon.rules.stakes import DMP, GAMMON_GO, MONEY


def game(number: int, points: int, luck: float, turns: int) -> GameRecord:
    return {
        "game": number, "first": number % 2, "rolls": "31" * turns,
        "positions": ["4HPwATDgc/ABMA"] * turns, "points": points, "luck": luck,
    }  # fmt: skip


GAMES = [game(0, 3, 1.0, 10), game(1, -1, 0.0, 20), game(2, -2, 0.5, 30), game(3, 1, -0.5, 40)]


@pytest.mark.smoke
def test_means_are_over_pairs() -> None:
    result = result_of(GAMES)
    # The pairs' means are 1 and -1/2; less luck, 1/2 and -1/2.
    assert result.points[:2] == pytest.approx((0.25, 0.75))
    assert result.adjusted[:2] == pytest.approx((0, 0.5))
    assert result.wins[:2] == pytest.approx((0.5, 0))
    # The 97.5 % quantile of Student's t with one degree of freedom is tan(0.475 pi).
    reach = math.tan(0.475 * math.pi) * 0.5
    assert result.adjusted[2:] == pytest.approx((-reach, reach))
    assert result.gammons == (0.25, 0.25)
    assert result.backgammons == (0.25, 0)
    assert (result.games, result.turns) == (4, 25)
    assert str(result) == "4 games, +0.0000 +- 0.5000 points a game"
    assert as_json(result)["points"]["error"] == pytest.approx(0.75)


def test_wins_less_what_luck_predicts() -> None:
    # The pairs' luck is 1, -1 and 0, and they won 1, 0 and 1/2 of their games: all of it luck.
    lucky = [game(0, 1, 1.0, 9), game(1, 1, 1.0, 9), game(2, -1, -1.0, 9), game(3, -1, -1.0, 9)]
    even = [game(4, 1, 0.0, 9), game(5, -1, 0.0, 9)]
    assert result_of(lucky + even).fair_wins[:2] == pytest.approx((0.5, 0))
    assert result_of(lucky + even).wins[1] > 0.2
    # More luck than is fair is taken out of the mean too.
    assert result_of([*lucky, *lucky[:2]]).fair_wins.mean == pytest.approx(0.5)
    unadjusted = [{**each, "luck": 0.0} for each in lucky]
    assert result_of(unadjusted).fair_wins == result_of(unadjusted).wins  # type: ignore[arg-type]


def test_one_pair_says_nothing_of_its_error() -> None:
    assert result_of(GAMES[:2]).points == (1, math.inf, -math.inf, math.inf)


def test_stakes_say_what_points_are_worth() -> None:
    assert result_of(GAMES, MONEY) == result_of(GAMES)
    # Won by a backgammon, lost, lost by a gammon, won: 3 - 1 and -1 + 1.
    found = result_of(GAMES, GAMMON_GO)
    assert found.points[:2] == pytest.approx((0.5, 0.5))
    assert found.adjusted[:2] == pytest.approx((0.25, 0.25))
    assert result_of(GAMES, GAMMON_GO.turned()).points.mean == pytest.approx(-0.5)
    assert result_of(GAMES, DMP).points.mean == 0
    assert found.wins == result_of(GAMES).wins
    assert found.gammons == (0.25, 0.25)
