"""The rounds of a pass: which tasks they have, and that their sums are those of `star`."""

from collections import Counter

import numpy as np
import pytest

from gammon import search
from gammon.search import BOUND, EXACT, Filter, Options
from gammon.search.algorithms import search_of
from gammon.search.candidates import Candidates, begin_decision, search_candidates
from gammon.search.checks import problem_of
from gammon.search.game import NOT_OVER
from gammon.search.tasks import (
    BESIDE,
    DONE,
    DOUBLE,
    PLANNED,
    ROLLED,
    ROUND,
    TURNED,
    WHOLE,
    Tasks,
    next_round,
    room_below,
)
from gammon.search.tasks_kernel import begin_pass, help_tasks, open_round
from gammon.search.workspace import Workspace
from gammon_lab.games import offers, synthetic

DEPTH = 4
#: By round.
LEADING, DOUBLES, OTHERS = 1, 2, 3


class Pass:
    """A pass by tasks over the candidates of a random tree."""

    def __init__(self, game, leaf, probe, root, top):
        self.game, self.leaf, self.probe, self.root = game, leaf, probe, root
        self.problem = problem_of(game, leaf, probe, "star2", 0.0, 0, Options(), Filter())
        self.work = Workspace.allocate(self.problem, game.width, DEPTH, True, None)
        self.room = room_below(game, self.work)
        capacity = self.work.leaf_rows.shape[1]
        self.candidates = Candidates.allocate(game, game.max_successors, capacity)
        n = begin_decision(
            self.problem, self.work, self.candidates, root, 0, self.problem.stake
        )
        search_candidates(
            search_of(self.problem), self.work, self.candidates, n, 0, top, game.stake,
            game.low, game.high,
        )  # fmt: skip
        self.tasks = Tasks.allocate(game, n, top, capacity)
        self.top = top

    def rounds(self):
        """Do all tasks; yield the round each time before they are done."""
        tasks = self.tasks
        begin_pass(tasks, DEPTH)
        while next_round(self.problem, self.room, self.candidates, tasks, self.top):
            yield int(tasks.marks[ROUND])
            open_round(tasks)
            help_tasks(search_of(self.problem), self.work, self.room, self.candidates, tasks)
            assert tasks.marks[DONE] == tasks.marks[PLANNED]

    def whole(self, j):
        """The result of a search of a candidate alone, seen by the player who decides."""
        found = search.Setup(self.game.turned(), self.leaf, probe=self.probe).value(
            self.candidates.rows[j], DEPTH, on_turn=True, leaves=True
        )
        return -found.value, found.leaves


def passes(top):
    for family in offers.FAMILIES:
        for seed in range(40):
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
                ways[int(tasks.candidate[task])] = int(tasks.way[tasks.candidate[task]])
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
    assert kept[True] > 400
    # All that there can be, each many times.
    expected = {
        (LEADING, 0, ROLLED), (LEADING, 0, BESIDE), (LEADING, WHOLE, TURNED),
        (DOUBLES, DOUBLE, ROLLED), (OTHERS, WHOLE, TURNED), (OTHERS, WHOLE, BESIDE),
    }  # fmt: skip
    assert set(seen) == expected
    assert min(seen.values()) > 5, seen


def test_what_is_searched_side_by_side_adds_up_to_the_last_bit():
    beside = 0
    for one in passes(1):
        double = one.game.turned().offer(-one.game.stake, one.game.params)
        if double.cash == NOT_OVER:
            continue
        for number in one.rounds():
            others = number == OTHERS
        if not others:
            continue
        for j in one.candidates.order[: one.candidates.progress[1]]:
            task = np.flatnonzero(one.tasks.candidate[: one.tasks.marks[PLANNED]] == j)
            if one.candidates.kind[j] == EXACT and task.size and one.tasks.way[j] == BESIDE:
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
            j for j in range(int(one.candidates.progress[1]))
            if game.terminal(one.candidates.rows[j], 0, game.params) != NOT_OVER
        }  # fmt: skip
        for number in one.rounds():
            if number == LEADING:
                searched = set(one.tasks.candidate[: one.tasks.marks[PLANNED]].tolist())
                leading = set(one.candidates.order[:two].tolist())
                assert searched == leading - over
                finished += len(leading & over)
    assert finished > 5
