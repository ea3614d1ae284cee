"""The choices of players in rollouts are those of the search at the same depth."""

import numpy as np
import pytest

from gammon.core.trials_kernel import PASS, ROLL, TAKE, best_play, cube_action
from gammon.games.backgammon import FILTERS
from gammon.rules.terms import Terms
from gammon.search import NOT_OVER, Filter, Table, TreeSearch, problem_of
from gammon.search.algorithms import search_of
from gammon.search.candidates import Candidates
from gammon.search.workspace import Workspace
from tests.engine.core.games import action, setting
from tests.naive.search import outputs

TERMS = {
    "money": Terms(),
    "Jacoby and beavers": Terms(jacoby=True, beavers=True),
    "own cube": Terms(cube=2, owner=1),
    "match": Terms(5, (3, 4)),
}


def room_for(problem, game, depth):
    table = Table.allocate(game, 1.0) if depth > 3 else None
    work = Workspace.allocate(problem, 26, depth - 1, False, table)
    return work, Candidates.allocate(game), np.zeros(2)


@pytest.mark.parametrize(
    ("depth", "move_filter", "boards"),
    [(1, Filter(), 4), (3, Filter(), 4), (3, FILTERS["tiny"], 4), (5, FILTERS["tiny"], 1)],
    ids=["1", "3", "3 tiny", "5 tiny"],
)
@pytest.mark.parametrize("name", ["money", "match"])
def test_plays_are_those_of_the_search(name, depth, move_filter, boards, played):
    game, leaf, probe = setting(TERMS[name])
    problem = problem_of(game, leaf, probe, filter=move_filter)
    search, (work, room, limits) = search_of(problem), room_for(problem, game, depth)
    for number, state in enumerate(np.array(played(40, 5)[3::10][:boards], np.int8)):
        roll = 5 * number + 2
        best = best_play(search, work, room, limits, state, roll, game.stake, depth)
        found = TreeSearch(game, leaf, probe=probe, filter=move_filter).decide(state, roll, depth)
        values = {row.tobytes(): v for row, v in zip(found.rows, found.values, strict=True)}
        assert values[room.rows[best].tobytes()] == found.values[found.order[0]]


@pytest.mark.parametrize("name", TERMS)
def test_the_cube_is_turned_as_a_search_would(name, played):
    game, leaf, probe = setting(TERMS[name])
    problem = problem_of(game, leaf, probe)
    double = game.offer(game.stake, game.params)
    assert double.cash != NOT_OVER
    search, (work, _, limits) = search_of(problem), room_for(problem, game, 3)
    value, seen = np.zeros(1, np.float32), set()
    for state in np.array(played(2000, 8)[7::50], np.int8):
        out = outputs(leaf, state, state[None])
        for depth in (1, 3):
            found, factor = cube_action(search, work, limits, state, out, value, game.stake, double, depth)
            rolled, taken, cash, *_ = TreeSearch(game, leaf, probe=probe).cube(state, depth - 1)
            after = taken * (double.beaver / double.factor if taken < 0 else 1.0)
            right = ROLL
            if after >= cash:
                right = PASS if rolled <= cash + 1e-6 else ROLL
            elif after > rolled:
                right = TAKE
            assert found == right
            if found == TAKE:
                assert factor == (double.beaver if taken < 0 else double.factor)
            if depth == 1:
                words = {"roll": ROLL, "take": TAKE, "pass": PASS}
                assert words[action(game, leaf, state, game.stake)[0]] == found
            seen.add(found)
    assert seen == {ROLL, TAKE, PASS}


def test_nobody_turns_a_cube_of_the_opponent():
    game, leaf, probe = setting(Terms(cube=2, owner=-1))
    problem = problem_of(game, leaf, probe)
    work, _, limits = room_for(problem, game, 1)
    double = game.offer(game.stake, game.params)
    state = np.array((0, 5, *[0] * 23, 0), np.int8)
    state[24] = -5
    out, value = outputs(leaf, state, state[None]), np.zeros(1, np.float32)
    found = cube_action(search_of(problem), work, limits, state, out, value, game.stake, double, 1)
    assert found == (ROLL, 1.0)
