"""What answers have: the page of the API, its examples, and `gammon schema`."""

import json
import re
import runpy
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any, is_typeddict

import pytest

import gammon_web.app
from gammon import Engine, Position, to_json
from gammon.commands.group import every_command
from gammon.commands.main import main
from gammon.view import SCHEMA_VERSION
from gammon_study import read_transcript
from gammon_web import answers
from gammon_web.app import make_app
from gammon_web.guard import Names
from gammon_web.limits import Limits
from gammon_web.requests import REQUESTS
from tests import schemas
from tests.engine.commands.program import OPENING as SCHEMA_OPENING
from tests.engine.commands.program import OPENING_31, run
from tests.lab.test_bench import FOUND
from tests.matches import HAND, MATCH5_SGF, SAMPLE_XG
from tests.schemas import faults
from tests.web.asking import API, OPENING, application, ask, post
from tests.web.test_foreign import GOLDEN, REQUEST
from tests.web.test_review import GAME

# The page of the API says what the answers have: each is held to its schema.

PAGE = json.loads((Path(gammon_web.app.__file__).parent / "openapi.json").read_text())
MATCH = "XGID=-a-B--C--E---eD---d-bb---A:1:1:1:63:4:2:0:7:10"
RACE = "XGID=-AB-----------------c------:0:0:1:00:0:0:2:0:10"


def openapi_faults(value, schema):
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
    openapi, types = (runpy.run_path(str(folder / f"write_{name}.py")) for name in ("openapi", "page_types"))
    text = openapi["PAGE"].read_text(encoding="utf-8")
    assert openapi["written"]() == text
    assert types["written"](text) == types["TYPES"].read_text(encoding="utf-8")


def test_each_type_of_answers_has_a_schema_with_its_entries():
    for name, kind in vars(answers).items():
        if is_typeddict(kind) and kind.__module__ == answers.__name__:
            found = PAGE["components"]["schemas"][name]
            assert found["required"] == [*found["properties"]] == [*kind.__annotations__]


def test_the_names_of_version_1_are_in_one_table() -> None:
    """The page's reader, the docs and the schemas agree about the names that changed."""
    root = Path(__file__).parents[2]
    script = (root / "gammon_web" / "static" / "js" / "version_1.js").read_text(encoding="utf-8")
    (table,) = re.findall(r"RENAMED = \{\n(.*?)^\};", script, re.DOTALL | re.MULTILINE)
    read = {
        (schema, *names)
        for schema, line in re.findall(r"^  (\w+): \{(.*)\},$", table, re.MULTILINE)
        for names in re.findall(r'(\w+): "(\w+)"', line)
    }
    docs = (root / "docs" / "python.md").read_text(encoding="utf-8")
    told = {
        (schema, *names)
        for schemas, *names in re.findall(r"^\| ([\w, ]+) \| `(\w+)` \| `(\w+)` \|$", docs, re.MULTILINE)
        for schema in schemas.split(", ")
    }
    assert read == told
    for schema, old, new in read:
        entries = PAGE["components"]["schemas"][schema]["properties"]
        assert new in entries and old not in entries, (schema, old, new)
    assert SCHEMA_VERSION == 2


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
        (f"{API}/analyze", {"id": OPENING, "depth": 1, "rolls": 1, "match": 5}),
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
    assert openapi_faults(found.json, schema_of("get", path)) == []


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
    assert openapi_faults(body, asked) == []
    found = post(path, body)
    assert found.status == 200
    assert openapi_faults(found.json, schema_of("post", path)) == []


def test_a_match_is_as_the_page_has_it():
    assert openapi_faults({"length": 7, "games": [GAME]}, {"$ref": "#/components/schemas/Match"}) == []


def test_streams():
    """Each event has a schema there, but the last one, which says nothing."""
    mat = post(f"{API}/match", {"length": 7, "games": [GAME]}).body
    rollout = f"{API}/rollout/stream?id={OPENING}&trials=36&truncate=1"
    for method, target, body in (
        ("get", f"{API}/analyze/stream?id={OPENING}&dice=31&depth=3", None),
        ("get", f"{rollout}&dice=31&top=2", None),
        ("get", rollout, None),
        ("post", f"{API}/review?depth=1", mat),
        ("post", f"{API}/review?depth=3", mat),
    ):
        request = PAGE["paths"][target.split("?")[0]][method]
        schemas = request["responses"]["200"]["content"]["text/event-stream"]["x-events"]
        *found, last = ask(target, body).events
        assert found
        assert last == ("done", {})
        for name, value in found:
            assert openapi_faults(value, schemas[name]) == []


@pytest.mark.parametrize("path", [path for _, path in REQUESTS])
def test_refusals(path):
    for method, item in PAGE["paths"][path].items():
        if "4XX" in item["responses"]:
            found = ask(f"{path}?depth=2", b"" if method == "post" else None)
            assert found.status == 400
            assert openapi_faults(found.json, schema_of(method, path, "4XX")) == []


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
        assert openapi_faults(found.json, schema_of(method, target.split("?")[0], "504")) == []
    for lane in app._lanes:
        monkeypatch.setattr(lane, "room", 0)
    for method, path in REQUESTS:
        found = ask(path, app=hasty, method=method, headers={"content-type": "application/json"})
        assert found.status == 503
        assert openapi_faults(found.json, schema_of(method.lower(), path, "503")) == []


def test_the_check_finds_faults():
    schema = {"type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}}}
    assert openapi_faults({"a": 1}, schema) == []
    for wrong in ({}, {"a": "x"}, {"a": True}, {"a": 1, "b": 2}, [], None):
        assert openapi_faults(wrong, schema)
    assert openapi_faults([1], {"type": "array", "minItems": 2})
    assert openapi_faults(3, {"enum": [1]})


# The requests of docs/server.md get the answers that it shows.

DOCUMENTATION_PAGE = (Path(__file__).parents[2] / "docs" / "server.md").read_text()
BASE = "http://127.0.0.1:8765"
SHOWN = re.findall(r"^\$ curl (.*)\n(.*)$", DOCUMENTATION_PAGE, re.MULTILINE)


@pytest.mark.parametrize(("request_line", "answer"), SHOWN)
def test_examples(request_line, answer):
    words = shlex.split(request_line)
    body = words[words.index("-d") + 1].encode() if "-d" in words else None
    target = next(word for word in words if word.startswith(BASE)).removeprefix(BASE)
    found = ask(target, body, app=application(depth=5)[0]).body.decode()
    begin, dots, _ = answer.partition("...")
    assert found.startswith(begin)
    assert dots or found.splitlines()[0] == answer


def test_the_steps_that_it_explains():
    target = f"{API}/position?id=XGID=-B--------------------b---:0:0:1:21:0:0:0:0:10"
    found = ask(target).body.decode()
    steps = re.search(r"Its `steps` are `(.*?)` and its `ends` `(.*?)`", DOCUMENTATION_PAGE)
    assert f'"steps":{steps[1]},"ends":{steps[2]}' in found


def test_every_request_is_told():
    told = set(re.findall(r"`(?:(GET|POST) )?(/[\w/]+)[?`]", DOCUMENTATION_PAGE))
    paths = {path for _, path in told} | {f"{API}{path}" for _, path in told}
    assert {path for _, path in REQUESTS} <= paths


# `gammon schema` says what every answer in JSON has.

SCHEMA = json.loads(run("schema").stdout)
SCHEMA_MATCH = "XGID=--CDBbC-B-----a----bdA-cc-:0:0:1:00:4:3:0:7:10"
HOME = "t20PAADbtg8AAA"
POSITION = Position.parse(SCHEMA_OPENING)
#: What Python gives alone, by its schema.
IN_PYTHON: dict[str, Callable[[], Any]] = {
    "PositionValue": lambda: Engine(depth=1).evaluate(POSITION),
    "PositionValues": lambda: Engine(depth=1).evaluate_many([POSITION.points]),
    "PlayValues": lambda: Engine(depth=1).values_of_plays([POSITION.points], [(3, 1)]),
    "PositionIds": lambda: POSITION,
    "PlayedMatch": lambda: read_transcript(HAND),
}
#: What is asked, and the schema of the answer.
ASKED = [
    (["analyze", OPENING_31, "--depth", "3"], "Plays"),
    (["analyze", OPENING_31, "--depth", "1", "--stakes", "dmp"], "Plays"),
    (["analyze", SCHEMA_MATCH, "--dice", "63", "--depth", "1"], "Plays"),
    (["analyze", SCHEMA_OPENING, "--depth", "1"], "Decision"),
    (["analyze", SCHEMA_MATCH, "--depth", "3"], "Decision"),
    (["analyze", "XGID=-A----------------------b-:0:0:1:00:0:0:0:0:10"], "Decision"),
    (["analyze", "XGID=-AB----------------c------:0:0:1:00:0:0:2:0:10"], "Decision"),
    (["analyze", SCHEMA_OPENING, "--rolls", "--depth", "1"], "Rolls"),
    (["analyze", SCHEMA_MATCH, "--cubeless", "--depth", "1"], "Rolls"),
    (["analyze", SCHEMA_MATCH, "--scores", "2", "--depth", "1"], "ScoreGrid"),
    (["analyze", OPENING_31, "--scores", "2", "--depth", "1"], "PlayGrid"),
    (["bearoff", HOME], "Bearoff"),
    (["demo"], "Plays or Decision"),
    (["grade", "depth=1"], "Grades"),
    (["info"], "Info"),
    (["met", "--length", "3"], "MatchEquities"),
    (["review", str(HAND), "--depth", "1"], "Review"),
    (["review", str(MATCH5_SGF), "--depth", "1", "--rollout-over", ".3", "--trials", "36"], "Review"),
    (["rollout", SCHEMA_OPENING, "--dice", "21", "--top", "2", "--trials", "36"], "Rollout"),
    (["rollout", SCHEMA_MATCH, "--trials", "36", "--truncate", "2"], "Rollout"),
    (["bench", "--quick"], "Bench"),
    (["study", "stats", "--by", "theme", "--library", "LIBRARY"], "Statistics"),
    (["study", "errors", "--count", "3", "--library", "LIBRARY"], "LargestErrors"),
    (["study", "reference", "--count", "3", "--library", "LIBRARY"], "ReferencePositions"),
    (["study", "list", "--library", "LIBRARY"], "MatchList"),
    (["study", "show", "2", "--library", "LIBRARY"], "StoredReview"),
    (["study", "plan", "--player", "root", "--library", "LIBRARY"], "Plan"),
    (
        ["study", "progress", "--player", "root", "--theme", "race", "--day", "2026", "--library", "LIBRARY"],
        "DrillProgress",
    ),
]


def schemas_of(value: Any) -> list[str]:
    """The names of the schemas that an answer fits."""
    return [
        each["$ref"].removeprefix("#/$defs/") for each in SCHEMA["anyOf"] if not faults(value, each, SCHEMA)
    ]


def told(value: Any, name: str) -> None:
    """Check that an answer fits one schema alone, and say its faults where it does not."""
    (found,) = schemas_of(value) or [faults(value, SCHEMA["$defs"][name], SCHEMA)]
    assert found in name.split(" or ")
    assert value["schema_version"] == SCHEMA_VERSION


@pytest.mark.parametrize(("asked", "name"), ASKED, ids=lambda value: " ".join(value)[:50])
def test_schema_answers(asked: list[str], name: str, library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gammon_lab.bench.run_bench", lambda settings, say: FOUND)
    done = run(*(str(library) if each == "LIBRARY" else each for each in asked), "--json")
    assert done.exit_code == 0, done.stderr
    for line in done.stdout.splitlines():
        told(json.loads(line), name)


def test_a_review_with_the_analysis_of_the_file() -> None:
    done = run("review", str(SAMPLE_XG), "--depth", "1", "--json")
    told(json.loads(done.stdout), "Review")


def test_lines() -> None:
    lines = [
        OPENING_31,
        "nonsense",
        "",
        json.dumps({"id": 1, "position": SCHEMA_OPENING, "interim": True}),
        json.dumps({"id": "a", "position": SCHEMA_MATCH, "rolls": True, "depth": 1}),
        json.dumps({"id": "b", "position": "none"}),
        json.dumps({"id": "c", "terminate": "x"}),
        json.dumps({"position": SCHEMA_OPENING, "wrong": 1}),
    ]
    done = run("analyze", "-", "--depth", "3", stdin="\n".join(lines))
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    found = sorted(name for each in answers for name in schemas_of(each))
    assert len(found) == len(answers)
    assert found == [
        "Decision",
        "Decision",
        "LineRefused",
        "LineRefused",
        "LineRefused",
        "Plays",
        "QueryEnded",
        "Rolls",
    ]


def test_crawford_is_said_of_the_game_itself() -> None:
    done = run("review", str(MATCH5_SGF.with_suffix(".mat")), "--depth", "1", "--json")
    games = json.loads(done.stdout)["games"]
    (crawford,) = [game for game in games if game["crawford"]]
    assert 4 in crawford["score"], "a side needs one point in the match to 5"


def test_no_command_is_left_out() -> None:
    """`bearoff POSITION` is short for `bearoff show POSITION`.

    The answers of `hypergammon` are the laboratory's own, and no part of the schema.
    """
    found = {
        path.split()[1]
        for path, command in every_command(main, "gammon")
        if any(each.name == "as_json" for each in command.params)
    }
    assert found - {"hypergammon"} == {asked[0] for asked, _ in ASKED}


@pytest.mark.parametrize("schema", IN_PYTHON)
def test_answers_that_only_python_gives(schema: str) -> None:
    answer = json.loads(json.dumps(to_json(IN_PYTHON[schema]())))
    assert schemas_of(answer) == [schema]


def test_an_entry_that_is_not_declared_is_found(tmp_path: Path) -> None:
    answer = json.loads(run(*ASKED[0][0], "--json").stdout)
    answer["candidates"][0]["new"] = 1
    assert schemas_of(answer) == []
    del answer["candidates"][0]["new"], answer["candidates"][0]["play"]
    assert schemas_of(answer) == []


def test_it_is_a_schema_whose_references_lead_somewhere() -> None:
    assert SCHEMA["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    names = {each["$ref"] for each in SCHEMA["anyOf"]}
    wanted = {name for _, names in ASKED for name in names.split(" or ")}
    wanted |= {"LineRefused", "QueryEnded", *IN_PYTHON}
    wanted |= {"ExactValue", "ExactPlays", "JudgedPlayers"}  # tests/lab/test_hypergammon.py
    assert names == {f"#/$defs/{name}" for name in wanted}
    text = json.dumps(SCHEMA)
    for name in {part.split('"')[0] for part in text.split("#/$defs/")[1:]}:
        assert name in SCHEMA["$defs"]
    assert "#/components" not in text
