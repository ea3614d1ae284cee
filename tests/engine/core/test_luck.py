"""The luck of rolls in rollouts: 0 on average, whatever the position and the stake."""

import numpy as np
import pytest

from gammon.core.luck_kernel import LuckBuffers, estimated_luck
from gammon.rules.dice import PROBABILITIES
from gammon.rules.terms import NAMED_STAKES, Terms
from gammon.search import problem_of
from gammon.search.workspace import Workspace
from tests.engine.core.games import roll_worths, setting

GAMMON_GO = NAMED_STAKES["gammon-go"]

GAMES = {
    "money": setting(),
    "gammon-go": setting(stakes=GAMMON_GO),
    "cube": setting(Terms()),
    "match": setting(Terms(7, (2, 4), cube=2, owner=1)),
}


@pytest.mark.parametrize("name", GAMES)
def test_luck_is_0_on_the_mean_and_that_of_its_definition(name, played):
    game, leaf, probe = GAMES[name]
    problem, buffers = problem_of(game, leaf, probe), LuckBuffers.allocate()
    work = Workspace.allocate(problem, 26, 0, False, None)
    near = (0, 1, 1, *[0] * 21, -15, 0)  # a gammon is won at once
    for state in np.array([near, *played(40, 3)[6::16]], np.int8):
        found, results = [], []
        for roll in range(21):
            found.append(estimated_luck(problem, work, buffers, state, game.stake, roll))
            results.append(buffers.results.copy())
        assert PROBABILITIES @ found == pytest.approx(0.0, abs=1e-12)
        assert PROBABILITIES @ results == pytest.approx(np.zeros(6), abs=1e-12)
        worths, chances = roll_worths(game, leaf, probe, state, game.stake)
        assert found == pytest.approx(worths - PROBABILITIES @ worths, abs=2e-6)
        assert np.array(results) == pytest.approx(chances - PROBABILITIES @ chances, abs=2e-6)
