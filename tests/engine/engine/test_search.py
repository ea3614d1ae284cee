"""Cube decisions and plays with the cube: the engine against slower and plainer ways."""

import math
from typing import Any

import numpy as np
import pytest

import gammon
from gammon import Position
from gammon.base.errors import SettingError
from gammon.engine.question import Question
from gammon.engine.search import Search
from gammon.eval.evaluators import load_evaluator
from gammon.eval.integer_network_kernel import results_of
from gammon.formats.met_file import read_met
from gammon.games.backgammon import filter_named
from gammon.rules.board import Points
from gammon.rules.dice import WEIGHTS
from gammon.rules.terms import CUBELESS, Terms
from gammon.view.cube import cube_view
from gammon.view.plain import plain_text
from gammon_lab.algorithms import GAMMA
from tests.boards import points_of
from tests.conftest import Played
from tests.engine.eval.learned_cube import leaf_value

MET = read_met()

TERMS = [
    Terms(), Terms(jacoby=True, beavers=True), Terms(cube=2, owner=1), Terms(cube=4, owner=-1),
    Terms(7, (7, 7)), Terms(5, (2, 4)), Terms(5, (3, 2), cube=2, owner=1),
    Terms(3, (1, 3), crawford=True), Terms(3, (3, 1)), Terms(2, (2, 2)), Terms(1, (1, 1)),
]  # fmt: skip


def contact(played: Played, count: int, seed: int) -> list[Points]:
    """Positions of which no exact bearoff is known."""
    found = [p for p in played(30 * count, seed) if any(p[7:]) and any(n < 0 for n in p[:18])]
    return found[:: len(found) // count][:count]


@pytest.mark.parametrize("terms", TERMS, ids=str)
def test_without_a_search_a_decision_is_that_of_its_chances(
    terms: Terms, played: Played
) -> None:
    for points in contact(played, 12, 3):
        position = gammon.Position(points).with_terms(terms)
        found = gammon.Engine(depth=1).cube(position)
        plain = gammon.cube_from_chances(position, found.probabilities)
        row = np.array([points], np.int8)
        six = results_of(row, load_evaluator("leaf").weights)[0].tolist()
        for name in ("no_double", "double_take", "double_pass"):
            ours, theirs = getattr(found, name), getattr(plain, name)
            assert (
                (ours is None)
                == (theirs is None)
                == (name != "no_double" and not terms.may_double)
            )
            if ours is None:
                continue
            if name == "double_pass":
                assert ours.equity == pytest.approx(theirs.equity)
                continue
            at, factor = (terms, 1.0) if name == "no_double" else (terms.doubled(), 2.0)
            value = leaf_value(points, six, at, MET)
            if terms.length:
                assert ours.mwc == pytest.approx(value, abs=2e-6)
                value, factor = MET.emg(value, terms), 1.0
            assert ours.equity == pytest.approx(factor * value, abs=2e-5)
        assert found.no_double.kind is gammon.Kind.STATIC


@pytest.mark.parametrize("terms", TERMS, ids=str)
def test_a_play_is_worth_the_opposite_of_what_the_opponent_gets(terms: Terms) -> None:
    engine = gammon.Engine(depth=3)
    position = gammon.Position.parse("4HPiATCYc8kBIg").with_terms(terms)
    analysis = engine.analyze(position, (6, 2), top=3)
    for candidate in analysis.candidates[:3]:
        theirs = engine.cube(candidate.play.position)
        assert theirs.depth == 3 and theirs.stats is not None and theirs.seconds > 0
        values = theirs.no_double, theirs.double_take, theirs.double_pass
        assert {value.kind for value in values if value} == {gammon.Kind.EXACT}
        assert candidate.equity == pytest.approx(-theirs.equity, abs=1e-9)
        assert candidate.equity == pytest.approx(
            -engine.evaluate(candidate.play.position).equity, abs=1e-9
        )
        if terms.length:
            assert candidate.mwc is not None
            emg = gammon.read_met().emg(candidate.mwc, terms)
            assert candidate.equity == pytest.approx(emg, abs=1e-9)


@pytest.mark.parametrize("terms", TERMS[:6], ids=str)
def test_rolling_is_worth_the_mean_of_the_rolls(terms: Terms) -> None:
    position = gammon.Position.parse("4HPiATCYc8kBIg").with_terms(terms)
    rolls = gammon.Engine(depth=1).analyze_rolls(position)
    deeper = gammon.Engine(depth=3).cube(position)
    assert rolls.equity == pytest.approx(deeper.no_double.equity, abs=1e-6)
    assert rolls.terms == terms
    assert np.dot(WEIGHTS, [a.candidates[0].equity for a in rolls.analyses]) / 36 == (
        pytest.approx(rolls.equity)
    )


def test_where_the_cube_is_dead_it_does_not_matter() -> None:
    position = gammon.Position.parse("4HPiATCYc8kBIg").with_terms(Terms(1, (1, 1)))
    dmp = gammon.Engine(depth=3).analyze(position, (6, 2), top=5)
    cubeless = gammon.Engine(depth=3, stakes="dmp").analyze(position, (6, 2), top=5)
    for ours, theirs in zip(dmp.candidates[:5], cubeless.candidates[:5], strict=True):
        assert ours.play == theirs.play
        assert ours.equity == pytest.approx(theirs.equity, abs=1e-6)
        assert ours.mwc == pytest.approx(ours.probabilities.win, abs=1e-6)


def test_where_all_plays_end_in_a_pass_the_better_one_without_the_cube_comes_first() -> None:
    position = gammon.Position(points_of({1: 2, 6: 3}, {24: 2, 19: 10}))
    analysis = gammon.Engine(depth=3).analyze(position, (2, 1), top=100)
    cubeless = [c.cubeless_equity or math.nan for c in analysis.candidates]
    assert len({round(c.equity, 9) for c in analysis.candidates}) < len(cubeless)
    for first, second in zip(analysis.candidates, analysis.candidates[1:], strict=False):
        assert first.equity >= second.equity - 1e-9
        if abs(first.equity - second.equity) < 1e-10:
            assert first.cubeless_equity >= second.cubeless_equity  # type: ignore[operator]


def test_noise_in_a_match_is_in_its_unit() -> None:
    """Errors are those of equities, as large at any score as cubeless."""
    position = gammon.Position.parse("4HPiATCYc8kBIg")
    same = [gammon.Engine(depth=1, noise=0.1, noise_seed=4), gammon.Engine(depth=1)]
    dmp = [
        gammon.Engine(depth=1, stakes="dmp", noise=noise, noise_seed=4)
        .evaluate(position)
        .equity
        for noise in (0.1, 0.0)
    ]
    for terms in (Terms(25, (1, 1)), Terms(7, (7, 7))):
        at = position.with_terms(terms)
        noisy, plain = (engine.evaluate(at).equity for engine in same)
        assert noisy - plain == pytest.approx(dmp[0] - dmp[1], abs=1e-6)


def test_a_filter_is_told() -> None:
    position = gammon.Position.parse("4HPiATCYc8kBIg")
    tiny = gammon.Engine(depth=5, move_filter="tiny").cube(position)
    assert tiny.filtered
    assert "exact within the filter to depth 5" in plain_text(cube_view(tiny))
    assert not gammon.Engine(depth=3).cube(position).filtered


def test_a_cubeless_engine_decides_nothing() -> None:
    for engine in (gammon.Engine(cubeless=True), gammon.Engine(stakes="dmp")):
        assert not engine.cubeful
        with pytest.raises(gammon.SettingError, match="cubeless"):
            engine.cube(gammon.Position.opening())
    assert gammon.Engine(algorithm=GAMMA).stakes == gammon.parse_stakes("money")


def test_what_an_engine_answers_at_some_terms_depends_on_no_others() -> None:
    row = np.array([gammon.Position.opening().points], np.int8)
    scores = [Terms(21, (a, b)) for a in range(1, 22) for b in range(1, 22, 1 + a % 2)]
    used = gammon.Engine(depth=1)
    first, again = (
        [float(used.evaluate_many(row, terms).equities[0]) for terms in scores] for _ in "ab"
    )
    assert len(scores) > 300
    assert first == again
    for terms, equity in list(zip(scores, first, strict=True))[::29]:
        assert gammon.Engine(depth=1).evaluate_many(row, terms).equities[0] == equity


def test_terms_that_no_game_has_are_refused() -> None:
    late = gammon.Position.parse("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:65:10")
    for ask in (gammon.Engine(depth=1).cube, gammon.Engine(depth=1).evaluate):
        with pytest.raises(gammon.SettingError, match="match length 65"):
            ask(late)
    with pytest.raises(gammon.SettingError, match="cube 3"):
        gammon.Engine(depth=1).evaluate_many([gammon.Position.opening().points], Terms(cube=3))


@pytest.mark.parametrize("terms", TERMS, ids=str)
def test_small_bearoffs_are_known_to_the_end(terms: Terms) -> None:
    position = gammon.Position.parse("XGID=-B--A--------------c-a----:0:0:1:00:0:0:0:0:10")
    position = position.with_terms(terms)
    known = gammon.Engine(depth=1).cube(position)
    assert known.stats is None
    assert known.no_double.kind is gammon.Kind.EXACT
    # Noise of no size that matters makes it search, in this case to the end of the game.
    searched = gammon.Engine(depth=7, noise=1e-12).cube(position)
    assert searched.stats is not None
    for name in ("no_double", "double_take", "double_pass"):
        ours, theirs = getattr(known, name), getattr(searched, name)
        assert (ours is None) == (theirs is None)
        if ours is not None:
            assert ours.equity == pytest.approx(theirs.equity, abs=2e-6)
    assert known.verdict == searched.verdict


@pytest.mark.parametrize("terms", [Terms(), Terms(7, (7, 7)), Terms(9, (4, 6))], ids=str)
def test_where_the_game_is_decided_a_double_is_optional(terms: Terms) -> None:
    position = gammon.Position.parse("XGID=-A-----------------c-c----:0:0:1:00:0:0:0:0:10")
    decision = gammon.Engine(depth=1).cube(position.with_terms(terms))
    assert decision.no_double.equity == pytest.approx(1)
    assert decision.verdict == "optional double, pass"


def test_plays_that_are_named_hear_a_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    stop, asked, evaluate = gammon.Stop(), [], Search.evaluate

    def stopped(*arguments: Any) -> Any:
        asked.append(arguments)
        found = evaluate(*arguments)
        stop.set()
        return found

    monkeypatch.setattr(Search, "evaluate", stopped)
    names = ["8/5 6/5", "24/23 13/10", "13/9", "6/2"]
    position = gammon.Position.opening()
    found = gammon.Engine(3).analyze(position, (3, 1), 1, plays=names, stop=stop)
    assert len(asked) == 1
    exact = [each.kind is gammon.Kind.EXACT for each in found.candidates]
    assert exact.count(True) < len(names)


OPENING = Position.opening()


def test_a_search_is_set_up_once() -> None:
    kept = gammon.Engine(1)
    first = kept._search(Question(position=OPENING, depth=1))
    assert kept._search(Question(position=OPENING, depth=1, top=3, dice=(3, 1))) is first
    for other in (
        Question(position=OPENING, depth=3),
        Question(position=OPENING, depth=1, noise=0.1),
        Question(position=OPENING, depth=1, cube=2, owner="roller"),
        Question(position=OPENING, depth=1, cubeless=True),
    ):
        assert kept._search(other) is not first


def test_the_margin_of_a_filter_is_one_of_equities() -> None:
    kept, question = gammon.Engine(1), Question(depth=3, move_filter="tiny")
    for terms in (Terms(), Terms(7, (3, 5))):
        here = kept._search(question, terms)
        assert here.setup.problem.filter == filter_named("tiny", here.scale.unit)


def test_searches_are_not_kept_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gammon.engine.engine._MOST_SEARCHES", 3)
    kept, question = gammon.Engine(1), Question(depth=1)
    first = kept._search(question, Terms(7, (7, 7)))
    assert kept._search(question, Terms(7, (7, 7))) is first
    for away in range(1, 4):
        kept._search(question, Terms(7, (7, away)))
    assert kept._search(question, Terms(7, (7, 7))) is not first


def test_the_cube_counts_where_there_is_room_for_it() -> None:
    kept = gammon.Engine(1)
    assert kept._cubeless_terms(Question()) is None
    assert kept._cubeless_terms(Question(cubeless=True)) == CUBELESS
    assert kept._cubeless_terms(Question(algorithm=GAMMA)) == CUBELESS
    with pytest.raises(SettingError, match="which knows no doubles"):
        kept._cubeless_terms(Question(algorithm=GAMMA, cubeless=False))


def test_all_searches_share_the_networks() -> None:
    """With the cube, a network has tables of its own, of 24 MB."""
    kept, question = gammon.Engine(1), Question(depth=1)
    first, second = (kept._search(question, Terms(7, (7, away))) for away in (1, 2))
    assert first is not second
    assert first.setup.evaluator.weights is second.setup.evaluator.weights
