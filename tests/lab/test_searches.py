"""Searches of papers after 2007, against plain expectimax and twins."""

import numpy as np
import pytest

from gammon import search
from gammon.base.errors import SettingError
from gammon.games.backgammon import BACKGAMMON
from gammon.games.nothing import NOTHING
from gammon.rules.board import OPENING
from gammon_lab.games import offers, synthetic
from gammon_lab.searches.chance_prob_cut import Prediction, chance_prob_cut, predictions
from gammon_lab.searches.mcts import decide_by_visits, mcts
from gammon_lab.searches.sparse_sampling import sampled
from tests.engine.search.asked import CLOSE, assert_soft, decision_of, root_of, value_of
from tests.naive.search import chances, defined_value, payoff, replies
from tests.naive.splitmix import splitmix
from tests.naive.visits import Twin

BOUNDS = [(-1, 1), (-3, 3), (5, 10), (-10, -5)]
EXACT = chance_prob_cut([], np.inf)


# ChanceProbCut


@pytest.mark.parametrize("depth", [2, 4, 6])
@pytest.mark.parametrize("bounds", BOUNDS)
def test_without_a_threshold_chance_prob_cut_is_expectimax(bounds, depth):
    table = search.Table.allocate(synthetic.game(*bounds), 0.1)
    for seed in range(60):
        oracle = value_of(bounds, seed, depth, "expectimax")
        found = value_of(bounds, seed, depth, EXACT)
        table.clear()
        tabled = value_of(bounds, seed, depth, EXACT, table=table)
        assert found.value == pytest.approx(oracle.value, abs=CLOSE)
        assert tabled.value == pytest.approx(oracle.value, abs=CLOSE)
        star2 = value_of(bounds, seed, depth, "star2")
        assert found.stats.leaves == star2.stats.leaves, "it visits what Star2 visits"
        for shift in (-0.3, 0.0, 0.2):
            window = oracle.value + shift - 0.05, oracle.value + shift + 0.05
            assert_soft(value_of(bounds, seed, depth, EXACT, window=window).value, oracle.value, window)


def test_decisions_without_a_threshold_agree_with_the_oracle():
    table = search.Table.allocate(synthetic.game(-3, 3), 0.1)
    for seed in range(100):
        oracle = decision_of((-3, 3), seed, 5, "expectimax")
        table.clear()
        found = decision_of((-3, 3), seed, 5, EXACT, table=table)
        assert found.values.max() == pytest.approx(oracle.values.max(), abs=CLOSE)
        assert (found.values >= oracle.values - CLOSE).all()


def changes(game, state, depth: int) -> list[float]:
    """How far the values of a node and of all nodes below it are from those two plies less deep."""
    if depth == 0 or payoff(game, state) != search.NOT_OVER:
        return []
    deep, shallow = (defined_value(game, synthetic.LEAF, state, d) for d in (depth, depth - 2))
    below = [
        change
        for outcome in range(len(chances(game, state)))
        for reply in replies(game, state, outcome)
        for change in changes(game, reply, depth - 2)
    ]
    return [abs(deep - shallow), *below]


def test_a_threshold_above_all_errors_changes_no_value():
    """The largest error in a tree is a safe distance, and a quarter of it is not."""
    game, depth, cut, uncut, wrong = synthetic.game(-3, 3), 4, 0, 0, 0
    for seed in range(40):
        root = synthetic.root(-3, 3, seed, synthetic.FINISHES)
        value = defined_value(game, synthetic.LEAF, root, depth)
        largest = max(changes(game, root, depth), default=0.0) + CLOSE
        lines = [Prediction(1.0, 0.0, largest, 1.0)] * 2
        never, safe, unsafe = (
            search.TreeSearch(game, synthetic.LEAF, chance_prob_cut(lines, threshold))
            for threshold in (np.inf, 1.0, 0.25)
        )
        near, far = ((value + shift - 0.01, value + shift + 0.01) for shift in (0.0, 1.0))
        assert safe.value(root, depth, window=near).value == pytest.approx(value, abs=1e-6)
        found = safe.value(root, depth, window=far)
        assert_soft(found.value, value, far, 1e-6)
        cut += found.stats.leaves
        uncut += never.value(root, depth, window=far).stats.leaves
        wrong += unsafe.value(root, depth, window=near).value != pytest.approx(value, abs=1e-6)
    assert cut < uncut, "it cuts"
    assert wrong > 0, "and cuts too much if the distance is too small"


def test_a_prediction_is_the_line_of_least_squares():
    game = synthetic.game(-3, 3)
    states = np.array([synthetic.root(-3, 3, seed) for seed in range(30)])
    found = predictions(search.TreeSearch(game, synthetic.LEAF), states, 4)
    values = np.array([[defined_value(game, synthetic.LEAF, s, d) for s in states] for d in (0, 2, 4)])
    for line, shallow, deep in zip(found, values[:-1], values[1:], strict=True):
        slope = ((shallow - shallow.mean()) * (deep - deep.mean())).sum() / shallow.var() / 30
        offset = deep.mean() - slope * shallow.mean()
        squares = ((deep - slope * shallow - offset) ** 2).sum()
        assert line[:3] == pytest.approx((slope, offset, np.sqrt(squares / 28)), abs=1e-6)
        assert line.correlation == pytest.approx(np.corrcoef(shallow, deep)[0, 1], abs=1e-6)


def test_equal_values_predict_nothing():
    states = np.array([synthetic.root(-3, 3, seed) for seed in range(5)])
    constant = synthetic.LEAF._replace(evaluate=NOTHING.evaluate)
    (line,) = predictions(search.TreeSearch(synthetic.game(-3, 3), constant), states, 2)
    values = [defined_value(synthetic.game(-3, 3), constant, state, 2) for state in states]
    assert line == pytest.approx((0.0, np.mean(values), np.std(values) * np.sqrt(5 / 3), 0.0), abs=1e-6)


# Sparse sampling


def drawn_shares(
    state: np.ndarray, chance: list[float], samples: int, seed: int, common: bool
) -> list[float]:
    """The shares of draws, by a second program."""
    key, shares = splitmix(seed), [0.0] * len(chance)
    for byte in [] if common else state.tolist():
        key = splitmix(key ^ byte & 255)
    for _ in range(samples):
        key = splitmix(key)
        sums = np.cumsum(chance)
        shares[int(np.searchsorted(sums, (key >> 11) * 2.0**-53, side="right"))] += 1 / samples
    return shares


@pytest.mark.parametrize("common", [False, True])
def test_the_draws_are_those_of_a_second_program(common):
    opening = np.array(OPENING, np.int8)
    for seed in range(40):
        game = sampled(BACKGAMMON, 6, seed, common)
        expected = drawn_shares(opening, chances(BACKGAMMON, opening).tolist(), 6, seed, common)
        assert chances(game, opening).tolist() == pytest.approx(expected)
        state = synthetic.root(-3, 3, seed)
        drawn = chances(sampled(synthetic.game(-3, 3), 3, seed, common), state).tolist()
        expected = drawn_shares(state, chances(synthetic.game(-3, 3), state).tolist(), 3, seed, common)
        assert drawn == pytest.approx(expected)


def test_common_draws_are_the_same_in_all_positions():
    states = np.array([OPENING, OPENING[::-1]], np.int8)
    for common in (True, False):
        one, other = (chances(sampled(BACKGAMMON, 6, 1, common), state).tolist() for state in states)
        assert (one == other) is common


def test_the_shares_of_draws_have_the_chances_as_their_mean():
    state, times, samples = np.array(OPENING, np.int8), 3000, 4
    mean = sum(chances(sampled(BACKGAMMON, samples, seed), state) for seed in range(times)) / times
    right = chances(BACKGAMMON, state)
    error = np.sqrt(right * (1 - right) / (samples * times))
    assert (np.abs(mean - right) < 4 * error).all()


@pytest.mark.parametrize("bounds", BOUNDS)
def test_all_algorithms_find_the_value_of_the_sampled_tree(bounds):
    leaves = dict.fromkeys(search.ALGORITHMS, 0)
    for seed in range(30):
        game, state = (
            sampled(synthetic.game(*bounds), 3, seed),
            synthetic.root(*bounds, seed, synthetic.FINISHES),
        )
        expected = defined_value(game, synthetic.LEAF, state, 6)
        for name in search.ALGORITHMS:
            found = search.TreeSearch(game, synthetic.LEAF, name, synthetic.PROBE).value(state, 6)
            assert found.value == pytest.approx(expected, abs=1e-6)
            leaves[name] += found.stats.leaves
    assert leaves["star1"] < leaves["expectimax"]


def test_many_draws_come_close_to_expectimax():
    errors = {}
    for samples in (4, 4000):
        game = synthetic.game(-1, 1)
        values = []
        for seed in range(20):
            state = synthetic.root(-1, 1, seed)
            some, all_of_them = (
                search.TreeSearch(g, synthetic.LEAF).value(state, 4).value
                for g in (sampled(game, samples, seed), game)
            )
            values.append(abs(some - all_of_them))
        errors[samples] = max(values)
    assert errors[4000] < 0.03 < errors[4]


# Monte Carlo tree search


NUMBERS = [(1, np.inf, 0.5, 1.0, 0.05, 0), (60, np.inf, 0.5, 0.3, 0.2, 0), (80, 1.0, 0.4, 1.0, 1.0, 7)]


@pytest.mark.parametrize("numbers", NUMBERS)
@pytest.mark.parametrize("bounds", BOUNDS)
def test_the_tree_is_the_one_of_a_slow_program(bounds, numbers):
    game = synthetic.game(*bounds)
    tree = search.TreeSearch(game, synthetic.LEAF, mcts(*numbers))
    below = game.for_opponent()
    for seed in range(8):
        state = synthetic.root(*bounds, seed, synthetic.FINISHES)
        twin = Twin(game, synthetic.LEAF, state, numbers).grow(6)
        assert tree.value(state, 6).value == pytest.approx(twin.value(), abs=1e-9)
        twin = Twin(below, synthetic.LEAF, state, numbers, 0).grow(8).opened[0]
        found = decide_by_visits(tree, state, 0, 7)
        assert found.values == pytest.approx([-node.value() for node in twin.successors], abs=1e-9)
        key = [(-node.visits, node.value()) for node in twin.successors]
        assert found.order.tolist() == sorted(range(len(key)), key=key.__getitem__)


def test_one_visit_with_all_outcomes_is_expectimax_of_depth_2():
    for seed in range(40):
        found = value_of((-3, 3), seed, 2, mcts(1))
        assert found.value == pytest.approx(value_of((-3, 3), seed, 2, "expectimax").value, abs=CLOSE)


@pytest.mark.parametrize("widen", [np.inf, 0.5])
def test_with_enough_visits_it_is_expectimax(widen):
    many = mcts(20_000, widen, 0.5, explore=0.3, softness=1.0)
    few, errors, chosen = mcts(20, widen, 0.5, explore=0.3, softness=1.0), [], []
    for seed in range(15):
        expected = value_of((-1, 1), seed, 4, "expectimax", sigma=0.0).value
        errors.append([abs(value_of((-1, 1), seed, 4, a, sigma=0.0).value - expected) for a in (many, few)])
        oracle = decision_of((-1, 1), seed, 5, "expectimax", sigma=0.0)
        tree = search.TreeSearch(synthetic.game(-1, 1), synthetic.LEAF, many)
        found = decide_by_visits(tree, root_of((-1, 1), seed), 0, 5)
        truth = {row.tobytes(): v for row, v in zip(oracle.rows, oracle.values, strict=True)}
        chosen.append(oracle.values.max() - truth[found.rows[found.order[0]].tobytes()])
    of_many, of_few = np.array(errors).T
    assert of_many.max() < 0.03 and of_many.mean() < of_few.mean() / 3
    assert max(chosen) < 0.02


def test_a_reply_of_tiny_prior_is_not_visited():
    errors = {}
    for softness in (0.005, 1.0):
        some = mcts(2000, explore=0.3, softness=softness)
        pairs = [
            [value_of((-1, 1), seed, 4, by, sigma=0.0).value for by in (some, "expectimax")]
            for seed in range(15)
        ]
        errors[softness] = max(abs(found - expected) for found, expected in pairs)
    assert errors[1.0] < 0.01 and errors[0.005] > 0.1


def test_it_refuses_what_it_cannot_do():
    tree = search.TreeSearch(synthetic.game(-1, 1), synthetic.LEAF, mcts(5))
    with pytest.raises(search.SearchError, match="depth 4 for a decision"):
        decide_by_visits(tree, synthetic.root(-1, 1, 0), 0, 4)
    with pytest.raises(search.SearchError, match="outcome 9"):
        decide_by_visits(tree, synthetic.root(-1, 1, 0), 9, 5)
    with pytest.raises(search.SearchError, match="star2 by visits"):
        decide_by_visits(search.TreeSearch(tree.game, synthetic.LEAF), synthetic.root(-1, 1, 0), 0, 5)
    limited = search.TreeSearch(tree.game, synthetic.LEAF, mcts(5), max_evaluations=9)
    with pytest.raises(search.SearchError, match="max_evaluations 9 by visits"):
        decide_by_visits(limited, synthetic.root(-1, 1, 0), 0, 5)
    with pytest.raises(search.SearchError, match="leaves with MCTS"):
        tree.decide(synthetic.root(-1, 1, 0), 0, 3, leaves=True)
    for wrong, message in (
        (lambda: mcts(0), "visits 0"),
        (lambda: mcts(5, softness=0.0), "softness 0.0"),
        (lambda: mcts(5, widen=np.nan), "widen nan"),
        (lambda: mcts(5, widen=-1.0), "widen -1.0"),
        (lambda: mcts(5, power=np.nan), "power nan"),
        (lambda: mcts(5, explore=np.nan), "explore nan"),
        (lambda: mcts(5, explore=-5.0), "explore -5.0"),
        (lambda: sampled(BACKGAMMON, 0), "samples 0"),
        (lambda: sampled(BACKGAMMON, 3, -1), "seed -1"),
        (lambda: chance_prob_cut([], -1.0), "t = -1"),
        (lambda: chance_prob_cut([Prediction(0.0, 0.0, 1.0, 0.0)], 1.0), "expected rising lines"),
    ):
        with pytest.raises(SettingError, match=message):
            wrong()
    for own in (mcts(5), EXACT):
        with pytest.raises(search.SearchError, match="for a game with doubles"):
            search.TreeSearch(offers.game(-20, 30, 0, True), offers.LEAF, own)
