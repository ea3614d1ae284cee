"""Filters: fewer replies, and for these the value that expectimax finds; narrower bounds."""

import numpy as np
import pytest

from gammon import search
from gammon.search import BOUND, EXACT, STATIC, Filter, Options, Table
from gammon_lab.games import synthetic
from tests.engine.search import tug
from tests.engine.search.asked import CLOSE, STARS, asked, decision_of, root_of, value_of
from tests.engine.search.test_options import BOUNDS, THROWN

FILTERS = [Filter(1), Filter(3, 0.3), Filter(3, 0.3, node_bounds=True)]


@pytest.mark.parametrize("filter", FILTERS, ids=str)
@pytest.mark.parametrize("options", THROWN, ids=str)
def test_all_algorithms_look_at_the_same_replies(options, filter):
    other = 0
    more = {"options": options, "filter": filter, "narrows": True}
    for bounds in BOUNDS:
        for seed in range(6):
            question = (bounds, seed, 4)
            oracle = value_of(*question, "expectimax", **more).value
            other += oracle != value_of(*question, "expectimax", narrows=True).value
            for algorithm in STARS:
                for table in (None, Table.allocate(synthetic.game(*bounds), 0.01)):
                    for _ in range(2):
                        found = value_of(*question, algorithm, table=table, **more).value
                        assert found == pytest.approx(oracle, abs=CLOSE), (seed, algorithm)
    assert other > 5, "nothing was left out"


def slowly(setup, state, depth):
    """Return the value of a tug of war by the one reply that looks best, but at the leaves."""
    if depth == 0 or abs(state[0]) >= tug.END:
        return setup.value(state, 0).value
    below, total = setup.turned(), 0.0
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
        setup = search.Setup(game, leaf, algorithm, filter=Filter(1))
        assert setup.value([4], 4).value == pytest.approx(1.0), "any pull wins"
        for ahead in range(1 - tug.END, tug.END):
            for depth in (4, 6):
                oracle = slowly(setup, tug.root(ahead), depth)
                assert setup.value([ahead], depth).value == pytest.approx(oracle, abs=CLOSE)
            found, below = setup.decide([ahead], 1, 5, top=2), setup.turned()
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
    statics = [
        -search.Setup(game, synthetic.LEAF).value(found.rows[j], 0).value for j in others
    ]
    assert found.values[others] == pytest.approx(statics)
    if len(others):
        best = max(
            -search.Setup(game, synthetic.LEAF).value(row, 0).value for row in found.rows
        )
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
                (-3, 3), seed, 3 if limit else 1, algorithm, filter=Filter(1), narrows=True,
                **limit,
            )  # fmt: skip
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
        for state in (root, *search.Setup(game, synthetic.LEAF).decide(root, 0, 1).rows):
            if game.terminal(state, 0, game.params) != search.NOT_OVER:
                continue
            low, high = limits = np.array([-200.0, 200.0])
            game.bounds(state, 0, game.params, limits)
            low, high = limits
            found = asked(
                "value", wide, synthetic.LEAF, state, 2, filter=Filter(node_bounds=True),
                **noise,
            ).value  # fmt: skip
            assert low <= found <= high
            loose = asked("value", wide, synthetic.LEAF, state, 2, **noise).value
            changed += loose != found
    assert (changed > 10) == (sigma > 0)
