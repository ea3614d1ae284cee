"""Analyses, rollouts and turns of the API are those of the engine."""

import json

import pytest

import gammon
from gammon.formats.position import Position
from gammon.rules.terms import Terms
from gammon.view import to_json
from gammon_web.limits import Limits
from gammon_web.searches import engine_for, engine_of, seconds_of
from tests.boards import points_of
from tests.web.asking import API, OPENING, application, ask, asked

# Analyses of the API are those of the engine, as `gammon analyze --json` writes them.

SCORE = "XGID=-a-B--C--E---eD---d-bb---A:1:1:1:63:4:2:0:7:10"


def timeless(answer):
    """An answer without what differs from one search to the next."""
    found = json.loads(json.dumps(answer))
    del found["seconds"]
    found.pop("stats", None)  # a grid has none
    return found


@pytest.mark.parametrize("depth", [1, 3])
@pytest.mark.parametrize(("text", "dice"), [(OPENING, "31"), (SCORE, "63")])
def test_plays(text, dice, depth):
    found = ask(f"{API}/analyze", id=text, dice=dice, depth=depth, top=3)
    engine = gammon.Engine(depth)
    roll = int(dice[0]), int(dice[1])
    wanted = gammon.to_json(engine.analyze(Position.parse(text), roll, 3))
    assert timeless(found.json) == timeless(wanted)


def test_a_play_by_name():
    found = ask(f"{API}/analyze", id=OPENING, dice="31", depth=3, top=1, play=["24/20", "13/9"])
    named = {each["play"] for each in found.json["candidates"] if each["named"]}
    assert named == {"24/20", "13/9"}


@pytest.mark.parametrize("text", [OPENING, SCORE.replace(":63:", ":00:")])
def test_the_cube(text):
    engine = gammon.Engine(3)
    wanted = gammon.to_json(engine.cube(Position.parse(text)))
    assert timeless(ask(f"{API}/analyze", id=text, depth=3).json) == timeless(wanted)


@pytest.mark.parametrize("cubeless", [True, False])
def test_rolls(cubeless):
    engine = gammon.Engine(1, cubeless=cubeless)
    wanted = timeless(gammon.to_json(engine.analyze_rolls(Position.parse(SCORE))))
    more = {"cubeless": "1"} if cubeless else {}
    found = ask(f"{API}/rolls", id=SCORE, depth=1, **more)
    assert timeless(found.json) == wanted
    if cubeless:
        same = ask(f"{API}/analyze", id=SCORE.replace(":63:", ":00:"), depth=1, **more)
        assert timeless(same.json) == wanted


def test_the_stream_goes_from_depth_to_depth():
    found = ask(f"{API}/analyze/stream", id=OPENING, dice="31", depth=3)
    assert found.headers["content-type"] == "text/event-stream; charset=utf-8"
    assert [name for name, _ in found.events] == ["answer", "answer", "done"]
    for depth, (_, answer) in zip((1, 3), found.events, strict=False):
        wanted = ask(f"{API}/analyze", id=OPENING, dice="31", depth=depth).json
        assert timeless(answer) == timeless(wanted)


@pytest.mark.parametrize("path", ["analyze", "analyze/stream", "rollout/stream"])
@pytest.mark.parametrize(
    ("query", "code", "field"),
    [
        ("", "invalid_request", "id"),
        ("id=nonsense", "invalid_position", "id"),
        (f"id={OPENING}&depth=9", "invalid_request", "depth"),
        (f"id={OPENING}&play=8/5", "invalid_request", "play"),
        (f"id={OPENING}&dice=31&play=8/2", "invalid_play", "play"),
        (f"id={OPENING}&dice=31&play=x", "invalid_request", "play"),
        ("id=XGID=--------------------------:0:0:1:31:0:0:0:0:10", "invalid_position", "id"),
        ("id=XGID=-b----E-----------------A-:0:0:1:31:0:0:0:99:10", "invalid_position", "id"),
        ("id=XGID=------E-------------------:0:0:1:31:0:0:0:0:10", "invalid_position", "id"),
        ("id=XGID=-b----E-C---eE---c-e----B-:0:0:1:D:4:0:1:5:10", "invalid_request", None),
    ],
)
def test_what_is_wrong_is_refused_before_the_work(path, query, code, field):
    found = ask(f"{API}/{path}?{query}")
    assert (found.status, found.error["code"], found.error.get("field")) == (400, code, field)


@pytest.mark.parametrize(
    ("query", "code", "field"),
    [
        ("match=7&score=8-1", "invalid_request", "score"),
        ("score=1-1", "invalid_request", "score"),
        ("match=7&jacoby", "invalid_request", "jacoby"),
        ("match=%00&score=1-1", "invalid_request", "match"),
        ("rolls&dice=31", "invalid_request", None),
        ("met=/etc/passwd", "invalid_request", "met"),
        ("noise=1", "invalid_request", "noise"),
    ],
)
def test_what_may_not_be_asked(query, code, field):
    found = ask(f"{API}/analyze?id={OPENING}&depth=1&{query}")
    assert (found.status, found.error["code"]) == (400, code)
    assert found.error.get("field") == field


def test_all_that_may_be_asked():
    """The parameters are the settings of a question, by the names of the options."""
    asked = {"match": 7, "score": "3-5", "owner": "roller", "cube": 2, "filter": "tiny"}
    engine = gammon.Engine(3, move_filter="tiny")
    position = Position.parse(OPENING).with_terms(gammon.Terms(7, (4, 2), cube=2, owner=1))
    found = ask(f"{API}/analyze", id=OPENING, depth=3, **asked).json
    assert timeless(found) == timeless(gammon.to_json(engine.cube(position)))
    found = ask(f"{API}/analyze", id=OPENING, dice="31", depth=3, top=2, **asked).json
    wanted = engine.analyze(position, (3, 1), 2)
    assert timeless(found) == timeless(gammon.to_json(wanted))
    found = ask(f"{API}/analyze", id=OPENING, depth=1, stakes="dmp", dice="31").json
    wanted = gammon.Engine(1, stakes="dmp").analyze(Position.parse(OPENING), (3, 1))
    assert timeless(found) == timeless(gammon.to_json(wanted))
    found = ask(f"{API}/analyze", id=OPENING, depth=1, scores=2).json
    wanted = gammon.Engine(1).cube_by_score(Position.parse(OPENING), 2)
    assert timeless(found) == timeless(gammon.to_json(wanted))


def test_answers_by_score_take_no_longer_than_a_search_may():
    hasty, _ = application(seconds=0.1)
    for query in ({"dice": "31"}, {}):
        found = ask(f"{API}/analyze", id=OPENING, depth=1, scores=25, app=hasty, **query)
        assert (found.status, found.error["code"]) == (504, "timeout")


# Rollouts of the API are those of the package.


def rollout_timeless(found):
    found = json.loads(json.dumps(found))
    del found["seconds"], found["settings"]["max_seconds"]
    return found


def test_the_last_progress_is_the_result():
    asked = {"id": OPENING, "dice": "31", "trials": 36, "seed": 3, "truncate": 2}
    found = ask(f"{API}/rollout/stream", **asked, play=["8/5 6/5", "24/20"]).events
    assert [name for name, _ in found[-2:]] == ["progress", "done"]
    position = gammon.Position.parse(OPENING)
    wanted = gammon.rollout(position, (3, 1), ["8/5 6/5", "24/20"], trials=36, seed=3, truncate=2)
    assert rollout_timeless(found[-2][1]) == rollout_timeless(to_json(wanted))


def test_what_is_out_of_range():
    for name, value in (("trials", 37), ("trials", 0), ("top", 21), ("seed", -1)):
        found = ask(f"{API}/rollout/stream", **{"id": OPENING, "dice": "31", name: value})
        assert (found.status, found.error["field"]) == (400, name)


# The engine as a player: its doubles, answers, plays, and what it takes as a resignation.


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
        assert found["position"]["terms"]["cube"] == after
        assert found["position"]["terms"]["owner"] == -1


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
        "accept": accept,
        "won": {"winner": -1, "points": points, "scored": 2 * points},
    }


@pytest.mark.parametrize(("live", "cube"), [(True, 1), (False, 1), (True, 2)])
def test_a_resigned_gammon_counts_once_by_the_jacoby_rule_until_the_cube_is_turned(live, cube):
    owner = -1 if cube > 1 else 0
    terms = Terms(cube=cube, owner=owner, jacoby=True, live=live)
    position = Position(points_of({6: 15}, {24: 1})).with_terms(terms).xgid
    points = 2 if owner else 1
    assert ask(f"{API}/resign", id=position, points=2).json == {
        "accept": True,
        "won": {"winner": -1, "points": points, "scored": points * cube},
    }


def test_resignations_with_a_roll_and_in_a_match():
    lost = Position(points_of({6: 15}, {24: 1})).with_terms(Terms(7, (7, 1), crawford=True))
    for text in (lost.xgid, lost.with_dice((2, 1)).xgid):
        # 1-away, the opponent needs no gammon.
        assert ask(f"{API}/resign", id=text, points=1).json["accept"]


@pytest.mark.parametrize("points", ["0", "4", "x"])
def test_other_resignations_are_refused(points):
    found = ask(f"{API}/resign", id=OPENING, points=points)
    assert (found.status, found.error["field"]) == (400, "points")


# The engines behind the answers keep to the limits.


def test_they_are_what_a_request_asks_for():
    engine = engine_for(asked("depth=5"))
    assert (engine.depth, engine.cubeful, engine.max_seconds) == (5, True, 30.0)
    assert engine_for(asked("depth=5")) is engine
    assert not engine_for(asked(), cubeful=False).cubeful
    assert engine_for(asked("depth=3")).max_seconds is None
    assert engine_of(2).threads == 2


def test_searches_share_the_seconds_of_a_request():
    assert seconds_of(asked("depth=3"), 5, searches=10) == 3.0
    assert seconds_of(asked("depth=3"), 3, searches=10) is None
    assert Limits(seconds=3.0).long_seconds == 30.0
