"""A chance node at two stakes: both values against the definition, and the search of each."""

import numpy as np
import pytest

from gammon.search import Filter, Options, Setup
from gammon.search.algorithms import search_of
from gammon.search.both import decide_both, search_both
from gammon.search.checks import problem_of
from gammon.search.game import NOT_OVER
from gammon.search.leaves import Leaves
from gammon.search.stats import LEAVES, NODE_LIMIT, NODES, STOPPED
from gammon.search.tasks import room_below
from gammon.search.workspace import Workspace
from gammon_lab.games import offers, synthetic
from tests.engine.search.asked import CLOSE, STARS, assert_same_leaves
from tests.twins import defined_value, replies

FAMILIES = offers.FAMILIES


class Node:
    """A random tree whose player on roll may double, with what a search of it needs."""

    def __init__(self, family, seed, depth, algorithm="star2", leaves=False, options=None):
        self.game = offers.game(-20, 30, *family)
        self.double = self.game.offer(self.game.stake, self.game.params)
        self.may_double = self.double.cash != NOT_OVER
        self.root, self.depth = synthetic.root(-20, 30, seed), depth
        self.problem = problem_of(
            self.game, offers.LEAF, offers.PROBE, algorithm, 0.0, 0, options or Options(),
            Filter(),
        )  # fmt: skip
        self.work = Workspace.allocate(self.problem, self.game.width, depth, leaves, None)
        self.room = room_below(self.game, self.work)

    def search(self, beta=np.inf):
        return search_both(
            search_of(self.problem), self.work, self.room, self.double, self.root, self.depth,
            beta, self.game.stake, self.game.low, self.game.high,
        )  # fmt: skip

    def defined(self):
        """The two values by their definition."""
        return [
            defined_value(self.game, offers.LEAF, self.root, self.depth, stake)
            for stake in (self.game.stake, self.double.stake)
        ]

    def after(self):
        """The game after the double."""
        double = self.double
        return self.game._replace(stake=double.stake, low=double.low, high=double.high)


def nodes(depth, seeds, **more):
    """Those nodes at which a double is allowed."""
    found = [Node(family, seed, depth, **more) for family in FAMILIES for seed in range(seeds)]
    return [node for node in found if node.may_double]


@pytest.mark.parametrize(
    "options", [Options(), Options(likely_first=False, clamp=False), Options(fail_hard=True)]
)
@pytest.mark.parametrize("algorithm", STARS)
def test_an_upper_end_is_reached_or_both_values_are_exact(algorithm, options):
    random = np.random.default_rng(5)
    reached = exact = probed = 0
    for depth in (2, 4):
        for node in nodes(depth, 4, algorithm=algorithm, options=options):
            rolled, taken = node.defined()
            for beta in (rolled - 1e-6, rolled + 1e-6, rolled + random.normal(0, 3.0), np.inf):
                leaves = node.work.stats[LEAVES]
                found = node.search(float(beta))
                if found[0] >= beta:
                    reached += 1
                    probed += node.work.stats[LEAVES] - leaves < 10
                    assert rolled >= found[0] - CLOSE
                else:
                    exact += 1
                    assert found == pytest.approx((rolled, taken), abs=CLOSE)
    assert reached > 20
    assert exact > 20
    assert probed > 5


def test_the_leaves_of_both_stakes_are_kept():
    for node in nodes(4, 4, leaves=True):
        values = node.search()
        work, level = node.work, node.depth // 2
        kept = (
            Leaves.of(work.leaf_rows[level], work.leaf_weight[level], work.leaf_count[level]),
            Leaves.of(
                work.aside_rows[level], work.aside_weight[level], work.aside_count[level]
            ),
        )
        for value, mine, game in zip(values, kept, (node.game, node.after()), strict=True):
            alone = Setup(game, offers.LEAF, probe=offers.PROBE).value(
                node.root, 4, leaves=True
            )
            assert value == alone.value
            assert_same_leaves(mine, alone.leaves)


def test_a_decision_at_both_stakes():
    for node in nodes(2, 4):
        rows = replies(node.game, node.root, 0)
        stakes = node.game.stake, node.double.stake
        expected = [
            max(
                -defined_value(node.game, offers.LEAF, row, 0, -stake, on_turn=True)
                for row in rows
            )
            for stake in stakes
        ]
        for enough in (np.inf, expected[0] + 1e-6, expected[0] - 1e-6):
            found = decide_both(
                search_of(node.problem), node.work, node.room, node.double, node.root, 0, 2,
                enough, node.game.stake, node.game.low, node.game.high,
            )  # fmt: skip
            if enough < expected[0]:
                assert expected[0] + CLOSE >= found[0] >= enough
            else:
                assert found == pytest.approx(expected, abs=CLOSE)


def test_it_stops_where_the_nodes_are_used_up():
    for node in nodes(4, 2):
        for beta in (np.inf, node.game.high - 1e-6):
            node.work.stats[:] = 0
            node.work.stats[NODE_LIMIT] = 1 << 40
            node.search(beta)
            enough = node.work.stats[NODES]
            for limit in {0, 1, enough // 2, enough - 1, enough}:
                node.work.stats[:] = 0
                node.work.stats[NODE_LIMIT] = limit
                node.search(beta)
                assert node.work.stats[STOPPED] == (limit < enough)
