"""The candidates of a decision: which are kept, in which order, with whose leaves."""

import numpy as np

from gammon.search import EXACT, STATIC, Filter
from gammon.search.candidates import Candidates, drop_worst
from gammon_lab.games import synthetic

GAME = synthetic.game(-3, 3)


def valued(values):
    """Candidates with these values, sorted."""
    made = Candidates.allocate(GAME._replace(max_successors=9), slots=2, capacity=3)
    n = len(values)
    made.values[:n] = values
    made.kind[:n] = EXACT
    made.order[:n] = np.argsort(values)[::-1]
    made.progress[1] = made.found[0] = n
    return made


def test_the_worst_are_dropped():
    for filter, kept in (
        (Filter(9), 5), (Filter(3), 3), (Filter(4, 0.5), 3), (Filter(2, 0.5), 2),
        (Filter(4, 0.0), 1), (Filter(1, np.inf), 1), (Filter(5, 0.25), 2),
    ):  # fmt: skip
        made = valued([0.5, -1.0, 1.0, -2.0, 0.75])
        drop_worst(made, filter._replace(margin=float(filter.margin)))
        assert made.progress[1] == kept, filter
        assert made.found[0] == 5
        kinds = made.kind[made.order[:5]].tolist()
        assert kinds == [EXACT] * kept + [STATIC] * (5 - kept)


def test_a_copy_has_memory_of_its_own():
    made = valued([1.0, 2.0])
    other = made.copy()
    for mine, theirs in zip(made, other, strict=True):
        assert not np.shares_memory(mine, theirs)
    other.values[:] = 7
    assert made.values[:2].tolist() == [1.0, 2.0]


def test_leaves_are_those_of_a_candidates_slot():
    made = valued([1.0, 2.0])
    made.slot[:2] = 1, 0
    made.leaf_count[:] = 1, 2
    made.leaf_weight[0, :1], made.leaf_weight[1, :2] = -1.0, (0.25, -0.75)
    made.leaf_rows[:] = 5
    found = made.leaves(0)
    assert found.probabilities.tolist() == [0.25, 0.75]
    assert found.signs.tolist() == [1, -1]
    made.leaf_rows[:] = 6
    assert (found.rows == 5).all(), "they are copied"
    assert made.leaves(1).signs.tolist() == [-1]


def test_more_slots_keep_what_is_there():
    made = valued([1.0, 2.0])
    made.leaf_rows[:] = np.arange(made.leaf_rows.size).reshape(made.leaf_rows.shape) % 100
    made.leaf_weight[:] = 0.5
    made.leaf_count[:] = 3, 1
    more = made.with_slots(5)
    assert [len(each) for each in (more.leaf_rows, more.leaf_weight, more.leaf_count)] == [
        5
    ] * 3
    for name in ("leaf_rows", "leaf_weight", "leaf_count"):
        assert np.array_equal(getattr(more, name)[:2], getattr(made, name)), name
    assert more.progress is made.progress
    assert len(made.with_slots(2).leaf_rows) == 2
