"""Doubles in the search, and chance nodes at two stakes, against the definition."""

import numpy as np
import pytest

from gammon import search
from gammon.base.errors import SearchError
from gammon.search import Filter, Options, Table, TreeSearch
from gammon.search.algorithms import search_of
from gammon.search.checks import problem_of
from gammon.search.evaluation import gauss
from gammon.search.game import NOT_OVER, Doubled, before_double, taken_value
from gammon.search.leaves import Leaves
from gammon.search.stats import LEAVES, NODE_LIMIT, NODES, STOPPED
from gammon.search.tasks import candidates_below
from gammon.search.two_stakes import decide_two_stakes, search_two_stakes
from gammon.search.workspace import Workspace
from gammon_lab.games import offers, synthetic
from tests.engine.search.asked import (
    CLOSE,
    STARS,
    asked,
    assert_same,
    assert_same_leaves,
    assert_soft,
    assert_true_to,
    noise,
    root_of,
    trees,
)
from tests.naive.search import before_roll, defined_value, replies

# Doubles in the search: every algorithm against the definition, on random trees.

BOUNDS = [(-20, 30), (-1, 1), (5, 10), (-10, -5)]
FAMILIES = offers.FAMILIES
OPTIONS = [
    Options(),
    Options(fail_hard=True, killers=False),
    Options(clamp=False, probes=3),
    Options(static_order=False),
    Options(static_picks=False),
]


def tree(bounds, family, seed):
    return offers.game(*bounds, *family), root_of(bounds, seed)


def value(game, root, seed, depth, algorithm, **more):
    return asked(
        "value",
        game,
        offers.LEAF,
        root,
        depth,
        algorithm=algorithm,
        probe=offers.PROBE,
        **noise(seed),
        **more,
    )


def test_what_a_double_is_worth():
    double = Doubled(7, 2.0, 4.0, 1.0, False, -3.0, 3.0)
    for rolled, taken, expected in (
        (0.1, 0.2, 0.4),
        (0.5, 0.2, 0.5),
        (0.1, 0.7, 1.0),
        (1.5, 0.7, 1.5),
        (-1.0, -0.2, -0.8),
    ):
        found = max(rolled, min(taken_value(double, taken), double.cash))
        assert found == pytest.approx(expected)
        assert found == before_roll(double, rolled, taken)


@pytest.mark.parametrize(("factor", "beaver"), [(2.0, 4.0), (2.0, 2.0), (1.0, 1.0), (1.5, 3.0)])
def test_before_a_double_is_what_it_makes(factor, beaver):
    double = Doubled(0, factor, beaver, 1.0, False, -3.0, 3.0)
    for taken in np.linspace(-3, 3, 31):
        assert taken_value(double, before_double(double, taken)) == pytest.approx(taken)


@pytest.mark.smoke
@pytest.mark.parametrize("depth", [0, 2, 4])
@pytest.mark.parametrize("bounds", BOUNDS[:2])
def test_the_oracle_is_the_definition(bounds, depth):
    turned = 0
    for seed in range(8):
        for family in FAMILIES[:6]:
            game, root = tree(bounds, family, seed)
            sigma = noise(seed)["sigma"]

            def error(state, seed=seed, sigma=sigma):
                return sigma * gauss(state, np.uint64(seed)) if sigma else 0.0

            rolled = 0.0
            limits = (game.low, game.high) if sigma else (-np.inf, np.inf)
            for on_turn in (False, True):
                found = value(game, root, seed, depth, "expectimax", on_turn=on_turn).value
                defined = defined_value(game, offers.LEAF, root, depth, game.stake, error, limits, on_turn)
                assert found == pytest.approx(defined, abs=CLOSE)
                if on_turn:
                    turned += found != rolled
                rolled = found
    assert turned > 3


@pytest.mark.parametrize("depth", [2, 4, 6])
@pytest.mark.parametrize("bounds", BOUNDS)
def test_all_algorithms_agree(bounds, depth):
    for seed in trees({2: 12, 4: 8, 6: 2}[depth]):
        for family in FAMILIES:
            game, root = tree(bounds, family, seed)
            for on_turn in (False, True):
                oracle = value(game, root, seed, depth, "expectimax", on_turn=on_turn).value
                for algorithm in STARS:
                    found = value(game, root, seed, depth, algorithm, on_turn=on_turn).value
                    assert found == pytest.approx(oracle, abs=CLOSE), (seed, family, algorithm)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("bounds", BOUNDS)
def test_narrow_windows_are_fail_soft(bounds, options):
    random = np.random.default_rng(3)
    table = Table.allocate(tree(bounds, FAMILIES[0], 0)[0], 0.01)
    for seed in trees(6):
        for family in FAMILIES:
            game, root = tree(bounds, family, seed)
            for on_turn in (False, True):
                oracle = value(game, root, seed, 4, "expectimax", on_turn=on_turn).value
                table.clear()
                for algorithm in STARS:
                    middle = oracle + random.normal(0, 0.1) * (bounds[1] - bounds[0])
                    width = random.exponential(0.1) * (bounds[1] - bounds[0])
                    window = (middle - width / 2, middle + width / 2)
                    kept = table if random.integers(2) else None
                    found = value(
                        game,
                        root,
                        seed,
                        4,
                        algorithm,
                        window=window,
                        options=options,
                        table=kept,
                        on_turn=on_turn,
                    ).value
                    assert_soft(found, oracle, window)


def decide(bounds, family, seed, algorithm, **more):
    game, root = tree(bounds, family, seed)
    return asked(
        "decide",
        game,
        offers.LEAF,
        root,
        0,
        more.pop("depth", 5),
        algorithm=algorithm,
        probe=offers.PROBE,
        **noise(seed),
        **more,
    )


@pytest.mark.parametrize("options", [*OPTIONS, Options(divide=False)], ids=str)
@pytest.mark.parametrize("bounds", BOUNDS[:3])
def test_candidates_are_exact_or_bounds(bounds, options):
    for seed in trees(4):
        for family in FAMILIES:
            oracle = decide(bounds, family, seed, "expectimax")
            for algorithm, top in (("star1", 1), ("star2", 1), ("star2", 3), ("star2.5", 2)):
                table = Table.allocate(tree(bounds, family, seed)[0], 0.01)
                found = decide(
                    bounds, family, seed, algorithm, options=options, top=top, table=table, leaves=True
                )
                assert_true_to(found, oracle, top)
                assert len(found.leaves) == min(top, len(oracle.rows))
                for leaves in found.leaves:
                    assert leaves.probabilities.sum() == pytest.approx(1)


@pytest.mark.parametrize("depth", [5, 7])
def test_any_number_of_threads_gives_the_same(depth):
    for seed in range(4 if depth == 5 else 1):
        for family in FAMILIES:
            table = Table.allocate(tree((-20, 30), family, seed)[0], 0.01)
            one, two = (
                decide(
                    (-20, 30),
                    family,
                    seed,
                    "star2",
                    depth=depth,
                    threads=threads,
                    top=2,
                    leaves=True,
                    table=table,
                )
                for threads in (1, 3)
            )
            assert_same(one, two)


def test_a_selective_search_finds_the_value_of_its_tree():
    for filter in (Filter(2), Filter(3, 2.0)):
        for seed in range(10):
            for family in FAMILIES:
                oracle = decide((-20, 30), family, seed, "expectimax", filter=filter)
                found = decide((-20, 30), family, seed, "star2", filter=filter)
                best = found.values[found.order[0]]
                assert best == pytest.approx(oracle.values[oracle.order[0]], abs=CLOSE)


def test_a_dead_stake_is_that_of_a_game_without_doubles():
    for seed in range(20):
        for plain in (True, False):
            dead = offers.game(-20, 30, seed % 6, plain, live=False)
            without = dead._replace(offer=search.Game._field_defaults["offer"])
            root = synthetic.root(-20, 30, seed)
            for algorithm in ("expectimax", *STARS):
                one, other = (
                    search.TreeSearch(each, offers.LEAF, algorithm, offers.PROBE).decide(root, 0, 5)
                    for each in (dead, without)
                )
                assert np.array_equal(one.values, other.values)
                # A game with doubles keeps what it computed of a node, dead or not.
                assert one.stats.evaluations <= other.stats.evaluations
                assert one.stats._replace(evaluations=0) == other.stats._replace(evaluations=0)


@pytest.mark.parametrize("limit", [1, 5, 20, 100, 300])
def test_a_limit_gives_what_the_last_complete_depth_gave(limit):
    for seed in range(4):
        for family in FAMILIES[:6]:
            found = decide((-20, 30), family, seed, "star2", depth=7, max_nodes=limit)
            whole = decide((-20, 30), family, seed, "star2", depth=found.depth, max_nodes=1 << 40)
            assert np.array_equal(found.values, whole.values)


@pytest.mark.parametrize("gain", [0.0, 5.0])
def test_leaves_are_those_of_the_line_that_is_best(gain):
    """Of rolling, if nobody gains by a double; of the take, if the first player does."""
    for seed in range(40):
        game, root = offers.game(-20, 30, 2, False), synthetic.root(-20, 30, seed)
        params = game.params.copy()
        # Only the first player doubles, and only once: the other's double ends all.
        params[1], params[3:5], params[7] = 2, 1.0, 0.0
        params[9:17] = [1.0, 0.0, 30.0, 20.0, 1.0, gain, 30.0, 20.0]
        game = game._replace(params=params, stake=2, low=-20.0, high=30.0)
        double = game.offer(2, params)
        settings = {"leaves": True, "on_turn": True}
        found = asked("value", game, offers.LEAF, root, 4, **settings)
        end = game._replace(stake=double.stake, low=double.low, high=double.high)
        best = end if gain else game
        if gain and found.value == double.cash:
            continue
        assert found.value == search.TreeSearch(best, offers.LEAF).value(root, 4).value
        rows, probabilities, signs = found.leaves
        total = 0.0
        for row, probability, sign in zip(rows, probabilities, signs, strict=True):
            theirs = best if sign > 0 else best.for_opponent()
            value = search.TreeSearch(theirs, offers.LEAF).value(row, 0).value
            total += probability * sign * value
        assert probabilities.sum() == pytest.approx(1)
        assert total == pytest.approx(found.value, abs=1e-6)


def test_the_leaves_of_a_pass_are_those_of_playing_on():
    passes = 0
    for seed in range(60):
        for family in FAMILIES:
            game, root = tree((-20, 30), family, seed)
            double = game.offer(game.stake, game.params)
            found = value(game, root, 1, 4, "star2", on_turn=True, leaves=True)
            if double.cash == NOT_OVER or found.value != double.cash:
                continue
            passes += 1
            rolled = value(game, root, 1, 4, "star2", leaves=True)
            assert found.leaves.rows.tolist() == rolled.leaves.rows.tolist()
            assert found.leaves.probabilities.tolist() == rolled.leaves.probabilities.tolist()
    assert passes > 5


def test_an_algorithm_that_knows_no_doubles_is_refused():
    game, root = tree((-20, 30), FAMILIES[0], 0)
    own = search.ALGORITHMS["expectimax"]._replace(name="own", doubles=False)
    with pytest.raises(SearchError, match="own for a game with doubles: expected a Star"):
        search.TreeSearch(game, offers.LEAF, own).value(root, 2)


def test_the_skips_save_searches():
    """Where doubles are ordered, fewer doubled states are searched, and none is missed."""
    ordered = unordered = 0
    for seed in range(20):
        game, root = tree((-20, 30), (1, True), seed)
        params = game.params.copy()
        params[2] = 0.0
        ordered += search.TreeSearch(game, offers.LEAF).value(root, 4).stats.leaves
        free = game._replace(params=params)
        unordered += search.TreeSearch(free, offers.LEAF).value(root, 4).stats.leaves
    assert ordered < unordered


# A chance node at two stakes: both values against the definition, and the search of each.


class Node:
    """A random tree whose player on roll may double, with what a search of it needs."""

    def __init__(self, family, seed, depth, algorithm="star2", leaves=False, options=None):
        self.game = offers.game(-20, 30, *family)
        self.double = self.game.offer(self.game.stake, self.game.params)
        self.may_double = self.double.cash != NOT_OVER
        self.root, self.depth = synthetic.root(-20, 30, seed), depth
        self.problem = problem_of(
            self.game, offers.LEAF, offers.PROBE, algorithm, 0.0, 0, options or Options(), Filter()
        )
        self.work = Workspace.allocate(self.problem, self.game.width, depth, leaves, None)
        self.below = candidates_below(self.game, self.work)

    def search(self, beta=np.inf):
        return search_two_stakes(
            search_of(self.problem),
            self.work,
            self.below,
            self.double,
            self.root,
            self.depth,
            beta,
            self.game.stake,
            self.game.low,
            self.game.high,
        )

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
    found = [Node(family, seed, depth, **more) for family in FAMILIES for seed in trees(seeds)]
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
            Leaves.of(work.aside_rows[level], work.aside_weight[level], work.aside_count[level]),
        )
        for value, mine, game in zip(values, kept, (node.game, node.after()), strict=True):
            alone = TreeSearch(game, offers.LEAF, probe=offers.PROBE).value(node.root, 4, leaves=True)
            assert value == alone.value
            assert_same_leaves(mine, alone.leaves)


def test_a_decision_at_both_stakes():
    for node in nodes(2, 4):
        rows = replies(node.game, node.root, 0)
        stakes = node.game.stake, node.double.stake
        expected = [
            max(-defined_value(node.game, offers.LEAF, row, 0, -stake, on_turn=True) for row in rows)
            for stake in stakes
        ]
        for enough in (np.inf, expected[0] + 1e-6, expected[0] - 1e-6):
            found = decide_two_stakes(
                search_of(node.problem), node.work, node.below, node.double, node.root, 0, 2,
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
