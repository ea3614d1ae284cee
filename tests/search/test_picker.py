"""The order in which a search looks at outcomes and successors."""

import numpy as np

from gammon.search import Setup
from gammon.search.picker import bring_best, distance, keep_best, set_sequence, sort_by_static
from gammon.search.problem import Filter
from tests.search import tug


def test_bring_best_sorts_one_sibling_at_a_time():
    rows = np.arange(8, dtype=np.int8).reshape(4, 2)
    values = np.array([0.5, 0.25, -1.0, 0.25], np.float32)
    for start in range(4):
        bring_best(rows, values, start, 4)
    assert values.tolist() == [-1.0, 0.25, 0.25, 0.5]
    assert rows[:, 0].tolist() == [4, 2, 6, 0]
    assert (rows[:, 1] == rows[:, 0] + 1).all()


def test_the_distance_is_the_sum_over_all_bytes():
    rng = np.random.default_rng(1)
    for width in (*range(1, 70), 255, 256, 2048):
        a, b = rng.integers(-128, 128, (2, width)).astype(np.int8)
        assert distance(a, b) == np.abs(a.astype(int) - b).sum()
        assert distance(a, a) == 0
    low, high = np.full((2, 2048), -128, np.int8)
    high[:] = 127
    assert distance(low, high) == distance(high, low) == 255 * 2048


def test_outcomes_in_the_order_of_their_chances():
    chance = np.array([0.2, 0.0, 0.5, 0.1, 0.2])
    sequence = np.zeros(5, np.int64)
    assert set_sequence(sequence, chance, 5, True) == 4
    assert sequence[:4].tolist() == [2, 0, 4, 3]
    assert set_sequence(sequence, chance, 5, False) == 4
    assert sequence[:4].tolist() == [0, 2, 3, 4]


def test_a_filter_keeps_the_best_in_front():
    values = np.array([0.5, -1.0, 0.25, -0.9], np.float32)

    def kept(filter, first=0):
        rows, static = np.arange(4, dtype=np.int8).reshape(4, 1), values.copy()
        rows[0] = first
        problem = Setup(tug.game(2.0, 0.0, 2.0, 0.0), tug.LEAF, filter=filter).problem
        n = keep_best(problem, rows, 4, 1, static)
        return rows[:n, 0].tolist()

    assert kept(Filter()) == [0, 1, 2, 3]
    assert kept(Filter(replies=3)) == [1, 3, 2]
    assert kept(Filter(replies=9)) == [1, 3, 2, 0]
    assert kept(Filter(replies=3, margin=0.2)) == [1, 3]
    assert kept(Filter(replies=3, margin=0.0)) == [1]
    lost = -tug.END  # to the opponent, whatever the evaluator says
    assert kept(Filter(replies=3, margin=1.0), lost) == [lost, 1]
    assert kept(Filter(replies=1), tug.END) == [1]


def test_the_order_of_a_root():
    static = np.array([0.5, -1.0, 0.5, -2.0, 9.0], np.float32)
    order = np.zeros(5, np.int64)
    sort_by_static(order, static, 4, False)
    assert order[:4].tolist() == [3, 1, 0, 2]
    sort_by_static(order, static, 4, True)
    assert order[:4].tolist() == [0, 1, 2, 3]
