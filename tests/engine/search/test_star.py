"""Star1, Star2, Star2.5 and expectimax: hand-made trees, random ones, and their counts."""

from collections import Counter
from functools import cache

import numpy as np
import pytest

from gammon import search
from gammon.search import Cubes, Stats
from gammon.search.evaluation import gauss
from gammon.search.star import edge
from gammon.search.stats import N_COUNTS, NODE_LIMIT, NODES, STOPPED, begin_node, new_counts
from gammon_lab.algorithms import ALGORITHMS
from gammon_lab.games import synthetic, uniform, written
from gammon_lab.games.synthetic import LEAF
from tests.engine.search.asked import CLOSE, STARS, assert_soft, trees, value_of
from tests.naive.search import defined_value, payoff, replies
from tests.processes import printed

# Star1, Star2, Star2.5: hand-made trees, and thousands of random ones.

WIDE = (-10, 10)
BOUNDS = [(-1, 1), (-3, 3), (5, 10), (-10, -5), (-1, 4)]
#: Trees of each pair of bounds, by depth.
TREES = {2: 300, 4: 300, 6: 150}


@pytest.mark.smoke
def test_ballard_figure_2():
    # N = 4, values in [0, 10], 5 and 3 seen: the node is worth 2 at least, 7 at most.
    game, tree = written.game(0, 10), written.tree([[5], [3], [8], [9]])
    star1 = search.TreeSearch(game, written.EQUAL, "star1")
    low, high = star1.value(tree, 2, window=(7, 10)), star1.value(tree, 2, window=(0, 2))
    assert (low.value, low.stats.leaves, low.stats.search_cuts) == (7, 2, 1)
    assert (high.value, high.stats.leaves, high.stats.search_cuts) == (2, 2, 1)
    open_window = star1.value(tree, 2)
    assert open_window.value == pytest.approx(25 / 4)


def test_probes_alone_can_carry_a_node_to_beta():
    # The first replies, 4 and 6, are worth (4 + 6) / 2 = 5 together.
    game, tree = written.game(-10, 10), written.tree([[4, 9], [6, 1]])
    cut = search.TreeSearch(game, written.EQUAL, "star2").value(tree, 2, window=(-10, 5))
    assert cut.value == 5
    assert cut.stats == search.Stats(
        nodes=1, leaves=2, evaluations=2, probes=1, probe_cuts=1, search_cuts=0, table_hits=0
    )


#: In plain Python, for a version of `star` that Python may call takes a minute to compile.
ALONE = """
import numpy as np
from gammon import search
from gammon_lab.games import written
from gammon.search.star import star
from gammon.search.stats import LEAVES
from gammon.search.workspace import Workspace

game, tree = written.game({low}, {high}), written.tree([[4, 9], [6, 1]])
problem = search.problem_of(game, written.EQUAL)
for beta in {betas}:
    work = Workspace.allocate(problem, game.width, 2, False, None)
    limits = np.inf, beta, {low}, {high}
    alone = star(problem, work, tree, np.inf, 0, False, 2, *limits)
    print(alone, work.stats[LEAVES], *work.bound[1, :2])
"""


def test_probes_may_be_asked_alone():
    # No search follows: what they have proved is 5, whatever the upper end above it.
    game, tree = written.game(*WIDE), written.tree([[4, 9], [6, 1]])
    betas = (5.0, 5.5, 7.5, 4.0)
    code = ALONE.format(low=WIDE[0], high=WIDE[1], betas=betas)
    lines = printed(code, GAMMON_KERNELS="python").splitlines()
    assert lines == ["5.0 2 4.0 6.0"] * len(betas)
    for beta in betas:
        found = search.TreeSearch(game, written.EQUAL, "star2").value(tree, 2, window=(-10, beta))
        assert (found.stats.probe_cuts == 1) == (beta <= 5.0)


def test_probe_bounds_cut_in_the_search_phase():
    # 5 < 5.5, so the search begins: 4, then 9, and (9 + 6) / 2 = 7.5 with the second
    # outcome's probe. Star1 has to look at the second outcome itself.
    game, tree = written.game(-10, 10), written.tree([[4, 9], [6, 1]])
    star2 = search.TreeSearch(game, written.EQUAL, "star2").value(tree, 2, window=(-10, 5.5))
    star1 = search.TreeSearch(game, written.EQUAL, "star1").value(tree, 2, window=(-10, 5.5))
    assert (star2.value, star2.stats.leaves, star2.stats.search_cuts) == (7.5, 4, 1)
    assert (star1.value, star1.stats.leaves, star1.stats.search_cuts) == (7.5, 3, 1)


def test_unequal_probabilities():
    # 1/2 * 8 + 1/4 * 0 + 1/4 * 4 = 5; the mean would be 4.
    tree = written.tree([[8, 2], [0, -3], [4, 4]], parts=[2, 1, 1])
    for algorithm in search.ALGORITHMS:
        found = search.TreeSearch(written.game(-10, 10), written.EQUAL, algorithm).value(tree, 2)
        assert found.value == 5


@pytest.mark.parametrize("depth", TREES)
@pytest.mark.parametrize("bounds", BOUNDS)
def test_all_algorithms_agree(bounds, depth):
    for seed in trees(TREES[depth]):
        oracle = value_of(bounds, seed, depth, "expectimax")
        for algorithm in STARS:
            found = value_of(bounds, seed, depth, algorithm)
            assert found.value == pytest.approx(oracle.value, abs=CLOSE), (seed, algorithm)
            if algorithm == "star1":  # the others probe
                assert found.stats.leaves <= oracle.stats.leaves


@pytest.mark.parametrize("depth", TREES)
@pytest.mark.parametrize("bounds", BOUNDS)
def test_narrow_windows_are_fail_soft(bounds, depth):
    random = np.random.default_rng(depth)
    for seed in trees(TREES[depth] // 3):
        value = value_of(bounds, seed, depth, "expectimax").value
        for algorithm in STARS:
            middle = value + random.normal(0, 0.1) * (bounds[1] - bounds[0])
            width = random.exponential(0.1) * (bounds[1] - bounds[0])
            window = (middle - width / 2, middle + width / 2)
            found = value_of(bounds, seed, depth, algorithm, window=window).value
            assert_soft(found, value, window)


@pytest.mark.smoke
@pytest.mark.parametrize("algorithm", STARS)
def test_a_window_that_ends_at_the_value_gives_the_value(algorithm):
    for seed in trees(120):
        value = value_of((-3, 3), seed, 4, "expectimax").value
        for window in ((value, np.inf), (-np.inf, value)):
            found = value_of((-3, 3), seed, 4, algorithm, window=window).value
            assert found == pytest.approx(value, abs=CLOSE), (seed, window)


def test_each_algorithm_looks_at_fewer_leaves_than_the_one_before():
    # Killers are for games: in random trees, siblings have nothing in common.
    options = search.Options(killers=False)
    leaves: Counter[str] = Counter()
    cuts: Counter[str] = Counter()
    for seed in range(100):
        for algorithm in search.ALGORITHMS:
            table = search.Table.allocate(synthetic.game(-3, 3), 0.1)
            stats = value_of((-3, 3), seed, 6, algorithm, options=options, table=table).stats
            leaves[algorithm] += stats.leaves
            cuts[algorithm] += stats.probe_cuts
            if algorithm == "expectimax":
                most = stats.leaves
            if algorithm == "star1":
                assert stats.leaves <= most
    assert leaves["star2"] < leaves["star1"] < leaves["expectimax"]
    assert cuts["star2"] > 0
    assert cuts["expectimax"] == cuts["star1"] == 0


@pytest.mark.parametrize("algorithm", STARS)
def test_a_forced_line_is_walked_once(algorithm):
    stats = search.TreeSearch(uniform.game(1), uniform.LEAF, algorithm).value([5], 40).stats
    assert stats.nodes == 20
    assert stats.probes == 0


def test_edge_is_the_window_of_the_slides():
    # Hauk, Buro and Schaeffer: L = -10, U = 10, N = 3, one value 2 seen, window (3, 4).
    third = 1 / 3
    assert edge(3.0, 2 * third, 10 * third, third) == pytest.approx(-3)
    assert edge(4.0, 2 * third, -10 * third, third) == pytest.approx(20)


def test_edge_with_unequal_probabilities():
    # 1/2 * 4 is seen, 1/4 is to come in [0, 10]: what must 1/4 * x add to reach 5?
    assert edge(5.0, 2.0, 2.5, 0.25) == 2
    assert edge(5.0, 2.0, 0.0, 0.25) == 12
    assert edge(-np.inf, 2.0, 2.5, 0.25) == -np.inf


# The built-in algorithms: expectimax by its definition, and that each name reaches its own.

SIGMA, NOISE_SEED = 0.2, 7


def error(state):
    return SIGMA * gauss(state, np.uint64(NOISE_SEED))


@pytest.mark.smoke
@pytest.mark.parametrize("depth", [0, 2, 4])
@pytest.mark.parametrize("bounds", [(-1, 1), (5, 10)])
def test_the_oracle_is_the_definition(bounds, depth):
    game = synthetic.game(*bounds)
    for seed in range(30):
        state = synthetic.root(*bounds, seed)
        found = search.TreeSearch(game, LEAF, "expectimax", sigma=SIGMA, noise_seed=NOISE_SEED).value(
            state, depth
        )
        defined = defined_value(game, LEAF, state, depth, error=error, bounds=bounds)
        assert found.value == pytest.approx(defined)
        assert bounds[0] <= found.value <= bounds[1]


def test_a_finished_game_has_its_payoff_at_any_depth():
    game = synthetic.game(-3, 3)
    finished = 0
    for seed in range(200):
        row = replies(game, synthetic.root(-3, 3, seed), 0)[0]
        paid = payoff(game, row)
        if paid == search.NOT_OVER:
            continue
        finished += 1
        for algorithm in search.ALGORITHMS:
            for depth in (0, 2, 4):
                found = search.TreeSearch(game, LEAF, algorithm, sigma=SIGMA).value(
                    row, depth, window=(-1, 1)
                )
                assert found.value == paid
                assert (found.stats.nodes, found.stats.leaves) == (0, 1)
    assert finished > 10


NAMES = list(ALGORITHMS)
ALGORITHMS_TREES = 40


@cache
def searched(name):
    """Return the values of some trees, float64 [n], and the work for all of them."""
    searcher = search.TreeSearch(synthetic.game(-3, 3), synthetic.LEAF, ALGORITHMS[name])
    found = [searcher.value(synthetic.root(-3, 3, seed), 6) for seed in range(ALGORITHMS_TREES)]
    work = np.sum([each.stats for each in found], axis=0)
    return np.array([each.value for each in found]), Stats(*work.tolist())


def test_no_two_names_do_the_same():
    found = {(values.tobytes(), work) for values, work in map(searched, NAMES)}
    assert len(found) == len(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_star2_and_star2_5_alone_probe(name):
    work = searched(name)[1]
    assert (work.probes > 0) == (work.probe_cuts > 0) == (name in ("star2", "star2.5"))


# The counts of a search, when they stop it, and what follows from its answers.


def test_a_limit_stops_before_the_next_node():
    counts = new_counts()
    assert begin_node(counts)
    counts[NODE_LIMIT] = 2
    assert begin_node(counts)
    assert not begin_node(counts)
    assert (counts[NODES], counts[STOPPED]) == (2, 1)
    assert not begin_node(counts), "and it stays stopped"


def test_whoever_raises_the_flag_stops_it():
    counts = new_counts()
    counts[STOPPED] = 1
    assert not begin_node(counts)
    assert counts[NODES] == 0


def test_counts_have_names():
    counts = new_counts()
    counts[:N_COUNTS] = range(N_COUNTS)
    assert Stats.of(counts) == Stats(0, 1, 2, 3, 4, 5, 6)
    assert all(type(count) is int for count in Stats.of(counts))


def test_the_work_of_several_searches() -> None:
    one, two = Stats(1, 2, 3, 4, 5, 6, 7), Stats(10, 20, 30, 40, 50, 60, 70)
    assert Stats.total([one, two]) == Stats(11, 22, 33, 44, 55, 66, 77)
    assert Stats.total([one]) == one


def test_the_right_decisions():
    cases = [  # no double, double/take, whether to double, whether to take
        (0.5, 0.6, True, True),
        (0.5, 0.4, False, True),
        (0.9, 1.2, True, False),
        (1.1, 1.4, False, False),
        (1.1, 0.9, False, True),
        (0.5, 1.0, True, False),
        (1.0, 2.0, True, False),
        (1.0 + 1e-9, 2.0, True, False),
        (-1.0, -2.0, False, True),
        (0.5, 0.5, False, True),
    ]
    no_double, taken, doubles, takes = map(np.array, zip(*cases, strict=True))
    found = Cubes(no_double, taken, 1.0)
    assert found.doubles.tolist() == doubles.tolist()
    assert found.takes.tolist() == takes.tolist()
