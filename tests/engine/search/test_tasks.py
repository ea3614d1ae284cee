"""A decision as tasks, the rounds of a pass, and threads that help: never another decision."""

import time
from collections import Counter
from concurrent.futures import Future
from threading import Timer

import numpy as np
import pytest

from gammon import search
from gammon.search import BOUND, EXACT, Filter, Options, Stop, Table, root
from gammon.search.algorithms import search_of
from gammon.search.candidates import Candidates, begin_decision, search_candidates
from gammon.search.checks import problem_of
from gammon.search.game import NOT_OVER
from gammon.search.stats import STOPPED
from gammon.search.tasks import (
    BOTH_STAKES,
    DONE,
    DOUBLE,
    HALTED,
    MAY_DOUBLE,
    NO_DOUBLE,
    OPEN,
    PLANNED,
    ROUND,
    WHOLE_NODE,
    Tasks,
    candidates_below,
    next_round,
    sort_line,
)
from gammon.search.tasks_kernel import begin_pass, help_tasks, open_round
from gammon.search.workspace import Workspace
from gammon_lab.games import dice_game, offers, synthetic
from tests.engine.search.asked import CLOSE, asked, assert_same, assert_true_to, decision_of, noise, trees
from tests.engine.search.test_tree_search import BOUNDS

# A decision as tasks: the values of the whole search, whatever the number of threads.

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
    for seed in trees(18):
        oracle = decide(bounds, seed, "expectimax", filter=filter)
        for algorithm, top in (("star1", 1), ("star2", 1), ("star2", 3), ("star2.5", 2)):
            found = decide(
                bounds,
                seed,
                algorithm,
                options=options,
                filter=filter,
                top=top,
                table=table_of(bounds),
                leaves=True,
            )
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
        theirs = game if sign > 0 else game.for_opponent()
        searcher = search.TreeSearch(theirs, synthetic.LEAF, **noise(seed))
        total += probability * sign * searcher.value(row, 0).value
    return total


@pytest.mark.smoke
@pytest.mark.parametrize(("options", "filter"), [*CASES, (Options(), Filter(2, 3.0))], ids=str)
@pytest.mark.parametrize("depth", [5, 7])
def test_any_number_of_threads_gives_the_same(depth, options, filter):
    bounds = (-20, 30)
    for seed in trees(12 if depth == 5 else 6):
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
        for seed in trees(count):
            whole, divided = (
                decide(
                    (-20, 30),
                    seed,
                    depth=depth,
                    top=2,
                    table=table_of((-20, 30)),
                    options=Options(divide=divide, deepen=deepen),
                )
                for divide in (False, True)
            )
            assert set(whole.order[:2]) == set(divided.order[:2])
            shared = whole.exact & divided.exact
            assert divided.values[shared] == pytest.approx(whole.values[shared], abs=CLOSE)
            assert (divided.values[whole.exact] >= whole.values[whole.exact] - CLOSE).all()
            both += shared.sum()
    assert both > 40


def test_a_game_with_many_equal_values():
    game, leaf = dice_game.game(5, 4), dice_game.leaf(5, 4)
    state = dice_game.root(5)
    state[7], state[12], state[3] = 1, 1, -1

    def found(threads, divide=True):
        return search.TreeSearch(game, leaf, options=Options(divide=divide)).decide(
            state, 2, 7, top=2, threads=threads, leaves=True, table=Table.allocate(game, 0.05)
        )

    one, plain = found(1), found(1, divide=False)
    assert one.values[one.order[:2]].tolist() == plain.values[plain.order[:2]].tolist()
    for threads in (2, 3, 7):
        assert_same(found(threads), one)


@pytest.mark.parametrize(("likely_first", "order"), [(True, [1, 3, 0, 2, 5]), (False, [0, 1, 2, 3, 5])])
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


# The rounds of a pass: which tasks they have, and that their sums are those of `star`.

DEPTH = 4
#: By round.
LEADING, DOUBLES, OTHERS = 1, 2, 3


class Pass:
    """A pass by tasks over the candidates of a random tree."""

    def __init__(self, game, leaf, probe, root, top):
        self.game, self.leaf, self.probe, self.root = game, leaf, probe, root
        self.problem = problem_of(game, leaf, probe, "star2", 0.0, 0, Options(), Filter())
        self.work = Workspace.allocate(self.problem, game.width, DEPTH, True, None)
        self.below = candidates_below(game, self.work)
        capacity = self.work.leaf_rows.shape[1]
        self.candidates = Candidates.allocate(game, game.max_successors, capacity)
        n = begin_decision(self.problem, self.work, self.candidates, root, 0, self.problem.stake)
        search_candidates(
            search_of(self.problem), self.work, self.candidates, n, 0, top, game.stake, game.low, game.high
        )
        self.tasks = Tasks.allocate(game, n, top, capacity)
        self.top = top

    def rounds(self):
        """Do all tasks; yield the round each time before they are done."""
        tasks = self.tasks
        begin_pass(tasks, DEPTH)
        while next_round(self.problem, self.below, self.candidates, tasks, self.top):
            yield int(tasks.marks[ROUND])
            open_round(tasks)
            help_tasks(search_of(self.problem), self.work, self.below, self.candidates, tasks)
            assert tasks.marks[DONE] == tasks.marks[PLANNED]

    def whole(self, j):
        """The result of a search of a candidate alone, seen by the player who decides."""
        found = search.TreeSearch(self.game.for_opponent(), self.leaf, probe=self.probe).value(
            self.candidates.rows[j], DEPTH, on_turn=True, leaves=True
        )
        return -found.value, found.leaves


def passes(top):
    for family in offers.FAMILIES:
        for seed in trees(40):
            game, root = offers.game(-1, 1, *family), synthetic.root(-1, 1, seed)
            yield Pass(game, offers.LEAF, offers.PROBE, root, top)


@pytest.mark.parametrize("top", [1, 2])
def test_values_and_leaves_are_those_of_a_search_of_each_candidate(top):
    seen, kept = Counter(), Counter()
    for one in passes(top):
        tasks, candidates = one.tasks, one.candidates
        ways = {}
        for number in one.rounds():
            for task in range(tasks.marks[PLANNED]):
                kind = min(int(tasks.outcome[task]), 0)
                ways[int(tasks.candidate[task])] = int(tasks.mode[tasks.candidate[task]])
                seen[number, kind, ways[int(tasks.candidate[task])]] += 1
        n = int(candidates.progress[1])
        assert candidates.progress[0] == n
        order = candidates.order[:n]
        assert (np.diff(candidates.values[order]) <= 0).all()
        assert (candidates.kind[order[:top]] == EXACT).all()
        for r, j in enumerate(order):
            value, leaves = one.whole(j)
            if candidates.kind[j] == BOUND:
                assert candidates.values[j] > value - 1e-9
                continue
            assert candidates.values[j] == pytest.approx(value, abs=1e-12)
            if r >= top:
                continue
            mine = candidates.leaves(j)
            assert mine.probabilities.sum() == pytest.approx(1)
            same = sorted(mine.rows.tolist()) == sorted(leaves.rows.tolist())
            kept[same] += 1
            if same:
                weights = mine.probabilities * mine.signs, -leaves.probabilities * leaves.signs
                assert np.sort(weights[0]) == pytest.approx(np.sort(weights[1]))
    # Of two lines of one value, another search may keep the other.
    assert kept[False] < 0.01 * kept[True]
    assert kept[True] > 200
    # All that there can be, each many times.
    expected = {
        (LEADING, 0, NO_DOUBLE),
        (LEADING, 0, BOTH_STAKES),
        (LEADING, WHOLE_NODE, MAY_DOUBLE),
        (DOUBLES, DOUBLE, NO_DOUBLE),
        (OTHERS, WHOLE_NODE, MAY_DOUBLE),
        (OTHERS, WHOLE_NODE, BOTH_STAKES),
    }
    assert set(seen) == expected
    assert min(seen.values()) > 2, seen


def test_what_is_searched_side_by_side_adds_up_to_the_last_bit():
    beside = 0
    for one in passes(1):
        double = one.game.for_opponent().offer(-one.game.stake, one.game.params)
        if double.cash == NOT_OVER:
            continue
        for number in one.rounds():
            others = number == OTHERS
        if not others:
            continue
        for j in one.candidates.order[: one.candidates.progress[1]]:
            task = np.flatnonzero(one.tasks.candidate[: one.tasks.marks[PLANNED]] == j)
            if one.candidates.kind[j] == EXACT and task.size and one.tasks.mode[j] == BOTH_STAKES:
                assert one.candidates.values[j] == one.whole(j)[0]
                beside += 1
    assert beside > 5


def test_the_largest_tasks_come_first():
    for one in passes(1):
        for number in one.rounds():
            sizes = one.tasks.size[: one.tasks.marks[PLANNED]]
            assert (np.diff(sizes) <= 0).all()
            if number == LEADING:
                best = one.candidates.order[0]
                assert set(one.tasks.candidate[: len(sizes)]) == {best}


def test_a_finished_game_needs_no_task():
    finished = 0
    for seed in range(60):
        game, root = synthetic.game(-20, 30), synthetic.root(-20, 30, seed)
        one = Pass(game, synthetic.LEAF, synthetic.PROBE, root, 2)
        two = min(2, int(one.candidates.progress[1]))
        over = {
            j
            for j in range(int(one.candidates.progress[1]))
            if game.terminal(one.candidates.rows[j], 0, game.params) != NOT_OVER
        }
        for number in one.rounds():
            if number == LEADING:
                searched = set(one.tasks.candidate[: one.tasks.marks[PLANNED]].tolist())
                leading = set(one.candidates.order[:two].tolist())
                assert searched == leading - over
                finished += len(leading & over)
    assert finished > 5


# Threads that help: whether they come, late or never, the decision is the same.

GAME = synthetic.game(-3, 3)


def team_decide(seed, threads, depth=7, **more):
    return asked(
        "decide",
        GAME,
        synthetic.LEAF,
        synthetic.root(-3, 3, seed),
        0,
        depth,
        algorithm="star2",
        probe=synthetic.PROBE,
        threads=threads,
        **more,
    )


@pytest.fixture
def submitted(monkeypatch):
    """Have a pool that only remembers what it is to do; return its list."""
    waiting = []

    class Pool:
        def submit(self, function, *arguments):
            waiting.append((function, arguments))
            return Future()

    monkeypatch.setattr(root, "_THREADS", Pool())
    return waiting


def test_a_decision_waits_for_no_thread_that_has_not_begun(submitted):
    alone = team_decide(1, 1)
    assert_same(team_decide(1, 3), alone)
    assert len(submitted) == 2
    # A thread that comes when all is over does nothing, and goes.
    for function, arguments in submitted:
        function(*arguments)


def test_without_more_threads_it_goes_on_alone(monkeypatch):
    class Pool:
        def submit(self, function, *arguments):
            raise RuntimeError("can't start new thread")

    monkeypatch.setattr(root, "_THREADS", Pool())
    assert_same(team_decide(2, 4), team_decide(2, 1))


def test_threads_that_come_at_any_time_change_nothing(monkeypatch):
    pool, wait = root._THREADS, [0.0]

    class Late:
        def submit(self, function, *arguments):
            def later():
                time.sleep(wait[0])
                function(*arguments)

            return pool.submit(later)

    monkeypatch.setattr(root, "_THREADS", Late())
    for seed in trees(30):
        alone = team_decide(seed, 1, options=Options(deepen=seed % 2 > 0))
        for wait[0] in (0.0, 1e-4, 1e-3):
            assert_same(team_decide(seed, 4, options=Options(deepen=seed % 2 > 0)), alone)


def test_an_error_of_the_leader_ends_the_help(monkeypatch):
    lead, counted, left = root.lead_tasks, [], []

    def broken(search, work, below, candidates, tasks, top):
        left.append(tasks)
        raise KeyboardInterrupt

    class Watched(root.Team):
        def __init__(self, make, counts):
            super().__init__(make, counts)
            counted.extend(counts)

    monkeypatch.setattr(root, "lead_tasks", broken)
    monkeypatch.setattr("gammon.search.root.Team", Watched)
    with pytest.raises(KeyboardInterrupt):
        team_decide(3, 3)
    assert len(counted) == 2
    assert all(counts[STOPPED] for counts in counted)
    assert left[0].marks[OPEN] == 0
    monkeypatch.setattr(root, "lead_tasks", lead)
    assert_same(team_decide(3, 3), team_decide(3, 1))


def test_an_error_of_a_helper_ends_the_decision(monkeypatch):
    """The leader waits for a task that is lost, until it is told so."""
    end = time.monotonic() + 20

    def waiting(search, work, below, candidates, tasks, top):
        assert time.monotonic() < end, "nobody has told it"
        return tasks.marks[HALTED] == 0

    def broken(*arguments):
        raise ZeroDivisionError

    lead, help_out = root.lead_tasks, root.help_tasks
    monkeypatch.setattr(root, "lead_tasks", waiting)
    monkeypatch.setattr(root, "help_tasks", broken)
    with pytest.raises(ZeroDivisionError):
        team_decide(3, 3)
    monkeypatch.setattr(root, "lead_tasks", lead)
    monkeypatch.setattr(root, "help_tasks", help_out)
    assert_same(team_decide(3, 3), team_decide(3, 1))


def test_a_stop_ends_all_threads():
    stop = Stop()
    stop.set()
    found = team_decide(4, 3, stop=stop)
    assert found.depth < 7
    assert_same(found, team_decide(4, 1, found.depth))


def test_a_stop_at_any_time_leaves_a_complete_depth():
    depths = set()
    for number in range(60):
        stop = Stop()
        timer = Timer(1e-4 * number, stop.set)
        if number == 0:
            stop.set()  # before it begins, whichever thread is quicker
        elif number < 59:  # the last one is not stopped
            timer.start()
        found = team_decide(5, 3, stop=stop)
        timer.cancel()
        depths.add(found.depth)
        complete = team_decide(5, 1, found.depth)
        assert found.values.tolist() == complete.values.tolist()
        assert found.stats.nodes >= complete.stats.nodes
        assert found.stats.nodes <= team_decide(5, 1).stats.nodes
    assert len(depths) > 1 and max(depths) == 7
