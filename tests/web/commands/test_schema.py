"""`gammon schema` says what every answer in JSON has."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gammon import Engine, Position, to_json
from gammon.commands.group import every_command
from gammon.commands.main import main
from gammon.view import SCHEMA_VERSION
from gammon_study import read_transcript
from tests.engine.commands.program import OPENING, OPENING_31, run
from tests.lab.bench.test_report import FOUND
from tests.matches import HAND, MATCH5_SGF, SAMPLE_XG
from tests.schemas import faults

SCHEMA = json.loads(run("schema").stdout)
MATCH = "XGID=--CDBbC-B-----a----bdA-cc-:0:0:1:00:4:3:0:7:10"
HOME = "t20PAADbtg8AAA"
POSITION = Position.parse(OPENING)
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
    (["analyze", MATCH, "--dice", "63", "--depth", "1"], "Plays"),
    (["analyze", OPENING, "--depth", "1"], "Decision"),
    (["analyze", MATCH, "--depth", "3"], "Decision"),
    (["analyze", "XGID=-A----------------------b-:0:0:1:00:0:0:0:0:10"], "Decision"),
    (["analyze", "XGID=-AB----------------c------:0:0:1:00:0:0:2:0:10"], "Decision"),
    (["analyze", OPENING, "--rolls", "--depth", "1"], "Rolls"),
    (["analyze", MATCH, "--cubeless", "--depth", "1"], "Rolls"),
    (["analyze", MATCH, "--scores", "2", "--depth", "1"], "ScoreGrid"),
    (["analyze", OPENING_31, "--scores", "2", "--depth", "1"], "PlayGrid"),
    (["bearoff", HOME], "Bearoff"),
    (["demo"], "Plays or Decision"),
    (["grade", "depth=1"], "Grades"),
    (["info"], "Info"),
    (["met", "--length", "3"], "MatchEquities"),
    (["review", str(HAND), "--depth", "1"], "Review"),
    (["review", str(MATCH5_SGF), "--depth", "1", "--rollout-over", ".3", "--trials", "36"],
     "Review"),
    (["rollout", OPENING, "--dice", "21", "--top", "2", "--trials", "36"], "Rollout"),
    (["rollout", MATCH, "--trials", "36", "--truncate", "2"], "Rollout"),
    (["bench", "--quick"], "Bench"),
    (["study", "stats", "--by", "theme", "--library", "LIBRARY"], "Statistics"),
    (["study", "errors", "--count", "3", "--library", "LIBRARY"], "FoundErrors"),
]  # fmt: skip


def schemas_of(value: Any) -> list[str]:
    """The names of the schemas that an answer fits."""
    return [
        each["$ref"].removeprefix("#/$defs/")
        for each in SCHEMA["anyOf"]
        if not faults(value, each, SCHEMA)
    ]


def told(value: Any, name: str) -> None:
    """Check that an answer fits one schema alone, and say its faults where it does not."""
    (found,) = schemas_of(value) or [faults(value, SCHEMA["$defs"][name], SCHEMA)]
    assert found in name.split(" or ")
    assert value["schema_version"] == SCHEMA_VERSION


@pytest.mark.parametrize(("asked", "name"), ASKED, ids=lambda value: " ".join(value)[:50])
def test_answers(
    asked: list[str], name: str, library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gammon_lab.bench.run_bench", lambda settings, say: FOUND)
    done = run(*(str(library) if each == "LIBRARY" else each for each in asked), "--json")
    assert done.exit_code == 0, done.stderr
    for line in done.stdout.splitlines():
        told(json.loads(line), name)


def test_a_review_with_the_analysis_of_the_file() -> None:
    pytest.importorskip("gvformat")
    done = run("review", str(SAMPLE_XG), "--depth", "1", "--json")
    told(json.loads(done.stdout), "Review")


def test_lines() -> None:
    lines = [
        OPENING_31, "nonsense", "", json.dumps({"id": 1, "position": OPENING, "interim": True}),
        json.dumps({"id": "a", "position": MATCH, "rolls": True, "depth": 1}),
        json.dumps({"id": "b", "position": "none"}), json.dumps({"id": "c", "terminate": "x"}),
        json.dumps({"position": OPENING, "wrong": 1}),
    ]  # fmt: skip
    done = run("analyze", "-", "--depth", "3", stdin="\n".join(lines))
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    found = sorted(name for each in answers for name in schemas_of(each))
    assert len(found) == len(answers)
    assert found == [
        "Decision", "Decision", "LineRefused", "LineRefused", "LineRefused", "Plays",
        "QueryEnded", "Rolls",
    ]  # fmt: skip


def test_crawford_is_said_of_the_game_itself() -> None:
    done = run("review", str(MATCH5_SGF.with_suffix(".mat")), "--depth", "1", "--json")
    games = json.loads(done.stdout)["games"]
    (crawford,) = [game for game in games if game["crawford"]]
    assert 4 in crawford["score"], "a side needs one point in the match to 5"


def test_no_command_is_left_out() -> None:
    """`bearoff POSITION` is short for `bearoff show POSITION`."""
    found = {
        path.split()[1]
        for path, command in every_command(main, "gammon")
        if any(each.name == "as_json" for each in command.params)
    }
    assert found == {asked[0] for asked, _ in ASKED}


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
    assert names == {f"#/$defs/{name}" for name in wanted}
    text = json.dumps(SCHEMA)
    for name in {part.split('"')[0] for part in text.split("#/$defs/")[1:]}:
        assert name in SCHEMA["$defs"]
    assert "#/components" not in text
