"""The engine as a player: its doubles, answers, plays, and what it takes as a resignation."""

import pytest

import gammon
from gammon.formats.position import Position
from gammon.rules.terms import Terms
from tests.boards import points_of
from tests.web.asking import API, OPENING, ask


def turn(position: Position | str, **more):
    text = position if isinstance(position, str) else position.xgid
    return ask(f"{API}/turn", id=text, **more).json


def double_of(position: Position) -> str:
    return position.xgid.replace(":00:", ":D:", 1)


def test_a_roll_is_played_as_the_engine_plays_it():
    found = turn(OPENING, dice="65")
    assert (found["action"], found["notation"]) == ("play", "24/13")
    assert found["steps"] == [[24, 18], [18, 13]]
    after = Position.parse(found["xgid"])
    assert after == gammon.find_play(Position.opening(), (6, 5), "24/13").position
    assert found["position"]["xgid"] == found["xgid"]


def test_a_dance_is_a_play_without_steps():
    closed = Position(points_of({25: 1, 6: 2}, dict.fromkeys(range(19, 25), 2)))
    found = turn(closed, dice="66")
    assert (found["notation"], found["steps"]) == ("cannot move", [])


def test_no_double_at_the_opening():
    assert turn(OPENING) == {"action": "roll"}


def test_a_double_and_what_follows():
    strong = Position(points_of({1: 2, 2: 2}, {24: 3, 23: 2}))
    decision = gammon.Engine(3).cube(strong)
    assert decision.action is gammon.CubeAction.DOUBLE
    found = turn(strong)
    assert found["action"] == "double"
    assert found["position"]["doubled"]
    answer = turn(found["position"]["xgid"])
    assert answer["action"] == decision.answer.value


def test_a_take_gives_the_cube_to_the_taker():
    taken = turn(double_of(Position.opening()))
    assert taken["action"] == "take"
    position = Position.parse(taken["position"]["xgid"])
    assert position.context.terms() == Terms(cube=2, owner=-1)
    assert position.points == Position.opening().points


def test_a_beaver():
    bad = Position(points_of({25: 2, 6: 4, 24: 2}, {20: 3, 19: 3, 21: 3, 22: 3, 18: 3}))
    for cube, action, after in ((1, "beaver", 4), (16, "beaver", 64), (32, "take", 64)):
        terms = Terms(beavers=True, cube=cube, owner=int(cube > 1))
        found = turn(double_of(bad.with_terms(terms)))
        assert found["action"] == action
        assert found["position"]["stakes"]["cube"] == after
        assert found["position"]["stakes"]["owner"] == -1


def test_a_pass_ends_the_game():
    won = Position(points_of({1: 1, 2: 1, 3: 1}, {20: 8, 19: 7}))
    assert turn(double_of(won)) == {"action": "pass"}


def test_nobody_doubles_beyond_64():
    won = Position(points_of({1: 2, 2: 2}, {24: 3, 23: 2})).with_terms(Terms(cube=64, owner=1))
    assert turn(won) == {"action": "roll"}
    found = ask(f"{API}/turn", id=double_of(won))
    assert (found.status, found.error["code"]) == (400, "invalid_request")


@pytest.mark.parametrize(
    ("own", "their", "points", "accept"),
    [
        ({6: 15}, {24: 1}, 1, False),  # the gammon is certain, but for one roll
        ({6: 15}, {24: 1}, 2, True),
        ({6: 3}, {24: 1}, 1, True),
        ({24: 2, 6: 5}, {1: 2, 19: 5}, 1, True),
    ],
)
def test_resignations(own, their, points, accept):
    position = Position(points_of(own, their)).with_terms(Terms(cube=2, owner=-1)).xgid
    assert ask(f"{API}/resign", id=position, points=points).json == {
        "accept": accept, "won": {"winner": -1, "points": points, "scored": 2 * points},
    }  # fmt: skip


@pytest.mark.parametrize(("live", "cube"), [(True, 1), (False, 1), (True, 2)])
def test_a_resigned_gammon_counts_once_by_the_jacoby_rule_until_the_cube_is_turned(live, cube):
    owner = -1 if cube > 1 else 0
    terms = Terms(cube=cube, owner=owner, jacoby=True, live=live)
    position = Position(points_of({6: 15}, {24: 1})).with_terms(terms).xgid
    points = 2 if owner else 1
    assert ask(f"{API}/resign", id=position, points=2).json == {
        "accept": True, "won": {"winner": -1, "points": points, "scored": points * cube},
    }  # fmt: skip


def test_resignations_with_a_roll_and_in_a_match():
    lost = Position(points_of({6: 15}, {24: 1})).with_terms(Terms(7, (7, 1), crawford=True))
    for text in (lost.xgid, lost.with_dice((2, 1)).xgid):
        # 1-away, the opponent needs no gammon.
        assert ask(f"{API}/resign", id=text, points=1).json["accept"]


@pytest.mark.parametrize("points", ["0", "4", "x"])
def test_other_resignations_are_refused(points):
    found = ask(f"{API}/resign", id=OPENING, points=points)
    assert (found.status, found.error["field"]) == (400, "points")
