"""Decisions: exact values and true bounds, limits, filters, and the transposition table."""

import time

import numpy as np
import pytest

from gammon import search
from gammon.search import BOUND, EXACT, STATIC, Filter, Options, Table
from gammon.search.table import UNKNOWN, find, find_reply, forget, keep, keep_reply, look_up, zobrist
from gammon_lab.games import synthetic, written
from gammon_lab.games.synthetic import LEAF, PROBE
from tests.engine.search import tug
from tests.engine.search.asked import (
    CLOSE,
    STARS,
    asked,
    assert_same,
    assert_true_to,
    decision_of,
    root_of,
    trees,
    value_of,
)
from tests.engine.search.test_tree_search import BOUNDS, THROWN
from tests.naive.search import chances

# Decisions: the best successors are exact, the bounds of the others are true.

#: Decisions of each pair of bounds, by depth.
TREES = {1: 60, 3: 120, 5: 80}


def positions(bounds, number):
    """Yield (state, outcome) for decisions, every second one with many ties."""
    for seed in trees(number):
        state = root_of(bounds, seed)
        yield state, seed % len(chances(synthetic.game(*bounds), state))


@pytest.mark.parametrize("depth", TREES)
@pytest.mark.parametrize("bounds", [(-3, 3), (5, 10), (-10, -5)])
def test_top_candidates_are_exact_and_bounds_are_true(bounds, depth):
    game = synthetic.game(*bounds)
    options = {"sigma": 0.3, "noise_seed": 3}
    for state, outcome in positions(bounds, TREES[depth]):
        oracle = asked("decide", game, LEAF, state, outcome, depth, algorithm="expectimax", **options)
        n = len(oracle.rows)
        assert oracle.exact.all()
        for algorithm in STARS:
            for top in (1, 2):
                found = asked(
                    "decide",
                    game,
                    LEAF,
                    state,
                    outcome,
                    depth,
                    algorithm=algorithm,
                    probe=PROBE,
                    top=top,
                    **options,
                )
                assert (found.rows == oracle.rows).all()
                assert sorted(found.order) == list(range(n))
                assert (np.diff(found.values[found.order]) <= 0).all()
                assert_true_to(found, oracle, top)


def test_a_depth_1_decision_values_every_successor():
    # The replies to outcome 1 are worth 3, 7 and 5; they are finished games.
    tree = written.tree([[1, 1, 1], [3, 7, 5]])
    found = search.TreeSearch(written.game(-10, 10), written.EQUAL).decide(tree, 1, 1)
    assert found.values.tolist() == [3, 7, 5]
    assert found.kind.tolist() == [EXACT] * 3
    assert found.order.tolist() == [1, 2, 0]
    assert found.exact.all()
    assert found.rows.shape == (3, written.WIDTH)
    assert found.rows[:, 2].tolist() == [-3, -7, -5]


def test_top_may_exceed_the_number_of_successors():
    game = synthetic.game(-1, 1)
    for state, outcome in positions((-1, 1), 20):
        found = search.TreeSearch(game, LEAF).decide(state, outcome, 3, top=100, leaves=True)
        assert found.exact.all()
        assert len(found.leaves) == len(found.rows)


@pytest.mark.parametrize("depth", [1, 3, 5])
def test_many_decisions_at_once(depth):
    game = synthetic.game(-3, 3)
    states, outcomes = zip(*positions((-3, 3), 60), strict=True)
    best = search.TreeSearch(game, LEAF, "star2", PROBE, sigma=0.1).best(states, outcomes, depth)
    for state, outcome, row in zip(states, outcomes, best, strict=True):
        found = search.TreeSearch(game, LEAF, "star2", PROBE, sigma=0.1).decide(state, outcome, depth)
        assert (row == found.rows[found.order[0]]).all()


def test_no_decisions_at_all():
    game = synthetic.game(-1, 1)
    none = np.zeros((0, game.width), np.int8)
    assert search.TreeSearch(game, LEAF).best(none, [], 1).shape == (0, game.width)


def test_progress_is_kept_for_another_thread():
    game = synthetic.game(-1, 1)
    for state, outcome in positions((-1, 1), 5):
        progress = np.zeros(2, np.int64)
        found = search.TreeSearch(game, LEAF).decide(state, outcome, 5, progress=progress)
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
            search.TreeSearch(game, LEAF).decide(state, outcome, 3, progress=progress)


def test_where_there_is_nothing_to_share_a_thread_needs_no_memory_of_its_own():
    game = synthetic.game(-1, 1)
    state, outcome = next(positions((-1, 1), 1))
    tall = search.TreeSearch(game, LEAF).decide(state, outcome, 3, threads=256)
    assert (tall.values == search.TreeSearch(game, LEAF).decide(state, outcome, 3).values).all()


# Limits of a decision's nodes and time: a search that stops leaves a complete answer.

GAME = synthetic.game(-3, 3)
SETUP = search.TreeSearch(GAME, synthetic.LEAF)
ALGORITHMS = list(search.ALGORITHMS)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_limited_decision_is_that_of_the_depth_it_completed(algorithm):
    depths = set()
    for seed in range(12):
        arguments = (GAME, synthetic.LEAF, synthetic.root(-3, 3, seed), 0)
        for max_nodes in (0, 1, 5, 20, 100, 1000, 10**9):
            found = asked("decide", *arguments, 7, algorithm=algorithm, max_nodes=max_nodes)
            plain = asked("decide", *arguments, found.depth, algorithm=algorithm)
            assert_same(found, plain, stats=False)
            assert found.stats.nodes <= max_nodes
            depths.add(found.depth)
        assert found.depth == 7
    assert depths >= {1, 3, 5, 7}


@pytest.mark.smoke
def test_the_leaves_are_those_of_the_depth_completed():
    root = synthetic.root(-3, 3, 4)
    found = SETUP.decide(root, 0, 7, max_nodes=40, leaves=True, top=2)
    plain = SETUP.decide(root, 0, found.depth, leaves=True, top=2)
    assert 1 < found.depth < 7
    assert_same(found, plain, stats=False)


def test_a_stopped_search_leaves_no_wrong_entries_in_the_table():
    for seed in range(30):
        root = synthetic.root(-3, 3, seed)
        table = Table.allocate(GAME, 0.1)
        oracle = search.TreeSearch(GAME, synthetic.LEAF, "expectimax").decide(root, 0, 5)
        for max_nodes in (7, 19, 40, 10**9):
            found = SETUP.decide(root, 0, 5, table=table, max_nodes=max_nodes)
        assert found.depth == 5
        assert found.values.max() == pytest.approx(oracle.values.max(), abs=1e-9)


def test_a_time_limit_stops_a_search_that_would_take_for_ever():
    SETUP.decide(synthetic.root(-3, 3, 1), 0, 3)
    begun = time.monotonic()
    found = SETUP.decide(synthetic.root(-3, 3, 1, 0), 0, 41, max_seconds=1.0)
    assert 0.9 < time.monotonic() - begun < 60
    assert 1 < found.depth < 41
    assert np.isfinite(found.values).all()


@pytest.mark.parametrize("algorithm", ["star2", "star2.5", "expectimax"])
def test_a_room_that_was_used_is_as_a_new_one(algorithm):
    """Limits, stops and other decisions leave nothing behind, in counts neither."""
    searcher = search.TreeSearch(GAME, synthetic.LEAF, algorithm)
    stop = search.Stop()
    stop.set()
    for seed in range(20):
        root = synthetic.root(-3, 3, seed)
        for depth, top, more in ((3, 2, {}), (5, 1, {"max_nodes": 30}), (3, 2, {"stop": stop})):
            found = searcher.decide(root, 0, depth, top=top, leaves=True, **more)
            new = search.TreeSearch(GAME, synthetic.LEAF, algorithm)
            alone = new.decide(root, 0, depth, top=top, leaves=True, **more)
            assert_same(found, alone)
        best = searcher.best([root, synthetic.root(-3, 3, seed + 1)], [0, 1], 3)
        assert (best == new.best([root, synthetic.root(-3, 3, seed + 1)], [0, 1], 3)).all()


# Filters: fewer replies, and for these the value that expectimax finds; narrower bounds.

FILTERS = [Filter(1), Filter(3, 0.3), Filter(3, 0.3, node_bounds=True)]


@pytest.mark.parametrize("filter", FILTERS, ids=str)
@pytest.mark.parametrize("options", THROWN, ids=str)
def test_all_algorithms_look_at_the_same_replies(options, filter):
    other = 0
    more = {"options": options, "filter": filter, "narrows": True}
    for bounds in BOUNDS:
        for seed in trees(6):
            question = (bounds, seed, 4)
            oracle = value_of(*question, "expectimax", **more).value
            other += oracle != value_of(*question, "expectimax", narrows=True).value
            for algorithm in STARS:
                for table in (None, Table.allocate(synthetic.game(*bounds), 0.01)):
                    for _ in range(2):
                        found = value_of(*question, algorithm, table=table, **more).value
                        assert found == pytest.approx(oracle, abs=CLOSE), (seed, algorithm)
    assert other > 0, "nothing was left out"


def slowly(searcher, state, depth):
    """Return the value of a tug of war by the one reply that looks best, but at the leaves."""
    if depth == 0 or abs(state[0]) >= tug.END:
        return searcher.value(state, 0).value
    below, total = searcher.for_opponent(), 0.0
    for outcome, chance in enumerate([1 / 2, 1 / 3, 1 / 6]):
        rows = [tug.root(-(state[0] + outcome + 1)), tug.root(-(state[0] - 1))]
        if depth > 2:
            rows = [min(rows, key=lambda row: below.value(row, 0).value)]
        total += chance * max(-slowly(below, row, depth - 2) for row in rows)
    return total


def test_a_reply_that_ends_the_game_is_known_by_its_payoff():
    """The evaluator says that who has pulled the rope over has lost: nobody asks it of that."""
    wrong = tug.LEAF.weights.copy()
    wrong[: tug.END + 1] = 6.0
    leaf, game = tug.LEAF._replace(weights=wrong), tug.game(1.0, 0.3, 1.0, 0.3)
    for algorithm in ("expectimax", *STARS):
        searcher = search.TreeSearch(game, leaf, algorithm, filter=Filter(1))
        assert searcher.value([4], 4).value == pytest.approx(1.0), "any pull wins"
        for ahead in range(1 - tug.END, tug.END):
            for depth in (4, 6):
                oracle = slowly(searcher, tug.root(ahead), depth)
                assert searcher.value([ahead], depth).value == pytest.approx(oracle, abs=CLOSE)
            found, below = searcher.decide([ahead], 1, 5, top=2), searcher.for_opponent()
            oracles = [-slowly(below, row, 4) for row in found.rows]
            kept = found.kind != STATIC
            assert found.values[kept] == pytest.approx(np.array(oracles)[kept], abs=CLOSE)


def assert_filtered(found, oracle, game, filter):
    """Check a decision of which the filter left something out; return how much."""
    kinds = found.kind[found.order]
    searched = int((kinds != STATIC).sum())
    assert 1 <= searched <= filter.replies
    assert set(kinds[:searched].tolist()) <= {EXACT, BOUND}
    assert (kinds[searched:] == STATIC).all(), "static candidates come last"
    assert (found.exact == (found.kind == EXACT)).all()
    kept, others = np.split(found.order, [searched])
    assert (oracle.kind[kept] != STATIC).all()
    assert found.exact[kept[:1]].all()
    exact = kept[found.exact[kept]]
    assert found.values[exact] == pytest.approx(oracle.values[exact], abs=CLOSE)
    assert (found.values[kept] >= oracle.values[kept] - CLOSE).all()
    for ranked in (kept, others):
        assert (np.diff(found.values[ranked]) <= 0).all()
    statics = [-search.TreeSearch(game, synthetic.LEAF).value(found.rows[j], 0).value for j in others]
    assert found.values[others] == pytest.approx(statics)
    if len(others):
        best = max(-search.TreeSearch(game, synthetic.LEAF).value(row, 0).value for row in found.rows)
        assert len(kept) == filter.replies or max(statics) < best - filter.margin
    return len(others)


HOW = {
    "one thread": {},
    "two threads": {"threads": 2},
    "not divided": {"options": Options(divide=False)},
    "at once": {"options": Options(deepen=False)},
    "at once, two threads": {"options": Options(deepen=False), "threads": 2},
    "limit of nodes": {"max_nodes": 10**9},
    "limit of time": {"max_seconds": 1e6, "threads": 2},
}


@pytest.mark.smoke
@pytest.mark.parametrize("how", HOW.values(), ids=HOW)
@pytest.mark.parametrize("depth", [3, 5])
def test_a_decision_leaves_candidates_out(how, depth):
    filter = Filter(replies=2, margin=2.0)
    left_out = 0
    for seed in range(40):
        question = ((-3, 3), seed, depth)
        more = {"filter": filter, "top": 1 + seed % 3, "sigma": 0.0, "narrows": True}
        oracle = decision_of(*question, "expectimax", **more)
        found = decision_of(*question, "star2", leaves=True, **more, **how)
        assert found.depth == depth
        left_out += assert_filtered(found, oracle, synthetic.game(-3, 3), filter)
        assert len(found.leaves) == min(1 + seed % 3, (found.kind != STATIC).sum())
    assert left_out > 10


@pytest.mark.parametrize("limit", [{}, {"max_nodes": 0}])
def test_a_depth_1_decision_leaves_nothing_out(limit):
    for seed in range(20):
        for algorithm in ("expectimax", "star1", "star2"):
            found = decision_of(
                (-3, 3), seed, 3 if limit else 1, algorithm, filter=Filter(1), narrows=True, **limit
            )
            if found.depth == 3:  # all successors are finished games: no node was expanded
                assert found.stats.nodes == 0
                continue
            assert found.exact.all()
            assert (np.diff(found.values[found.order]) <= 0).all()


@pytest.mark.parametrize("sigma", [0.0, 0.5])
def test_static_values_are_kept_within_the_bounds_of_each_node(sigma):
    # At depth 2 all leaves are seen with the limits of the root, which the game narrows.
    changed = 0
    for seed in range(60):
        game, root = synthetic.game(-20, 30), root_of((-20, 30), seed, narrows=True)
        wide = game._replace(low=-200.0, high=200.0)
        noise = {"sigma": 40 * sigma, "noise_seed": seed}
        for state in (root, *search.TreeSearch(game, synthetic.LEAF).decide(root, 0, 1).rows):
            if game.terminal(state, 0, game.params) != search.NOT_OVER:
                continue
            low, high = limits = np.array([-200.0, 200.0])
            game.bounds(state, 0, game.params, limits)
            low, high = limits
            found = asked(
                "value", wide, synthetic.LEAF, state, 2, filter=Filter(node_bounds=True), **noise
            ).value
            assert low <= found <= high
            loose = asked("value", wide, synthetic.LEAF, state, 2, **noise).value
            changed += loose != found
    assert (changed > 10) == (sigma > 0)


# The transposition table: what it keeps, what it replaces, how much memory it takes.

TABLE_GAME = synthetic.game(-1, 1)


def test_equal_states_have_equal_keys_and_others_do_not():
    table = Table.allocate(TABLE_GAME, 0.01)
    roots = [synthetic.root(-1, 1, seed) for seed in range(300)]
    keys = [zobrist(table, root, 0) for root in roots]
    assert len(set(keys)) == len({root.tobytes() for root in roots})
    assert keys == [zobrist(Table.allocate(TABLE_GAME, 1), root.copy(), 0) for root in roots]


def test_another_stake_is_another_key():
    table = Table.allocate(TABLE_GAME, 0.01)
    root = synthetic.root(-1, 1, 1)
    assert len({zobrist(table, root, stake) for stake in (-2, -1, 0, 1, 2)}) == 5


@pytest.mark.parametrize("megabytes", [0.01, 1, 16])
def test_memory_is_bounded_and_used(megabytes):
    table = Table.allocate(TABLE_GAME, megabytes)
    used = sum(array.nbytes for array in table) - table.numbers.nbytes
    assert megabytes * 1e6 / 2 <= used <= megabytes * 1e6
    assert len(table.keys) == len(table.depth) == 2 * len(table.replies)


def test_a_window_tells_values_from_bounds():
    table = Table.allocate(TABLE_GAME, 0.01)
    key = np.uint64(77)
    assert find(table, key, 4) == -1
    keep(table, key, 4, 0.0, 1.0, 1.5)
    slot = find(table, key, 4)
    assert (table.lower[slot], table.upper[slot]) == (1.5, np.inf)
    keep(table, key, 4, 3.0, 4.0, 2.0)
    assert (table.lower[slot], table.upper[slot]) == (1.5, 2.0)
    keep(table, key, 4, 0.0, 4.0, 1.75)
    assert (table.lower[slot], table.upper[slot]) == (1.75, 1.75)
    assert find(table, key, 2) == -1, "another depth is another question"


def test_the_deeper_entry_stays_and_the_latest_is_always_there():
    table = Table._sized(TABLE_GAME.width, 1)
    deep, shallow, latest = (np.uint64(key) for key in (1, 2, 3))
    keep(table, deep, 4, -1, 1, 0.1)
    keep(table, shallow, 2, -1, 1, 0.2)
    assert find(table, deep, 4) == 0
    assert find(table, shallow, 2) == 1
    keep(table, latest, 2, -1, 1, 0.3)
    assert find(table, deep, 4) == 0
    assert find(table, shallow, 2) == -1
    assert find(table, latest, 2) == 1
    keep(table, shallow, 6, -1, 1, 0.4)
    assert find(table, deep, 4) == -1


def test_replies_are_found_among_the_successors():
    table = Table.allocate(TABLE_GAME, 0.01)
    rows = np.array([synthetic.root(-1, 1, seed) for seed in range(5)])
    key = np.uint64(5)
    assert find_reply(table, key, 2, rows, 5) == -1
    keep_reply(table, key, 2, rows[3])
    assert find_reply(table, key, 2, rows, 5) == 3
    assert find_reply(table, key, 2, rows, 3) == -1
    assert find_reply(table, key, 1, rows, 5) == -1


def test_what_is_known_answers_a_window():
    table = Table.allocate(TABLE_GAME, 0.01)
    key = np.uint64(9)
    assert look_up(table, key, 2, -1.0, 1.0, False) == UNKNOWN
    keep(table, key, 2, 0.0, 1.0, 0.5)
    assert look_up(table, key, 2, -1.0, 1.0, False) == 0.5
    assert look_up(table, key, 2, -1.0, 1.0, True) == UNKNOWN, "its leaves are not here"
    assert look_up(table, key, 2, -1.0, 0.5, True) == 0.5
    assert look_up(table, key, 2, 0.5, 1.0, True) == 0.5
    keep(table, np.uint64(10), 2, 0.0, 1.0, 2.0)
    assert look_up(table, np.uint64(10), 2, 0.0, 2.0, False) == 2.0
    assert look_up(table, np.uint64(10), 2, 0.0, 3.0, False) == UNKNOWN


@pytest.mark.parametrize("clear", [Table.clear, forget])
def test_an_emptied_table_knows_nothing(clear):
    table = Table.allocate(TABLE_GAME, 0.01)
    keep(table, np.uint64(1), 2, -1, 1, 0)
    keep_reply(table, np.uint64(1), 0, synthetic.root(-1, 1, 0))
    clear(table)
    assert find(table, np.uint64(1), 2) == -1
    assert find_reply(table, np.uint64(1), 0, synthetic.root(-1, 1, 0)[None], 1) == -1


def test_great_depths_are_known_again():
    table, key = Table.allocate(TABLE_GAME, 0.01), np.uint64(5)
    for depth in (126, 128, 300, 1000):
        keep(table, key, depth, -1.0, 1.0, 0.5)
        assert find(table, key, depth) >= 0


def test_another_table_is_empty_and_of_the_same_size():
    table = Table.allocate(TABLE_GAME, 0.01)
    keep(table, np.uint64(1), 2, -1, 1, 0)
    other = table.another()
    assert find(other, np.uint64(1), 2) == -1
    assert [array.shape for array in other] == [array.shape for array in table]
    assert np.array_equal(other.numbers, table.numbers)
