"""The page of the API says what the answers have: each is held to its schema."""

import json
import runpy
from pathlib import Path
from typing import is_typeddict

import pytest

import gammon_web.app
from gammon_web import answers
from gammon_web.app import make_app
from gammon_web.guard import Names
from gammon_web.limits import Limits
from gammon_web.requests import REQUESTS
from tests import schemas
from tests.web.asking import API, OPENING, ask, post
from tests.web.test_bgweb import GOLDEN
from tests.web.test_nodots import REQUEST
from tests.web.test_record import GAME

PAGE = json.loads((Path(gammon_web.app.__file__).parent / "openapi.json").read_text())
MATCH = "XGID=-a-B--C--E---eD---d-bb---A:1:1:1:63:4:2:0:7:10"
RACE = "XGID=-AB-----------------c------:0:0:1:00:0:0:2:0:10"


def faults(value, schema):
    """The faults of a value by a schema of the page."""
    return schemas.faults(value, schema, PAGE)


def schema_of(method, path, status="200"):
    answers = PAGE["paths"][path][method]["responses"]
    return schemas.resolved(answers[status], PAGE)["content"]["application/json"]["schema"]


def test_the_paths_are_those_of_the_server():
    served = {(method.lower(), path) for method, path in REQUESTS}
    told = {(method, path) for path, item in PAGE["paths"].items() for method in item}
    assert told == served | {("get", "/health")}


def test_what_is_made_is_as_the_script_makes_it():
    """`python scripts/write_openapi.py` writes both, after a change of what may be asked."""
    folder = Path(__file__).parents[2] / "scripts"
    openapi, types = (
        runpy.run_path(str(folder / f"write_{name}.py")) for name in ("openapi", "page_types")
    )
    text = openapi["PAGE"].read_text(encoding="utf-8")
    assert openapi["written"]() == text
    assert types["written"](text) == types["TYPES"].read_text(encoding="utf-8")


def test_each_type_of_answers_has_a_schema_with_its_entries():
    for name, kind in vars(answers).items():
        if is_typeddict(kind) and kind.__module__ == answers.__name__:
            found = PAGE["components"]["schemas"][name]
            assert found["required"] == [*found["properties"]] == [*kind.__annotations__]


def test_it_is_served():
    found = ask("/openapi.json")
    assert (found.status, found.json) == (200, PAGE)


@pytest.mark.parametrize(
    ("path", "query"),
    [
        (f"{API}/position", {"id": OPENING}),
        (f"{API}/position", {"id": MATCH}),
        (f"{API}/position", {"id": "XGID=-AB-----------------------:0:0:1:00:0:0:2:0:10"}),
        (f"{API}/analyze", {"id": OPENING, "dice": "31", "depth": 3}),
        (f"{API}/analyze", {"id": MATCH, "depth": 1}),
        (f"{API}/analyze", {"id": MATCH, "depth": 1, "cubeless": 1}),
        (f"{API}/analyze", {"id": OPENING, "depth": 1}),
        (f"{API}/analyze", {"id": OPENING, "depth": 1, "cubeless": 1}),
        (f"{API}/analyze", {"id": OPENING, "depth": 1, "scores": 2}),
        (f"{API}/analyze", {"id": OPENING, "dice": "31", "depth": 1, "scores": 2}),
        (
            f"{API}/analyze",
            {"id": OPENING, "depth": 1, "rolls": 1, "match": 5},
        ),
        (f"{API}/rolls", {"id": MATCH, "depth": 1}),
        (f"{API}/turn", {"id": OPENING}),
        (f"{API}/turn", {"id": OPENING, "dice": "31", "depth": 1}),
        (f"{API}/resign", {"id": OPENING}),
        (f"{API}/dice", {}),
        ("/health", {}),
        ("/v1/health", {}),
        ("/move", {"p6": 2, "p20": -2, "die1": 1, "die2": 1}),
        ("/eval", {"p6": 2, "p20": -2}),
    ],
)
def test_answers(path, query):
    found = ask(path, **query)
    assert found.status == 200
    assert faults(found.json, schema_of("get", path)) == []


@pytest.mark.parametrize(
    ("path", "body"),
    [
        (f"{API}/position", {"text": MATCH}),
        (f"{API}/score", {"length": 5, "won": [4, -2]}),
        (f"{API}/score", {"length": 1, "won": [1]}),
        (f"{API}/getmoves", GOLDEN),
        ("/v1/move", REQUEST | {"dice": [3, 1]}),
        ("/v1/double", REQUEST),
        ("/v1/take", REQUEST),
        ("/v1/resign", REQUEST),
    ],
)
def test_answers_to_bodies(path, body):
    asked = PAGE["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert faults(body, asked) == []
    found = post(path, body)
    assert found.status == 200
    assert faults(found.json, schema_of("post", path)) == []


def test_a_match_is_as_the_page_has_it():
    assert faults({"length": 7, "games": [GAME]}, {"$ref": "#/components/schemas/Match"}) == []


def test_streams():
    """Each event has a schema there, but the last one, which says nothing."""
    mat = post(f"{API}/match", {"length": 7, "games": [GAME]}).body
    rollout = f"{API}/rollout/stream?id={OPENING}&trials=36&truncate=1"
    for method, target, body in (
        ("get", f"{API}/analyze/stream?id={OPENING}&dice=31&depth=3", None),
        ("get", f"{rollout}&dice=31&top=2", None), ("get", rollout, None),
        ("post", f"{API}/review?depth=1", mat), ("post", f"{API}/review?depth=3", mat),
    ):  # fmt: skip
        request = PAGE["paths"][target.split("?")[0]][method]
        schemas = request["responses"]["200"]["content"]["text/event-stream"]["x-events"]
        *found, last = ask(target, body).events
        assert found
        assert last == ("done", {})
        for name, value in found:
            assert faults(value, schemas[name]) == []


@pytest.mark.parametrize("path", [path for _, path in REQUESTS])
def test_refusals(path):
    for method, item in PAGE["paths"][path].items():
        if "4XX" in item["responses"]:
            found = ask(f"{path}?depth=2", b"" if method == "post" else None)
            assert found.status == 400
            assert faults(found.json, schema_of(method, path, "4XX")) == []


def test_what_a_server_says_that_has_no_time_or_no_room(monkeypatch):
    hasty, app = make_app(Limits(seconds=1e-9), Names())
    game = {"length": 7, "games": [GAME]}
    mat = post(f"{API}/match", game).body
    for method, target, body in (
        ("get", f"{API}/analyze?id={OPENING}&scores=9&depth=1", None),
        ("post", f"{API}/match", json.dumps(game).encode()),
        ("post", f"{API}/review?depth=1", mat),
    ):
        found = ask(target, body, app=hasty)
        assert found.status == 504
        assert faults(found.json, schema_of(method, target.split("?")[0], "504")) == []
    for lane in app._lanes:
        monkeypatch.setattr(lane, "room", 0)
    for method, path in REQUESTS:
        found = ask(path, app=hasty, method=method)
        assert found.status == 503
        assert faults(found.json, schema_of(method.lower(), path, "503")) == []


def test_the_check_finds_faults():
    schema = {"type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}}}
    assert faults({"a": 1}, schema) == []
    for wrong in ({}, {"a": "x"}, {"a": True}, {"a": 1, "b": 2}, [], None):
        assert faults(wrong, schema)
    assert faults([1], {"type": "array", "minItems": 2})
    assert faults(3, {"enum": [1]})
