"""A decision as tasks: the values of the whole search, whatever the number of threads."""

import numpy as np
import pytest

from gammon import search
from gammon.search import Filter, Options, Table
from gammon.search.tasks import PLANNED, Tasks, sort_line
from gammon_lab.games import dice_game, synthetic
from tests.engine.search.asked import CLOSE, assert_same, assert_true_to, decision_of, noise
from tests.engine.search.test_options import BOUNDS

CASES = [
    (Options(), Filter()),
    (Options(fail_hard=True, killers=False), Filter()),
    (Options(static_order=False), Filter(node_bounds=True)),
    (Options(probes=3, deepen=False), Filter()),
]


def decide(bounds, seed, algorithm="star2", depth=5, **more):
    return decision_of(bounds, seed, depth, algorithm, narrows=True, **more)


def table_of(bounds):
    return Table.allocate(synthetic.game(*bounds), 0.01)


@pytest.mark.parametrize(("options", "filter"), CASES, ids=str)
@pytest.mark.parametrize("bounds", BOUNDS)
def test_tasks_find_the_values_of_expectimax(bounds, options, filter):
    for seed in range(18):
        oracle = decide(bounds, seed, "expectimax", filter=filter)
        for algorithm, top in (("star1", 1), ("star2", 1), ("star2", 3), ("star2.5", 2)):
            found = decide(
                bounds, seed, algorithm, options=options, filter=filter, top=top,
                table=table_of(bounds), leaves=True,
            )  # fmt: skip
            assert_true_to(found, oracle, top)
            assert (np.diff(found.values[found.order]) <= 0).all()
            if filter.node_bounds:
                continue  # values clipped on the way are not those of the leaves
            for j, leaves in zip(found.order, found.leaves, strict=False):
                assert leaves.probabilities.sum() == pytest.approx(1)
                assert abs(mean_of(leaves, seed, bounds) - found.values[j]) < 1e-6
            assert len(found.leaves) == min(top, len(oracle.rows))


def mean_of(leaves, seed, bounds):
    """Return the value that principal leaves stand for."""
    game = synthetic.game(*bounds)
    total = 0.0
    for row, probability, sign in zip(*leaves, strict=True):
        theirs = game if sign > 0 else game.turned()
        setup = search.Setup(theirs, synthetic.LEAF, **noise(seed))
        total += probability * sign * setup.value(row, 0).value
    return total


@pytest.mark.smoke
@pytest.mark.parametrize(("options", "filter"), [*CASES, (Options(), Filter(2, 3.0))], ids=str)
@pytest.mark.parametrize("depth", [5, 7])
def test_any_number_of_threads_gives_the_same(depth, options, filter):
    bounds = (-20, 30)
    for seed in range(12 if depth == 5 else 5):
        more = {"options": options, "filter": filter, "top": 1 + seed % 3, "leaves": True}
        one, *several = (
            decide(bounds, seed, depth=depth, table=table_of(bounds), threads=threads, **more)
            for threads in (1, 2, 3)
        )
        for other in several:
            assert_same(one, other)
        bare = decide(bounds, seed, depth=depth, threads=2, **more)
        assert bare.values[bare.order[0]] == pytest.approx(one.values[one.order[0]], abs=CLOSE)


@pytest.mark.parametrize("deepen", [False, True])
def test_what_is_not_divided_has_the_same_exact_values(deepen):
    both = 0
    for depth, count in ((5, 40), (7, 6)):
        for seed in range(count):
            whole, divided = (
                decide(
                    (-20, 30), seed, depth=depth, top=2, table=table_of((-20, 30)),
                    options=Options(divide=divide, deepen=deepen),
                )
                for divide in (False, True)
            )  # fmt: skip
            assert set(whole.order[:2]) == set(divided.order[:2])
            shared = whole.exact & divided.exact
            assert divided.values[shared] == pytest.approx(whole.values[shared], abs=CLOSE)
            assert (divided.values[whole.exact] >= whole.values[whole.exact] - CLOSE).all()
            both += shared.sum()
    assert both > 80


def test_a_game_with_many_equal_values():
    game, leaf = dice_game.game(5, 4), dice_game.leaf(5, 4)
    state = dice_game.root(5)
    state[7], state[12], state[3] = 1, 1, -1

    def found(threads, divide=True):
        return search.Setup(game, leaf, options=Options(divide=divide)).decide(
            state, 2, 7, top=2, threads=threads, leaves=True, table=Table.allocate(game, 0.05)
        )

    one, plain = found(1), found(1, divide=False)
    assert one.values[one.order[:2]] == pytest.approx(plain.values[plain.order[:2]], abs=1e-12)
    for threads in (2, 3, 7):
        assert_same(found(threads), one)


@pytest.mark.parametrize(
    ("likely_first", "order"), [(True, [1, 3, 0, 2, 5]), (False, [0, 1, 2, 3, 5])]
)
def test_values_are_added_in_the_order_of_the_search(likely_first, order):
    """Of two outcomes with one chance, the one comes first that the game has first."""
    chances = {5: 0.1, 2: 0.2, 3: 0.25, 0: 0.2, 1: 0.25}
    tasks = Tasks.allocate(dice_game.game(3, 3)._replace(max_outcomes=6), 2, 2)
    for task, (outcome, chance) in enumerate(chances.items()):
        for j, place in ((0, task), (1, task + 5)):
            tasks.candidate[place], tasks.outcome[place] = j, outcome
            tasks.chance[place] = chance
    tasks.marks[PLANNED] = 10
    tasks.line[:5] = np.arange(5, 10)
    sort_line(tasks, 5, likely_first)
    assert tasks.outcome[tasks.line[:5]].tolist() == order
    assert (tasks.candidate[tasks.line[:5]] == 1).all()


def test_progress_reaches_the_end_with_threads():
    for seed in range(5):
        progress = np.zeros(2, np.int64)
        found = decide((-3, 3), seed, threads=2, progress=progress)
        assert progress.tolist() == [len(found.rows)] * 2
