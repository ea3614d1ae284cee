"""bgweb-api's requests get what its clients read."""

import pytest

import gammon
from gammon.rules.board import OPENING
from tests.web.asking import API, ask, post

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
    assert [each["info"]["plies"] for each in shown] == [
        (each.depth + 1) // 2 for each in plays
    ]


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
        ({"player": "y"}, "player"), ({"dice": [3]}, "dice"), ({"dice": [0, 1]}, "dice"),
        ({"dice": "31"}, "dice"), ({"board": {"x": SIDE}}, "board"), ({"board": 1}, "board"),
        ({"board": {"x": {"25": 1}, "o": SIDE}}, "board"),
        ({"board": {"x": {"6": -1}, "o": SIDE}}, "board"),
        ({"board": {"x": {"6": 1}, "o": {"19": 1}}}, "board"),
        ({"board": {"x": {"6": 9, "5": 9}, "o": SIDE}}, "board"),
        ({"board": {"x": {}, "o": SIDE}}, "board"), ({"cubeful": 1}, "cubeful"),
        ({"max-moves": -1}, "max-moves"), ({"score-moves": "no"}, "score-moves"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(changes, field):
    found = getmoves(**changes)
    assert (found.status, found.error["field"]) == (400, field)
    assert found.json["message"] == found.error["message"]


def test_a_body_that_is_none():
    for body in (b"", b"{", b"[]", b"7", b"[" * 100_000, b"9" * 5000):
        assert ask(f"{API}/getmoves", body).status == 400
