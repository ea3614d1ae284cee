"""A decision as a unit of work."""

import json

import gammon
from gammon.eval.model_file import network_id
from gammon.rules.board import OPENING
from gammon_lab.experiments.decision import (
    ValuedPlay,
    decide,
    decision_unit,
    ranked,
    rollout_words,
)

SETTINGS = {
    "cube": False, "model": "leaf", "network": network_id("leaf"), "depth": 3, "top": 4,
    "near": 0.0, "most": 3,
    "rollout": {"trials": 36, "depth": 1, "truncate": 3, "seed": 5},
}  # fmt: skip
ENGINE = gammon.Engine(3, cubeless=True)


def decided(plays=(), **more):
    unit = decision_unit(OPENING, (2, 1), list(plays), SETTINGS | more)
    return ValuedPlay.listed(json.loads(json.dumps(decide(json.loads(json.dumps(unit))))))


def test_a_search_alone():
    choices = decided(rollout=None)
    found = ENGINE.analyze(gammon.Position.opening(), (2, 1), 4).candidates
    assert [each.play for each in choices] == [each.play.notation for each in found]
    assert [each.equity for each in choices] == [each.equity for each in found]
    assert [each.exact for each in choices] == [each.exact for each in found]
    assert {each.rolled for each in choices} == {None}


def test_one_play_is_not_rolled_out():
    assert not any(each.trials for each in decided())


def test_named_and_close_plays_are_rolled_out_as_a_rollout_does():
    plain = decided(rollout=None)
    far = plain[-1].after
    choices = decided([far], near=1.0)
    rolled = {each.play: each for each in choices if each.rolled is not None}
    assert set(rolled) == {plain[0].play, plain[1].play, plain[-1].play}
    games = gammon.rollout(
        gammon.Position.opening(), (2, 1), list(rolled), cubeless=True, trials=36, truncate=3,
        seed=5, drop=False,
    )  # fmt: skip
    assert len(games.candidates) == 3
    for each in games.candidates:
        found = rolled[each.name]
        assert (found.rolled, found.error, found.trials) == (each.equity, each.error, 36)
        assert found.chances == tuple(each.probabilities)
        assert found.after == each.play.points


def test_the_cube_counts_where_it_should():
    with_cube = decided(cube=True, rollout=None)
    assert with_cube[0].equity != decided(rollout=None)[0].equity


def test_rolled_plays_come_first():
    def choice(play, equity, rolled):
        return ValuedPlay(play, OPENING, equity, True, (), rolled)

    choices = [choice("a", 0.3, None), choice("b", 0.2, 0.1), choice("c", 0.1, 0.15)]
    assert [each.play for each in ranked(choices)] == ["c", "b", "a"]


def test_words():
    words = rollout_words(SETTINGS)
    assert "network leaf at depth 1 for 3 turns" in words
    assert words.endswith("they end after 36 games.")
    more = {"until_se": 0.003, "until_jsd": 3.0, "move_filter": "tiny", "cube_depth": 1}
    words = rollout_words(SETTINGS | {"rollout": SETTINGS["rollout"] | more})
    for part in ("filter tiny", "cube at depth 1", "above 0.003", "3 standard errors"):
        assert part in words
