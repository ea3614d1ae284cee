"""Nodots' protocol: answers and errors as its specification has them."""

import pytest

import gammon
from gammon.formats.position import Position
from gammon.rules.terms import Terms
from tests.boards import points_of
from tests.web.asking import OPENING, ask, post

REQUEST = {
    "positionId": OPENING, "positionIdConvention": "opponent-first",
    "activePlayerColor": "black", "activePlayerDirection": "counterclockwise", "cubeValue": 1,
    "cubeOwner": None, "matchScore": [0, 0], "matchLength": 0, "crawford": False,
    "jacoby": False, "beavers": False,
}  # fmt: skip


def call(path, **changes):
    return post(f"/v1/{path}", REQUEST | changes)


def test_health():
    found = ask("/v1/health").json
    assert (found["status"], found["protocolVersion"]) == ("ok", "1")
    assert found["engineName"] == "gammon"


def test_a_move():
    found = call("move", dice=[3, 1]).json
    step = {
        "from": 8, "to": 5, "moveKind": "point-to-point", "isHit": False, "player": "black",
        "fromContainer": "point", "toContainer": "point",
    }  # fmt: skip
    assert found["moves"] == [step, step | {"from": 6}]
    assert found["candidates"][0]["moves"] == found["moves"]
    assert [each["rank"] for each in found["candidates"]] == list(
        range(1, len(found["candidates"]) + 1)
    )


def test_the_bar_a_hit_and_off():
    position = Position(points_of({25: 1, 1: 1}, {22: 1, 24: 2}))
    found = call("move", positionId=position.position_id, dice=[3, 3]).json["moves"]
    assert (found[0]["from"], found[0]["fromContainer"]) == (0, "bar")
    assert (found[0]["moveKind"], found[0]["isHit"]) == ("reenter", True)
    position = Position(points_of({1: 1}, {24: 2}))
    found = call("move", positionId=position.position_id, dice=[6, 3]).json["moves"]
    assert (found[0]["to"], found[0]["toContainer"]) == (0, "off")
    assert found[0]["moveKind"] == "bear-off"


def test_both_orders_of_an_id():
    position = Position(points_of({24: 2, 6: 5, 8: 3}, {6: 4, 20: 4}))
    own = call("move", positionId=position.position_id, dice=[4, 2]).json
    other = position.flipped().position_id
    changes = {"positionId": other, "positionIdConvention": "on-roll-first", "dice": [4, 2]}
    assert call("move", **changes).json == own
    assert other != position.position_id


def test_a_score_is_told_by_colours():
    changes = {"matchLength": 7, "matchScore": [2, 5], "cubeValue": 2, "cubeOwner": "black"}
    found = call("double", **changes).json
    terms = Terms(7, (2, 5), cube=2, owner=1)
    wanted = gammon.Engine(3).cube(Position.opening().with_terms(terms))
    assert found["equity"] == wanted.equity
    white = call("double", **changes | {"activePlayerColor": "white"}).json
    assert white["action"] == "no-double"


@pytest.mark.parametrize(
    ("own", "their", "owner", "action"),
    [
        ({24: 2, 13: 5, 8: 3, 6: 5}, {1: 2, 12: 5, 17: 3, 19: 5}, None, "no-double"),
        ({1: 2, 2: 2}, {24: 3, 23: 2}, None, "double"),
        ({1: 2, 2: 2}, {24: 3, 23: 2}, "black", "redouble"),
        ({1: 3, 2: 2, 3: 2}, {0: 2, 12: 13}, None, "too-good"),
    ],
)
def test_doubles(own, their, owner, action):
    found = call(
        "double", positionId=Position(points_of(own, their)).position_id, cubeOwner=owner,
        cubeValue=2 if owner else 1,
    )  # fmt: skip
    assert found.json["action"] == action


def test_a_take_is_asked_from_the_side_of_the_taker():
    doubler = Position(points_of({1: 1, 2: 1, 3: 1}, {20: 8, 19: 7}))
    found = call("take", positionId=doubler.flipped().position_id).json
    assert found["action"] == "drop"
    assert found["dropEquity"] == -1.0
    assert found["takeEquity"] < -1.0
    opening = call("take").json
    assert opening["action"] == "take"
    wanted = gammon.Engine(3).cube(Position.opening()).double_take.equity
    assert opening["takeEquity"] == -wanted
    assert call("take", matchLength=1).json == opening, "which is money"
    assert call("take", matchLength=5, matchScore=[4, 0], crawford=True).status == 400


@pytest.mark.parametrize(
    ("own", "their", "action"),
    [
        ({6: 5}, {24: 1}, "single"), ({24: 5, 23: 5, 22: 5}, {19: 1}, "none"),
        ({24: 2, 6: 5, 8: 3}, {20: 2, 19: 2}, "none"), ({12: 15}, {24: 1}, "gammon"),
        ({22: 15}, {24: 1}, "backgammon"),
    ],
)  # fmt: skip
def test_resignations(own, their, action):
    found = call("resign", positionId=Position(points_of(own, their)).position_id)
    assert found.json["action"] == action


@pytest.mark.parametrize(
    ("changes", "code", "status"),
    [
        ({"positionId": "!!!not-a-position!!!"}, "invalid_position_id", 400),
        ({"positionId": None}, "invalid_request", 400),
        ({"positionIdConvention": "mine"}, "invalid_request", 400),
        ({"dice": [9, 0]}, "invalid_request", 400), ({"dice": None}, "invalid_request", 400),
        ({"activePlayerColor": "red"}, "invalid_request", 400),
        ({"cubeValue": 3}, "invalid_request", 400),
        ({"cubeValue": "1"}, "invalid_request", 400),
        ({"cubeOwner": "red"}, "invalid_request", 400),
        ({"matchLength": 5, "matchScore": [5, 0]}, "invalid_request", 400),
        ({"matchLength": 5, "matchScore": 1}, "invalid_request", 400),
        ({"jacoby": 1}, "invalid_request", 400),
        ({"cubeValue": 2}, "invalid_request", 400),
        ({"matchLength": 99}, "unsupported", 501), ({"cubeValue": 128}, "unsupported", 501),
    ],
)  # fmt: skip
def test_errors_have_the_protocols_codes(changes, code, status):
    found = call("move", **{"dice": [3, 1]} | changes)
    assert (found.status, found.error["code"]) == (status, code)
    assert post("/v1/move", []).error["code"] == "invalid_request"


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"cubeValue": 3}, "cubeValue"), ({"cubeValue": 128}, "cubeValue"),
        ({"cubeValue": 2}, "cubeOwner"), ({"matchLength": 99}, "matchLength"),
        ({"matchLength": 5, "matchScore": [5, 0]}, "matchScore"),
    ],
)  # fmt: skip
def test_errors_name_the_field(changes, field):
    assert call("move", **{"dice": [3, 1]} | changes).error["field"] == field
