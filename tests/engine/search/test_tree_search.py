"""Searches that are set up once: every option, their buffers, three ways to run one source."""

import json
import sys
from functools import partial
from itertools import product

import numpy as np
import pytest

from gammon import search
from gammon.compiled.kernel import Kernel, load
from gammon.eval.evaluators import load_evaluator
from gammon.games.backgammon import BACKGAMMON
from gammon.search import NOT_OVER, Filter, Options, Table, TreeSearch, problem_of
from gammon.search.workspace import KNOWN, MAX_LEAVES, TWICE, Workspace, begin_anew
from gammon_lab.games import offers, synthetic
from tests.engine.search.asked import (
    CLOSE,
    STARS,
    asked,
    assert_soft,
    assert_true_to,
    decision_of,
    root_of,
    trees,
    value_of,
)
from tests.naive.search import defined_value
from tests.processes import printed

# Every option, alone and in company, with and without a table: never another value.

BOUNDS = [(-3, 3), (5, 10), (-10, -5), (-20, 30)]
DEFAULT = Options()
NARROWED = Filter(node_bounds=True)
#: The default with each switch thrown, and everything thrown at once.
SWITCHES = [name for name in Options._fields if isinstance(getattr(DEFAULT, name), bool)]
THROWN = [DEFAULT._replace(**{name: not getattr(DEFAULT, name)}) for name in SWITCHES]
THROWN.append(DEFAULT._replace(**{name: not getattr(DEFAULT, name) for name in SWITCHES}))
THROWN += [DEFAULT._replace(probes=k) for k in (1, 3, 9)]
narrowing_value = partial(value_of, narrows=True)


@pytest.mark.parametrize("options", THROWN, ids=str)
@pytest.mark.parametrize("bounds", BOUNDS)
def test_no_option_changes_the_value(bounds, options):
    for seed, algorithm in product(trees(12), STARS):
        more = {"options": options, "filter": NARROWED if seed % 4 < 2 else Filter()}
        oracle = narrowing_value(bounds, seed, 4, "expectimax", **more).value
        for table in (None, Table.allocate(synthetic.game(*bounds), 0.01)):
            for _ in range(2):  # the second time, the table knows everything
                found = narrowing_value(bounds, seed, 4, algorithm, table=table, **more)
                assert found.value == pytest.approx(oracle, abs=CLOSE), (seed, algorithm)


@pytest.mark.parametrize("fail_hard", [False, True])
@pytest.mark.parametrize("bounds", BOUNDS)
def test_one_table_for_many_windows_and_depths(bounds, fail_hard):
    random = np.random.default_rng(1)
    options = Options(fail_hard=fail_hard)
    hits = 0
    for seed in trees(30):
        table = Table.allocate(synthetic.game(*bounds), 0.01)
        for _ in range(12):
            depth = int(random.choice([2, 4, 6]))
            value = narrowing_value(bounds, seed, depth, "expectimax", filter=NARROWED).value
            middle = value + random.normal(0, 0.05) * (bounds[1] - bounds[0])
            window = (middle - 0.3, middle + random.choice([0.3, np.inf]))
            result = narrowing_value(
                bounds, seed, depth, "star2", options=options, filter=NARROWED, table=table, window=window
            )
            hits += result.stats.table_hits
            found = result.value
            if fail_hard:
                assert window[0] <= found <= window[1]
            assert_soft(found, value, window)
    assert hits > 50


@pytest.mark.smoke
@pytest.mark.parametrize("options", THROWN, ids=str)
def test_decisions_agree_with_and_without_a_table(options):
    for seed in trees(60):
        question, more = ((-20, 30), seed, 5), {"options": options, "narrows": True}
        oracle = decision_of(*question, "expectimax", **more)
        for table in (None, Table.allocate(synthetic.game(-20, 30), 0.1)):
            found = decision_of(*question, "star2.5", top=2, table=table, **more)
            assert_true_to(found, oracle, 2)


def test_what_each_option_saves():
    """Over many trees, the search looks at fewer leaves than without each of these."""

    def leaves(table=True, options=DEFAULT, filter=NARROWED):
        return sum(
            narrowing_value(
                (-20, 30),
                seed,
                6,
                "star2",
                options=options,
                filter=filter,
                table=Table.allocate(synthetic.game(-20, 30), 0.1) if table else None,
                window=(-5.0, 5.0),
            ).stats.leaves
            for seed in range(150)
        )

    ours = leaves()
    assert ours < leaves(table=False)
    assert ours < leaves(options=Options(static_order=False))
    assert ours < leaves(filter=Filter())


def test_principal_leaves_survive_a_table():
    for seed in range(40):
        game, root = synthetic.game(-20, 30), root_of((-20, 30), seed, narrows=True)
        table = Table.allocate(game, 0.1)
        for _ in range(2):
            found = search.TreeSearch(game, synthetic.LEAF).value(root, 4, table=table, leaves=True)
            assert found.leaves is not None
            assert found.leaves.probabilities.sum() == pytest.approx(1)


# Searches that are set up once: values under a limit, of many states, and about doubles.
#
# `test_decide.py` has decisions, and `test_checks.py` what is refused.

GAME = synthetic.game(-3, 3)


@pytest.mark.parametrize("algorithm", search.ALGORITHMS)
def test_a_limited_value_is_that_of_the_depth_it_completed(algorithm):
    depths = set()
    for seed in range(12):
        tree, root = TreeSearch(GAME, synthetic.LEAF, algorithm), synthetic.root(-3, 3, seed)
        for max_nodes in (0, 3, 30, 300, 10**9):
            found = tree.value(root, 6, max_nodes=max_nodes, leaves=True)
            plain = tree.value(root, found.depth)
            assert found.value == plain.value
            assert found.leaves is not None
            assert found.leaves.probabilities.sum() == pytest.approx(1)
            depths.add(found.depth)
    assert depths >= {0, 2, 4, 6}


@pytest.mark.parametrize("algorithm", search.ALGORITHMS)
@pytest.mark.parametrize("depth", [0, 2, 4])
def test_many_values_are_those_of_one_by_one_to_the_last_bit(depth, algorithm):
    states = np.array([synthetic.root(-3, 3, seed, synthetic.FINISHES) for seed in range(20)])
    tree = TreeSearch(GAME, synthetic.LEAF, algorithm, synthetic.PROBE, sigma=0.3, noise_seed=5)
    table = search.Table.allocate(GAME, 0.01) if depth == 4 else None
    found = tree.values(states, depth, table=table)
    assert found.offsets[0] == 0
    assert found.offsets[-1] == len(found.leaves.rows)
    for number, state in enumerate(states):
        table = search.Table.allocate(GAME, 0.01) if depth == 4 else None
        alone = tree.value(state, depth, leaves=True, table=table)
        assert found.values[number] == alone.value
        mine = slice(*found.offsets[number : number + 2])
        for all_leaves, leaves in zip(found.leaves, alone.leaves, strict=True):
            assert (all_leaves[mine] == leaves).all()


def test_many_values_may_be_none():
    found = TreeSearch(GAME, synthetic.LEAF).values(np.empty((0, GAME.width), np.int8), 2)
    assert found.values.shape == (0,)
    assert found.offsets.tolist() == [0]


def test_many_values_need_room_for_leaves():
    states = synthetic.root(-3, 3, 1)[None]
    with pytest.raises(search.SearchError, match="depth 20"):
        TreeSearch(GAME, synthetic.LEAF).values(states, 20)
    with pytest.raises(search.SearchError, match="leaves with own"):
        own = search.ALGORITHMS["expectimax"]._replace(name="own", exact=False)
        TreeSearch(GAME, synthetic.LEAF, own).values(states, 2)


@pytest.mark.parametrize("depth", [0, 2, 4])
def test_the_values_are_those_of_the_definition(depth):
    doubles = 0
    for seed in range(12):
        for plain in (True, False):
            game = offers.game(-20, 30, seed, plain)
            root = synthetic.root(-20, 30, seed)
            found = TreeSearch(game, offers.LEAF).cube(root, depth)
            expected = defined_value(game, offers.LEAF, root, depth, game.stake)
            assert found.no_double == pytest.approx(expected)
            double = game.offer(game.stake, game.params)
            if double.cash == NOT_OVER:
                assert found.double_take is found.double_pass is None
                continue
            doubles += 1
            expected = defined_value(game, offers.LEAF, root, depth, double.stake)
            assert found.double_take == pytest.approx(double.factor * expected)
            assert found.double_pass == double.cash
    assert 5 < doubles < 24


def test_a_game_without_doubles_has_the_value_of_rolling():
    game, root = synthetic.game(-3, 3), synthetic.root(-3, 3, 1)
    found = TreeSearch(game, synthetic.LEAF).cube(root, 4)
    rolled = TreeSearch(game, synthetic.LEAF).value(root, 4)
    assert found == (rolled.value, None, None, rolled.stats, 4, None)


@pytest.mark.parametrize("limit", [1, 3, 6, 12, 25, 50])
def test_with_a_limit_both_values_are_of_one_depth(limit):
    for seed in range(10):
        game = offers.game(-20, 30, 1, True)._replace(stake=2, low=-20.0, high=30.0)
        root = synthetic.root(-20, 30, seed)
        found = TreeSearch(game, offers.LEAF).cube(root, 6, max_nodes=limit)
        whole = TreeSearch(game, offers.LEAF).cube(root, found.depth)
        assert found.no_double == whole.no_double
        assert found.double_take == whole.double_take


@pytest.mark.parametrize("depth", [0, 2])
def test_many_decisions_are_each_alone(depth):
    found = 0
    for seed in range(12):
        game = offers.game(-20, 30, seed, seed % 2 == 0)
        if game.offer(game.stake, game.params).cash == NOT_OVER:
            continue
        roots = [synthetic.root(-20, 30, number) for number in range(5)]
        many = TreeSearch(game, offers.LEAF).cubes(roots, depth)
        for number, root in enumerate(roots):
            one = TreeSearch(game, offers.LEAF).cube(root, depth)
            assert one.double_take is not None
            assert many.no_double[number] == one.no_double
            assert many.double_take[number] == one.double_take
            assert many.double_pass == one.double_pass
        found += 1
    assert found > 3


def searched_alone(game, root, depth, **settings):
    """Return the search of rolling now, and the one of rolling after a double."""
    double = game.offer(game.stake, game.params)
    after = game._replace(stake=double.stake, low=double.low, high=double.high)
    return (asked("value", each, offers.LEAF, root, depth, **settings) for each in (game, after))


@pytest.mark.parametrize("depth", [0, 2, 4])
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"algorithm": "star1"},
        {"algorithm": "expectimax"},
        {"sigma": 0.5, "noise_seed": 3},
        {"filter": Filter(2, 3.0)},
        {"filter": Filter(node_bounds=True)},
        {"options": Options(clamp=False, static_order=False)},
    ],
)
def test_one_search_finds_the_values_of_two_to_the_last_bit(depth, settings):
    for seed in range(8):
        game = offers.game(-20, 30, seed, seed % 2 == 0)
        double = game.offer(game.stake, game.params)
        if double.cash == NOT_OVER:
            continue
        root = synthetic.root(-20, 30, seed)
        both = asked("cube", game, offers.LEAF, root, depth, leaves=True, **settings)
        rolled, taken = searched_alone(game, root, depth, leaves=True, **settings)
        assert both.no_double == rolled.value
        assert both.double_take == double.factor * taken.value
        for kept, leaves in zip(both.leaves, rolled.leaves, strict=True):
            assert (kept == leaves).all()


def test_a_state_is_evaluated_once_for_both_values():
    for depth in (2, 4):
        both, alone = 0, 0
        for seed in range(8):
            game = offers.game(-20, 30, 1, True)._replace(stake=2, low=-20.0, high=30.0)
            root = synthetic.root(-20, 30, seed)
            both += TreeSearch(game, offers.LEAF).cube(root, depth).stats.evaluations
            each = searched_alone(game, root, depth)
            alone += sum(one.stats.evaluations for one in each)
        assert both < 0.8 * alone


def test_a_setup_never_changes():
    tree = TreeSearch(GAME, synthetic.LEAF, "star1", sigma=0.3, noise_seed=5)
    states = [synthetic.root(-3, 3, seed, 0) for seed in range(8)]
    before = [tree.value(state, 2).value for state in states]
    tree.best(states, [0] * 8, 3, noise_seeds=range(8))
    assert [tree.value(state, 2).value for state in states] == before
    with pytest.raises(AttributeError, match=r"TreeSearch\.algorithm never changes"):
        tree.algorithm = "star2"
    with pytest.raises(AttributeError, match=r"TreeSearch\.algorithm never changes"):
        del tree.algorithm


def test_arrays_that_may_only_be_read_are_states():
    tree = TreeSearch(GAME, synthetic.LEAF)
    states = np.array([synthetic.root(-3, 3, seed, 0) for seed in range(2)])
    states.flags.writeable = False
    assert tree.best(states, [0, 1], 3).shape == states.shape
    assert tree.decide(states[0], 0, 3).depth == 3
    assert len(tree.rank(states, [0, 1]).rows) > 2


def test_seeds_on_both_sides_of_half_of_64_bits():
    states = [synthetic.root(-3, 3, seed, 0) for seed in range(2)]
    noisy, seeds = TreeSearch(GAME, synthetic.LEAF, sigma=0.3), [2**64 - 1, 1]
    wanted = [
        TreeSearch(GAME, synthetic.LEAF, sigma=0.3, noise_seed=seed).best([state], [0], 3)[0]
        for state, seed in zip(states, seeds, strict=True)
    ]
    found = noisy.best(states, [0, 0], 3, noise_seeds=seeds)
    assert found.tolist() == [row.tolist() for row in wanted]


def test_the_other_players_search():
    tree = TreeSearch(synthetic.game(-1, 5), synthetic.LEAF, filter=Filter(1))
    assert tree.for_opponent().problem.low == -5
    assert tree.for_opponent().problem.filter == Filter(1)
    assert tree.for_opponent("star1").problem.probes == 0


# Buffers of a search: enough for what it may meet.

WORKSPACE_GAME = synthetic.game(-1, 1)


def workspace(depth, leaves=False, table=None, **more):
    problem = problem_of(WORKSPACE_GAME, synthetic.LEAF, **more)
    return Workspace.allocate(problem, WORKSPACE_GAME.width, depth, leaves, table)


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
    assert 21**4 <= MAX_LEAVES < 4**9
    assert workspace(16, leaves=True).leaf_rows.shape[1] == 4**8
    assert workspace(18, leaves=True).leaf_rows.shape[1] == 0


def test_outputs_are_those_of_the_evaluator_with_more():
    leaf, six = synthetic.LEAF, load_evaluator("probe", bearoff=False)
    for pair in ((leaf, six), (six, leaf), (six, None)):
        problem = problem_of(BACKGAMMON, *pair)
        assert Workspace.allocate(problem, 26, 2, False, None).outputs.shape[1] == 6


def test_a_table_is_used_where_there_is_one():
    table = Table.allocate(WORKSPACE_GAME, 0.01)
    assert workspace(2, table=table).table is table
    assert len(workspace(2).table.depth) == 0


def test_a_search_may_begin_anew():
    table = Table.allocate(WORKSPACE_GAME, 0.01)
    made = workspace(4, table=table)
    table.depth[3], table.decisions[2], made.killer_known[2] = 4, 77, True
    made.replies.marks[[KNOWN, TWICE]] = 1
    load(begin_anew)
    begin_anew(made)
    assert (table.depth == -1).all()
    assert not table.decisions.any()
    assert not made.killer_known.any()
    assert not made.replies.marks[[KNOWN, TWICE]].any()


# One source, three ways to run: compiled here, loaded from the disk cache, plain Python.

PROGRAM = """
import json
from tests.engine.search.test_tree_search import loaded, sample
values = sample()
print(json.dumps([loaded(), values]))
"""


def sample():
    """Return the values of a few searches of each kind."""
    values = []
    for seed in range(6):
        bounds = [(-1, 1), (5, 10)][seed % 2]
        game, state = synthetic.game(*bounds), synthetic.root(*bounds, seed)
        noise = {"sigma": 0.1 * (seed % 3), "noise_seed": seed}
        question = (game, synthetic.LEAF, state)
        for algorithm in search.ALGORITHMS:
            found = asked("value", *question, 4, algorithm=algorithm, probe=synthetic.PROBE, **noise)
            decision = asked("decide", *question, 0, 3, algorithm=algorithm, probe=synthetic.PROBE, **noise)
            values += [found.value, *decision.values]
        for threads in (1, 2):
            divided = asked("decide", *question, 0, 5, threads=threads, **noise)
            values += [divided.values.max()]
    return values


def loaded():
    """Return how the kernels of gammon came here: (from the library or the disk, compiled)."""
    modules = [module for name, module in sys.modules.items() if name.startswith("gammon.")]
    things = {id(thing): thing for module in modules for thing in vars(module).values()}
    kernels = [thing for thing in things.values() if isinstance(thing, Kernel)]
    native = [each for each in kernels if vars(each).get("native")]
    made = [each.compiled.dispatcher for each in kernels if "compiled" in vars(each)]
    hits, misses = (
        sum(sum(getattr(each.stats, kind).values()) for each in made)
        for kind in ("cache_hits", "cache_misses")
    )
    return len(native) + hits, misses


@pytest.mark.smoke
def test_a_second_process_loads_the_cache_and_agrees():
    here = sample()  # which compiles what is not on the disk
    (hits, misses), values = json.loads(printed(PROGRAM))
    assert misses == 0, "something was compiled again"
    # decide_kernel, value_kernel, the five kernels that threads share, the game's functions.
    assert hits >= 2 + 5 + 4
    assert values == here


def test_plain_python_agrees():
    counts, values = json.loads(printed(PROGRAM, GAMMON_KERNELS="python"))
    assert counts == [0, 0]
    assert values == pytest.approx(sample(), abs=1e-9)
