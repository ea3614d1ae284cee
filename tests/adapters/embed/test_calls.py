"""Desks answer what the engine answers, to the last bit."""

from functools import cache
from typing import Any

import numpy as np
import pytest

from gammon import Engine, Position, Terms
from gammon.base.errors import GammonError
from gammon.core.trials_kernel import Plan
from gammon.engine.block import play_batch
from gammon.engine.luck import luck_at
from gammon.engine.scale import Scale
from gammon.eval.cubeful import cubeful_evaluator
from gammon.eval.evaluators import leaf_and_probe
from gammon.formats.context import Context
from gammon.rules.board import legal_moves
from gammon.rules.dice import PROBABILITIES, ROLLS, outcome_of
from gammon.search.stats import STOPPED
from gammon_adapters.embed.calls import analyze, decide_cube, evaluate, list_plays, play_games, weigh_roll
from gammon_adapters.embed.core_state import CoreState, fault_of
from gammon_adapters.embed.layout import CUBE, FAULTS, GAME, PLAY, POSITION, ROLL, slots
from tests.adapters.embed.questions import AT, Asked, asked, numbers
from tests.naive.plays import enumerate_plays

WHOLE, REAL = slots(PLAY.whole), slots(PLAY.real)
FAULT = {name: -1 - k for k, name in enumerate(FAULTS)}
OPENING = Position.opening()

#: The probabilities of the first roll of a game, which is not a double.
FIRST_ROLL = np.array([high != low for high, low in ROLLS]) / 15
#: The chances with which each of the six results is certain, the worst first.
CERTAIN = [
    [0, 0, 0, 1, 1],
    [0, 0, 0, 1, 0],
    [0, 0, 0, 0, 0],
    [1, 0, 0, 0, 0],
    [1, 1, 0, 0, 0],
    [1, 1, 1, 0, 0],
]

core = cache(CoreState.allocate)


def put(at: CoreState, question: list[int]) -> CoreState:
    """Write a question into a state."""
    at.question[:] = question
    return at


def moves_of(row: Any) -> tuple[tuple[int, int, bool], ...]:
    made = row[WHOLE["moves"] :][:12].reshape(4, 3).tolist()
    return tuple((source, target, bool(hit)) for source, target, hit in made if source)


@pytest.mark.parametrize("each", asked(8, 1), ids=str)
def test_the_plays_of_a_roll_and_their_moves(each: Asked) -> None:
    at = put(core(1), numbers(*each))
    n = list_plays(at)
    found = {tuple(row[:26].tolist()): moves_of(row) for row in at.whole[:n]}
    assert found == enumerate_plays(each.position.points, each.dice)


@pytest.mark.parametrize("each", asked(8, 9), ids=str)
def test_the_moves_of_one_die(each: Asked) -> None:
    die = each.dice[0]
    at = put(core(1), numbers(each.position, (die, 0)))
    n = list_plays(at)
    found = [(moves_of(row), tuple(row[:26].tolist())) for row in at.whole[:n]]
    assert found == [((move,), after) for move, after in legal_moves(each.position.points, die)]
    assert analyze(at) == FAULT["DICE"]


@pytest.mark.parametrize("depth", [1, 3])
@pytest.mark.parametrize("each", asked(16, 2), ids=str)
def test_an_analysis(each: Asked, depth: int) -> None:
    top = 1 + each.dice[0] % 4
    wanted = Engine(depth).analyze(*each, top=top).candidates
    at = put(core(depth), numbers(*each, top))
    assert analyze(at) == len(wanted)
    for candidate, whole, real in zip(wanted, at.whole, at.real, strict=False):
        assert tuple(whole[:26].tolist()) == candidate.play.points
        assert moves_of(whole) == candidate.play.moves
        assert (whole[WHOLE["kind"]] == 0) == candidate.deep
        assert whole[WHOLE["depth"]] == candidate.depth
        bound = candidate.equity if candidate.bound is None else candidate.bound
        assert real[REAL["bound"]] == bound
        assert real[REAL["equity"]] == candidate.equity
        assert real[REAL["mwc"]] == (candidate.mwc or 0.0)
        assert real[REAL["cubeless"]] == candidate.cubeless_equity
        assert tuple(real[REAL["chances"] :][:5].tolist()) == candidate.probabilities


def test_the_chance_of_a_lost_match_is_0() -> None:
    """A sum of the search is less than -1 there, by its rounding."""
    position = Position.parse("XGID=-ABBA-ADA----AA---A-----b-:0:0:1:32:0:1:1:2:10")
    at = put(core(3), numbers(position, (3, 2)))
    n = analyze(at)
    assert at.candidates.values[:n].min() < -1.0
    assert at.real[:n, REAL["mwc"]].min() == 0.0
    wanted = Engine(3).analyze(position, (3, 2)).candidates
    assert at.real[:n, REAL["mwc"]].tolist() == [each.mwc for each in wanted]


def test_an_analysis_by_tasks() -> None:
    (each,) = asked(1, 3)
    wanted = Engine(5).analyze(*each).candidates
    at = put(core(5), numbers(*each))
    assert analyze(at) == len(wanted)
    equities = at.real[: len(wanted), REAL["equity"]].tolist()
    assert equities == [candidate.equity for candidate in wanted]
    assert at.candidates.progress.tolist() == [len(wanted), len(wanted)]


@pytest.mark.parametrize("depth", [1, 3])
@pytest.mark.parametrize("each", asked(16, 4), ids=str)
def test_a_decision_about_the_cube_and_the_worth_of_a_position(each: Asked, depth: int) -> None:
    at, names = put(core(depth), numbers(each.position)), slots(CUBE.real)
    wanted = Engine(depth).cube(each.position)
    assert decide_cube(at) == 1
    choices = wanted.no_double, wanted.double_take, wanted.double_pass
    assert at.whole[0, 0] == (wanted.double_take is not None)
    for choice, value in enumerate(choices):
        equity = at.real[0, names["equity"] + choice]
        assert equity == (0.0 if value is None else value.equity)
        mwc = None if value is None else value.mwc
        assert at.real[0, names["mwc"] + choice] == (mwc or 0.0)
    assert tuple(at.real[0, names["chances"] :][:5].tolist()) == wanted.probabilities
    worth, names = Engine(depth).evaluate(each.position), slots(POSITION.real)
    assert evaluate(at) == 1
    assert at.real[0, names["equity"]] == worth.equity
    assert at.real[0, names["mwc"]] == (worth.mwc or 0.0)
    assert tuple(at.real[0, names["chances"] :][:5].tolist()) == worth.probabilities
    here = Scale.at(each.position.context.terms())
    results = at.real[0, names["results"] :][:6]
    assert results.tolist() == here.without_cube(np.array(CERTAIN, np.float64)).tolist()


@pytest.mark.parametrize("each", asked(6, 14), ids=str)
@pytest.mark.parametrize("first", [False, True])
def test_the_luck_of_a_roll(each: Asked, first: bool) -> None:
    terms, scale = each.position.context.terms(), Scale.at(each.position.context.terms())
    at, names = put(core(1), numbers(*each)), slots(ROLL.real)
    at.question[AT["first"]] = first
    assert weigh_roll(at) == 1
    board, roll = np.array([each.position.points], np.int8), np.array([outcome_of(each.dice)])
    luck = luck_at(leaf_and_probe("leaf")[0], board, roll, [terms], np.array([first]))[0]
    worth = luck * 2.0 if terms.length else luck / terms.cube
    assert at.real[0, names["luck"]] == pytest.approx(worth / scale.unit, abs=1e-12)
    each_roll = [Engine(1).analyze(each.position, dice).candidates[0].equity for dice in ROLLS]
    chances = FIRST_ROLL if first else PROBABILITIES
    assert at.real[0, names["mean"]] == pytest.approx(chances @ each_roll, abs=1e-9)


@pytest.mark.parametrize(
    ("each", "depth"), [*((each, 1) for each in asked(8, 13)), *((each, 3) for each in asked(2, 13))], ids=str
)
def test_games(each: Asked, depth: int) -> None:
    """Those of a rollout: their values as equities, and their chances without luck."""
    worth = Scale.at(each.position.context.terms())
    leaf, probe = map(cubeful_evaluator, leaf_and_probe("leaf"))
    seed, first, truncate, begins = (each.dice[0], 36 * each.dice[1], 5 * (each.dice[0] % 3), True)
    plan = Plan(np.uint64(seed), depth, depth, truncate, begins, worth.has_exact_ends)
    start = [(each.position.points, False)]
    turned = worth.for_opponent()  # `play_batch` turns it back: the player on roll has not decided
    (wanted,) = play_batch(turned, leaf, probe, plan, "tiny" if depth > 1 else "", start, first)
    at = put(core(depth), numbers(each.position))
    games = {"seed": seed, "trial": first, "truncate": truncate, "may_begin": 1, "filter": depth > 1}
    for name, value in games.items():
        at.question[AT[name]] = value
    names = slots(GAME.real)
    for _ in range(2):  # the same again
        assert play_games(at) == len(wanted["values"]) == 36
        real = at.real[:36]
        assert real[:, names["equity"]].tolist() == [worth.equity(v) for v in wanted["values"]]
        assert real[:, names["unadjusted"]].tolist() == [worth.equity(v) for v in wanted["plain"]]
        mwcs = [0.5 * (1.0 + v) if worth.met else 0.0 for v in wanted["values"]]
        assert real[:, names["mwc"]].tolist() == mwcs
        results = real[:, names["results"] :][:, :6].sum(axis=0)
        assert results == pytest.approx(wanted["chances"], abs=1e-12)
        assert at.whole[:36, 0].sum() == wanted["turns"]


def test_games_after_a_double() -> None:
    position = OPENING
    worth = Scale.at(position.context.terms())
    leaf, probe = map(cubeful_evaluator, leaf_and_probe("leaf"))
    plan = Plan(np.uint64(3), 1, 1, 0, False, True)
    (wanted,) = play_batch(worth, leaf, probe, plan, "", [(position.points, True)], 0)
    at = put(core(1), numbers(position))
    at.question[AT["seed"]], at.question[AT["doubled"]] = 3, 1
    assert play_games(at) == 36
    assert at.real[:36, 0].tolist() == wanted["values"]
    crawford = Position(position.points, Context(length=5, scores=(4, 2), crawford=True))
    put(at, numbers(crawford))
    at.question[AT["doubled"]] = 1
    assert play_games(at) == FAULT["CUBE"]
    for name in ("seed", "trial", "truncate"):
        put(at, numbers(position))
        at.question[AT[name]] = -1
        assert play_games(at) == FAULT["GAMES"]
    put(at, numbers(position))
    at.question[AT["filter"]] = 6
    assert play_games(at) == FAULT["GAMES"]


def test_the_last_games_that_have_numbers() -> None:
    at = put(core(1), numbers(OPENING))
    for trial, said in ((2**63 - 37, 36), (2**63 - 36, FAULT["GAMES"])):
        at.question[AT["trial"]], at.question[AT["truncate"]] = trial, 1
        assert play_games(at) == said


@pytest.mark.parametrize("name", ["doubled", "may_begin"])
@pytest.mark.parametrize("value", [2, -1, -(2**63)])
def test_what_is_neither_0_nor_1_of_games(name: str, value: int) -> None:
    at = put(core(1), numbers(OPENING))
    at.question[AT[name]] = value
    assert play_games(at) == FAULT["RULES"]
    assert decide_cube(at) == 1, "which does not read it"


def test_the_words_of_rules_say_what_each_may_be() -> None:
    assert "0 or 1" in FAULTS["RULES"]


@pytest.mark.parametrize("call", [analyze, decide_cube, evaluate, play_games])
def test_a_stop_ends_one_answer(call: Any) -> None:
    at = put(core(3), numbers(OPENING, (3, 1)))
    at.work.stats[STOPPED] = 1
    assert call(at) == FAULT["STOPPED"]
    assert call(at) > 0


@pytest.mark.parametrize(
    ("fault", "changes"),
    [
        ("POINTS", {"points": 16}),
        ("POINTS", {"points": 1}),
        ("POINTS", {"points+25": -1}),
        ("POINTS", {"points+3": 14}),
        ("POINTS", {"points+3": 1000}),
        ("DICE", {"dice": 0}),
        ("DICE", {"dice+1": 7}),
        ("SCORE", {"length": 65}),
        ("SCORE", {"length": 5}),
        ("SCORE", {"away": 1}),
        ("RULES", {"jacoby": 2}),
        ("RULES", {"dead": -1}),
    ],
)
def test_faults_of_a_question(fault: str, changes: dict[str, int]) -> None:
    question = numbers(OPENING, (3, 1))
    for name, value in changes.items():
        field, _, more = name.partition("+")
        question[AT[field] + int(more or 0)] = value
    at = put(core(1), question)
    assert list_plays(at) == analyze(at) == FAULT[fault]
    if fault != "DICE":
        assert decide_cube(at) == evaluate(at) == FAULT[fault]


def test_a_number_of_plays_below_0_is_a_fault() -> None:
    question = numbers(OPENING, (3, 1))
    question[AT["top"]] = -1
    assert analyze(put(core(1), question)) == FAULT["TOP"]


def test_a_game_that_is_over_has_no_answer() -> None:
    question = numbers(OPENING, (3, 1))
    question[:26] = [0] * 6 + [3] + [0] * 19
    assert analyze(put(core(1), question)) == FAULT["OVER"]


def test_more_plays_than_there_is_room_for() -> None:
    question = numbers(OPENING, (1, 1))
    question[:26] = [-1, *[0] * 9, *[1] * 15, 0]
    at = put(core(1), question)
    assert list_plays(at) == analyze(at) == FAULT["PLAYS"]
    assert decide_cube(at) == 1


def test_terms_are_refused_where_the_engine_refuses_them() -> None:
    rng = np.random.default_rng(1)
    refused = 0
    for _ in range(3000):
        length = int(rng.choice([0, 0, 1, 3, 7, 64, 65]))
        terms = Terms(
            length,
            (int(rng.integers(0, 5)), int(rng.integers(0, 5))) if length else (0, 0),
            *(bool(flag) for flag in rng.random(3) < 0.2),
            cube=int(rng.choice([1, 1, 2, 3, 64, 128])),
            owner=int(rng.integers(-1, 2)),
            live=bool(rng.random() < 0.9),
        )
        question = numbers(OPENING, (3, 1))
        for name, value in (
            ("length", terms.length),
            ("away", terms.away[0]),
            ("crawford", terms.crawford),
            ("jacoby", terms.jacoby),
            ("beavers", terms.beavers),
            ("cube", terms.cube),
            ("owner", terms.owner),
            ("dead", not terms.live),
        ):
            question[AT[name]] = int(value)
        question[AT["away"] + 1] = terms.away[1]
        fault = fault_of(np.array(question), bool(1))
        try:
            terms.checked()
        except GammonError:
            refused += 1
            assert fault in {FAULT["SCORE"], FAULT["RULES"], FAULT["CUBE"]}, terms
        else:
            assert fault == 0, terms
    assert 500 < refused < 2900


def test_a_cube_of_0_is_1_and_a_top_of_0_is_5() -> None:
    question = numbers(OPENING, (3, 1))
    question[AT["cube"]] = 0
    at = put(core(3), question)
    n = analyze(at)
    assert [int(kind) for kind in at.whole[:n, WHOLE["kind"]]].count(0) >= 5
    wanted = Engine(3).analyze(Position(OPENING.points, Context()), (3, 1))
    assert at.real[0, REAL["equity"]] == wanted.candidates[0].equity
