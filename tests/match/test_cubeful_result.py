"""The figures of matches with the cube, against sums done by hand."""

import math

import pytest

from gammon.match.cubeful_result import cubeful_result_of
from gammon.match.result import as_json


def game(match, points, cube=1, doubles=(), luck=0.0, turns=4):
    return {
        "match": match, "game": 0, "score": [0, 0], "crawford": False, "first": match % 2,
        "rolls": "31" * turns, "positions": ["a"] * turns, "doubles": list(doubles),
        "cube": cube, "points": points, "luck": luck,
    }  # fmt: skip


#: A doubles and wins a gammon; A doubles and B passes; B wins; A doubles, and B redoubles,
#: which A passes.
GAMES = [
    game(6, 4, 2, [2], 1.0), game(7, 1, 1, [5], 0.5, 5), game(8, -1, 1, [], -0.25),
    game(9, -2, 2, [1, 6], 0.0, 6),
]  # fmt: skip


@pytest.mark.smoke
def test_money():
    found = cubeful_result_of(GAMES, 0)
    assert (found.matches, found.games, found.played) == (4, 4, 4)
    # The pairs' means are 5/2 and -3/2; less luck, 7/4 and -11/8.
    assert found.points[:2] == pytest.approx((0.5, 2.0))
    assert found.adjusted[:2] == pytest.approx((0.1875, 1.5625))
    assert found.wins[:2] == pytest.approx((0.5, 0.5))
    reach = math.tan(0.475 * math.pi) * 2.0  # Student's t with one degree of freedom
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
    assert as_json(found)["adjusted"]["error"] == pytest.approx(1.5625)


def test_matches_are_won_by_their_last_games():
    games = [
        game(0, 2, 2, [2], 0.25), game(0, 1, luck=0.25), game(1, -1), game(1, 4, 4, [1, 2, 4]),
        game(2, -3, luck=-0.5), game(3, 1), game(3, -2, luck=0.125),
    ]  # fmt: skip
    found = cubeful_result_of(games, 3)
    assert (found.matches, found.games, found.length) == (4, 7, 3)
    assert found.wins[:2] == pytest.approx((0.5, 0.5))  # of the pairs: 1 and 0
    assert found.adjusted[:2] == pytest.approx((15 / 32, 9 / 32))  # 3/4 and 3/16
    assert found.points.mean == pytest.approx(2 / 7)
    # By hand: the sums are 6 and -4 in 4 and 3 games; 6 - 8/7 and -4 - 6/7, over 7/2.
    assert found.points.error == pytest.approx((34 / 7) / 3.5)
    assert str(found) == "4 matches, +0.4688 +- 0.2812 matches won"


def test_one_pair_says_nothing_of_its_error():
    assert cubeful_result_of(GAMES[:2], 0).points == (2.5, math.inf, -math.inf, math.inf)
