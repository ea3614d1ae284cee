"""The value of a leaf: its payoff, or its static value with noise, kept within the bounds."""

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float32Vector
from gammon.search import NOT_OVER, Filter, Problem, problem_of
from gammon.search.evaluation import best_leaf, leaf_value
from gammon.search.game import State
from gammon.search.noise import gauss
from gammon.search.stats import LEAVES, N_COUNTS, Counts, new_counts
from gammon_lab.games import synthetic

GAME = synthetic.game(-1, 1)
STATES = np.random.default_rng(1).integers(-15, 16, (500, 12)).astype(np.int8)


@kernel()
def valued(
    problem: Problem, stats: Counts, state: State, payoff: float, static: float
) -> float:
    """Value a leaf, whose bounds are -1 and 1."""
    value: float = leaf_value(problem, stats, state, payoff, static, -1.0, 1.0)
    return value


def value_of(static, payoff=NOT_OVER, state=STATES[0], sigma=0.0, **filter):
    problem = problem_of(
        GAME, synthetic.LEAF, sigma=sigma, noise_seed=1, filter=Filter(**filter)
    )
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
        (4, np.inf, (0.75, 3), 4), (1, np.inf, (-0.5, 0), 1), (4, 0.25, (0.25, 1), 2),
        (4, -0.5, (-0.5, 0), 1), (5, 0.75, (0.75, 3), 4),
    ):  # fmt: skip
        stats = new_counts()
        assert best_of(stats, values, n, enough) == expected
        assert stats[LEAVES] == stats[:N_COUNTS].sum() == looked_at
