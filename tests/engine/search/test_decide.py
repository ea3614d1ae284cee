"""Decisions: the best successors are exact, the bounds of the others are true."""

import numpy as np
import pytest

from gammon import search
from gammon.search import EXACT
from gammon_lab.games import synthetic, written
from gammon_lab.games.synthetic import LEAF, PROBE
from tests.engine.search.asked import STARS, asked, assert_true_to, root_of
from tests.twins import chances

#: Decisions of each pair of bounds, by depth.
TREES = {1: 60, 3: 120, 5: 80}


def positions(bounds, number):
    """Yield (state, outcome) for decisions, every second one with many ties."""
    for seed in range(number):
        state = root_of(bounds, seed)
        yield state, seed % len(chances(synthetic.game(*bounds), state))


@pytest.mark.parametrize("depth", TREES)
@pytest.mark.parametrize("bounds", [(-3, 3), (5, 10), (-10, -5)])
def test_top_candidates_are_exact_and_bounds_are_true(bounds, depth):
    game = synthetic.game(*bounds)
    options = {"sigma": 0.3, "noise_seed": 3}
    for state, outcome in positions(bounds, TREES[depth]):
        oracle = asked(
            "decide", game, LEAF, state, outcome, depth, algorithm="expectimax", **options
        )
        n = len(oracle.rows)
        assert oracle.exact.all()
        for algorithm in STARS:
            for top in (1, 2):
                found = asked(
                    "decide", game, LEAF, state, outcome, depth, algorithm=algorithm,
                    probe=PROBE, top=top, **options,
                )  # fmt: skip
                assert (found.rows == oracle.rows).all()
                assert sorted(found.order) == list(range(n))
                assert (np.diff(found.values[found.order]) <= 0).all()
                assert_true_to(found, oracle, top)


def test_a_depth_1_decision_values_every_successor():
    # The replies to outcome 1 are worth 3, 7 and 5; they are finished games.
    tree = written.tree([[1, 1, 1], [3, 7, 5]])
    found = search.Setup(written.game(-10, 10), written.EQUAL).decide(tree, 1, 1)
    assert found.values.tolist() == [3, 7, 5]
    assert found.kind.tolist() == [EXACT] * 3
    assert found.order.tolist() == [1, 2, 0]
    assert found.exact.all()
    assert found.rows.shape == (3, written.WIDTH)
    assert found.rows[:, 2].tolist() == [-3, -7, -5]


def test_top_may_exceed_the_number_of_successors():
    game = synthetic.game(-1, 1)
    for state, outcome in positions((-1, 1), 20):
        found = search.Setup(game, LEAF).decide(state, outcome, 3, top=100, leaves=True)
        assert found.exact.all()
        assert len(found.leaves) == len(found.rows)


@pytest.mark.parametrize("depth", [1, 3, 5])
def test_many_decisions_at_once(depth):
    game = synthetic.game(-3, 3)
    states, outcomes = zip(*positions((-3, 3), 60), strict=True)
    best = search.Setup(game, LEAF, "star2", PROBE, sigma=0.1).best(states, outcomes, depth)
    for state, outcome, row in zip(states, outcomes, best, strict=True):
        found = search.Setup(game, LEAF, "star2", PROBE, sigma=0.1).decide(
            state, outcome, depth
        )
        assert (row == found.rows[found.order[0]]).all()


def test_no_decisions_at_all():
    game = synthetic.game(-1, 1)
    none = np.zeros((0, game.width), np.int8)
    assert search.Setup(game, LEAF).best(none, [], 1).shape == (0, game.width)


def test_progress_is_kept_for_another_thread():
    game = synthetic.game(-1, 1)
    for state, outcome in positions((-1, 1), 5):
        progress = np.zeros(2, np.int64)
        found = search.Setup(game, LEAF).decide(state, outcome, 5, progress=progress)
        assert progress.tolist() == [len(found.rows)] * 2


@pytest.mark.parametrize("bounds", [(-3, 3), (5, 10)])
def test_a_ranking_is_that_of_decisions_of_depth_1_to_the_last_bit(bounds):
    game = synthetic.game(*bounds)
    states, outcomes = zip(*positions(bounds, 60), strict=True)
    settings = {"sigma": 0.1, "noise_seed": 4}
    found = asked("rank", game, LEAF, states, outcomes, **settings)
    assert found.offsets[0] == 0
    assert found.offsets[-1] == len(found.rows) == len(found.values)
    for number, (state, outcome) in enumerate(zip(states, outcomes, strict=True)):
        alone = asked("decide", game, LEAF, state, outcome, 1, **settings)
        mine = slice(*found.offsets[number : number + 2])
        assert (found.rows[mine] == alone.rows[alone.order]).all()
        assert (found.values[mine] == alone.values[alone.order]).all()


def test_progress_must_be_room_for_two_counts():
    game = synthetic.game(-1, 1)
    state, outcome = next(positions((-1, 1), 1))
    locked = np.zeros(2, np.int64)
    locked.flags.writeable = False
    for progress in ([0, 0], np.zeros(2), np.zeros(3, np.int64), np.zeros(4, int)[::2], locked):
        with pytest.raises(search.SearchError, match=r"progress.*int64 \[2\]"):
            search.Setup(game, LEAF).decide(state, outcome, 3, progress=progress)


def test_where_there_is_nothing_to_share_a_thread_needs_no_memory_of_its_own():
    game = synthetic.game(-1, 1)
    state, outcome = next(positions((-1, 1), 1))
    tall = search.Setup(game, LEAF).decide(state, outcome, 3, threads=256)
    assert (tall.values == search.Setup(game, LEAF).decide(state, outcome, 3).values).all()
