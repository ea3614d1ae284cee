"""What a lowest chance node keeps, and what a double saves by it."""

import numpy as np

from gammon import search
from gammon.games import offers, synthetic
from gammon.search.replies import PROBED, TWICE, USED, Replies, begin_replies, keep_outcome


def test_the_rows_of_an_outcome_are_kept_while_there_is_room():
    kept = Replies.allocate(width=3, outcomes=4, successors=5, picks=2, outputs=1, keep=True)
    assert kept.rows.shape == (25, 3)
    kept.marks[TWICE] = 1
    begin_replies(kept, np.array([1, 2, 3], np.int8))
    for outcome, n in ((2, 5), (0, 4), (3, 5), (1, 5)):
        keep_outcome(kept, outcome, n)
    assert kept.first.tolist() == [5, 14, 0, 9]
    assert kept.marks[USED] == 19
    keep_outcome(kept, 2, 2)
    assert kept.first[2] == 0, "there is no room"


def test_another_state_is_another_node():
    kept = Replies.allocate(width=3, outcomes=4, successors=5, picks=2, outputs=1, keep=True)
    for state, known in (([1, 2, 3], -1), ([1, 2, 3], 0), ([1, 2, 4], -1)):
        kept.marks[TWICE] = 1
        begin_replies(kept, np.array(state, np.int8))
        assert kept.first[1] == known
        assert kept.marks[PROBED] == (2 if known == 0 else 0)
        keep_outcome(kept, 1, 3)
        kept.marks[PROBED] = 2


def test_a_node_that_is_searched_once_keeps_nothing():
    kept = Replies.allocate(width=3, outcomes=4, successors=5, picks=2, outputs=1, keep=True)
    for twice in (1, 0):
        kept.marks[TWICE] = twice
        begin_replies(kept, np.array([1, 2, twice], np.int8))
        keep_outcome(kept, 1, 3)
        assert (kept.first[1], kept.marks[USED]) == ((0, 3) if twice else (-1, 0))


def test_without_doubles_nothing_is_kept():
    none = Replies.allocate(width=3, outcomes=4, successors=5, picks=2, outputs=1, keep=False)
    begin_replies(none, np.zeros(3, np.int8))
    keep_outcome(none, 1, 1)
    assert none.rows.shape == (5, 3)
    assert (none.first == -1).all()


def test_a_double_asks_for_no_board_twice():
    """More leaves are looked at than there are boards, but none is computed twice."""
    more = 0
    for seed in range(20):
        for family in offers.FAMILIES:
            game, root = offers.game(-20, 30, *family), synthetic.root(-20, 30, seed)
            boards = search.chance_value(game, offers.LEAF, root, 2, "expectimax").stats.leaves
            stats = search.chance_value(game, offers.LEAF, root, 2, "star1", on_turn=True).stats
            assert stats.evaluations <= boards
            more += stats.leaves > boards
    assert more > 20
