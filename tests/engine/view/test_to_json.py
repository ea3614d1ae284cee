"""Any answer as JSON values: those that the commands write, in one call."""

import ast
import inspect
import json

import pytest

import gammon
import gammon_study
from gammon.engine.bearoff import bearoff
from gammon.rules.board import OPENING as OPENING_BOARD
from gammon.view import SCHEMA_VERSION
from gammon.view import json as engine_json
from gammon_study.library.ask import Selection
from gammon_study.library.errors import errors_found
from gammon_study.library.library import Library
from gammon_study.library.stats import statistics
from gammon_study.match_files.match_file import read_transcript
from gammon_study.view import json as study_json
from tests.engine.commands.program import OPENING, OPENING_31, run
from tests.matches import HAND

ENGINE = gammon.Engine(depth=1)
POSITION = gammon.Position.parse(OPENING)
HOME = "t20PAADbtg8AAA"
#: An answer in Python, and the command that gives the same.
SAME = [
    (lambda: ENGINE.analyze(POSITION, (3, 1)), f"analyze {OPENING_31} --depth 1"),
    (lambda: ENGINE.analyze_rolls(POSITION), f"analyze {OPENING} --depth 1 --rolls"),
    (lambda: ENGINE.cube(POSITION), f"analyze {OPENING} --depth 1"),
    (lambda: ENGINE.cube_by_score(POSITION, 1), f"analyze {OPENING} --depth 1 --scores 1"),
    (lambda: ENGINE.plays_by_score(POSITION, (3, 1), 1),
     f"analyze {OPENING_31} --depth 1 --scores 1"),
    (lambda: gammon.rollout(POSITION, (3, 1), top=1, trials=36),
     f"rollout {OPENING_31} --top 1 --trials 36"),
    (lambda: gammon_study.review(HAND, depth=1), f"review {HAND} --depth 1"),
    (lambda: bearoff(gammon.Position.parse(HOME)), f"bearoff {HOME}"),
    (gammon.read_met, "met"),
]  # fmt: skip


def timeless(values):
    """Values without what differs from one run to the next."""
    return {name: each for name, each in values.items() if name not in ("seconds", "stats")}


@pytest.mark.smoke
@pytest.mark.parametrize(("answer", "command"), SAME, ids=[line for _, line in SAME])
def test_it_is_what_the_command_writes(answer, command):
    found = gammon.to_json(answer())
    assert found["schema_version"] == SCHEMA_VERSION
    written = json.loads(run(*command.split(), "--json").stdout)
    assert timeless(json.loads(json.dumps(found))) == timeless(written)


def test_answers_of_a_library(library):
    for ask, command in (
        (lambda library: errors_found(library, Selection(), 4), "errors --count 4"),
        (lambda library: statistics(library, Selection(), "player"), "stats"),
    ):
        with Library(library) as opened:
            found = gammon.to_json(ask(opened))
        written = run("study", *command.split(), "--library", str(library), "--json").stdout
        assert json.loads(json.dumps(found)) == json.loads(written)


def test_a_position_and_its_worth():
    worth, position = ENGINE.evaluate(POSITION), POSITION.with_dice((3, 1))
    found = gammon.to_json(worth)
    assert (found["equity"], found["mwc"]) == (worth.equity, None)
    assert found["probabilities"] == worth.probabilities._asdict()
    found = gammon.to_json(position)
    assert found["dice"] == [3, 1]
    assert found["points"] == list(position.points)
    for name in ("xgid", "ogid"):
        assert gammon.Position.parse(found[name]) == position


def test_a_match_as_it_was_played():
    match = read_transcript(HAND)
    found = gammon.to_json(match)
    assert (found["players"], found["length"]) == (list(match.players), match.length)
    assert [len(game["actions"]) for game in found["games"]] == [
        len(game.actions) for game in match.games
    ]
    action = found["games"][0]["actions"][0]
    position = gammon.Position(OPENING_BOARD, dice=tuple(action["dice"]))
    play = gammon.find_play(position, position.dice, action["play"])
    assert play.moves == match.games[0].actions[0].moves
    kinds = {each["kind"]: each["play"] for game in found["games"] for each in game["actions"]}
    assert all((kind == "roll") == (play is not None) for kind, play in kinds.items())
    assert json.loads(json.dumps(found)) == found


def test_all_kinds_of_answers_are_tried():
    others = {"FoundErrors", "Statistics", "Evaluation", "Evaluations", "PlayValues"}
    tried = {type(answer()).__name__ for answer, _ in SAME}
    taken = {
        case.cls.id
        for module in (engine_json, study_json)
        for case in ast.walk(ast.parse(inspect.getsource(module.json_of)))
        if isinstance(case, ast.MatchClass)
    }
    assert tried | others | {"Position", "Transcript"} == taken


def test_a_decision_of_chances_has_no_algorithm():
    found = gammon.to_json(gammon.cube_from_chances(POSITION, (0.5, 0.1, 0.0, 0.1, 0.0)))
    assert (found["algorithm"], found["stats"], found["cube"]["close"]) == (None, None, False)


def test_something_else_is_refused():
    for wrong in (None, ENGINE, {"a": 1}):
        with pytest.raises(gammon.SettingError, match="expected what to_json says it takes"):
            gammon.to_json(wrong)
