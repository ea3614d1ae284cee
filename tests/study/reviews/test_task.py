"""Units of a review: the items of a game, and what is said of them."""

from dataclasses import replace
from importlib import import_module

import pytest

import gammon
from gammon.base.errors import UnfinishedError
from gammon.engine.cube import CubeAction
from gammon.engine.engine import Engine
from gammon.formats.notation import parse_play
from gammon.formats.position import Position
from gammon.rules.terms import Score
from gammon_study.match_files.match_file import read_transcript
from gammon_study.match_files.transcript import Action, ActionKind, GameReplay, GameTranscript
from gammon_study.reviews.task import fits, items_of, review_unit, units_of
from tests.matches import HAND, MATCH5
from tests.processes import ROOT

FACTS = {"depth": 1, "model": "leaf", "networks": {}, "met": None}


def test_no_unit_has_items_of_two_games() -> None:
    games = read_transcript(MATCH5).games
    units = units_of(games, FACTS | {"depth": 3})
    assert [unit["game"] for unit in units] == sorted(unit["game"] for unit in units)
    for number, game in enumerate(games):
        items = [item for unit in units if unit["game"] == number for item in unit["items"]]
        assert items == list(items_of(game))


@pytest.fixture(scope="module")
def unit() -> dict:
    return units_of(read_transcript(HAND).games, FACTS | {"depth": 3})[0]


def test_against_the_engine(unit: dict) -> None:
    """Losses are those of an analysis of all plays, cubes those of the engine."""
    engine = Engine(depth=3)
    for item, found in zip(unit["items"], review_unit(unit), strict=True):
        position = Position.parse(item.get("roll") or item["cube"])
        if "cube" in item:
            decision = engine.cube(position)
            assert decision.double_take
            assert decision.double_pass
            values = decision.no_double, decision.double_take, decision.double_pass
            assert found["values"] == [pytest.approx(each.equity) for each in values]
            continue
        plays = engine.analyze(position, position.dice, top=1000).candidates
        losses = {each.play.notation: each.loss for each in plays}
        assert found["count"] == len(plays)
        static = Engine(depth=1).analyze(position, position.dice).candidates
        valued = plays if len(plays) > 1 else static  # the only play is not searched
        equities = {each.play.notation: each.equity for each in valued}
        shown = [play for play, _, _ in found["plays"]]
        assert shown[:5] == list(equities)[: min(5, len(plays))]
        assert {*shown[5:]} <= {item["play"]}
        for play, equity, chances in found["plays"]:
            assert equity == pytest.approx(equities[play], abs=1e-6)
            assert len(chances) == 5
        assert found["loss"] == pytest.approx(losses[item["play"]], abs=1e-9)
        assert losses[found["best"]] == pytest.approx(0.0, abs=1e-9)
        assert found["spread"] == pytest.approx(static[0].equity - static[-1].equity)


def test_a_double_that_cannot_gain() -> None:
    """At 1-away 4-away post-Crawford the leader doubles: the double kills nothing but hope."""
    replay = GameReplay(Score(5, (4, 1)))
    actions = []
    for side, dice, play in ((0, (3, 1), "8/5 6/5"), (1, (4, 2), "8/4 6/4")):
        moves = replay.find(dice, parse_play(play))
        actions.append(Action(ActionKind.ROLL, side, dice, moves))
        replay.do(actions[-1])
    actions += [Action(ActionKind.DOUBLE, 0), Action(ActionKind.TAKE, 1)]
    game = GameTranscript(Score(5, (4, 1)), tuple(actions))
    (unit,) = units_of([game], FACTS | {"depth": 1})
    *_, found = review_unit(unit)
    stay, taken, passed = found["values"]
    assert found["best"] == CubeAction.NO_DOUBLE.value
    assert taken < stay < passed == 1.0
    position = list(game.moments())[2].position
    context = replace(position.context, cube_log2=1, cube_owner=-1)
    assert Engine(depth=1).evaluate(replace(position, context=context)).mwc == pytest.approx(
        0.5 * (1 + taken) * 1.0 + 0.5 * (1 - taken) * _after_loss(1), abs=1e-6
    )


def _after_loss(points: int) -> float:
    """The leader's chance 1-away post-Crawford when the other one has won some points."""
    from gammon.formats.met_file import read_met

    return read_met().mwc(1, 4 - points, True)


def test_what_can_be_a_result(unit: dict) -> None:
    result = review_unit(unit)
    assert fits(unit, result)
    assert not fits(unit, result[:-1])
    assert not fits(unit, [*result[:-1], {}])
    assert not fits(unit, [{**each, "best": 3} for each in result])
    assert not fits(unit, None)
    assert not fits(unit, [{**each, "depth": "3"} for each in result])
    for plays in (3, [], [["8/5", 0.1]], [["8/5", "x", [0.1] * 5]], [["8/5", 0.1, [0.1]]]):
        damaged = [{**each, "plays": plays} if "plays" in each else each for each in result]
        assert not fits(unit, damaged), plays


def test_a_unit_hears_a_stop_at_each_of_its_items(
    unit: dict, monkeypatch: pytest.MonkeyPatch
) -> None:
    stop, asked = gammon.Stop(), []

    def analyze(engine: Engine, *arguments: object, **settings: object) -> object:
        asked.append(settings["stop"])
        stop.set()
        return analyzed(engine, *arguments, **settings)

    analyzed = Engine.analyze
    monkeypatch.setattr(Engine, "analyze", analyze)
    with pytest.raises(UnfinishedError):
        review_unit(unit, stop)
    assert asked == [stop]


def test_the_script_that_measures_a_review_does_its_units(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    script = import_module("measure_scaling")
    monkeypatch.setattr(script, "_MATCH", HAND)
    monkeypatch.setattr(script, "memory", lambda *_: 1.0)  # which Linux alone tells
    assert script.memory_of({"memory": "review", "depth": 1, "model": "leaf"}) == 1.0


def test_nobody_is_asked_about_a_cube_that_nobody_may_turn() -> None:
    """For money the cube goes to 64, and there a player cannot have missed a double."""
    replay, actions = GameReplay(Score()), []

    def add(kind: ActionKind, side: int, *rest: object) -> None:
        actions.append(Action(kind, side, *rest))
        replay.do(actions[-1])

    for turn in range(12):
        side, dice = turn % 2, (3, 1)
        if 1 <= turn <= 6:
            add(ActionKind.DOUBLE, side)
            add(ActionKind.TAKE, 1 - side)
        play = gammon.legal_plays(replay.position(side), dice)[0]
        add(ActionKind.ROLL, side, dice, play.moves)
    items = list(items_of(GameTranscript(Score(), tuple(actions))))
    asked = [Position.parse(item["cube"]).context.cube_log2 for item in items if "cube" in item]
    assert asked == [0, 1, 2, 3, 4, 5]
