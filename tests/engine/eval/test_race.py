"""Races by one side at a time: exact tables, the network, the cube, and what two sides make."""

import itertools
from functools import cache
from itertools import combinations_with_replacement

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gammon import Engine, Position
from gammon.compiled.records import Float32Vector
from gammon.engine.bearoff import bearoff
from gammon.eval import race, race_network
from gammon.eval.bearoff_build import sides
from gammon.eval.bearoff_cube import exact_money
from gammon.eval.bearoff_file import bearoff_tables
from gammon.eval.cubeful import cubeful_evaluator
from gammon.eval.efficiency import LIKE_TWO, cube_efficiency
from gammon.eval.evaluators import load_evaluator
from gammon.eval.integer_network import results_of_integers
from gammon.eval.integer_network_kernel import results_of
from gammon.eval.integers import header_of
from gammon.eval.janowski import money_value
from gammon.eval.race_cube import N_TWO_CHECKERS, with_two_checkers
from gammon.eval.race_network import BINS, H1, SEEN
from gammon.eval.race_tables import build_back, build_few, rank_of_few
from gammon.rules.board import Points, flipped, has_contact
from gammon.rules.dice import PROBABILITIES, ROLLS
from gammon.rules.outcome import POINTS as PAYOFFS
from gammon.rules.terms import Terms
from tests.boards import by_counts, by_sides, points_of
from tests.conftest import positions
from tests.engine.eval.drawn import planes_of
from tests.naive.bearoff import rank_of_side, tables
from tests.naive.races import RANKED, by_hand, fewest, first_sums, one_roll_ahead, rank_of_points, written
from tests.naive.search import outputs

# The network of races: its block says what the layers say that learned.


def test_the_rows_of_the_first_layer_add_up_to_what_learned():
    """Any numbers of checkers, also those of which the groups do not tell all."""
    flat = race_network.NETWORK.numbers()
    weights, bias = np.split(flat[: H1 * (SEEN + 1)], [H1 * SEEN])
    rng = np.random.default_rng(6)
    for most in (1, 3, 6, 15):
        sides = rng.integers(0, most + 1, (50, 24)).astype(np.int8)
        expected = race_network.units_of(sides) @ weights.reshape(H1, SEEN).T + bias
        found = np.array([first_sums(tuple(side.tolist())) for side in sides])
        assert found == pytest.approx(expected, abs=1e-3)


# The exact tables of races: one roll of the slow generator ahead, and sides that are known.


def rank_back(counts):
    return rank_of_side(*counts[18:])


def test_the_ranks_of_few_checkers_are_those_of_their_points():
    for rank, points in enumerate(RANKED):
        state = np.zeros(26, np.int8)
        for p in points:
            state[p] += p > 0
        assert rank_of_few(state, False) == rank
        assert rank_of_few(-state[::-1], True) == rank


@given(st.lists(st.integers(1, 24), min_size=1, max_size=3))
def test_few_checkers_are_a_roll_ahead_of_those_that_they_become(points):
    table, counts = build_few_once(), tuple(points.count(p) for p in range(1, 25))
    expected = one_roll_ahead(table, counts, rank_of_points)
    assert table[rank_of_points(counts)] == pytest.approx(expected, abs=1e-6)


@cache
def build_few_once():
    return build_few()


def test_the_table_of_few_checkers():
    """It has the rows of the bearoffs, and figures that are counted by hand."""
    table = build_few_once()
    assert not table[0].any()
    assert table[1:].sum(axis=1) == pytest.approx(1, abs=1e-5)
    for points in combinations_with_replacement(range(7), 3):
        counts = [points.count(p) for p in range(1, 25)]
        home = tables()[0][rank_of_side(*counts[:6])]
        assert table[rank_of_points(counts)] == pytest.approx(home, abs=1e-6)
    # A checker on the 11 point is off by 6-5, 3-3, 4-4, 5-5 or 6-6.
    assert table[RANKED.index((0, 0, 11)), 0] == pytest.approx(6 / 36)
    assert table[RANKED.index((0, 0, 24)), 0] == pytest.approx(1 / 36)
    # Three on the 24 point, by 6-6 three times in a row.
    assert table[-1, :3] == pytest.approx([0, 0, 1 / 36**3])


def test_the_table_of_checkers_that_leave_the_other_home():
    table = build_back()
    assert table.shape == (924, 32)
    assert not table[0].any()
    assert table[1:].sum(axis=1) == pytest.approx(1, abs=1e-5)
    for rank in range(1, 924, 160):
        counts = (*[0] * 18, *(int(c) for c in sides()[rank]))
        expected = one_roll_ahead(table, counts, rank_back)
        assert table[rank] == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("places", [(24,), (13,), (24, 18), (16, 3), (21, 20), (9, 9, 1)])
def test_mean_rolls_are_those_of_play_for_the_fewest(places):
    counts = tuple(places.count(p) for p in range(1, 25))
    mean = build_few_once()[rank_of_points(counts)] @ np.arange(1, 33)
    assert mean == pytest.approx(fewest((0, *counts, 0)), abs=1e-5)


# Races by one side at a time: the network, its table, and what two sides make of them.


@cache
def leaf():
    return load_evaluator("leaf").weights


@st.composite
def race_sides(draw, last):
    """Draw a side of a race, counts on its points 1 to 24, none behind `last`."""
    counts = [0] * 24
    for _ in range(draw(st.sampled_from([15, 15, 14, 12, 5, 3, 2, 1]))):
        counts[draw(st.integers(1, last)) - 1] += 1
    return tuple(counts)


@st.composite
def race_boards(draw):
    """Draw a race: 26 counts, seen from the player on roll."""
    last = draw(st.integers(1, 23))
    own, their = draw(race_sides(last)), draw(race_sides(24 - last))
    return by_counts(own, their)


def test_a_race_that_is_won_has_no_chance_below_none():
    """The rest of 1 after all the rolls of a side is less than nothing, by rounding."""
    points = points_of({2: 5}, {12: 5, 17: 3, 19: 5, 23: 2})
    found = results_of(np.array([points], np.int8), leaf())
    assert (found >= 0).all()


@given(race_sides(24), st.booleans())
def test_a_side_is_what_the_definition_says_to_the_bit(counts, opponent):
    if sum(counts[18:]) > race.MOST_BACK:
        return
    points = by_counts(counts)
    row = np.array(flipped(points) if opponent else points, np.int8)
    header = header_of(leaf())
    out = np.zeros(race.SIDE, np.float32)
    room = np.zeros(race.SCRATCH, np.float32)
    race.write_side(row, opponent, leaf(), header.tables, header.races, room, out)
    chances, (whole, back) = written(counts)
    assert np.array_equal(out[:32], chances[0])
    if whole:
        race.write_first(row, opponent, leaf(), header.tables, header.races, out)
        assert np.array_equal(out[32:64], chances[1])
    if back:
        assert np.array_equal(out[64:96], chances[2])


@given(race_boards())
def test_chances_are_those_of_two_sides(points):
    row = np.array(points, np.int8)
    if not race.is_race(row) or (not any(c > 0 for c in points[7:]) and not any(c < 0 for c in points[:19])):
        return
    found = results_of(row[None], leaf())[0]
    assert found == pytest.approx(by_hand(points), abs=1e-4)
    assert found.sum() == pytest.approx(1, abs=1e-5)
    assert (found >= 0).all()


def test_a_gammon_is_seen_where_each_checker_outside_takes_a_die():
    """A side with 15 checkers on its 7 point is 15 pips from home, and 15 dice."""
    rng = np.random.default_rng(11)
    pairs = [({6: 4, 5: 5, 4: 2, 3: 2, 2: 1, 1: 1}, {7: 15}), ({7: 4, 6: 4, 4: 2, 3: 2, 2: 2}, {7: 14, 2: 1})]
    for _ in range(300):
        outside = rng.integers(3, 16)
        their = np.bincount(rng.integers(7, 7 + rng.integers(1, 5), outside), minlength=25)
        their += np.bincount(rng.integers(1, 7, 15 - outside), minlength=25)
        own = np.bincount(rng.integers(1, 9, rng.integers(4, 16)), minlength=25)
        pairs.append(tuple({p: int(side[p]) for p in side.nonzero()[0].tolist()} for side in (own, their)))
    rows = [by_sides(own, their) for own, their in pairs]
    found = results_of(np.array(rows, np.int8), leaf())
    off = np.abs(found - [by_hand(row) for row in rows]).max(axis=1)
    assert found[0, 4] > 0.1
    assert found[1, 4] > 0.04
    assert off.max() < 2e-4


@given(st.lists(st.one_of(race_boards(), positions()), min_size=1, max_size=40))
def test_no_order_and_no_neighbour_changes_a_bit(boards):
    rows = np.array(boards, np.int8)
    alone = np.concatenate([results_of(row[None], leaf()) for row in rows])
    assert np.array_equal(results_of(rows, leaf()), alone)
    assert np.array_equal(results_of(rows[::-1], leaf())[::-1], alone)
    assert np.array_equal(results_of_integers(rows, leaf()), alone)


@given(race_boards(), st.lists(race_sides(4), min_size=2, max_size=20))
def test_siblings_share_the_side_that_did_not_move(points, others):
    rows = [[max(c, 0) if p > 4 else 0 for p, c in enumerate(points)] for _ in others]
    if sum(rows[0]) == 0:
        return
    for row, other in zip(rows, others, strict=True):
        row[0] = 0
        for p, count in enumerate(other):
            row[1 + p] -= count
    seen = np.ascontiguousarray(-np.array(rows, np.int8)[:, ::-1])
    alone = np.concatenate([results_of(row[None], leaf()) for row in seen])
    assert np.array_equal(results_of(seen, leaf()), alone)


@given(st.lists(st.one_of(race_boards(), positions()), max_size=16))
def test_races_of_sixteen(boards):
    found = race.races(planes_of(boards))
    for lane, points in enumerate(boards):
        assert bool(found >> lane & 1) == (not has_contact(points))


def test_what_is_too_far_is_left_to_the_other_network():
    def known(own, their):
        return race.is_race(np.array(by_sides(own, their), np.int8))

    assert known({24: 6}, {})
    assert not known({24: 7}, {})
    assert known({18: 15}, {})
    assert known({}, {19: 6})
    assert not known({}, {19: 7})


def test_a_long_side_takes_as_much_longer_as_its_pips():
    """Of 225 pips, and of 210 beside 24: who is far ahead wins, and wins a gammon."""
    counts = by_counts([0] * 14 + [15])[1:25]
    rolls = written(counts)[0][0] @ np.arange(1, BINS + 1)
    assert 27 < rolls < 30
    rows = [by_sides({2: 12}, {14: 15}), by_sides({14: 15}, {2: 12}), by_sides({15: 15}, {8: 15})]
    found = results_of(np.array(rows, np.int8), leaf()) @ PAYOFFS
    assert found[0] == pytest.approx(2, abs=0.01)
    assert found[1] == pytest.approx(-2, abs=0.01)
    assert found[2] == pytest.approx(-1.73, abs=0.15)  # by games


@pytest.mark.parametrize("places", [(24, 24, 3, 1), (21, 20, 1, 1), (9, 9, 2, 1)])
def test_sides_of_few_checkers_as_after_a_late_hit(places):
    counts = tuple(places.count(p) for p in range(1, 25))
    found = float(written(counts)[0][0] @ np.arange(1, BINS + 1))
    assert found == pytest.approx(fewest((0, *counts, 0)), abs=0.12)


def test_nobody_bears_off_with_fewer_pips_than_there_are():
    """A roll has 49/6 pips on average, and some are always wasted: 4 to 12 of long sides."""
    rng = np.random.default_rng(5)
    for _ in range(200):
        rear = rng.integers(7, 19)
        counts = np.bincount(rng.integers(0, rear, 15), minlength=24)
        pips = int(counts @ np.arange(1, 25))
        if 90 <= pips <= race.MOST_PIPS:
            rolls = written(tuple(counts))[0][0] @ np.arange(1, BINS + 1)
            assert 4 < rolls * 49 / 6 - pips < 16, counts


@pytest.mark.parametrize("step", [7, pytest.param(1, marks=pytest.mark.nightly)])
def test_no_stack_is_home_sooner_than_its_pips_allow(step):
    """Sides on one point or two stand higher than those of self-play, wherever they are."""
    header = header_of(leaf())
    out, room = np.zeros(race.SIDE, np.float32), np.zeros(race.SCRATCH, np.float32)
    rows = np.zeros((0, 26), np.int8)
    for far, near in itertools.product(range(7, 25), range(1, 25)):
        for many in range(1, 15):
            some = np.arange(1, 16 - many)
            made = np.zeros((len(some), 26), np.int8)
            made[:, far] += many
            made[:, near] += some.astype(np.int8)
            rows = np.concatenate([rows, made])
    pips = rows @ np.arange(26)
    few = (pips <= race.MOST_PIPS) & (rows[:, 19:].sum(axis=1) <= race.MOST_BACK)
    rows, pips = rows[few], pips[few]
    assert len(rows) > 20_000
    rows, pips = rows[::step], pips[::step]
    found = np.zeros((len(rows), BINS), np.float32)
    for row, chances in zip(rows, found, strict=True):
        race.write_side(row, False, leaf(), header.tables, header.races, room, out)
        chances[:] = out[:BINS]
    wasted = found @ np.arange(1, BINS + 1) * 49 / 6 - pips
    assert wasted.min() > 0
    assert wasted.max() < 40
    too_soon = np.arange(1, BINS + 1) * 24 < pips[:, None]
    assert found[too_soon].max() < 1e-3


# The cube in races: the table of two checkers beside plain recursion, and exact bearoffs.

OWNERS = (1, 0, -1)
PIPS = [(high + low) * (2 if high == low else 1) for high, low in ROLLS]


@cache
def mean_rolls(pips: int) -> float:
    """How many rolls a checker needs on average."""
    left = [mean_rolls(pips - by) if by < pips else 0.0 for by in PIPS]
    return 1.0 + float(PROBABILITIES @ left)


@cache
def win(own: int, their: int) -> float:
    """The chance of the checker on roll to be off first."""
    return float(PROBABILITIES @ [1 - win(their, own - by) if by < own else 1.0 for by in PIPS])


@cache
def rolled(own: int, their: int, owner: int) -> float:
    """The worth of rolling with the cube of an owner."""
    left = [-turn(their, own - by, -owner) if by < own else 1.0 for by in PIPS]
    return float(PROBABILITIES @ left)


def turn(own: int, their: int, owner: int) -> float:
    """The worth of a turn, before which the player on roll may double."""
    worth = rolled(own, their, owner)
    return worth if owner < 0 else max(worth, min(2 * rolled(own, their, -1), 1.0))


@cache
def two_checkers() -> Float32Vector:
    """The table of two checkers."""
    table = np.array(bearoff_tables()[-N_TWO_CHECKERS:])
    assert table.shape == (N_TWO_CHECKERS,)
    return table


def like_two(rolls: float, chance: float) -> list[float]:
    """The numbers of the table, by owner."""
    out = np.empty(3, np.float32)
    with_two_checkers(rolls, chance, two_checkers(), 0, out)
    return out.tolist()


@pytest.mark.parametrize("their", [20, 40, 65, 90])
def test_races_of_two_checkers_have_their_own_worth(their: int) -> None:
    for own in range(their - 8, their + 9, 4):
        found = like_two(mean_rolls(own) + mean_rolls(their), win(own, their))
        expected = [rolled(own, their, owner) for owner in OWNERS]
        assert found == pytest.approx(expected, abs=0.02)


def test_what_is_certain_is_certain() -> None:
    for rolls in (0.0, 2.0, 7.3, 34.0, 99.0):
        assert like_two(rolls, 1.0) == pytest.approx([1, 1, 1], abs=1e-4)
        assert like_two(rolls, 0.0) == pytest.approx([-1, -1, -1], abs=1e-4)


def squares(points: Points) -> list[list[float]]:
    """The squared errors in a bearoff that is known: of this model, and of Janowski's."""
    found = bearoff(Position(points))
    chance = found.probabilities.win
    rolls = found.own.mean_rolls + found.their.mean_rolls
    results = [0.0, 0.0, 1.0 - chance, chance, 0.0, 0.0]
    both = []
    for owner, here in zip(OWNERS, like_two(rolls, chance), strict=True):
        terms = Terms(cube=2 if owner else 1, owner=owner)
        exact = exact_money(points, terms)
        janowski = money_value(results, terms, cube_efficiency(points))
        both.append([(here - exact) ** 2, (janowski - exact) ** 2])
    return both


def test_it_is_nearer_to_exact_bearoffs_than_janowskis_formula() -> None:
    random = np.random.default_rng(5)
    errors = []
    while len(errors) < 120:
        own, their = random.multinomial(6, np.full(6, 1 / 6), 2)
        errors.append(squares(by_counts(own, their)))
    here, janowski = np.sqrt(np.mean(errors, axis=0)).T
    assert (here < 0.03).all()
    assert (here < 0.6 * janowski).all()


def test_the_evaluator_writes_it_for_races_that_no_table_has() -> None:
    network = load_evaluator("leaf")
    at_home = by_counts((2, 2, 2, 2, 2, 2), (1, 2, 3, 1))
    outside = points_of({8: 3, 4: 6}, {23: 4, 15: 3})
    rows = np.array([at_home, outside], np.int8)
    out = outputs(cubeful_evaluator(network), rows[0], rows)
    for row, points in zip(out, rows.tolist(), strict=True):
        found = bearoff(Position(tuple(points)))
        rolls = found.own.mean_rolls + found.their.mean_rolls
        assert row[6] == LIKE_TWO
        assert row[7:].tolist() == pytest.approx(like_two(rolls, row[3:6].sum()), abs=1e-5)


def test_five_rolls_against_five() -> None:
    # .7534 and .7269 by recursion over the rolls that are left.
    position = Position.parse("XGID=-J----------------------j-:1:1:1:00:0:0:0:0:10")
    found = Engine(depth=5).cube(position)
    assert found.no_double.equity == pytest.approx(0.7534, abs=0.01)
    assert found.double_take is not None
    assert found.double_take.equity == pytest.approx(0.7269, abs=0.01)
