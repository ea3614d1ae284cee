"""The order of outcomes, replies and candidates, and which of several equal ones is chosen."""

import numpy as np
import pytest

from gammon import search
from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float32Matrix, Float32Vector
from gammon.search import EXACT, STATIC, Game, Table, TreeSearch, workspace
from gammon.search.candidates import Candidates, drop_worst
from gammon.search.checks import problem_of
from gammon.search.evaluation import leaf_values
from gammon.search.game import NOT_OVER, Params, Rows
from gammon.search.picker import (
    GAME,
    KEPT,
    KILLER,
    LEAF,
    PROBE,
    TABLE,
    begin_outcomes,
    bring_best,
    bring_favourite,
    distance,
    first_stage,
    keep_best,
    lowest_replies,
    main_stage,
    place_candidate,
    set_sequence,
    sort_by_static,
)
from gammon.search.problem import Filter, Options, Problem
from gammon.search.stats import EVALUATIONS
from gammon.search.workspace import BATCH, KEEPING, TWICE, Replies, Workspace, begin_replies
from gammon_lab.games import offers, synthetic
from tests.engine.search import tug
from tests.engine.search.asked import STARS, root_of, trees
from tests.engine.search.test_double import FAMILIES
from tests.naive.leaves import PrincipalLeaves, mark
from tests.naive.search import payoff, replies

# The order in which a search looks at outcomes and successors.


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


@pytest.mark.parametrize(("depth", "probing", "options", "tabled", "replies", "stages"), STAGES, ids=str)
def test_the_stages_of_successors(depth, probing, options, tabled, replies, stages):
    """What the table at the head of the module says; Python asks for whole calls only."""
    game = tug.game(2.0, 0.0, 2.0, 0.0)
    problem = TreeSearch(game, tug.LEAF, options=options, filter=Filter(replies)).problem
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
        problem = TreeSearch(tug.game(2.0, 0.0, 2.0, 0.0), tug.LEAF, filter=filter).problem
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
        problem = TreeSearch(tug.game(2.0, 0.0, 2.0, 0.0), leaf, options=options).problem
        sort_by_static(problem, rows, outputs, static, 4, 0, order, ties)
        return order[:4].tolist()

    assert sorted_by(Options()) == [3, 1, 0, 2]
    assert sorted_by(Options(static_order=False)) == [0, 1, 2, 3]
    last_first = tug.LEAF._replace(tie=last_first_tie, has_tie=True)
    assert sorted_by(Options(), last_first) == [3, 1, 2, 0]


@kernel()
def last_first_tie(
    rows: Rows, outputs: Float32Matrix, n: int, stake: int, params: Params, values: Float32Vector
) -> None:
    """Favour the successors that the game writes last."""
    for j in range(n):
        values[j] = np.float32(-j)


# What a lowest chance node keeps, and what a double saves by it.

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
            boards = search.TreeSearch(game, offers.LEAF, "expectimax").value(root, 2).stats.leaves
            stats = search.TreeSearch(game, offers.LEAF, "star1").value(root, 2, on_turn=True).stats
            assert stats.evaluations <= boards
            more += stats.leaves > boards
    assert more > 20


# The candidates of a decision: which are kept, in which order, with whose leaves.

CANDIDATES_GAME = synthetic.game(-3, 3)


def valued(values):
    """Candidates with these values, sorted."""
    made = Candidates.allocate(CANDIDATES_GAME._replace(max_successors=9), slots=2, capacity=3)
    n = len(values)
    made.values[:n] = values
    made.kind[:n] = EXACT
    made.order[:n] = np.argsort(values)[::-1]
    made.progress[1] = made.n_candidates[0] = n
    return made


def test_the_worst_are_dropped():
    for filter, kept in (
        (Filter(9), 5),
        (Filter(3), 3),
        (Filter(4, 0.5), 3),
        (Filter(2, 0.5), 2),
        (Filter(4, 0.0), 1),
        (Filter(1, np.inf), 1),
        (Filter(5, 0.25), 2),
    ):
        made = valued([0.5, -1.0, 1.0, -2.0, 0.75])
        drop_worst(made, filter._replace(margin=float(filter.margin)))
        assert made.progress[1] == kept, filter
        assert made.n_candidates[0] == 5
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
    assert [len(each) for each in (more.leaf_rows, more.leaf_weight, more.leaf_count)] == [5] * 3
    for name in ("leaf_rows", "leaf_weight", "leaf_count"):
        assert np.array_equal(getattr(more, name)[:2], getattr(made, name)), name
    assert more.progress is made.progress
    assert len(made.with_slots(2).leaf_rows) == 2


# Which of several equal successors is chosen: the leaves of a search against a plain twin.


@kernel()
def tie(
    rows: Rows, outputs: Float32Matrix, n: int, stake: int, params: Params, values: Float32Vector
) -> None:
    """Write a number that has nothing to do with the value."""
    for j in range(n):
        total = 0
        for byte in range(rows.shape[1]):
            total = (31 * total + int(rows[j, byte])) % 101
        values[j] = np.float32(total)


@kernel()
def coarse_fold(outputs: Float32Matrix, n: int, stake: int, params: Params, values: Float32Vector) -> None:
    """Write the values of `offers.fold`, rounded towards 0."""
    offers.fold(outputs, n, stake, params, values)
    for j in range(n):
        values[j] = np.float32(np.trunc(np.float64(values[j])))


TIES_LEAF = offers.LEAF._replace(tie=tie, has_tie=True)
#: Many of its values are equal. Sums of them would be so but for rounding.
COARSE = TIES_LEAF._replace(fold=coarse_fold)


BOUNDS = [(-3, 3), (-2, 1)]


def tree(bounds: tuple[int, int], family: tuple[int, bool]) -> Game:
    """A family of trees with doubles, in which passes pay so little that there are many."""
    game = offers.game(*bounds, *family)
    params = game.params.copy()
    rows = params[offers._TABLE :].reshape(-1, 4)
    rows[:, 2:] -= 0.2 * (bounds[1] - bounds[0]) * rows[:, :1]
    return game._replace(params=params)


def mean(leaves: search.Leaves) -> float:
    return float(leaves.probabilities * leaves.signs @ [mark(row) for row in leaves.rows])


@pytest.mark.parametrize(("leaf", "depth", "seeds"), [(COARSE, 2, 24), (TIES_LEAF, 4, 8)])
@pytest.mark.parametrize("bounds", BOUNDS)
def test_the_leaves_of_a_node_are_those_of_the_favoured_successors(bounds, leaf, depth, seeds):
    ties = passes = 0
    for family in FAMILIES:
        game = tree(bounds, family)
        # The first search of each checks the functions of the game, which takes its time.
        searchers = [TreeSearch(game, leaf, algorithm, offers.PROBE) for algorithm in STARS]
        for seed in trees(seeds):
            root = root_of(bounds, seed)
            twin = PrincipalLeaves(game, leaf)
            value, marked = twin.turn(root, depth, game.stake, 0.0)
            ties, passes = ties + twin.ties, passes + twin.passes
            for searcher in searchers:
                found = searcher.value(root, depth, on_turn=True, leaves=True)
                assert found.value == pytest.approx(value, abs=1e-9)
                assert mean(found.leaves) == pytest.approx(marked, abs=1e-9), (seed, family)
            table = Table.allocate(game, 0.1)
            for _ in range(2):
                again = searcher.value(root, depth, on_turn=True, leaves=True, table=table)
                assert mean(again.leaves) == pytest.approx(marked, abs=1e-9), (seed, family)
    assert ties > {2: 150, 4: 2}[depth]
    assert passes > {2: -1, 4: 10}[depth]


@pytest.mark.parametrize("options", [Options(), Options(divide=False, deepen=False)], ids=str)
@pytest.mark.parametrize("bounds", BOUNDS)
def test_the_leaves_of_a_decision_too(bounds, options):
    for family in FAMILIES:
        game = tree(bounds, family)
        searcher = TreeSearch(game, TIES_LEAF, "star2", offers.PROBE, options=options)
        for seed in trees(3):
            root = root_of(bounds, seed)
            twin = PrincipalLeaves(game, TIES_LEAF)
            for depth in (5, 3):
                found = searcher.decide(root, 0, depth, top=99, leaves=True)
                statics = twin.statics(root, found.rows, -game.stake)
                for j, leaves in zip(found.order, found.leaves, strict=True):
                    row, static = found.rows[j], float(statics[j])
                    value, marked = twin.turn(row, depth - 1, -game.stake, static)
                    assert found.values[j] == pytest.approx(-value, abs=1e-9)
                    assert mean(leaves) == pytest.approx(-marked, abs=1e-9), (seed, family)


@pytest.mark.parametrize("bounds", BOUNDS)
def test_a_filter_keeps_the_favoured_ones_whether_leaves_are_kept_or_not(bounds):
    other = 0
    for family in (each for each in FAMILIES if not each[1]):  # doubles without an order
        game = tree(bounds, family)
        searchers = [
            TreeSearch(game, leaf, algorithm, offers.PROBE, filter=Filter(1))
            for leaf in (COARSE, COARSE._replace(has_tie=False))
            for algorithm in ("expectimax", *STARS)
        ]
        for seed in range(5):
            root = root_of(bounds, seed)
            values = [
                searcher.value(root, 4, on_turn=True, leaves=leaves).value
                for searcher in searchers
                for leaves in (False, True)
            ]
            asked, first = np.split(np.array(values), 2)
            assert np.ptp(asked) < 1e-9
            assert np.ptp(first) < 1e-9
            other += abs(asked[0] - first[0]) > 1e-9
    assert other > 1, "ties made no difference"


def test_a_tie_is_broken_at_the_root():
    game = synthetic.game(-3, 3)
    for seed in range(60):
        root = root_of((-3, 3), seed)
        rows = replies(game, root, 0)
        same = np.zeros(len(rows), np.float32)
        ties = np.empty_like(same)
        tie(rows, same[:, None], len(rows), 0, game.params, ties)
        if any(payoff(game, row) != NOT_OVER for row in rows):
            continue
        leaf = synthetic.LEAF._replace(fold=nothing, tie=tie, has_tie=True)
        for algorithm in ("star2", "expectimax"):
            found = TreeSearch(game, leaf, algorithm).decide(root, 0, 1)
            assert found.order.tolist() == np.argsort(ties, kind="stable").tolist()


@kernel()
def nothing(outputs: Float32Matrix, n: int, stake: int, params: Params, values: Float32Vector) -> None:
    """Give all states one value."""
    for j in range(n):
        values[j] = 0.0
