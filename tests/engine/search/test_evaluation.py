"""Static values, noise at leaves, the best static reply, and principal leaves."""

import numpy as np
import pytest

from gammon import search
from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float32Vector
from gammon.eval.evaluators import load_evaluator
from gammon.games.backgammon import backgammon
from gammon.games.nothing import NOTHING
from gammon.rules.terms import CUBELESS, NAMED_STAKES
from gammon.search import NOT_OVER, Filter, Problem, problem_of
from gammon.search.evaluation import best_leaf, best_reply, gauss, leaf_value
from gammon.search.game import State
from gammon.search.stats import LEAVES, N_COUNTS, Counts, new_counts
from gammon.search.workspace import Workspace
from gammon_lab.games import random_nim, synthetic, written
from gammon_lab.games.synthetic import LEAF, PROBE
from tests.engine.search.asked import asked, root_of
from tests.naive.search import chances, favourite, outputs, payoff, replies, static_value, static_values

# Static values, noise at leaves, and the best static reply against a plain twin.

GAME = synthetic.game(-1, 1)
STATES = np.random.default_rng(1).integers(-15, 16, (500, 12)).astype(np.int8)


@kernel()
def valued(problem: Problem, stats: Counts, state: State, payoff: float, static: float) -> float:
    """Value a leaf, whose bounds are -1 and 1."""
    value: float = leaf_value(problem, stats, state, payoff, static, -1.0, 1.0)
    return value


def value_of(static, payoff=NOT_OVER, state=STATES[0], sigma=0.0, **filter):
    problem = problem_of(GAME, synthetic.LEAF, sigma=sigma, noise_seed=1, filter=Filter(**filter))
    stats = new_counts()
    value = valued(problem, stats, state, float(payoff), float(static))
    assert stats[LEAVES] == stats[:N_COUNTS].sum() == 1
    return value


def test_noise_is_added_and_clamped():
    values = [value_of(0.9, state=state, sigma=1.0) for state in STATES]
    expected = [min(max(0.9 + gauss(state, np.uint64(1)), -1), 1) for state in STATES]
    assert values == expected
    assert (min(values), max(values)) == (-1, 1)


def test_bounds_clamp_where_the_filter_asks_for_them():
    assert value_of(0.9) == 0.9
    assert value_of(1.1) == 1.1
    assert value_of(1.1, node_bounds=True) == 1.0
    assert value_of(-1.1, node_bounds=True) == -1.0


def test_a_payoff_is_never_touched():
    assert value_of(0.5, payoff=7.0, sigma=1.0, node_bounds=True) == 7.0


@kernel()
def best_of(stats: Counts, values: Float32Vector, n: int, enough: float) -> tuple[float, int]:
    """Choose among n leaves."""
    found: tuple[float, int] = best_leaf(stats, values, n, enough)
    return found


def test_the_best_leaf_is_the_worst_for_the_opponent_and_the_first_that_is_enough():
    values = np.array([0.5, -0.25, 0.0, -0.75, -2.0], np.float32)
    for n, enough, expected, looked_at in (
        (4, np.inf, (0.75, 3), 4),
        (1, np.inf, (-0.5, 0), 1),
        (4, 0.25, (0.25, 1), 2),
        (4, -0.5, (-0.5, 0), 1),
        (5, 0.75, (0.75, 3), 4),
    ):
        stats = new_counts()
        assert best_of(stats, values, n, enough) == expected
        assert stats[LEAVES] == stats[:N_COUNTS].sum() == looked_at


N = 5000


@pytest.fixture(scope="module")
def states():
    return np.random.default_rng(1).integers(-15, 16, (N, 26)).astype(np.int8)


def draws(states, seed):
    return np.array([gauss(state, np.uint64(seed)) for state in states])


def test_noise_is_standard_normal(states):
    sample = draws(states, 1)
    error = 4 / np.sqrt(N)
    assert sample.mean() == pytest.approx(0, abs=error)
    assert (sample**2).mean() == pytest.approx(1, abs=np.sqrt(2) * error)
    assert (sample**3).mean() == pytest.approx(0, abs=np.sqrt(15) * error)
    assert (sample**4).mean() == pytest.approx(3, abs=np.sqrt(96) * error)
    assert np.mean(sample > 1.959964) == pytest.approx(0.025, abs=0.16 * error)


def test_noise_repeats_and_differs_by_seed(states):
    first = draws(states, 1)
    assert (first == draws(states, 1)).all()
    assert abs(np.corrcoef(first, draws(states, 2))[0, 1]) < 4 / np.sqrt(N)


def test_each_byte_counts(states):
    first = draws(states[:1], 3)[0]
    for byte in range(26):
        changed = states[0].copy()
        changed[byte] ^= 1
        assert gauss(changed, np.uint64(3)) != first


def test_a_search_depends_on_the_noise_seed():
    game, state = synthetic.game(-1, 1), synthetic.root(-1, 1, 5)
    found = {
        search.TreeSearch(game, synthetic.LEAF, sigma=0.1, noise_seed=seed).value(state, 4).value
        for seed in (0, 1, 2, 2)
    }
    assert len(found) == 3


@kernel()
def reply(problem: Problem, work: Workspace, state: State, outcome: int, stake: int) -> tuple[int, int]:
    """Do what a kernel does with it."""
    return best_reply(problem, work, state, outcome, stake)


def twin(game, evaluator, state, outcome, stake):
    """Return the rows, and their values to the opponent."""
    rows = replies(game, state, outcome)
    values = static_values(game, evaluator, state, rows, -stake)
    for j, row in enumerate(rows):
        paid = payoff(game, row, -stake)
        if paid != search.NOT_OVER:
            values[j] = paid
    return rows, values


def check(game, evaluator, state, outcome, stake):
    """Compare one reply with the twin's; return how many of the rows are finished."""
    problem = problem_of(game, evaluator)
    work = Workspace.allocate(problem, game.width, 0, False, None)
    best, n = reply(problem, work, state, outcome, stake)
    rows, values = twin(game, evaluator, state, outcome, stake)
    assert n == len(rows)
    assert np.array_equal(work.rows[0, :n], rows)
    assert np.array_equal(work.values[0, :n], values)
    assert best == favourite(game, evaluator, state, rows, values, -stake)
    assert np.array_equal(work.outputs[:n], outputs(evaluator, state, rows))
    decided = search.TreeSearch(game._replace(stake=stake), evaluator, "expectimax").decide(state, outcome, 1)
    assert decided.values.max() == pytest.approx(-values[best])
    return sum(payoff(game, row) != search.NOT_OVER for row in rows)


def test_random_trees():
    finished = 0
    for seed in range(200):
        state = root_of((-3, 3), seed)
        game = synthetic.game(-3, 3)
        outcome = seed % len(chances(game, state))
        finished += check(game, synthetic.LEAF, state, outcome, 0)
    assert finished > 20


@pytest.mark.parametrize("stakes", [CUBELESS, NAMED_STAKES["gammon-go"]], ids=str)
def test_backgammon(played, stakes):
    game, evaluator = backgammon(stakes), load_evaluator("probe", bearoff=False)
    two_left = np.array([0, 1, 1, *[0] * 21, -15, 0], np.int8)
    states = [two_left, *np.array(played(40, 8)[::4], np.int8)]
    finished = 0
    for k, state in enumerate(states):
        for stake in {game.stake, -game.stake}:
            finished += check(game, evaluator, state, (20 + 3 * k) % 21, stake)
    assert finished > 0


# Principal leaves: their weighted values are the value of the node.

SIGMA = 0.3


def value_of_leaf(game, row, bounds):
    """Return a leaf's value to its own player on roll, noise included."""
    paid = payoff(game, row)
    if paid != search.NOT_OVER:
        return paid
    noisy = static_value(game, LEAF, row) + SIGMA * gauss(row, np.uint64(9))
    return min(max(noisy, bounds[0]), bounds[1])


def mean_over(game, leaves, bounds):
    theirs = (-bounds[1], -bounds[0])
    values = [
        value_of_leaf(game, row, bounds if sign > 0 else theirs)
        for row, sign in zip(leaves.rows, leaves.signs, strict=True)
    ]
    return (leaves.probabilities * leaves.signs) @ values


@pytest.mark.parametrize("algorithm", search.ALGORITHMS)
@pytest.mark.parametrize("bounds", [(-3, 3), (5, 10)])
def test_chance_nodes(bounds, algorithm):
    game = synthetic.game(*bounds)
    for seed in range(24):
        for depth in (0, 2, 4, 6):
            found = search.TreeSearch(game, LEAF, algorithm, PROBE, sigma=SIGMA, noise_seed=9).value(
                synthetic.root(*bounds, seed), depth, leaves=True
            )
            assert found.leaves is not None
            assert found.leaves.probabilities.sum() == pytest.approx(1)
            assert mean_over(game, found.leaves, bounds) == pytest.approx(found.value, abs=1e-9)


def test_narrow_windows_leave_them_only_inside():
    game, bounds = synthetic.game(-3, 3), (-3, 3)
    inside = 0
    for seed in range(200):
        window = (-0.5, 0.5)
        found = search.TreeSearch(game, LEAF, "star2", PROBE, sigma=SIGMA, noise_seed=9).value(
            synthetic.root(*bounds, seed), 4, leaves=True, window=window
        )
        assert (found.leaves is not None) == (window[0] < found.value < window[1])
        if found.leaves is not None:
            inside += 1
            assert mean_over(game, found.leaves, bounds) == pytest.approx(found.value, abs=1e-9)
    assert 20 < inside < 180


@pytest.mark.parametrize("algorithm", search.ALGORITHMS)
@pytest.mark.parametrize("features", [synthetic.FINISHES, synthetic.TIES])
def test_decisions(algorithm, features):
    bounds = (-10, -5)
    game = synthetic.game(*bounds)
    for seed in range(24):
        state = synthetic.root(*bounds, seed, features)
        for depth in (1, 3, 5):
            found = search.TreeSearch(game, LEAF, algorithm, PROBE, sigma=SIGMA, noise_seed=9).decide(
                state, 0, depth, top=2, leaves=True
            )
            assert len(found.leaves) == min(2, len(found.rows))
            for candidate, leaves in zip(found.order, found.leaves, strict=False):
                assert leaves.probabilities.sum() == pytest.approx(1)
                assert mean_over(game, leaves, bounds) == pytest.approx(found.values[candidate], abs=1e-9)


def test_a_written_tree():
    # 3/4 for the reply that is worth 5, 1/4 for the one that is worth -2.
    tree = written.tree([[1, 5], [-2, -6]], parts=[3, 1])
    found = search.TreeSearch(written.game(-10, 10), written.EQUAL, "star2").value(tree, 2, leaves=True)
    assert found.leaves is not None
    assert found.leaves.probabilities.tolist() == [0.75, 0.25]
    assert found.leaves.signs.tolist() == [-1, -1]
    assert found.leaves.rows[:, 2].tolist() == [-5, 2]
    assert found.value == 3.25


@pytest.mark.parametrize("algorithm", search.ALGORITHMS)
@pytest.mark.parametrize("heaps", [(1, 2, 1), (2, 1, 2), (2, 3, 2)])
def test_values_at_the_bound_have_theirs_beside_a_table(heaps, algorithm):
    game = random_nim.game(heaps, (1, 2))  # whoever wins, wins all that there is
    searcher = search.TreeSearch(game, NOTHING, algorithm)
    for depth in (4, 6, 8):
        table = search.Table.allocate(game, 0.1)
        for _ in range(2):
            found = searcher.value(random_nim.root(heaps), depth, leaves=True, table=table)
            paid = np.array([payoff(game, row) for row in found.leaves.rows])
            values = np.where(paid == search.NOT_OVER, 0.0, paid)
            mean = (found.leaves.probabilities * found.leaves.signs) @ values
            assert mean == pytest.approx(found.value, abs=1e-9)


def test_they_are_kept_on_demand():
    game, state = synthetic.game(-1, 1), synthetic.root(-1, 1, 1)
    assert search.TreeSearch(game, LEAF).value(state, 2).leaves is None
    assert search.TreeSearch(game, LEAF).decide(state, 0, 3).leaves == ()


@pytest.mark.parametrize("algorithm", search.ALGORITHMS)
def test_more_than_can_be_kept(algorithm):
    # Four outcomes nine times, as far as anyone knows before the search.
    game, tree = written.game(-10, 10), written.tree([[1], [2], [3]])
    question = (game, written.EQUAL, tree)
    assert asked("value", *question, 18, algorithm=algorithm, leaves=True).leaves is None
    assert asked("decide", *question, 0, 19, algorithm=algorithm, leaves=True).leaves == ()


def test_leaves_of_several_nodes_in_one():
    game = synthetic.game(-3, 3)
    searcher = search.TreeSearch(game, LEAF, "star1")
    parts = [
        searcher.value(synthetic.root(-3, 3, seed), 2 * (seed % 3), leaves=True).leaves for seed in range(6)
    ]
    joined, offsets = search.Leaves.joined(parts)
    assert offsets.tolist() == [sum(len(each.rows) for each in parts[:k]) for k in range(7)]
    for k, part in enumerate(parts):
        for theirs, own in zip(joined, part, strict=True):
            assert np.array_equal(theirs[offsets[k] : offsets[k + 1]], own)
