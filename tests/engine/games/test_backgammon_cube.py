"""Backgammon with the cube: the search against the oracle, and terms that change nothing."""

from functools import cache

import numpy as np
import pytest

from gammon import search
from gammon.base.errors import SettingError
from gammon.eval.bearoff_cube import exact_cube
from gammon.eval.cubeful import cubeful_evaluator
from gammon.eval.evaluators import load_evaluator
from gammon.eval.integer_network_kernel import results_of
from gammon.formats.met_file import read_met
from gammon.games.backgammon import backgammon
from gammon.rules.board import OPENING, Points
from gammon.rules.dice import N_ROLLS
from gammon.rules.terms import Terms
from gammon.search import Evaluator, Game, Setup, Table
from tests.boards import by_sides
from tests.engine.eval.learned_cube import leaf_value
from tests.engine.games.test_backgammon import LATE
from tests.engine.search.asked import assert_true_to
from tests.twins import before_roll

MET = read_met()
TERMS = {
    "money": Terms(), "mine": Terms(cube=2, owner=1), "his": Terms(cube=2, owner=-1),
    "Jacoby": Terms(jacoby=True), "Jacoby, beavers": Terms(jacoby=True, beavers=True),
    "beavers, mine": Terms(cube=2, owner=1, beavers=True),
    "3-away 5-away": Terms(7, (3, 5)), "5-away 2-away, mine": Terms(7, (5, 2), cube=2, owner=1),
    "2-away 2-away": Terms(5, (2, 2)), "post-Crawford": Terms(7, (4, 1)),
    "9-away 8-away, his": Terms(11, (9, 8), cube=2, owner=-1),
}  # fmt: skip
DEAD = {
    "dead": Terms(live=False), "Crawford": Terms(7, (1, 4), crawford=True),
    "double match point": Terms(5, (1, 1)), "dead cube": Terms(5, (2, 2), cube=2, owner=1),
}  # fmt: skip
#: More positions near the end, in which doubles, takes and passes are right.
ENDS = LATE | {
    "last rolls": by_sides({1: 1, 2: 1, 5: 1}, {1: 2, 3: 1, 4: 1}),
    "a race": by_sides({6: 2, 4: 2, 3: 1}, {6: 2, 5: 1, 2: 2}),
    "a shot": by_sides({1: 2, 3: 2, 20: 1}, {1: 1, 2: 2, 9: 1}),
}
CLOSE = 1e-9


@cache
def leaf() -> Evaluator:
    return cubeful_evaluator(load_evaluator("leaf"))


@cache
def probe() -> Evaluator:
    return cubeful_evaluator(load_evaluator("probe"))


def game_of(terms: Terms) -> Game:
    return backgammon(terms, MET)


#: Terms that have a rule or a price which none of the others has.
OF_THEIR_OWN = "money", "mine", "Jacoby, beavers", "5-away 2-away, mine", "Crawford"


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(each, marks=() if each in OF_THEIR_OWN else pytest.mark.nightly)
        for each in TERMS | DEAD
    ],
)
def test_the_game_keeps_the_contract(name: str) -> None:
    game = game_of((TERMS | DEAD)[name])
    states = [np.array(each, np.int8) for each in (OPENING, ENDS["last rolls"], ENDS["a shot"])]
    assert search.check_game(game, leaf(), states, most=3) > 5


@pytest.mark.parametrize("name", TERMS)
@pytest.mark.parametrize("place", ENDS)
def test_all_candidates_are_those_of_the_oracle(place: str, name: str) -> None:
    game, state = game_of(TERMS[name]), ENDS[place]
    for outcome in range(0, N_ROLLS, 5):
        oracle = Setup(game, leaf(), "expectimax").decide(state, outcome, 3)
        for algorithm, top in (("star1", 2), ("star2", 1), ("star2", 50), ("star2.5", 1)):
            found = Setup(game, leaf(), algorithm, probe()).decide(
                state, outcome, 3, top=top, leaves=True, table=Table.allocate(game, 0.1)
            )
            assert_true_to(found, oracle, top)


@pytest.mark.parametrize("name", TERMS)
def test_a_decision_about_the_cube_is_that_of_the_oracle(name: str) -> None:
    game = game_of(TERMS[name])
    for state in ENDS.values():
        oracle = Setup(game, leaf(), algorithm="expectimax").cube(
            state, 4 if sum(map(abs, state)) < 9 else 2
        )
        found = Setup(game, leaf(), probe=probe()).cube(state, oracle.depth)
        assert found.no_double == pytest.approx(oracle.no_double, abs=CLOSE)
        assert found.double_pass == oracle.double_pass
        double = game.offer(game.stake, game.params)
        if oracle.double_take is None:
            assert found.double_take is None
            assert not TERMS[name].may_double
            continue
        assert found.double_take == pytest.approx(oracle.double_take, abs=CLOSE)
        setup = Setup(game, leaf(), probe=probe())
        on_turn = setup.value(state, found.depth, on_turn=True).value
        expected = before_roll(double, found.no_double, found.double_take / double.factor)
        assert on_turn == pytest.approx(expected, abs=CLOSE)


def test_without_a_search_the_values_are_those_of_the_chances() -> None:
    for terms in (TERMS | DEAD).values():
        game = game_of(terms)
        for points in (OPENING, *ENDS.values()):
            row = np.array([points], np.int8)
            six = results_of(row, leaf().weights)[0].tolist()
            found = Setup(game, leaf()).cube(row[0], 0)

            def rolled(at: Terms, six: list[float] = six, points: Points = points) -> float:
                value = leaf_value(points, six, at, MET)
                return 2.0 * value - 1.0 if at.length else value

            assert found.no_double == pytest.approx(rolled(terms), abs=2e-6)
            assert (found.double_take is not None) == terms.may_double
            if found.double_take is not None:
                factor = 1.0 if terms.length else 2.0
                expected = factor * rolled(terms.doubled())
                assert found.double_take == pytest.approx(expected, abs=4e-6)
            if found.double_pass is not None:
                won = 2.0 * MET.after(terms, terms.cube) - 1.0 if terms.length else 1.0
                assert found.double_pass == pytest.approx(won)


def assert_exact(points: Points, depth: int, terms: Terms) -> None:
    game = game_of(terms)
    found = Setup(game, leaf(), probe=probe()).cube(points, depth)
    expected = exact_cube(points, terms, MET)
    assert found.no_double == pytest.approx(expected.no_double, abs=1e-6)
    assert (found.double_take is None) == (expected.double_take is None)
    if found.double_take is not None:
        assert found.double_take == pytest.approx(expected.double_take, abs=2e-6)
        assert found.double_pass == expected.double_pass


def test_for_money_a_search_of_a_small_bearoff_is_exact_at_every_depth() -> None:
    points = by_sides({6: 2, 4: 1, 3: 1}, {5: 2, 2: 2})
    for name in ("money", "mine", "his", "Jacoby", "beavers, mine"):
        for depth in (0, 2, 4):
            assert_exact(points, depth, TERMS[name])
    assert_exact(points, 2, Terms(live=False))


@pytest.mark.parametrize("name", TERMS | DEAD)
def test_a_search_to_the_end_of_a_bearoff_is_exact(name: str) -> None:
    """The opponent is done with the next roll."""
    terms = (TERMS | DEAD)[name]
    for own in ({5: 1, 3: 1}, {6: 2}, {6: 1, 4: 1, 1: 1}):
        assert_exact(by_sides(own, {1: 2}), 4, terms)


@pytest.mark.parametrize("name", DEAD)
def test_with_a_dead_cube_the_search_is_cubeless(name: str) -> None:
    terms = DEAD[name]
    game = game_of(terms)
    cubeless = game._replace(offer=search.Game._field_defaults["offer"])
    for place in ENDS.values():
        for outcome in range(0, N_ROLLS, 6):
            one, other = (
                Setup(each, leaf(), probe=probe()).decide(place, outcome, 3, top=2)
                for each in (game, cubeless)
            )
            assert one.values.tobytes() == other.values.tobytes()
            assert one.stats == other.stats


def test_a_dead_cube_for_money_gives_the_cubeless_values() -> None:
    game, plain = game_of(Terms(live=False)), backgammon()
    for place in ENDS.values():
        one = Setup(game, leaf()).decide(place, 3, 3, top=50)
        other = Setup(plain, load_evaluator("leaf")).decide(place, 3, 3, top=50)
        assert dict(zip(map(bytes, one.rows), one.values, strict=True)) == pytest.approx(
            dict(zip(map(bytes, other.rows), other.values, strict=True)), abs=1e-6
        )


@pytest.mark.parametrize("name", ["money", "Jacoby", "3-away 5-away"])
def test_threads_noise_and_limits(name: str) -> None:
    game, state = game_of(TERMS[name]), ENDS["a race"]
    table = Table.allocate(game, 1.0)
    noise = {"probe": probe(), "sigma": 0.05, "noise_seed": 3}
    setup, plain = (Setup(game, leaf(), name, **noise) for name in ("star2", "expectimax"))
    one = setup.decide(state, 7, 5, top=2, table=table)
    two = setup.decide(state, 7, 5, top=2, table=table, threads=2)
    assert one.values.tobytes() == two.values.tobytes()
    assert one.stats == two.stats
    oracle = plain.decide(state, 7, 3, top=2)
    found = setup.decide(state, 7, 3, top=2)
    best = found.order[:2]
    assert found.values[best] == pytest.approx(oracle.values[oracle.order[:2]], abs=CLOSE)
    limited = setup.decide(state, 7, 5, top=2, max_nodes=60)
    assert limited.depth == 3
    assert limited.values[limited.order[0]] == pytest.approx(found.values[best[0]], abs=CLOSE)


def test_terms_that_no_game_has_are_refused() -> None:
    with pytest.raises(SettingError, match="cube 3: expected 1, 2, 4"):
        backgammon(Terms(cube=3))
