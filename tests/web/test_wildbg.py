"""wildbg's requests get what wildbg's clients read: the same names, in the same places."""

import pytest

import gammon
from gammon.rules.terms import Terms
from tests.web.asking import ask

BOARD = "p24=2&p19=-5&p17=-3&p13=5&p12=-5&p8=3&p6=5&p1=-2"
CHANCES = ["win", "winG", "winBg", "loseG", "loseBg"]


def test_the_golden_request():
    found = ask(f"/move?die1=3&die2=1&{BOARD}&x_away=0&o_away=0").json
    assert list(found) == ["moves"]
    plays = gammon.legal_plays(gammon.Position.opening(), (3, 1))
    assert len(found["moves"]) == len(plays)
    for each in found["moves"]:
        assert list(each) == ["play", "probabilities"]
        assert list(each["probabilities"]) == CHANCES
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
    assert list(found["probabilities"]) == CHANCES
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
