"""The page of the API says what the answers have: each is held to its schema."""

import json
from pathlib import Path

import pytest

import gammon.web.app
from tests.web.asking import API, OPENING, ask, post
from tests.web.test_bgweb import GOLDEN
from tests.web.test_nodots import REQUEST
from tests.web.test_record import GAME

PAGE = json.loads((Path(gammon.web.app.__file__).parent / "openapi.json").read_text())
TYPES = {
    "object": dict, "array": list, "string": str, "boolean": bool, "null": type(None),
    "integer": int, "number": (int, float),
}  # fmt: skip
MATCH = "XGID=-a-B--C--E---eD---d-bb---A:1:1:1:63:4:2:0:7:10"
RACE = "XGID=-AB-----------------c------:0:0:1:00:0:0:2:0:10"


def resolved(schema):
    while "$ref" in schema:
        found = PAGE
        for part in schema["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        schema = found
    return schema


def faults(value, schema, where="answer"):
    """The faults of a value by a schema; an entry that the schema does not name is a fault."""
    schema = resolved(schema)
    if "oneOf" in schema:
        fits = [not faults(value, each) for each in schema["oneOf"]]
        return [] if sum(fits) == 1 else [f"{where} fits {sum(fits)} of oneOf"]
    if "enum" in schema and value not in schema["enum"]:
        return [f"{where}: {value!r} is none of {schema['enum']}"]
    kinds = schema.get("type", list(TYPES))
    kinds = [kinds] if isinstance(kinds, str) else kinds
    real = [kind for kind in kinds if isinstance(value, TYPES[kind])]
    if (isinstance(value, bool) and "boolean" not in kinds) or not real:
        return [f"{where}: {value!r} is no {kinds}"]
    found = []
    if isinstance(value, dict):
        found += [
            f"{where}.{name} lacks" for name in schema.get("required", []) if name not in value
        ]
        for name, each in value.items():
            inner = schema.get("properties", {}).get(name, schema.get("additionalProperties"))
            if inner is not None:
                found += faults(each, inner, f"{where}.{name}")
            elif "properties" in schema:
                found.append(f"{where}.{name} is not in the page")
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            found.append(f"{where} has {len(value)} entries")
        for number, each in enumerate(value):
            found += faults(each, schema.get("items", {}), f"{where}[{number}]")
    return found


def schema_of(method, path, status="200"):
    answers = PAGE["paths"][path][method]["responses"]
    return resolved(answers[status])["content"]["application/json"]["schema"]


def test_the_paths_are_those_of_the_server():
    served = {(method.lower(), path) for method, path in gammon.web.app._ENDPOINTS}
    told = {(method, path) for path, item in PAGE["paths"].items() for method in item}
    assert told == served | {("get", "/health")}


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


def test_a_rollout():
    schemas = {"progress": {"$ref": "#/components/schemas/Rollout"}}
    for asked in ({"dice": "31", "top": 2}, {}):
        found = ask(f"{API}/rollout/stream", id=OPENING, trials=36, truncate=1, **asked)
        for name, value in found.events:
            assert faults(value, schemas.get(name, {})) == []


@pytest.mark.parametrize("path", [path for _, path in gammon.web.app._ENDPOINTS])
def test_refusals(path):
    for method, item in PAGE["paths"][path].items():
        if "4XX" in item["responses"]:
            found = ask(f"{path}?depth=2", b"" if method == "post" else None)
            assert found.status == 400
            assert faults(found.json, schema_of(method, path, "4XX")) == []


def test_the_check_finds_faults():
    schema = {"type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}}}
    assert faults({"a": 1}, schema) == []
    for wrong in ({}, {"a": "x"}, {"a": True}, {"a": 1, "b": 2}, [], None):
        assert faults(wrong, schema)
    assert faults([1], {"type": "array", "minItems": 2})
    assert faults(3, {"enum": [1]})
