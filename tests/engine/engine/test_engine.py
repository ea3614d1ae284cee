"""The public interface."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gammon
from gammon.eval.equity import results_of_cumulative
from gammon.rules.dice import ROLLS
from tests.conftest import Played

OPENING = gammon.Position.opening()
GOLDEN = Path(__file__).parents[2] / "golden"


@pytest.fixture(scope="module")
def engine() -> gammon.Engine:
    return gammon.Engine(depth=3)


@pytest.mark.smoke
def test_candidates_are_ranked_and_marked(engine: gammon.Engine) -> None:
    analysis = engine.analyze(OPENING, (6, 4), top=3)
    candidates = analysis.candidates
    assert len(candidates) == len(gammon.legal_plays(OPENING, (6, 4))) == 14
    assert [c.exact for c in candidates[:3]] == [True] * 3
    assert not any(c.exact for c in candidates[3:])
    equities = [c.equity for c in candidates]
    assert equities == sorted(equities, reverse=True)
    assert candidates[0].loss == 0
    assert [c.depth for c in candidates] == [3 if c.exact else 1 for c in candidates]
    assert all((c.bound is None) == c.exact for c in candidates)


def test_chances_explain_equities(played: Played) -> None:
    for depth, count in ((1, 40), (3, 10), (5, 1)):
        engine = gammon.Engine(depth=depth, cubeless=True)
        for number, points in enumerate(played(count * 9, depth)[::9]):
            analysis = engine.analyze(gammon.Position(points), ROLLS[number % 21], top=2)
            for candidate in analysis.candidates[:2]:
                assert candidate.probabilities.equity == pytest.approx(
                    candidate.equity, abs=2e-5
                )
                win, win_g, win_bg, lose_g, lose_bg = candidate.probabilities
                ladder = (0, win_bg, win_g, win), (0, lose_bg, lose_g, 1 - win)
                assert all(np.diff(side).min() > -1e-6 for side in ladder)


@pytest.mark.parametrize("shared", [True, False], ids=["one engine", "an engine each"])
def test_threads_may_call_engines_at_once(shared: bool) -> None:
    asked = [(OPENING, (3, 1)), (gammon.Position.parse("4HPiATCYc8kBIg"), (6, 2))]
    engine = gammon.Engine(depth=5, threads=2)

    def analyze(number: int) -> list[tuple[object, ...]]:
        mine = engine if shared else gammon.Engine(depth=5, threads=1 + number % 2)
        found = mine.analyze(*asked[number % 2], top=2)
        return [(c.play, c.equity, c.kind, c.probabilities) for c in found.candidates]

    alone = [analyze(number) for number in range(2)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(analyze, range(4))) == [*alone, *alone]


def test_noise_is_a_function_of_the_state() -> None:
    def equity(noise: float, seed: int, depth: int = 1) -> float:
        engine = gammon.Engine(depth=depth, noise=noise, noise_seed=seed)
        return engine.evaluate(OPENING).equity

    assert equity(0.1, 7) == equity(0.1, 7)
    assert len({equity(0.1, 7), equity(0.1, 8), equity(0.0, 7)}) == 3
    assert equity(0.1, 7, depth=3) != equity(0.0, 0, depth=3)


def test_a_filter_looks_at_fewer_plays(engine: gammon.Engine) -> None:
    analysis = gammon.Engine(depth=3, move_filter="tiny").analyze(OPENING, (6, 4), top=14)
    full = {c.play: c for c in engine.analyze(OPENING, (6, 4), top=14).candidates}
    searched = [c for c in analysis.candidates if c.depth == 3]
    assert 1 <= len(searched) <= 5
    assert analysis.candidates[: len(searched)] == searched
    for candidate in searched:
        # Depth 3 ends with the replies, of which none is left out.
        assert candidate.equity == pytest.approx(full[candidate.play].equity, abs=1e-6)
        assert candidate.kind is gammon.Kind.EXACT
    static = gammon.Engine(depth=1).analyze(OPENING, (6, 4))
    values = {c.play: c.equity for c in static.candidates}
    for candidate in analysis.candidates[len(searched) :]:
        assert (candidate.depth, candidate.kind) == (1, gammon.Kind.STATIC)
        assert candidate.equity == pytest.approx(values[candidate.play], abs=1e-6)


def test_equities_are_those_of_the_stakes() -> None:
    found = {
        name: gammon.Engine(depth=3, stakes=name).analyze(OPENING, (6, 4), top=14)
        for name in ("money", "dmp", "gammon-go", "gammon-save")
    }
    cubeless = gammon.Engine(depth=3, cubeless=True).analyze(OPENING, (6, 4), top=14)
    assert found["money"].candidates == cubeless.candidates
    for name, analysis in found.items():
        worth = gammon.parse_stakes(name)
        assert analysis.terms == worth
        for candidate in analysis.candidates:
            results = results_of_cumulative(np.array(candidate.probabilities))
            assert results @ worth.payoffs.ascending == pytest.approx(
                candidate.equity, abs=2e-5
            )
    go, save = (
        found[name].candidates[0].probabilities for name in ("gammon-go", "gammon-save")
    )
    assert go.win_gammon > save.win_gammon


def test_answers_are_those_before_payoffs_were_terms() -> None:
    """Golden ones, made by the code in which play without the cube was a game of its own."""
    terms: dict[str, dict[str, Any]] = {
        "money": {}, "jacoby": {"jacoby": True}, "mine": {"cube": 2, "owner": "roller"},
        "dmp": {"match": 1}, "crawford": {"match": 5, "score": "4-2", "crawford": True},
        "2-away 4-away": {"match": 7, "score": "5-3"},
    }  # fmt: skip
    for xgid, stakes, depth, play, equity, second, chances, leaves in json.loads(
        (GOLDEN / "stakes.json").read_text()
    ):
        settings = {"stakes": stakes}
        if stakes.startswith("cube "):
            settings = terms[stakes.removeprefix("cube ")]
        engine = gammon.Engine(depth)
        question = replace(
            engine.usual, position=gammon.Position.parse(xgid), top=2, **settings
        )
        found = engine.answer(question)
        assert isinstance(found, gammon.Analysis)
        best, other = (found.candidates * 2)[:2]
        assert best.play.notation == play
        assert (best.equity, other.equity) == pytest.approx((equity, second), abs=1e-9)
        assert best.probabilities == pytest.approx(chances, abs=1e-6)
        assert found.stats.leaves == leaves


@pytest.mark.smoke
def test_stakes_may_be_numbers() -> None:
    position = gammon.Position.parse("4HPiATCYc8kBIg")
    money, double = (
        gammon.Engine(depth=1, stakes=stakes).evaluate(position).equity
        for stakes in ("money", gammon.Payoffs(2, 4, 6, -2, -4, -6))
    )
    assert double == pytest.approx(2 * money)
    assert gammon.Engine(depth=1, stakes="2,4,6,-2,-4,-6").evaluate(position).equity == double


def test_every_candidate_has_chances(played: Played) -> None:
    """Those of the evaluator where the search kept none."""
    static = gammon.Engine(depth=1)
    for stakes, points in zip(("money", "gammon-go"), played(400, 5)[198::199], strict=False):
        position = gammon.Position(points)
        deep = gammon.Engine(depth=3, stakes=stakes).analyze(position, (6, 4), top=1)
        shallow = {c.play: c for c in static.analyze(position, (6, 4)).candidates}
        assert deep.candidates[0].probabilities_depth == 3
        for candidate in deep.candidates[1:]:
            if candidate.exact:  # above the best one, as the shallower search has it
                continue
            assert candidate.probabilities_depth == 1
            expected = shallow[candidate.play].probabilities
            assert candidate.probabilities == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(
    "settings",
    [
        {"depth": 3}, {"depth": 5}, {"depth": 5, "threads": 2}, {"depth": 1},
        {"depth": 3, "algorithm": "star1", "noise": 0.05, "noise_seed": 7},
        {"depth": 3, "algorithm": "star1"}, {"depth": 3, "algorithm": "expectimax"},
        {"depth": 3, "stakes": "gammon-go"}, {"depth": 3, "max_seconds": 1e6},
    ],
    ids=str,
)  # fmt: skip
def test_plays_that_are_named_are_exact(settings: dict[str, Any]) -> None:
    engine = gammon.Engine(**settings)
    dice = (3, 3) if settings["depth"] == 3 else (3, 1)
    every = engine.analyze(OPENING, dice, top=10_000).candidates
    found = engine.analyze(OPENING, dice, top=2, plays=[every[3].play, every[-1].play.notation])
    assert [c.play for c in found.candidates if c.named] == [every[3].play, every[-1].play]
    searched = {c.play: c for c in found.candidates}
    for candidate in (*every[:2], every[3], every[-1]):
        ours = searched[candidate.play]
        assert ours.kind is gammon.Kind.EXACT
        assert ours.equity == pytest.approx(candidate.equity, abs=1e-12)
        assert ours.loss == pytest.approx(candidate.loss, abs=1e-12)
        assert ours.probabilities == pytest.approx(candidate.probabilities, abs=1e-9)
        assert ours.probabilities_depth == settings["depth"]
    assert found.candidates[0].loss == 0
    equities = [c.equity for c in found.candidates]
    assert equities == sorted(equities, reverse=True)
    assert found.top == 2


def test_a_named_play_is_searched_though_the_filter_left_it_out() -> None:
    engine = gammon.Engine(depth=3, move_filter="tiny")
    worst = engine.analyze(OPENING, (6, 4)).candidates[-1]
    assert worst.kind is gammon.Kind.STATIC
    found = engine.analyze(OPENING, (6, 4), plays=[worst.play]).candidates
    (ours,) = [each for each in found if each.named]
    assert (ours.kind, ours.depth, ours.probabilities_depth) == (gammon.Kind.EXACT, 3, 3)
    exact = gammon.Engine(depth=3).analyze(OPENING, (6, 4), plays=[worst.play]).candidates
    assert ours.equity == pytest.approx(next(c for c in exact if c.named).equity, abs=1e-12)
    kinds = [each.kind for each in found]
    assert kinds.index(gammon.Kind.STATIC) > found.index(ours), "static ones come last"


def test_a_play_named_twice_is_named_once(engine: gammon.Engine) -> None:
    once = engine.analyze(OPENING, (6, 1), plays=["24/18 6/5"])
    twice = engine.analyze(OPENING, (6, 1), plays=["24/18 6/5", "6/5, 24-18"])
    assert once.candidates == twice.candidates
    assert once.stats == twice.stats
    best = engine.analyze(OPENING, (6, 1), plays=["13/7 8/7"])
    assert best.stats == engine.analyze(OPENING, (6, 1)).stats, "exact anyway"


def test_the_roll_goes_into_the_ids_that_come_back(engine: gammon.Engine) -> None:
    offered = gammon.Position.parse("XGID=-b----E-C---eE---c-e----B-:1:-1:-1:D:2:4:0:7:10")
    position = engine.analyze(offered, (3, 1)).position
    assert position.xgid == "XGID=-b----E-C---eE---c-e----B-:1:-1:-1:31:2:4:0:7:10"
    again = gammon.Position.parse(f"{position.position_id}:{position.match_id}")
    assert again.dice == (3, 1)
    assert (again.points, again.context) == (position.points, position.context)
    rolls = gammon.Engine(depth=1).analyze_rolls(position)
    assert rolls.position.dice is None
    assert [analysis.position.dice for analysis in rolls.analyses] == list(ROLLS)
