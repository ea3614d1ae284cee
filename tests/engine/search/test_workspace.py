"""Buffers of a search: enough for what it may meet."""

import pytest

from gammon.compiled.kernel import load
from gammon.eval.evaluators import load_evaluator
from gammon.games.backgammon import BACKGAMMON
from gammon.search import Table, problem_of
from gammon.search.workspace import KNOWN, MAX_LEAVES, TWICE, Workspace, begin_anew
from gammon_lab.games import synthetic

GAME = synthetic.game(-1, 1)


def workspace(depth, leaves=False, table=None, **more):
    problem = problem_of(GAME, synthetic.LEAF, **more)
    return Workspace.allocate(problem, GAME.width, depth, leaves, table)


@pytest.mark.parametrize(("algorithm", "picks"), [("star1", 0), ("star2", 4), ("star2.5", 8)])
def test_probes_have_room(algorithm, picks):
    made = workspace(4, algorithm=algorithm)
    assert made.rows.shape == (2, 4, 12)
    assert made.chance.shape == (3, 4)
    assert made.probe_rows.shape == (picks, 12)
    assert made.outputs.shape == (4, 1)
    assert made.replies.probe_outputs.shape == (picks, 1)


def test_leaves_have_room_unless_they_are_too_many():
    assert workspace(4).leaf_rows.shape[1] == 0
    assert workspace(4, leaves=True).leaf_rows.shape == (3, 16, 12)
    assert 4**7 <= MAX_LEAVES < 4**8
    assert workspace(14, leaves=True).leaf_rows.shape[1] == 4**7
    assert workspace(16, leaves=True).leaf_rows.shape[1] == 0


def test_outputs_are_those_of_the_evaluator_with_more():
    leaf, six = synthetic.LEAF, load_evaluator("probe", bearoff=False)
    for pair in ((leaf, six), (six, leaf), (six, None)):
        problem = problem_of(BACKGAMMON, *pair)
        assert Workspace.allocate(problem, 26, 2, False, None).outputs.shape[1] == 6


def test_a_table_is_used_where_there_is_one():
    table = Table.allocate(GAME, 0.01)
    assert workspace(2, table=table).table is table
    assert len(workspace(2).table.depth) == 0


def test_a_search_may_begin_anew():
    table = Table.allocate(GAME, 0.01)
    made = workspace(4, table=table)
    table.depth[3], table.decisions[2], made.killer_known[2] = 4, 77, True
    made.replies.marks[[KNOWN, TWICE]] = 1
    load(begin_anew)
    begin_anew(made)
    assert (table.depth == -1).all()
    assert not table.decisions.any()
    assert not made.killer_known.any()
    assert not made.replies.marks[[KNOWN, TWICE]].any()
