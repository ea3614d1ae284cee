"""Analyses of the API are those of the engine, as `gammon analyze --json` writes them."""

import json

import pytest

import gammon
from gammon.formats.position import Position
from tests.web.asking import API, OPENING, application, ask

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
        (f"id={OPENING}&dice=7", "invalid_request", "dice"),
        (f"id={OPENING}&depth=2", "invalid_request", "depth"),
        (f"id={OPENING}&depth=7", "invalid_request", "depth"),
        (f"id={OPENING}&depth=x", "invalid_request", "depth"),
        (f"id={OPENING}&top=0", "invalid_request", "top"),
        (f"id={OPENING}&cubeless=maybe", "invalid_request", "cubeless"),
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
        ("scores=26", "invalid_request", "scores"),
        ("filter=wide", "invalid_request", "filter"),
        ("stakes=cash", "invalid_request", "stakes"),
        ("match=7&score=8-1", "invalid_request", "score"),
        ("score=1-1", "invalid_request", "score"),
        ("match=7&jacoby", "invalid_request", "jacoby"),
        ("match=%00&score=1-1", "invalid_request", "match"),
        ("owner=me", "invalid_request", "owner"),
        ("max_seconds=0", "invalid_request", "max_seconds"),
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
