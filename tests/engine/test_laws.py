"""Laws of the game and its search, as properties: sides, orders, bounds, chances, the cube."""

import random
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gammon
from gammon import search
from gammon.eval.equity import equity, for_opponent, results_of_cumulative
from gammon.eval.evaluators import load_evaluator
from gammon.eval.janowski import money_value
from gammon.eval.principal import chances_of
from gammon.formats.met_file import read_met
from gammon.games.backgammon import backgammon
from gammon.rules.board import Points, flipped, off_counts, pip_counts
from gammon.rules.dice import ROLLS
from gammon.rules.outcome import POINTS, points_of, result_of
from gammon.rules.terms import NAMED_STAKES, Terms
from gammon_lab.games import written
from tests.conftest import positions
from tests.engine.search.asked import CLOSE, STARS, assert_soft, value_of
from tests.naive.plays import enumerate_plays

LEAVES = {name: load_evaluator(name) for name in ("leaf", "probe")}
ALGORITHMS = ["expectimax", *STARS]
SETUPS = {name: search.TreeSearch(written.game(-10, 10), written.EQUAL, name) for name in ALGORITHMS}
CHANCE = st.floats(0.0, 1.0)


def array(points: Points) -> np.ndarray:
    return np.array(points, np.int8)


# Swapping the sides.


@given(positions())
def test_two_turns_of_the_board_are_none(points: Points) -> None:
    assert flipped(flipped(points)) == points
    for counts in (pip_counts, off_counts):
        assert counts(flipped(points)) == counts(points)[::-1]


@given(positions(), st.sampled_from(sorted(NAMED_STAKES)))
def test_what_one_side_wins_the_other_loses(points: Points, stakes: str) -> None:
    over = tuple(min(count, 0) for count in points)
    one, other = array(over), array(flipped(over))
    assert result_of(one) + result_of(other) == 5
    assert points_of(one) == -points_of(other) > 0
    terms = NAMED_STAKES[stakes]
    game, turned = backgammon(terms), backgammon(terms.for_opponent())
    paid = game.terminal(one, game.stake, game.params)
    assert paid == -turned.terminal(other, turned.stake, turned.params)


@pytest.mark.parametrize("name", LEAVES)
@given(st.lists(positions(), min_size=1, max_size=8))
def test_the_opponents_chances_are_the_players_turned_round(name: str, boards: list[Points]) -> None:
    rows = np.array(boards, np.int8)
    mine, theirs = (chances_of(LEAVES[name], rows, sign) for sign in (1.0, -1.0))
    assert theirs == pytest.approx(for_opponent(mine), abs=1e-6)
    assert equity(theirs) == pytest.approx(-equity(mine), abs=1e-5)


@given(positions())
@settings(max_examples=25)
def test_the_names_of_the_sides_change_no_answer(points: Points) -> None:
    engine = gammon.Engine(depth=1)
    position = gammon.Position(points)
    xgid = position.xgid.split(":")
    letters = xgid[0].removeprefix("XGID=")[::-1].swapcase()
    turned = gammon.Position.parse(":".join([f"XGID={letters}", *xgid[1:3], "-1", *xgid[4:]]))
    assert turned.points == position.points
    assert engine.evaluate(turned).equity == engine.evaluate(position).equity


@given(st.integers(1, 25), st.integers(1, 25), st.booleans())
def test_both_sides_win_a_match_for_sure(own: int, their: int, late: bool) -> None:
    table, late = read_met(), late and 1 in (own, their)
    one, other = table.mwc(own, their, late), table.mwc(their, own, late)
    assert one + other == pytest.approx(1.0)
    assert table.mwc(own, their + 1, late and own == 1) >= one or late


# The order of plays, of outcomes and of boards.


@st.composite
def trees(draw: st.DrawFn) -> tuple[list[list[int]], list[int]]:
    """The payoffs of the replies to each outcome, and the parts of the outcomes."""
    n, m = draw(st.sampled_from([(1, 4), (2, 3), (3, 4), (4, 3)]))
    payoffs = [draw(st.lists(st.integers(-10, 10), min_size=m, max_size=m)) for _ in range(n)]
    return payoffs, draw(st.lists(st.integers(1, 9), min_size=n, max_size=n))


def by_definition(payoffs: list[list[int]], parts: list[int]) -> float:
    bests = [part * max(replies) for part, replies in zip(parts, payoffs, strict=True)]
    return sum(bests) / sum(parts)


@given(trees(), st.randoms(use_true_random=False))
def test_no_order_of_outcomes_and_replies_changes_a_value(
    drawn: tuple[list[list[int]], list[int]], chance: random.Random
) -> None:
    payoffs, parts = drawn
    value = by_definition(payoffs, parts)
    order = chance.sample(range(len(parts)), len(parts))
    mixed = [chance.sample(payoffs[i], len(payoffs[i])) for i in order]
    one = written.tree(payoffs, parts)
    other = written.tree(mixed, [parts[i] for i in order])
    for searcher in SETUPS.values():
        for tree in (one, other):
            assert searcher.value(tree, 2).value == pytest.approx(value, abs=CLOSE)


@given(positions(), st.sampled_from(ROLLS))
@settings(max_examples=50)
def test_dice_have_no_order(points: Points, dice: tuple[int, int]) -> None:
    position = gammon.Position(points)
    one, other = (gammon.legal_plays(position, each) for each in (dice, dice[::-1]))
    assert one == other
    assert {play.points for play in one} == enumerate_plays(points, dice).keys()


@pytest.mark.parametrize("name", LEAVES)
@given(st.lists(positions(), min_size=2, max_size=20), st.randoms(use_true_random=False))
def test_no_neighbour_changes_a_chance(name: str, boards: list[Points], chance: random.Random) -> None:
    rows = np.array(boards, np.int8)
    order = chance.sample(range(len(rows)), len(rows))
    found = chances_of(LEAVES[name], rows)
    assert np.array_equal(chances_of(LEAVES[name], rows[order]), found[order])


# Bounds.


@given(trees(), st.floats(-12, 12), st.floats(0.0, 8.0), st.floats(0.0, 1.0))
def test_a_window_gets_the_value_or_a_bound_on_its_side(
    drawn: tuple[list[list[int]], list[int]], low: float, width: float, share: float
) -> None:
    """A window inside another one cannot say more than that one does."""
    tree, value = written.tree(*drawn), by_definition(*drawn)
    inside = (low + share * width / 2, low + width - share * width / 2)
    for name in STARS:
        for window in ((low, low + width + 1e-6), (inside[0], inside[1] + 1e-6)):
            found = SETUPS[name].value(tree, 2, window=window).value
            assert_soft(found, value, window)
            assert -10 <= found <= 10


@given(st.integers(0, 400), st.floats(-3, 3), st.floats(0.01, 1.0), st.sampled_from(STARS))
def test_a_deeper_one_too(seed: int, low: float, width: float, name: str) -> None:
    value = value_of((-3, 3), seed, 4, "expectimax").value
    window = (low, low + width)
    assert_soft(value_of((-3, 3), seed, 4, name, window=window).value, value, window)


@given(trees(), st.integers(0, 11), st.integers(1, 9))
def test_a_better_reply_makes_no_value_worse(
    drawn: tuple[list[list[int]], list[int]], place: int, more: int
) -> None:
    payoffs, parts = drawn
    better = [list(replies) for replies in payoffs]
    replies = better[place % len(better)]
    replies[place % len(replies)] = min(replies[place % len(replies)] + more, 10)
    for searcher in SETUPS.values():
        before, after = (searcher.value(written.tree(each, parts), 2).value for each in (payoffs, better))
        assert after >= before - CLOSE


# Chances.


@pytest.mark.parametrize("name", LEAVES)
@given(st.lists(positions(), min_size=1, max_size=8))
def test_chances_add_up_and_stand_in_their_order(name: str, boards: list[Points]) -> None:
    """Each gammon is a win, and each backgammon a gammon."""
    rows = np.array(boards, np.int8)
    chances = chances_of(LEAVES[name], rows)
    results = results_of_cumulative(chances)
    assert results.min() >= -1e-6
    assert results.sum(axis=1) == pytest.approx(1.0, abs=1e-6)
    assert results @ POINTS == pytest.approx(equity(chances), abs=1e-5)
    for (win, gammon_won, backgammon_won, gammon_lost, backgammon_lost), row in zip(
        chances.tolist(), rows, strict=True
    ):
        for ladder in (
            (1.0, win, gammon_won, backgammon_won, 0.0),
            (1.0, 1.0 - win, gammon_lost, backgammon_lost, 0.0),
        ):
            assert all(more >= less - 1e-6 for more, less in pairwise(ladder))
        own, their = off_counts(row.tolist())
        assert own == 0 or gammon_lost == 0.0, "who has borne off loses no gammon"
        assert their == 0 or gammon_won == 0.0


# The cube.


def results(win: float) -> tuple[float, ...]:
    return 0.0, 0.0, 1.0 - win, win, 0.0, 0.0


@given(CHANCE, CHANCE)
def test_who_owns_the_cube_is_no_worse_off(win: float, efficiency: float) -> None:
    mine, centred, theirs = (
        money_value(results(win), Terms(cube=cube, owner=owner), efficiency)
        for cube, owner in ((2, 1), (1, 0), (2, -1))
    )
    assert 1.0 + CLOSE >= mine >= centred - CLOSE
    assert centred >= theirs - CLOSE >= -1.0 - 2 * CLOSE
    assert mine >= 2.0 * win - 1.0 - CLOSE >= theirs - 2 * CLOSE


@given(CHANCE, CHANCE, st.sampled_from([(2, 1), (1, 0), (2, -1)]))
def test_the_cube_turns_round_with_the_board(win: float, efficiency: float, held: tuple[int, int]) -> None:
    cube, owner = held
    terms: Any = Terms(cube=cube, owner=owner)
    one = money_value(results(win), terms, efficiency)
    other = money_value(results(1.0 - win), terms.for_opponent(), efficiency)
    assert one == pytest.approx(-other, abs=CLOSE)


@given(CHANCE, CHANCE, CHANCE, st.sampled_from([(2, 1), (1, 0), (2, -1)]))
def test_more_wins_are_worth_no_less(
    one: float, other: float, efficiency: float, held: tuple[int, int]
) -> None:
    terms = Terms(cube=held[0], owner=held[1])
    low, high = (money_value(results(win), terms, efficiency) for win in sorted((one, other)))
    assert high >= low - CLOSE
