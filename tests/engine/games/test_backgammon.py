"""The search on backgammon, with the cube and without, against plain expectimax."""

from collections import Counter
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
from gammon.games.backgammon import BACKGAMMON, backgammon
from gammon.rules.board import OPENING, Points, flipped
from gammon.rules.dice import N_ROLLS, PROBABILITIES, ROLLS
from gammon.rules.terms import CUBELESS, NAMED_STAKES, Payoffs, Terms, cubeless_terms
from gammon.search import Evaluator, Filter, Game, Options, Table, TreeSearch
from tests.boards import by_sides
from tests.conftest import Played
from tests.engine.search.asked import assert_true_to
from tests.naive.backgammon import plain_value
from tests.naive.cube import leaf_value
from tests.naive.search import before_roll, chances, payoff, replies

# The search on backgammon: every algorithm against plain expectimax, at any stakes.

DMP = NAMED_STAKES["dmp"]
GAMMON_GO = NAMED_STAKES["gammon-go"]
GAMMON_SAVE = NAMED_STAKES["gammon-save"]

STAKES = [
    DMP,
    GAMMON_GO,
    GAMMON_SAVE,
    cubeless_terms(Payoffs(0.5, 0.75, 2.0, -1.0, -1.5, -4.0)),
    cubeless_terms(Payoffs(3.0, 7.0, 7.5, 2.0, -0.25, -1.0)),
]


#: Positions whose rows differ in what can still be won: no one has borne off, one side has,
#: both have, gammons and backgammons are near.
LATE = {
    "gammon near": by_sides({1: 1, 2: 1}, {1: 13, 18: 2}),
    "backgammon near": by_sides({2: 2}, {3: 13, 20: 2}),
    "saved": by_sides({1: 2, 3: 1}, {1: 1, 4: 1}),
    "theirs near": by_sides({24: 1, 6: 14}, {1: 2, 2: 1}),
    "contact": by_sides({25: 1, 2: 2, 4: 1}, {5: 2, 3: 2, 8: 1}),
}


@pytest.fixture(scope="module")
def leaf() -> Evaluator:
    return load_evaluator("leaf", bearoff=False)


@pytest.fixture(scope="module")
def probe() -> Evaluator:
    return load_evaluator("probe", bearoff=False)


@pytest.mark.parametrize(
    ("depth", "positions"), [pytest.param(1, 60, marks=pytest.mark.smoke), (3, 30), (5, 1)]
)
def test_all_algorithms_give_the_same_values(
    depth: int, positions: int, leaf: Evaluator, probe: Evaluator, played: Played
) -> None:
    rng = np.random.default_rng(depth)
    leaves: Counter[str] = Counter()
    for points in played(positions * 7, 20 + depth)[::7]:
        roll = int(rng.integers(21))
        slow = search.TreeSearch(BACKGAMMON, leaf, "expectimax").decide(points, roll, depth)
        for algorithm in ("star1", "star2", "star2.5"):
            tree = search.TreeSearch(BACKGAMMON, leaf, algorithm, probe)
            fast = tree.decide(points, roll, depth, top=3)
            assert_true_to(fast, slow, 3, 1e-6)
            leaves[algorithm] += fast.stats.leaves
        leaves["expectimax"] += slow.stats.leaves
    if depth > 1:
        assert leaves["star2"] < leaves["star1"] < leaves["expectimax"]


def test_finished_games_count_their_payoff(leaf: Evaluator, probe: Evaluator) -> None:
    # Both have one checker left on the ace point: whoever is on roll wins one point.
    points = by_sides({1: 1}, {1: 1})
    for algorithm in search.ALGORITHMS:
        tree = search.TreeSearch(BACKGAMMON, leaf, algorithm, probe)
        assert tree.decide(points, 20, 3).values.tolist() == [1.0]
        assert tree.value(points, 4).value == pytest.approx(1.0)


@pytest.mark.parametrize("bounded", [False, True])
@pytest.mark.parametrize("stakes", STAKES, ids=lambda terms: str(terms.payoffs))
def test_the_stars_are_expectimax_at_any_stakes(
    stakes: Terms, bounded: bool, leaf: Evaluator, probe: Evaluator
) -> None:
    game, filter = backgammon(stakes), Filter(node_bounds=bounded)
    for number, points in enumerate((OPENING, *LATE.values())):
        roll = (4, 13, 8, 6, 17, 1)[number]
        oracle = search.TreeSearch(game, leaf, "expectimax", filter=filter).decide(points, roll, 3)
        best = np.sort(oracle.values)[::-1][:2]
        assert game.low - 1e-9 <= best[-1] <= best[0] <= game.high + 1e-9
        for algorithm in ("star1", "star2", "star2.5"):
            found = search.TreeSearch(game, leaf, algorithm, probe, filter=filter).decide(
                points, roll, 3, top=2, table=Table.allocate(game, 0.1)
            )
            assert_true_to(found, oracle, 2)


@pytest.mark.smoke
@pytest.mark.parametrize("stakes", [CUBELESS, *STAKES], ids=lambda terms: str(terms.payoffs))
@pytest.mark.parametrize("name", ["gammon near", "backgammon near", "saved"])
def test_stakes_against_plain_python(name: str, stakes: Terms, leaf: Evaluator) -> None:
    for depth in (1, 3):
        game, roll = backgammon(stakes), 2
        expected = plain_value(LATE[name], ROLLS[roll], depth, stakes, game, leaf)
        for algorithm in ("expectimax", "star2"):
            found = search.TreeSearch(game, leaf, algorithm).decide(LATE[name], roll, depth)
            assert found.values.max() == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("stakes", STAKES, ids=lambda terms: str(terms.payoffs))
def test_a_turned_game_is_the_same_seen_from_the_other_side(stakes: Terms, leaf: Evaluator) -> None:
    game = backgammon(stakes)
    theirs = backgammon(stakes.for_opponent())
    assert (theirs.low, theirs.high) == (game.for_opponent().low, game.for_opponent().high)
    for points in LATE.values():
        mine = search.TreeSearch(game.for_opponent(), leaf).value(points, 2).value
        assert mine == pytest.approx(search.TreeSearch(theirs, leaf).value(points, 2).value, abs=1e-6)
    finished = 0
    for result, points in enumerate(
        [by_sides({20: 1, 6: 14}, {}), by_sides({6: 15}, {}), by_sides({6: 14}, {})]
    ):
        state, other = (np.array(each, np.int8) for each in (points, flipped(points)))
        lost = search.TreeSearch(game, leaf).value(state, 2).value
        assert lost == stakes.payoffs.ascending[result] == payoff(game, state, game.stake)
        assert search.TreeSearch(game.for_opponent(), leaf).value(other, 2).value == -lost
        finished += 1
    assert finished == 3


def test_tasks_at_gammon_go(leaf: Evaluator, probe: Evaluator) -> None:
    game = backgammon(GAMMON_GO)
    tree, table = search.TreeSearch(game, leaf, probe=probe), Table.allocate(game, 0.1)
    undivided = search.TreeSearch(game, leaf, probe=probe, options=Options(divide=False))
    whole = undivided.decide(OPENING, 17, 5, top=2)
    divided = tree.decide(OPENING, 17, 5, top=2, table=table)
    shared = tree.decide(OPENING, 17, 5, top=2, table=table.another(), threads=2)
    best = whole.order[:2]
    assert divided.values[best] == pytest.approx(whole.values[best], abs=1e-9)
    assert divided.exact[best].all()
    assert np.array_equal(shared.values, divided.values)
    money = search.TreeSearch(BACKGAMMON, leaf, probe=probe).decide(OPENING, 17, 5)
    assert money.values.max() != pytest.approx(whole.values.max(), abs=1e-3)


@pytest.mark.parametrize("stakes", [CUBELESS, *STAKES], ids=lambda terms: str(terms.payoffs))
def test_bounds_hold_for_all_that_follows(stakes: Terms, played: Played) -> None:
    game = backgammon(stakes)
    narrowed = 0
    for points in (*LATE.values(), *played(30, 4)):
        state = np.array(points, np.int8)
        for stake in {game.stake, -game.stake}:
            limits = np.array([-99.0, 99.0])
            game.bounds(state, stake, game.params, limits)
            narrowed += limits[1] - limits[0] < game.high - game.low
            for row in replies(game, state, 3):
                paid = payoff(game, row, -stake)
                if paid != search.NOT_OVER:
                    assert limits[0] <= -paid <= limits[1]
                    continue
                below = np.array([-99.0, 99.0])
                game.bounds(row, -stake, game.params, below)
                assert limits[0] <= -below[1] < -below[0] <= limits[1]
    assert narrowed > 0 or stakes == DMP
    assert chances(game, state).tolist() == PROBABILITIES.tolist()


def test_stakes_that_cannot_be_are_refused() -> None:
    with pytest.raises(SettingError, match="stakes"):
        backgammon(cubeless_terms(Payoffs(1, 0, 0, -1, -1, -1)))


# Backgammon with the cube: the search against the oracle, and terms that change nothing.

MET = read_met()
TERMS = {
    "money": Terms(),
    "mine": Terms(cube=2, owner=1),
    "his": Terms(cube=2, owner=-1),
    "Jacoby": Terms(jacoby=True),
    "Jacoby, beavers": Terms(jacoby=True, beavers=True),
    "beavers, mine": Terms(cube=2, owner=1, beavers=True),
    "3-away 5-away": Terms(7, (3, 5)),
    "5-away 2-away, mine": Terms(7, (5, 2), cube=2, owner=1),
    "2-away 2-away": Terms(5, (2, 2)),
    "post-Crawford": Terms(7, (4, 1)),
    "9-away 8-away, his": Terms(11, (9, 8), cube=2, owner=-1),
}
DEAD = {
    "dead": Terms(live=False),
    "Crawford": Terms(7, (1, 4), crawford=True),
    "double match point": Terms(5, (1, 1)),
    "dead cube": Terms(5, (2, 2), cube=2, owner=1),
}
#: More positions near the end, in which doubles, takes and passes are right.
ENDS = LATE | {
    "last rolls": by_sides({1: 1, 2: 1, 5: 1}, {1: 2, 3: 1, 4: 1}),
    "a race": by_sides({6: 2, 4: 2, 3: 1}, {6: 2, 5: 1, 2: 2}),
    "a shot": by_sides({1: 2, 3: 2, 20: 1}, {1: 1, 2: 2, 9: 1}),
}
CLOSE = 1e-9


@cache
def backgammon_cube_leaf() -> Evaluator:
    return cubeful_evaluator(load_evaluator("leaf"))


@cache
def backgammon_cube_probe() -> Evaluator:
    return cubeful_evaluator(load_evaluator("probe"))


def game_of(terms: Terms) -> Game:
    return backgammon(terms, MET)


#: Terms that have a rule or a price which none of the others has.
OF_THEIR_OWN = "money", "mine", "Jacoby, beavers", "5-away 2-away, mine", "Crawford"


@pytest.mark.parametrize(
    "name",
    [pytest.param(each, marks=() if each in OF_THEIR_OWN else pytest.mark.nightly) for each in TERMS | DEAD],
)
def test_the_game_keeps_the_contract(name: str) -> None:
    game = game_of((TERMS | DEAD)[name])
    states = [np.array(each, np.int8) for each in (OPENING, ENDS["last rolls"], ENDS["a shot"])]
    assert search.check_game(game, backgammon_cube_leaf(), states, most=3) > 5


@pytest.mark.parametrize("name", TERMS)
@pytest.mark.parametrize("place", ENDS)
def test_all_candidates_are_those_of_the_oracle(place: str, name: str) -> None:
    game, state = game_of(TERMS[name]), ENDS[place]
    for outcome in range(0, N_ROLLS, 5):
        oracle = TreeSearch(game, backgammon_cube_leaf(), "expectimax").decide(state, outcome, 3)
        for algorithm, top in (("star1", 2), ("star2", 1), ("star2", 50), ("star2.5", 1)):
            found = TreeSearch(game, backgammon_cube_leaf(), algorithm, backgammon_cube_probe()).decide(
                state, outcome, 3, top=top, leaves=True, table=Table.allocate(game, 0.1)
            )
            assert_true_to(found, oracle, top)


@pytest.mark.parametrize("name", TERMS)
def test_a_decision_about_the_cube_is_that_of_the_oracle(name: str) -> None:
    game = game_of(TERMS[name])
    for state in ENDS.values():
        oracle = TreeSearch(game, backgammon_cube_leaf(), algorithm="expectimax").cube(
            state, 4 if sum(map(abs, state)) < 9 else 2
        )
        found = TreeSearch(game, backgammon_cube_leaf(), probe=backgammon_cube_probe()).cube(
            state, oracle.depth
        )
        assert found.no_double == pytest.approx(oracle.no_double, abs=CLOSE)
        assert found.double_pass == oracle.double_pass
        double = game.offer(game.stake, game.params)
        if oracle.double_take is None:
            assert found.double_take is None
            assert not TERMS[name].may_double
            continue
        assert found.double_take == pytest.approx(oracle.double_take, abs=CLOSE)
        tree = TreeSearch(game, backgammon_cube_leaf(), probe=backgammon_cube_probe())
        on_turn = tree.value(state, found.depth, on_turn=True).value
        expected = before_roll(double, found.no_double, found.double_take / double.factor)
        assert on_turn == pytest.approx(expected, abs=CLOSE)


def test_without_a_search_the_values_are_those_of_the_chances() -> None:
    for terms in (TERMS | DEAD).values():
        game = game_of(terms)
        for points in (OPENING, *ENDS.values()):
            row = np.array([points], np.int8)
            six = results_of(row, backgammon_cube_leaf().weights)[0].tolist()
            found = TreeSearch(game, backgammon_cube_leaf()).cube(row[0], 0)

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
    found = TreeSearch(game, backgammon_cube_leaf(), probe=backgammon_cube_probe()).cube(points, depth)
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
                TreeSearch(each, backgammon_cube_leaf(), probe=backgammon_cube_probe()).decide(
                    place, outcome, 3, top=2
                )
                for each in (game, cubeless)
            )
            assert one.values.tobytes() == other.values.tobytes()
            assert one.stats == other.stats


def test_a_dead_cube_for_money_gives_the_cubeless_values() -> None:
    game, plain = game_of(Terms(live=False)), backgammon()
    for place in ENDS.values():
        one = TreeSearch(game, backgammon_cube_leaf()).decide(place, 3, 3, top=50)
        other = TreeSearch(plain, load_evaluator("leaf")).decide(place, 3, 3, top=50)
        assert dict(zip(map(bytes, one.rows), one.values, strict=True)) == pytest.approx(
            dict(zip(map(bytes, other.rows), other.values, strict=True)), abs=1e-6
        )


@pytest.mark.parametrize("name", ["money", "Jacoby", "3-away 5-away"])
def test_threads_noise_and_limits(name: str) -> None:
    game, state = game_of(TERMS[name]), ENDS["a race"]
    table = Table.allocate(game, 1.0)
    noise = {"probe": backgammon_cube_probe(), "sigma": 0.05, "noise_seed": 3}
    tree, plain = (
        TreeSearch(game, backgammon_cube_leaf(), name, **noise) for name in ("star2", "expectimax")
    )
    one = tree.decide(state, 7, 5, top=2, table=table)
    two = tree.decide(state, 7, 5, top=2, table=table, threads=2)
    assert one.values.tobytes() == two.values.tobytes()
    assert one.stats == two.stats
    oracle = plain.decide(state, 7, 3, top=2)
    found = tree.decide(state, 7, 3, top=2)
    best = found.order[:2]
    assert found.values[best] == pytest.approx(oracle.values[oracle.order[:2]], abs=CLOSE)
    limited = tree.decide(state, 7, 5, top=2, max_nodes=60)
    assert limited.depth == 3
    assert limited.values[limited.order[0]] == pytest.approx(found.values[best[0]], abs=CLOSE)


def test_terms_that_no_game_has_are_refused() -> None:
    with pytest.raises(SettingError, match="cube 3: expected 1, 2, 4"):
        backgammon(Terms(cube=3))
