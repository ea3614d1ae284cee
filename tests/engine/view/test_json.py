"""Analyses as JSON: plain values, with what equities are worth and of which kind."""

import json

import pytest

import gammon

OPENING = gammon.Position.opening()


def test_a_decision() -> None:
    engine = gammon.Engine(depth=3, move_filter="tiny", stakes="gammon-save")
    analysis = engine.analyze(OPENING, (6, 4), top=2)
    found = json.loads(json.dumps(gammon.to_json(analysis)))
    assert found["worth"] == gammon.parse_stakes("gammon-save").payoffs._asdict()
    assert (found["dice"], found["depth"], found["algorithm"]) == ("64", 3, "star2")
    assert found["position_id"] == OPENING.position_id
    for ours, theirs in zip(found["candidates"], analysis.candidates, strict=True):
        assert ours["play"] == theirs.play.notation
        assert tuple(ours["points"]) == theirs.play.points
        assert (ours["equity"], ours["loss"]) == (theirs.equity, theirs.loss)
        assert ours["kind"] == theirs.kind.value
        assert ours["exact"] == (ours["kind"] == "exact")
        assert ours["probabilities"] == theirs.probabilities._asdict()
        assert ours["probabilities_depth"] == theirs.probabilities_depth
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
        assert found["notes"] == [cube.errs]
    assert "PR 25" in cube.errs
