"""The APIs of other programs get what their clients read."""

import pytest

import gammon
from gammon.eval.equity import Probabilities
from gammon.formats.position import Position
from gammon.rules.board import OPENING
from gammon.rules.terms import Terms
from gammon_web.foreign import CHANCES, chances_json, placed
from gammon_web.refusal import Refusal
from tests.boards import points_of
from tests.web.asking import API, ask, post
from tests.web.asking import OPENING as NODOTS_OPENING

# What the APIs of other programs have in common.

SEEN = Probabilities(0.6, 0.2, 0.01, 0.1, 0.02)


@pytest.mark.parametrize("api", CHANCES)
def test_chances_have_the_names_of_an_api(api: str) -> None:
    found = chances_json(api, SEEN)
    assert [value for name, value in found.items() if name != "lose"] == [*SEEN]
    assert found.get("lose", 0.4) == 0.4
    assert [name[0] for name in found] == sorted((name[0] for name in found), reverse=True)


def test_a_refusal_names_what_is_wrong() -> None:
    at = Terms(7, (3, 5))
    assert placed(OPENING, at, ("board", "score")).context.terms() == at
    assert placed(OPENING, None, ("board", "score")).points == OPENING
    for points, terms, field in (([0] * 26, at, "board"), (OPENING, Terms(cube=3), "score")):
        with pytest.raises(Refusal) as caught:
            placed(points, terms, ("board", "score"))
        assert caught.value.field == field


# bgweb-api's requests get what its clients read.

SIDE = {"6": 5, "8": 3, "13": 5, "24": 2}
GOLDEN = {
    "board": {"x": SIDE, "o": SIDE},
    "dice": [3, 1],
    "player": "x",
    "cubeful": False,
    "max-moves": 3,
    "score-moves": True,
}


def getmoves(**changes):
    return post(f"{API}/getmoves", GOLDEN | changes)


def test_the_golden_request():
    found = getmoves().json
    assert len(found) == 3
    for each in found:
        assert list(each) == ["play", "evaluation"]
        assert list(each["evaluation"]) == ["info", "eq", "diff", "probability"]
        assert list(each["evaluation"]["info"]) == ["cubeful", "plies"]
        chances = each["evaluation"]["probability"]
        assert list(chances) == ["win", "winG", "winBG", "lose", "loseG", "loseBG"]
        assert chances["win"] + chances["lose"] == pytest.approx(1.0, abs=0.0011)
        assert each["evaluation"]["diff"] <= 0.0
    assert found[0]["play"] == [{"from": "8", "to": "5"}, {"from": "6", "to": "5"}]
    best = gammon.Engine(3, cubeless=True).analyze(gammon.Position.opening(), (3, 1)).candidates
    assert found[0]["evaluation"]["eq"] == round(best[0].equity, 3)
    assert found[1]["evaluation"]["diff"] == round(best[1].equity - best[0].equity, 3)


def test_the_list_is_that_of_an_analysis():
    """Ten plays at least are searched to depth 3, and others two plies less deep."""
    found = getmoves(cubeful=True, **{"max-moves": 0}).json
    plays = gammon.Engine(3).analyze(gammon.Position.opening(), (3, 1)).candidates
    assert sum(each.depth == 3 for each in plays) >= 10
    assert plays[-1].depth == 1
    shown = [each["evaluation"] for each in found]
    assert [each["eq"] for each in shown] == [round(each.equity, 3) for each in plays]
    assert [each["info"]["plies"] for each in shown] == [(each.depth + 1) // 2 for each in plays]


def test_the_other_player_counts_from_its_own_home():
    mine = {"24": 1, "bar": 1, "6": 3}
    theirs = {"20": 2, "4": 3}
    x = getmoves(board={"x": mine, "o": theirs}).json
    o = getmoves(board={"x": theirs, "o": mine}, player="o").json
    assert x == o
    assert x[0]["play"][0]["from"] == "bar"


def test_how_many_and_without_scores():
    plays = len(gammon.legal_plays(gammon.Position(OPENING), (3, 1)))
    found = getmoves(**{"max-moves": 0, "score-moves": False}).json
    assert len(found) == plays
    assert all(list(each) == ["play"] for each in found)
    short = {name: GOLDEN[name] for name in ("board", "dice", "player")}
    assert len(post(f"{API}/getmoves", short).json) == plays


def test_with_the_cube():
    info = getmoves(cubeful=True).json[0]["evaluation"]["info"]
    assert info == {"cubeful": True, "plies": 2}


def test_bearing_off_and_a_dance():
    found = getmoves(board={"x": {"1": 2}, "o": {"1": 2}}).json
    assert found[0]["play"] == [{"from": "1", "to": "off"}, {"from": "1", "to": "off"}]
    closed = {str(point): 2 for point in range(1, 7)}
    assert getmoves(board={"x": {"bar": 1}, "o": closed}).json == []


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"player": "y"}, "player"),
        ({"dice": [3]}, "dice"),
        ({"dice": [0, 1]}, "dice"),
        ({"dice": "31"}, "dice"),
        ({"board": {"x": SIDE}}, "board"),
        ({"board": 1}, "board"),
        ({"board": {"x": {"25": 1}, "o": SIDE}}, "board"),
        ({"board": {"x": {"6": -1}, "o": SIDE}}, "board"),
        ({"board": {"x": {"6": 1}, "o": {"19": 1}}}, "board"),
        ({"board": {"x": {"6": 9, "5": 9}, "o": SIDE}}, "board"),
        ({"board": {"x": {}, "o": SIDE}}, "board"),
        ({"cubeful": 1}, "cubeful"),
        ({"max-moves": -1}, "max-moves"),
        ({"score-moves": "no"}, "score-moves"),
    ],
)
def test_what_is_wrong_is_named(changes, field):
    found = getmoves(**changes)
    assert (found.status, found.error["field"]) == (400, field)
    assert found.json["message"] == found.error["message"]


def test_a_body_that_is_none():
    for body in (b"", b"{", b"[]", b"7", b"[" * 100_000, b"9" * 5000):
        assert ask(f"{API}/getmoves", body).status == 400


# Nodots' protocol: answers and errors as its specification has them.

REQUEST = {
    "positionId": NODOTS_OPENING,
    "positionIdConvention": "opponent-first",
    "activePlayerColor": "black",
    "activePlayerDirection": "counterclockwise",
    "cubeValue": 1,
    "cubeOwner": None,
    "matchScore": [0, 0],
    "matchLength": 0,
    "crawford": False,
    "jacoby": False,
    "beavers": False,
}


def call(path, **changes):
    return post(f"/v1/{path}", REQUEST | changes)


def test_health():
    found = ask("/v1/health").json
    assert (found["status"], found["protocolVersion"]) == ("ok", "1")
    assert found["engineName"] == "gammon"


def test_a_move():
    found = call("move", dice=[3, 1]).json
    step = {
        "from": 8,
        "to": 5,
        "moveKind": "point-to-point",
        "isHit": False,
        "player": "black",
        "fromContainer": "point",
        "toContainer": "point",
    }
    assert found["moves"] == [step, step | {"from": 6}]
    assert found["candidates"][0]["moves"] == found["moves"]
    assert [each["rank"] for each in found["candidates"]] == list(range(1, len(found["candidates"]) + 1))


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
        "double",
        positionId=Position(points_of(own, their)).position_id,
        cubeOwner=owner,
        cubeValue=2 if owner else 1,
    )
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
        ({6: 5}, {24: 1}, "single"),
        ({24: 5, 23: 5, 22: 5}, {19: 1}, "none"),
        ({24: 2, 6: 5, 8: 3}, {20: 2, 19: 2}, "none"),
        ({12: 15}, {24: 1}, "gammon"),
        ({22: 6, 12: 9}, {24: 1}, "backgammon"),
    ],
)
def test_resignations(own, their, action):
    found = call("resign", positionId=Position(points_of(own, their)).position_id)
    assert found.json["action"] == action


@pytest.mark.parametrize(
    ("changes", "code", "status"),
    [
        ({"positionId": "!!!not-a-position!!!"}, "invalid_position_id", 400),
        ({"positionId": None}, "invalid_request", 400),
        ({"positionIdConvention": "mine"}, "invalid_request", 400),
        ({"dice": [9, 0]}, "invalid_request", 400),
        ({"dice": None}, "invalid_request", 400),
        ({"activePlayerColor": "red"}, "invalid_request", 400),
        ({"cubeValue": 3}, "invalid_request", 400),
        ({"cubeValue": "1"}, "invalid_request", 400),
        ({"cubeOwner": "red"}, "invalid_request", 400),
        ({"matchLength": 5, "matchScore": [5, 0]}, "invalid_request", 400),
        ({"matchLength": 5, "matchScore": 1}, "invalid_request", 400),
        ({"jacoby": 1}, "invalid_request", 400),
        ({"cubeValue": 2}, "invalid_request", 400),
        ({"matchLength": 99}, "unsupported", 501),
        ({"cubeValue": 128}, "unsupported", 501),
    ],
)
def test_errors_have_the_protocols_codes(changes, code, status):
    found = call("move", **{"dice": [3, 1]} | changes)
    assert (found.status, found.error["code"]) == (status, code)
    assert post("/v1/move", []).error["code"] == "invalid_request"


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"cubeValue": 3}, "cubeValue"),
        ({"cubeValue": 128}, "cubeValue"),
        ({"cubeValue": 2}, "cubeOwner"),
        ({"matchLength": 99}, "matchLength"),
        ({"matchLength": 5, "matchScore": [5, 0]}, "matchScore"),
    ],
)
def test_errors_name_the_field(changes, field):
    assert call("move", **{"dice": [3, 1]} | changes).error["field"] == field


# wildbg's requests get what wildbg's clients read: the same names, in the same places.

BOARD = "p24=2&p19=-5&p17=-3&p13=5&p12=-5&p8=3&p6=5&p1=-2"
WILDBG_CHANCES = ["win", "winG", "winBg", "loseG", "loseBg"]


def test_wildbg_the_golden_request():
    found = ask(f"/move?die1=3&die2=1&{BOARD}&x_away=0&o_away=0").json
    assert list(found) == ["moves"]
    plays = gammon.legal_plays(gammon.Position.opening(), (3, 1))
    assert len(found["moves"]) == len(plays)
    for each in found["moves"]:
        assert list(each) == ["play", "probabilities"]
        assert list(each["probabilities"]) == WILDBG_CHANCES
        assert all(list(step) == ["from", "to"] for step in each["play"])
    assert found["moves"][0]["play"] == [{"from": 8, "to": 5}, {"from": 6, "to": 5}]
    best = gammon.Engine(3).analyze(gammon.Position.opening(), (3, 1)).candidates[0]
    assert list(found["moves"][0]["probabilities"].values()) == list(best.probabilities)


def test_a_forced_move_in_steps_that_can_be_played():
    found = ask("/move?die1=3&die2=1&p5=1&p24=-1").json["moves"]
    assert [each["play"] for each in found] == [[{"from": 5, "to": 4}, {"from": 4, "to": 1}]]


def test_a_dance_is_one_move_without_steps():
    board = "&".join(f"p{point}=-2" for point in range(19, 25))
    found = ask(f"/move?die1=6&die2=6&p25=1&p6=2&{board}").json["moves"]
    assert [each["play"] for each in found] == [[]]


def test_the_bar_and_off():
    found = ask("/move?die1=6&die2=5&p25=1&p24=-1").json["moves"][0]["play"]
    assert found[0]["from"] == 25
    found = ask("/move?die1=6&die2=5&p1=2&p24=-1").json["moves"][0]["play"]
    assert [step["to"] for step in found] == [0, 0]


def test_an_evaluation():
    found = ask(f"/eval?{BOARD}").json
    assert list(found) == ["cube", "probabilities"]
    assert (found["cube"]["double"], found["cube"]["accept"]) == (False, True)
    assert list(found["probabilities"]) == WILDBG_CHANCES
    decision = gammon.Engine(3).cube(gammon.Position.opening())
    assert list(found["probabilities"].values()) == list(decision.probabilities)
    assert found["cube"]["equityNoDouble"] == decision.no_double.equity
    assert found["cube"]["equityDoubleTake"] == decision.double_take.equity


def test_doubles_and_passes():
    cube = ask("/eval?p1=2&p2=2&p24=-3&p23=-2").json["cube"]
    assert cube["double"]
    cube = ask("/eval?p1=1&p2=1&p3=1&p20=-8&p19=-7").json["cube"]
    assert not cube["accept"]


def test_a_score():
    found = ask(f"/eval?{BOARD}&x_away=1&o_away=1").json
    dmp = gammon.Position.opening().with_terms(Terms(1, (1, 1)))
    wanted = gammon.Engine(3).cube(dmp)
    assert found["cube"]["equityNoDouble"] == wanted.no_double.equity
    assert "equityDoubleTake" not in found["cube"]
    assert ask(f"/eval?{BOARD}&x_away=2&o_away=1&crawford=1").status == 200


@pytest.mark.parametrize("score", ["", "&x_away=0&o_away=0"])
def test_the_crawford_game_is_of_a_match(score):
    for word in ("1", "maybe"):
        found = ask(f"/eval?{BOARD}{score}&crawford={word}")
        assert (found.status, found.error["field"]) == (400, "crawford")
    assert ask(f"/eval?{BOARD}{score}&crawford=0").status == 200


@pytest.mark.parametrize(
    "target",
    [
        "/move", f"/move?die1=3&{BOARD}", "/move?die1=2&die2=0&p4=4&p5=-5",
        "/move?die1=2&die2=1&p4=4&p5=-5&p25=-2", "/eval?p0=1&p4=4&p5=-5", "/eval?p4=16&p5=-5",
        "/eval?p4=x&p5=-5", "/eval?p4=300&p5=-5", "/eval", "/eval?p4=1",
        f"/eval?{BOARD}&x_away=0&o_away=1", f"/eval?{BOARD}&x_away=3&o_away=3&crawford=1",
        f"/eval?{BOARD}&x_away=99&o_away=1", f"/eval?{BOARD}&x_away=3",
    ],
)  # fmt: skip
def test_errors_have_their_message_where_it_is_read(target):
    found = ask(target)
    assert (found.status, found.headers["content-type"]) == (400, "application/json")
    assert found.json["message"] == found.error["message"]
    if target.endswith("x_away=3"):
        assert found.error["field"] == "o_away"
