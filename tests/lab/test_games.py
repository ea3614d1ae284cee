"""The papers' games against their papers, and against their rules written a second time."""

from fractions import Fraction

import numpy as np
import pytest

from gammon import search
from gammon.games.nothing import NOTHING
from gammon.search import NOT_OVER, Table
from gammon_lab.games import (
    ballard,
    chance_tictactoe,
    dice_game,
    einstein,
    iterated_match,
    misere_nim,
    offers,
    pig,
    random_nim,
    synthetic,
    uniform,
    written,
)
from gammon_lab.games.synthetic import LEAF, PROBE
from gammon_lab.searches.sparse_sampling import sampled
from tests.engine.games.solve import AS_WRITTEN, solve
from tests.naive import search as naive
from tests.naive.games import (
    best_chances,
    dice_twin,
    einstein_value,
    misere_win,
    pig_chances,
    random_nim_wins,
    x_scores,
)
from tests.naive.search import chances, payoff, replies, static_values

# Ballard's trees: the counts of his table 1, and what a random tree consists of.

TABLE_1 = {
    2: (5, 5),
    4: (40, 25),
    6: (138, 58),
    8: (336, 105),
    10: (670, 166),
    20: (5560, 677),
    30: (18990, 1532),
    40: (45320, 2732),
}


@pytest.mark.parametrize("n", TABLE_1)
def test_ballards_table_1(n):
    for algorithm, published in zip(("star1", "star2"), TABLE_1[n], strict=True):
        found = search.TreeSearch(ballard.game(n, False), ballard.LEAF, algorithm, options=AS_WRITTEN).decide(
            ballard.root(), 0, 3
        )
        assert found.stats.leaves == published
        # The best * node: the largest arc above, the mean below, and then the smallest.
        assert found.values.max() == pytest.approx((n - 1) + (n - 1) / 2)


def test_random_trees_have_every_arc_once():
    n = 6
    game = ballard.game(n, True)
    orders = set()
    for seed in range(50):
        stars = replies(game, ballard.root(seed), 0)
        assert sorted(stars[:, 1]) == list(range(n))
        orders.add(tuple(stars[:, 1]))
        leaves = np.array([replies(game, stars[0], i) for i in range(n)])
        below = leaves[:, :, 1].astype(int) - stars[0, 1]
        assert sorted(below.min(axis=1)) == list(range(n)), "the arcs of the * node"
        for i in range(n):
            assert sorted(below[i] - below[i].min()) == list(range(n))
        assert len({row.tobytes() for row in leaves.reshape(-1, game.width)}) == n * n
    assert len(orders) > 40


# Tic-tac-toe with swaps against its paper, and against its rules written a second time.


def test_if_chance_takes_sides():
    assert (x_scores(" " * 9, 0, min), x_scores(" " * 9, 0, max)) == (0, 1)


def test_every_first_cell_of_tic_tac_toe():
    assert x_scores(" " * 9, 0) == Fraction(509, 864)
    found = search.TreeSearch(chance_tictactoe.GAME, NOTHING, "star2", options=AS_WRITTEN).decide(
        chance_tictactoe.ROOT, 0, 17, top=9, table=Table.allocate(chance_tictactoe.GAME, 16)
    )
    for row, value in zip(found.rows, found.values, strict=True):
        board = " " * (chance_tictactoe.cell(row) - 1) + "X"
        assert (1 + value) / 2 == pytest.approx(float(x_scores(board.ljust(9), 1)), abs=1e-12)


# Dice against its rules written a second time, and positions worked out by hand.


def test_dice_against_the_twin():
    n = m = 3
    game = dice_game.game(n, m)
    random = np.random.default_rng(5)
    values = []
    for _ in range(30):
        marks = random.permutation([0] * 4 + [1, 1, -1, -1, 1 - 2 * random.integers(2)])
        state = np.array(marks, np.int8)
        cells = {(k // n, k % n): int(mark) for k, mark in enumerate(marks) if mark}
        if payoff(game, state) != search.NOT_OVER:
            continue
        twin = dice_twin(cells, n, m, True, 6)
        found = search.TreeSearch(game, NOTHING).value(state, 6)
        assert found.value == pytest.approx(twin, abs=1e-9)
        values.append(twin)
    assert len(set(values)) > 5


def test_the_player_of_the_rows_sees_columns():
    rows = replies(dice_game.game(3, 3), dice_game.root(3), 1)
    # Column 1 of the first player is row 1 of the second one's board.
    assert rows.reshape(3, 3, 3)[:, 1].tolist() == [[-1, 0, 0], [0, -1, 0], [0, 0, -1]]


def test_a_full_line_is_a_pass_and_a_full_board_a_draw():
    game = dice_game.game(3, 3)
    full_column = np.array([1, 0, 0, -1, 0, 0, 1, 0, 0], np.int8)
    assert replies(game, full_column, 0).tolist() == [[-1, 1, -1, 0, 0, 0, 0, 0, 0]]
    draw = np.array([1, -1, 1, 1, -1, -1, -1, 1, 1], np.int8)
    assert payoff(game, draw) == 0


def test_windows_of_dice():
    game = dice_game.game(3, 3)
    boards = np.array([[1, 1, 0, 0, -1, 0, 0, 0, 0], [-1, -1, 0, 0, 1, 0, 0, 0, 0]], np.int8)
    out = static_values(game, dice_game.leaf(3, 3), boards[0], boards)
    # Own: two marks across, one down at the left. Theirs: one across, one on a diagonal.
    total = 1 / 4 + 1 / 16 - 2 / 16
    assert out[0] == pytest.approx(total / (1 + total))
    assert out[1] == -out[0]
    assert game.high == 1


# The iterated game against its paper.


def test_best_play_against_the_recursion():
    assert [16 * chance for chance in best_chances(4, 0)] == [10, 2, 4]
    for games in range(1, 5):
        found = search.TreeSearch(iterated_match.game(), NOTHING, "star1").value(
            iterated_match.root(games), 4 * games
        )
        win, _, loss = best_chances(games, 0)
        assert found.value == pytest.approx(float(win - loss))


# Misere NIM against the lectures, and against its rules written a second time.


def test_misere_nim_against_the_twin():
    for heaps in (*np.ndindex(3, 4, 4), (1, 3, 5, 7)):
        if sum(heaps):
            _, value = solve(misere_nim.game(heaps), misere_nim.root(heaps), 2 * sum(heaps) - 1)
            assert (value > 0) == misere_win(heaps), heaps


# Random NIM against its paper, and against its rules written a second time.


def test_random_nim_against_the_twin():
    for heaps in np.ndindex(3, 3, 3):
        if sum(heaps):
            game, root = random_nim.game(heaps, (1, 2)), random_nim.root(heaps)
            _, value = solve(game, root, 2 * sum(heaps) - 1)
            twin = random_nim_wins(heaps, Fraction(1, 3))
            assert (1 + value) / 2 == pytest.approx(float(twin)), heaps


# Random trees: the contract of a game, and the properties that make them a fair test.

#: The functions of all families are the same: a state has the bounds of its own.
GAME = synthetic.game(-1, 1)


def children(state):
    """Return the successors of all outcomes of a state, outcome by outcome."""
    return [naive.replies(GAME, state, k) for k in range(len(naive.chances(GAME, state)))]


def synthetic_static_values(parent, rows, evaluator):
    return naive.static_values(GAME, evaluator, parent, rows)


def synthetic_payoff(state):
    return naive.payoff(GAME, state)


def test_probabilities_sum_to_1_and_differ():
    unequal = zeros = 0
    numbers = set()
    for seed in range(500):
        weight = naive.chances(GAME, synthetic.root(-1, 1, seed))
        assert weight.sum() == pytest.approx(1)
        assert (weight >= 0).all()
        numbers.add(len(weight))
        unequal += len(set(weight)) > 1
        zeros += (weight == 0).any()
    assert numbers == {1, 2, 3, 4}
    assert unequal > 250
    assert zeros > 50


def test_successors_are_distinct_and_seen_from_the_other_side():
    for seed in range(200):
        found = np.concatenate(children(synthetic.root(5, 10, seed)))
        assert len({row.tobytes() for row in found}) == len(found)
        assert (found[:, 9:11] == [-10, -5]).all()
        below = children(found[0])[0]
        assert (below[:, 9:11] == [5, 10]).all()


@pytest.mark.parametrize("bounds", [(-1, 1), (-3, 3), (5, 10), (-10, -5)])
def test_values_and_payoffs_stay_within_their_bounds(bounds):
    low, high = -bounds[1], -bounds[0]
    payoffs = []
    for seed in range(300):
        root = synthetic.root(*bounds, seed)
        assert synthetic_payoff(root) == NOT_OVER
        for rows in children(root):
            for evaluator in (LEAF, PROBE):
                values = synthetic_static_values(root, rows, evaluator)
                assert (low <= values).all()
                assert (values <= high).all()
            payoffs += [synthetic_payoff(row) for row in rows]
    ends = [paid for paid in payoffs if paid != NOT_OVER]
    assert min(ends) == low
    assert max(ends) == high
    assert 0.08 < len(ends) / len(payoffs) < 0.17


def test_ties_happen_where_they_are_asked_for():
    counts = []
    for features in (0, synthetic.TIES):
        values = [
            value
            for seed in range(100)
            for rows in children(synthetic.root(-1, 1, seed, features))
            for value in synthetic_static_values(rows[0], rows, LEAF)
        ]
        counts.append(len(set(values)) / len(values))
    assert counts[0] > 0.99
    assert counts[1] < 0.3


def test_a_child_resembles_its_parent_and_the_probe_the_leaf():
    scores, static, probe = [], [], []
    for seed in range(300):
        for rows in children(synthetic.root(-1, 1, seed)):
            for below in children(rows[0]):
                scores += [-rows[0][8] / 127] * len(below)
                static += list(synthetic_static_values(rows[0], below, LEAF))
                probe += list(synthetic_static_values(rows[0], below, PROBE))
    assert np.corrcoef(scores, static)[0, 1] > 0.5
    assert 0.6 < np.corrcoef(static, probe)[0, 1] < 0.99


def test_trees_repeat_and_differ_by_seed():
    roots = {synthetic.root(-1, 1, seed).tobytes() for seed in range(100)}
    assert len(roots) == 100
    assert (synthetic.root(-1, 1, 5) == synthetic.root(-1, 1, 5)).all()


@pytest.mark.parametrize("family", offers.FAMILIES, ids=str)
def test_the_families_keep_the_contract(family: tuple[int, bool]) -> None:
    game = offers.game(-20, 30, *family)
    root = synthetic.root(-20, 30, 1, synthetic.FINISHES)
    assert search.check_game(game, offers.LEAF, [root], most=60) > 20


# Trees that are written or uniform: their states, and the leaves of alpha-beta.


@pytest.mark.parametrize("b", range(2, 7))
@pytest.mark.parametrize("moves", range(1, 7))
def test_alpha_beta_at_its_best(b, moves):
    game, question = uniform.game(b), (uniform.root(), 0, 2 * moves - 1)
    searcher = search.TreeSearch(game, uniform.LEAF, "alpha-beta", options=AS_WRITTEN)
    found = searcher.decide(*question)
    assert found.stats.leaves == uniform.fewest_leaves(b, moves)
    if b**moves < 5000:
        full = search.TreeSearch(game, uniform.LEAF, "minimax").decide(*question)
        assert full.stats.leaves == b**moves
        assert full.values.max() == found.values.max() == 0


UNIFORM_GAME = written.game(-10, 10)


@pytest.mark.parametrize(("parts", "expected"), [(None, [1 / 2, 1 / 2]), ((1, 3), [1 / 4, 3 / 4])])
def test_outcomes_have_the_written_chances(parts, expected):
    tree = written.tree([[1, 2], [3, 4]], parts)
    assert payoff(UNIFORM_GAME, tree) == NOT_OVER
    assert chances(UNIFORM_GAME, tree) == pytest.approx(expected)


def test_replies_pay_what_is_written():
    payoffs = [[7, -2, 0], [4, -9, 10]]
    tree = written.tree(payoffs)
    for outcome, written_payoffs in enumerate(payoffs):
        rows = replies(UNIFORM_GAME, tree, outcome)
        # A payoff is written for the player who chooses; a state is seen by the other one.
        assert [-payoff(UNIFORM_GAME, row) for row in rows] == written_payoffs


def test_the_largest_tree_fills_the_state():
    payoffs = np.arange(-6, 6).reshape(4, 3).tolist()
    tree = written.tree(payoffs)
    assert len(tree) == written.WIDTH == 2 + 4 + 4 * 3
    assert [-payoff(UNIFORM_GAME, row) for row in replies(UNIFORM_GAME, tree, 3)] == payoffs[3]


# Pig and EinStein against their rules written a second time, and against what is printed.


def test_pig_is_solved():
    assert pig.solve()[0, 0] == pytest.approx(0.5306, abs=5e-5), "Neller and Presser"
    assert pig.solve(20)[0, 0] == pytest.approx(0.6155585498, abs=1e-10)
    twin = pig_chances(8)
    assert pig.solve(8).ravel() == pytest.approx([twin[i, j, 0] for i in range(8) for j in range(8)])


@pytest.mark.parametrize("algorithm", search.ALGORITHMS)
def test_a_search_of_pig_finds_the_chances(algorithm):
    goal, twin = 6, pig_chances(6)
    tree = search.TreeSearch(pig.game(goal), pig.leaf(goal), algorithm)
    for state in ([0, 0, 0, 0], [1, 2, 0, 0], [1, 3, 4, 0], [0, 5, 3, 0]):
        expected = 2 * twin[tuple(state[:3])] - 1
        assert tree.value(state, 18).value == pytest.approx(expected, abs=0.05)
        passing = tree.value([state[1], state[0], state[2], 1], 20).value
        assert passing == pytest.approx(-tree.value(state, 18).value, abs=1e-7), "a pass changes nothing"


def test_einstein_against_the_twin():
    game, leaf = einstein.game(3, 2), einstein.leaf(3, 2)
    stones = ((1, (0, 0)), (2, (1, 0)), (3, (0, 1)))
    twin = einstein_value(3, stones, stones, {"stones": 3})
    assert twin == pytest.approx(0.39917695473251)
    shallow = naive.defined_value(game, leaf, np.zeros(6, np.int8), 6)
    for algorithm in search.ALGORITHMS:
        tree = search.TreeSearch(game, leaf, algorithm)
        assert tree.value([0] * 6, 6).value == pytest.approx(shallow, abs=1e-6)
    table = Table.allocate(game, 16)
    assert tree.value([0] * 6, 40, table=table).value == pytest.approx(twin, abs=1e-9)
    for depth, leaves in ((2, 18), (4, 324)):
        tree = search.TreeSearch(einstein.GAME, einstein.LEAF, "expectimax")
        assert tree.value([0] * 12, depth).stats.leaves == leaves


@pytest.mark.parametrize("module", [pig, einstein], ids=["pig", "einstein"])
def test_the_games_keep_the_contract(module):
    assert search.check_game(module.GAME, module.LEAF, [np.zeros(module.GAME.width)]) > 1000
    bad = np.full((2, module.GAME.width), 125, np.int8)
    assert module.GAME.fits(module.GAME, bad) == 0


def test_einstein_refuses_stones_on_one_cell():
    """Own stone 1 gone three cells to the right stands where stone 4 begins in the next row."""
    assert einstein.fits(einstein.GAME, np.zeros((1, 12), np.int8)) == 1
    assert einstein.fits(sampled(einstein.GAME, 3, 1), np.zeros((1, 12), np.int8)) == 1, (
        "with more parameters"
    )
    assert einstein.fits(einstein.GAME, np.array([[5, *[0] * 11]], np.int8)) == 0
    assert einstein.fits(einstein.GAME, np.array([[-1] * 12], np.int8)) == 0
