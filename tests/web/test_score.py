"""The score of a match: the server adds it up, and says how the next game begins."""

import pytest

from gammon.formats.position import Position
from gammon.rules.board import OPENING
from tests.web.asking import API, post


def scored(length: int, *won: int, **more: object):
    found = post(f"{API}/score", {"length": length, "won": [*won], **more})
    assert found.status == 200
    return found.json


def test_the_crawford_game_is_played_once_and_points_beyond_the_length_do_not_count():
    found = [scored(5, *(4, -2, -8)[:games]) for games in range(4)]
    assert [each["score"] for each in found] == [[0, 0], [4, 0], [4, 2], [4, 5]]
    assert [each["crawford"] for each in found] == [False, True, False, False]
    for each in found[:3]:
        position = Position.parse(each["opening"])
        context = position.context
        assert (position.points, position.dice, context.on_roll) == (OPENING, None, 1)
        assert (context.length, [*context.scores]) == (5, each["score"])
        assert (context.crawford, context.cube_log2) == (each["crawford"], 0)
    assert found[3]["opening"] is None


def test_both_sides_may_come_to_their_last_point_after_the_crawford_game():
    assert [scored(3, *won)["crawford"] for won in ([2], [2, -2], [1, -2])] == [1, 0, 1]


def test_a_match_to_one_point_has_no_crawford_game():
    assert not scored(1)["crawford"]
    assert scored(1, -1) == {"score": [0, 1], "crawford": False, "opening": None}


def test_money_has_no_end_and_its_rules_stay():
    found = scored(0, -192, 2, jacoby=True)
    assert (found["score"], found["crawford"]) == ([2, 192], False)
    assert found["opening"].endswith(":0:0:1:00:0:0:1:0:10")
    assert scored(5, jacoby=True)["opening"].endswith(":0:0:1:00:0:0:0:5:10")
    assert scored(5, cube=False)["opening"].endswith(":0:0:1:00:0:0:0:5:0")


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"length": 5}, "won null: expected a list"),
        ({"length": 5, "won": [0]}, "won[0] 0: expected the points of a game"),
        ({"length": 5, "won": [1.5]}, "won[0] 1.5: expected the points of a game"),
        ({"length": 5, "won": [3, 2, 1]}, "won[2]: the match is over before"),
        ({"length": 65, "won": []}, "length 65"),
        ({"length": 5, "won": [], "cube": 1}, "cube 1: expected true or false"),
        ({"length": 5, "wno": []}, "did you mean won?"),
    ],
)
def test_what_is_wrong_is_refused(asked, words):
    found = post(f"{API}/score", asked)
    assert found.status == 400
    assert words in found.error["message"]
