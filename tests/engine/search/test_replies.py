"""What a lowest chance node keeps, and what a double saves by it."""

import numpy as np
import pytest

from gammon import search
from gammon.search import workspace
from gammon.search.checks import problem_of
from gammon.search.evaluation import leaf_values
from gammon.search.picker import begin_outcomes, lowest_replies
from gammon.search.stats import EVALUATIONS
from gammon.search.workspace import BATCH, KEEPING, TWICE, Replies, Workspace, begin_replies
from gammon_lab.games import offers, synthetic

STATE = np.array([1, 2, 3], np.int8)


def allocate(keep=True):
    return Replies.allocate(width=3, outcomes=4, successors=5, picks=2, outputs=1, keep=keep)


def test_there_is_room_for_what_is_asked_for_at_once():
    assert allocate().rows.shape == (20 + BATCH + 5, 3)
    assert allocate(keep=False).outputs.shape == (BATCH + 5, 1)


def test_a_node_that_is_searched_once_keeps_nothing():
    kept = allocate()
    begin_replies(kept, STATE)
    assert kept.marks[KEEPING] == 0


@pytest.mark.parametrize("room", [4, 1024])
@pytest.mark.parametrize("twice", [0, 1])
@pytest.mark.parametrize("evaluator", [offers.LEAF, synthetic.LEAF], ids=["doubles", "none"])
def test_replies_are_those_of_each_outcome_alone(monkeypatch, evaluator, twice, room):
    """The network may be asked for several at once, in two visits, with any room for them."""
    monkeypatch.setattr(workspace, "_KEPT", room)
    several = 0
    for seed in range(20):
        root = synthetic.root(-3, 3, seed)
        doubles = evaluator is offers.LEAF
        game = offers.game(-3, 3, *offers.FAMILIES[0]) if doubles else synthetic.game(-3, 3)
        problem = problem_of(game, evaluator)
        work = Workspace.allocate(problem, game.width, 2, False, None)
        plain = Workspace.allocate(problem, game.width, 2, False, None)
        for _ in range(1 + twice):
            work.replies.marks[TWICE] = twice
            n = begin_outcomes(problem, work, root, game.stake, 1, game.low, game.high)
            for place in range(n):
                outcome = int(work.sequence[1, place])
                first, count = lowest_replies(problem, work, root, game.stake, place, n)
                rows, values = plain.rows[0], plain.values[0]
                expected = game.successors(root, outcome, game.params, rows)
                leaf_values(problem, plain, root, rows, expected, game.stake, values)
                assert count == expected
                assert (work.replies.rows[first : first + count] == rows[:count]).all()
                assert (work.values[0, :count] == values[:count]).all()
                several += first > 0
        asked, once = int(work.stats[EVALUATIONS]), int(plain.stats[EVALUATIONS]) // (1 + twice)
        if doubles and room > 4:
            assert asked == once, "the network is asked for no board twice"
        else:
            assert once <= asked <= (1 + twice) * once
    assert several > 20


def test_a_double_asks_for_no_board_twice():
    """More leaves are looked at than there are boards, but none is computed twice."""
    more = 0
    for seed in range(20):
        for family in offers.FAMILIES:
            game, root = offers.game(-20, 30, *family), synthetic.root(-20, 30, seed)
            boards = search.Setup(game, offers.LEAF, "expectimax").value(root, 2).stats.leaves
            stats = search.Setup(game, offers.LEAF, "star1").value(root, 2, on_turn=True).stats
            assert stats.evaluations <= boards
            more += stats.leaves > boards
    assert more > 20
