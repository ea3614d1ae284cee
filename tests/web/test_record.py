"""Matches that were played on the page become match files."""

import pytest

from gammon_study.match_files.mat import parse_mat
from gammon_study.match_files.transcript import ActionKind
from tests.web.asking import API, application, post

GAME = {
    "score": [0, 0],
    "crawford": False,
    "actions": [
        {"player": 1, "dice": "31", "play": "8/5 6/5"},
        {"player": 0, "dice": "65", "play": "24/13"},
        {"player": 1, "do": "double"},
        {"player": 0, "do": "take"},
        {"player": 1, "dice": "11", "play": "8/7(2) 6/5(2)"},
        {"player": 0, "do": "resign", "points": 2},
    ],
    "winner": 1,
    "points": 4,
}


def test_it_is_read_back():
    asked = {"length": 7, "names": ["Ann", "gammon"], "games": [GAME], "date": "2026.11.22"}
    found = post(f"{API}/match", asked)
    assert found.headers["content-type"] == "text/plain; charset=utf-8"
    match = parse_mat(found.body.decode())
    assert match.warnings == ()
    assert match.details == (("EventDate", "2026.11.22"),)
    assert (match.players, match.length) == (("Ann", "gammon"), 7)
    game = match.games[0]
    assert (game.winner, game.points) == (1, 4)
    kinds = [action.kind for action in game.actions]
    assert kinds == [
        ActionKind.ROLL, ActionKind.ROLL, ActionKind.DOUBLE, ActionKind.TAKE,
        ActionKind.ROLL, ActionKind.RESIGN,
    ]  # fmt: skip


def test_a_game_under_way_and_names_of_many_lines():
    game = {"actions": GAME["actions"][:2]}
    found = post(f"{API}/match", {"games": [game], "names": ["A\nb\ud800", ""]})
    match = parse_mat(found.body.decode())
    assert match.players == ("A b\ufffd", "player 2")
    assert (match.length, match.games[0].winner) == (0, None)
    assert len(match.games[0].actions) == 2


def test_the_jacoby_rule_is_one_of_money():
    for length in (0, 7):
        asked = {"length": length, "games": [GAME | {"jacoby": True}]}
        assert (b"Jacoby" in post(f"{API}/match", asked).body) == (length == 0)


def test_the_crawford_game_is_one_with_a_side_1_away():
    game = {"score": [4, 0], "crawford": True, "actions": GAME["actions"][:2]}
    found = post(f"{API}/match", {"length": 5, "games": [game]})
    assert parse_mat(found.body.decode()).games[0].score.crawford


def test_a_match_without_the_cube_says_so_and_has_no_double():
    asked = {"length": 7, "games": [{"actions": GAME["actions"][:2], "cube": False}]}
    match = parse_mat(post(f"{API}/match", asked).body.decode())
    assert not match.games[0].score.live
    found = post(f"{API}/match", {"length": 7, "games": [GAME | {"cube": False}]})
    assert found.error["field"] == "games[0].actions[2]"


def changed(number, **entries):
    actions = [dict(each) for each in GAME["actions"]]
    actions[number] = actions[number] | entries
    return {"length": 7, "games": [GAME | {"actions": actions}]}


@pytest.mark.parametrize(
    ("body", "field", "code"),
    [
        ({}, "games", "invalid_request"),
        ({"games": [7]}, "games[0]", "invalid_request"),
        ({"games": [{}]}, "actions", "invalid_request"),
        ({"games": [], "length": 65}, "length", "invalid_request"),
        ({"games": [], "names": ["a"]}, "names", "invalid_request"),
        ({"games": [], "date": 7}, "date", "invalid_request"),
        ({"games": [], "date": '2026.11.22"]\n'}, "date", "invalid_request"),
        ({"games": [GAME | {"score": [7, 0]}], "length": 7}, "games[0].s", "invalid_request"),
        ({"games": [GAME | {"score": [1, -1]}]}, "games[0].score", "invalid_request"),
        ({"games": [GAME | {"cube": "no"}]}, "games[0].cube", "invalid_request"),
        ({"games": [GAME | {"jacoby": 1}]}, "games[0].jacoby", "invalid_request"),
        ({"games": [GAME | {"crawford": None}]}, "games[0].crawford", "invalid_request"),
        ({"games": [GAME | {"crawford": True}]}, "games[0].crawford", "invalid_request"),
        (
            {"games": [GAME | {"crawford": True, "score": [4, 4]}], "length": 5},
            "games[0].crawford",
            "invalid_request",
        ),
        (changed(0, player=2), "games[0].actions[0]", "invalid_request"),
        (changed(0, dice="33"), "games[0].actions[0]", "invalid_play"),
        (changed(0, dice=33), "games[0].actions[0].dice", "invalid_request"),
        (changed(0, play="8/2"), "games[0].actions[0]", "invalid_play"),
        (changed(1, player=1), "games[0].actions[1]", "invalid_request"),
        (changed(2, player=0), "games[0].actions[2]", "invalid_play"),
        (changed(2, do="fly"), "games[0].actions[2]", "invalid_request"),
        (changed(5, points=4), "games[0].actions[5].points", "invalid_request"),
    ],
)
def test_what_is_wrong_is_named(body, field, code):
    found = post(f"{API}/match", body)
    assert (found.status, found.error["code"]) == (400, code)
    assert found.error["field"].startswith(field)


def test_the_score_of_a_game_has_its_limits():
    for length, most in ((7, 6), (0, 10_000)):
        found = post(f"{API}/match", {"length": length, "games": [GAME | {"score": [1, -1]}]})
        assert f"expected two numbers from 0 to {most}" in found.error["message"]


def test_what_the_page_sends_steers_nothing():
    names = ["a\0b\x1b[31mc\u2028d\u202ee", "\ud800"]
    found = post(f"{API}/match", {"games": [{"actions": GAME["actions"][:1]}], "names": names})
    assert "ab[31mc de : 0" in found.body.decode()
    assert all(line.isprintable() for line in found.body.decode().splitlines())


def test_a_long_play_is_refused_at_once():
    found = post(f"{API}/match", changed(0, play="8/5 " * 16_000))
    assert (found.status, found.error["code"]) == (400, "invalid_play")
    assert "expected a play of at most 200" in found.error["message"]


def test_a_match_that_takes_too_long_is_refused():
    guarded, _ = application(seconds=1e-9)
    found = post(f"{API}/match", {"length": 7, "games": [GAME]}, app=guarded)
    assert (found.status, found.error["code"]) == (504, "timeout")
