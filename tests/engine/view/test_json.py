"""Analyses as JSON: plain values, with what equities are worth and of which kind."""

import ast
import inspect
import json
import math

import pytest

import gammon
import gammon_study
from gammon.core.estimate import Estimate
from gammon.engine.analysis import Kind
from gammon.engine.bearoff import bearoff
from gammon.engine.cube import CubeAction, CubeValue
from gammon.rules.board import OPENING as OPENING_BOARD
from gammon.rules.terms import Terms
from gammon.view import SCHEMA_VERSION
from gammon.view import json as engine_json
from gammon.view.json import CandidateJson, candidate_json
from gammon.view.json_parts import encoded, terms_json
from gammon_study.library.library import Library
from gammon_study.library.selection import Selection
from gammon_study.library.stats import largest_errors, statistics
from gammon_study.match_files.match_file import read_transcript
from gammon_study.reviews.choice import ChoiceKind
from gammon_study.reviews.totals import totals_of
from gammon_study.view import json as study_json
from gammon_study.view.json import totals_json
from tests.engine.commands.program import OPENING as OPENING_ID
from tests.engine.commands.program import OPENING_31, run
from tests.matches import HAND

OPENING = gammon.Position.opening()


def test_a_decision() -> None:
    engine = gammon.Engine(depth=3, move_filter="tiny", stakes="gammon-save")
    analysis = engine.analyze(OPENING, (6, 4), top=2)
    found = json.loads(json.dumps(gammon.to_json(analysis)))
    assert found["payoffs"] == gammon.parse_stakes("gammon-save").payoffs._asdict()
    assert (found["dice"], found["depth"], found["algorithm"]) == ("64", 3, "star2")
    assert found["position_id"] == OPENING.position_id
    for ours, theirs in zip(found["candidates"], analysis.candidates, strict=True):
        assert ours["play"] == theirs.play.notation
        assert tuple(ours["points"]) == theirs.play.points
        assert (ours["equity"], ours["loss"]) == (theirs.equity, theirs.loss)
        assert ours["kind"] == theirs.kind.value
        assert ours["exact"] == (ours["kind"] == "exact")
        assert ours["probabilities"] == theirs.probabilities._asdict()
        assert ours["named"] is False
        assert ours["depth"] == (3 if ours["kind"] == "exact" else 1)
        assert ours["bound"] == theirs.bound
        assert (ours["bound"] is not None) == (ours["kind"] == "shallow")
    kinds = [each["kind"] for each in found["candidates"]]
    assert kinds[:2] == ["exact", "exact"]
    assert kinds[-1] == "static"
    assert found["stats"] == analysis.stats._asdict()


def test_all_rolls() -> None:
    engine = gammon.Engine(depth=1)
    rolls = engine.analyze_rolls(OPENING)
    found = json.loads(json.dumps(gammon.to_json(rolls)))
    assert found["dice"] is None
    assert found["equity"] == rolls.equity
    assert sum(each["probability"] for each in found["rolls"]) == pytest.approx(1)
    assert {each["kind"] for each in found["rolls"]} == {"exact"}
    assert found["probabilities"] == rolls.probabilities._asdict()


def test_plays_by_score() -> None:
    engine = gammon.Engine(depth=1)
    grid = engine.plays_by_score(OPENING, (2, 1), 2)
    found = json.loads(json.dumps(gammon.to_json(grid)))
    assert found["dice"] == "21"
    assert [each["away"] for each in found["scores"]] == [[1, 1], [1, 2], [2, 1], [2, 2]]
    for name, analysis in grid.named.items():
        assert found["named"][name][0]["play"] == analysis.candidates[0].play.notation
        assert grid.plays[0] in [each["play"] for each in found["named"][name]]


def test_answers_by_score_say_whose_values_they_are() -> None:
    engine = gammon.Engine(strength=25)
    cube, plays = engine.cube(OPENING), engine.analyze(OPENING, (2, 1))
    grids = engine.cube_by_score(OPENING, 1), engine.plays_by_score(OPENING, (2, 1), 1)
    for found in map(gammon.to_json, (cube, plays, *grids)):
        assert found["notes"] == [cube.noise_note]
    assert "PR 25" in cube.noise_note


def test_all_answers_with_the_cube_say_what_its_limit_is() -> None:
    limited = gammon.Position.parse("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:1")
    told = "Highest cube of 2 not taken into account: values are as if doubles could go on."
    engine = gammon.Engine(depth=1)
    highest = limited.with_terms(gammon.Terms(cube=64, owner=1))
    assert gammon.to_json(engine.cube(highest))["notes"] == [told.replace("2", "64")]
    questions = [
        {}, {"dice": (3, 1)}, {"rolls": True}, {"owners": True}, {"jacoby": True},
        {"scores": 1, "dice": (3, 1)}, {"match": 3, "scores": 1},
    ]  # fmt: skip
    answers = [engine.answer(gammon.Question(position=limited, **asked)) for asked in questions]
    rollouts = [gammon.rollout(limited, dice, trials=36) for dice in ((3, 1), None)]
    for answer in [*answers, *rollouts]:
        assert gammon.to_json(answer)["notes"] == [told]
        assert f"  {told}" in str(answer).splitlines()
    cubeless = engine.answer(gammon.Question(position=limited, cubeless=True))
    assert told not in gammon.to_json(cubeless)["notes"]


def test_parts_of_answers() -> None:
    engine = gammon.Engine(depth=1)
    best = engine.analyze(gammon.Position.opening(), (3, 1)).candidates[0]
    found = encoded(candidate_json(best))
    assert [*found] == [*CandidateJson.__annotations__]
    assert (found["play"], found["points"]) == ("8/5 6/5", [*best.play.points])
    assert found["probabilities"] == best.probabilities._asdict()
    assert [found] == json.loads(json.dumps([found]))
    assert encoded(CubeValue(0.5, None, Kind.STATIC)) == {
        "equity": 0.5,
        "mwc": None,
        "kind": "static",
        "error": None,
    }
    totals = totals_of([], [], 0)
    assert [*encoded(totals_json(totals))["kinds"]] == [kind.value for kind in ChoiceKind]
    assert encoded(totals_json(totals))["pr"] is totals.all.pr is None


def test_all_that_counts_of_the_stakes() -> None:
    found = encoded(terms_json(Terms(7, (3, 5), cube=2, owner=-1)))
    assert found == {
        "length": 7,
        "away": [3, 5],
        "crawford": False,
        "cube": 2,
        "owner": -1,
        "jacoby": False,
        "beavers": False,
    }
    assert set(found) == set(Terms._fields) - {"live", "payoffs"}


def test_numbers_without_a_value_are_null() -> None:
    assert encoded(Estimate(0.5, math.nan)) == {"mean": 0.5, "error": None}
    assert encoded([math.inf, -math.inf, 1.0]) == [None, None, 1.0]


def test_plain_values_stay() -> None:
    assert encoded({"a": (1, 2.5, None, True)}) == {"a": [1, 2.5, None, True]}
    assert encoded(CubeAction.DOUBLE) == "double"


def test_arrays_are_lists():
    engine = gammon.Engine(depth=1)
    rows = [OPENING.points] * 2
    worth = gammon.to_json(engine.evaluate_many(rows))
    assert worth["equities"] == [pytest.approx(engine.evaluate(OPENING).equity)] * 2
    assert [len(chances) for chances in worth["chances"]] == [5, 5]
    found = gammon.to_json(engine.values_of_plays(rows, [(3, 1), (6, 5)]))
    analysis = engine.analyze(OPENING, (3, 1))
    first = slice(*found["offsets"][:2])
    assert len(found["rows"][first]) == len(analysis.candidates)
    assert found["rows"][0] == list(analysis.candidates[0].play.points)
    assert set(found["searched"]) == {True}
    assert json.loads(json.dumps(found)) == found


ENGINE = gammon.Engine(depth=1)
POSITION = gammon.Position.parse(OPENING_ID)
HOME = "t20PAADbtg8AAA"
#: An answer in Python, and the command that gives the same.
SAME = [
    (lambda: ENGINE.analyze(POSITION, (3, 1)), f"analyze {OPENING_31} --depth 1"),
    (lambda: ENGINE.analyze_rolls(POSITION), f"analyze {OPENING_ID} --depth 1 --rolls"),
    (lambda: ENGINE.cube(POSITION), f"analyze {OPENING_ID} --depth 1"),
    (lambda: ENGINE.cube_by_score(POSITION, 1), f"analyze {OPENING_ID} --depth 1 --scores 1"),
    (lambda: ENGINE.plays_by_score(POSITION, (3, 1), 1), f"analyze {OPENING_31} --depth 1 --scores 1"),
    (lambda: gammon.rollout(POSITION, (3, 1), top=1, trials=36), f"rollout {OPENING_31} --top 1 --trials 36"),
    (lambda: gammon_study.review(HAND, depth=1), f"review {HAND} --depth 1"),
    (lambda: bearoff(gammon.Position.parse(HOME)), f"bearoff {HOME}"),
    (gammon.read_met, "met"),
]


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
        (lambda library: largest_errors(library, Selection(), 4), "errors --count 4"),
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
    assert [len(game["actions"]) for game in found["games"]] == [len(game.actions) for game in match.games]
    action = found["games"][0]["actions"][0]
    position = gammon.Position(OPENING_BOARD, dice=tuple(action["dice"]))
    play = gammon.find_play(position, position.dice, action["play"])
    assert play.moves == match.games[0].actions[0].moves
    kinds = {each["kind"]: each["play"] for game in found["games"] for each in game["actions"]}
    assert all((kind == "roll") == (play is not None) for kind, play in kinds.items())
    assert json.loads(json.dumps(found)) == found


def test_all_kinds_of_answers_are_tried():
    others = {"LargestErrors", "MatchList", "Statistics", "Evaluation", "Evaluations", "PlayValues"}
    others |= {"CubeDecisions", "NoteList", "Plan", "DrillProgress", "ReferencePositions", "StoredReview"}
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
        with pytest.raises(gammon.SettingError, match="expected a type that the docstring of to_json lists"):
            gammon.to_json(wrong)
