"""The order in which a search looks at outcomes and successors."""

import numpy as np
import pytest

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float32Matrix, Float32Vector
from gammon.search import Setup, Table
from gammon.search.game import Params, Rows
from gammon.search.picker import (
    GAME,
    KEPT,
    KILLER,
    LEAF,
    PROBE,
    TABLE,
    bring_best,
    bring_favourite,
    distance,
    first_stage,
    keep_best,
    main_stage,
    place_candidate,
    set_sequence,
    sort_by_static,
)
from gammon.search.problem import Filter, Options, Problem
from gammon.search.workspace import Workspace
from tests.engine.search import tug


def test_bring_best_sorts_one_sibling_at_a_time():
    rows = np.arange(8, dtype=np.int8).reshape(4, 2)
    values = np.array([0.5, 0.25, -1.0, 0.25], np.float32)
    for start in range(4):
        bring_best(rows, values, start, 4)
    assert values.tolist() == [-1.0, 0.25, 0.25, 0.5]
    assert rows[:, 0].tolist() == [4, 2, 6, 0]
    assert (rows[:, 1] == rows[:, 0] + 1).all()


def test_bring_favourite_looks_at_ties_among_equals():
    rows = np.arange(4, dtype=np.int8).reshape(4, 1)
    values = np.array([0.5, 0.25, 0.5, 0.25], np.float32)
    ties = np.array([3.0, 2.0, 0.0, 1.0], np.float32)
    for start in range(4):
        bring_favourite(rows, values, ties, start, 4)
    assert rows[:, 0].tolist() == [3, 1, 2, 0]
    assert values.tolist() == [0.25, 0.25, 0.5, 0.5]
    assert ties.tolist() == [1.0, 2.0, 0.0, 3.0]


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


def test_a_candidate_goes_behind_its_equals():
    values = np.array([0.5, 2.0, 0.5, 1.0, 0.5])
    order = np.array([4, 1, 2, 3, 0])
    for r in range(1, 5):
        place_candidate(values, order, r)
    assert order.tolist() == [1, 3, 4, 2, 0]


#: Depth, whether it is a probe, options, whether there is a table and a filter: the stages.
STAGES = [
    (2, True, Options(), False, 0, (KILLER, PROBE)),
    (2, True, Options(killers=False), True, 0, (GAME, PROBE)),
    (2, True, Options(static_order=False), False, 0, (KILLER, GAME)),
    (2, True, Options(), False, 3, (KILLER, PROBE)),
    (2, False, Options(), True, 0, (GAME, GAME)),
    (4, True, Options(), True, 0, (TABLE, LEAF)),
    (4, True, Options(), False, 0, (GAME, LEAF)),
    (4, True, Options(static_picks=False), False, 0, (GAME, PROBE)),
    (4, True, Options(static_order=False), False, 0, (GAME, GAME)),
    (4, True, Options(), False, 3, (GAME, KEPT)),
    (4, False, Options(), True, 3, (TABLE, LEAF)),
    (4, False, Options(static_order=False), False, 0, (GAME, GAME)),
]


@pytest.mark.parametrize(
    ("depth", "probing", "options", "tabled", "replies", "stages"), STAGES, ids=str
)
def test_the_stages_of_successors(depth, probing, options, tabled, replies, stages):
    """What the table at the head of the module says; Python asks for whole calls only."""
    game = tug.game(2.0, 0.0, 2.0, 0.0)
    problem = Setup(game, tug.LEAF, options=options, filter=Filter(replies)).problem
    table = Table.allocate(game, 0.01) if tabled else None
    work = Workspace.allocate(problem, game.width, depth, False, table)
    found = _stages(problem, work, depth, probing)
    assert found == stages


@kernel()
def _stages(problem: Problem, work: Workspace, depth: int, probing: bool) -> tuple[int, int]:
    return first_stage(problem, work, depth, probing), main_stage(problem, depth, probing)


def test_a_filter_keeps_the_best_in_front():
    values = np.array([0.5, -1.0, 0.25, -0.9], np.float32)

    def kept(filter, first=0):
        rows, static = np.arange(4, dtype=np.int8).reshape(4, 1), values.copy()
        rows[0] = first
        problem = Setup(tug.game(2.0, 0.0, 2.0, 0.0), tug.LEAF, filter=filter).problem
        n = keep_best(problem, rows, 4, 1, static, np.zeros(4, np.float32))
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
    rows, outputs = np.zeros((5, 1), np.int8), np.zeros((5, 2), np.float32)

    def sorted_by(options, leaf=tug.LEAF):
        order, ties = np.zeros(5, np.int64), np.zeros(5, np.float32)
        problem = Setup(tug.game(2.0, 0.0, 2.0, 0.0), leaf, options=options).problem
        sort_by_static(problem, rows, outputs, static, 4, 0, order, ties)
        return order[:4].tolist()

    assert sorted_by(Options()) == [3, 1, 0, 2]
    assert sorted_by(Options(static_order=False)) == [0, 1, 2, 3]
    last_first = tug.LEAF._replace(tie=last_first_tie, has_tie=True)
    assert sorted_by(Options(), last_first) == [3, 1, 2, 0]


@kernel()
def last_first_tie(
    rows: Rows, outputs: Float32Matrix, n: int, stake: int, params: Params,
    values: Float32Vector,
) -> None:  # fmt: skip
    """Favour the successors that the game writes last."""
    for j in range(n):
        values[j] = np.float32(-j)
