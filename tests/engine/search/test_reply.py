"""The best static reply, against a plain twin."""

import numpy as np
import pytest

from gammon import search
from gammon.compiled.kernel import kernel
from gammon.eval.evaluators import load_evaluator
from gammon.games.backgammon import backgammon
from gammon.rules.terms import CUBELESS, NAMED_STAKES
from gammon.search import Problem, problem_of
from gammon.search.evaluation import best_reply
from gammon.search.game import State
from gammon.search.workspace import Workspace
from gammon_lab.games import synthetic
from tests.engine.search.asked import root_of
from tests.twins import chances, favourite, outputs, payoff, replies, static_values

GAMMON_GO = NAMED_STAKES["gammon-go"]


@kernel()
def reply(
    problem: Problem, work: Workspace, state: State, outcome: int, stake: int
) -> tuple[int, int]:
    """Do what a kernel does with it."""
    return best_reply(problem, work, state, outcome, stake)


def twin(game, evaluator, state, outcome, stake):
    """Return the rows, and their values to the opponent."""
    rows = replies(game, state, outcome)
    values = static_values(game, evaluator, state, rows, -stake)
    for j, row in enumerate(rows):
        paid = payoff(game, row, -stake)
        if paid != search.NOT_OVER:
            values[j] = paid
    return rows, values


def check(game, evaluator, state, outcome, stake):
    """Compare one reply with the twin's; return how many of the rows are finished."""
    problem = problem_of(game, evaluator)
    work = Workspace.allocate(problem, game.width, 0, False, None)
    best, n = reply(problem, work, state, outcome, stake)
    rows, values = twin(game, evaluator, state, outcome, stake)
    assert n == len(rows)
    assert np.array_equal(work.rows[0, :n], rows)
    assert np.array_equal(work.values[0, :n], values)
    assert best == favourite(game, evaluator, state, rows, values, -stake)
    assert np.array_equal(work.outputs[:n], outputs(evaluator, state, rows))
    decided = search.Setup(game._replace(stake=stake), evaluator, "expectimax").decide(
        state, outcome, 1
    )
    assert decided.values.max() == pytest.approx(-values[best])
    return sum(payoff(game, row) != search.NOT_OVER for row in rows)


def test_random_trees():
    finished = 0
    for seed in range(200):
        state = root_of((-3, 3), seed)
        game = synthetic.game(-3, 3)
        outcome = seed % len(chances(game, state))
        finished += check(game, synthetic.LEAF, state, outcome, 0)
    assert finished > 20


@pytest.mark.parametrize("stakes", [CUBELESS, GAMMON_GO], ids=str)
def test_backgammon(played, stakes):
    game, evaluator = backgammon(stakes), load_evaluator("probe", bearoff=False)
    two_left = np.array([0, 1, 1, *[0] * 21, -15, 0], np.int8)
    states = [two_left, *np.array(played(40, 8)[::4], np.int8)]
    finished = 0
    for k, state in enumerate(states):
        for stake in {game.stake, -game.stake}:
            finished += check(game, evaluator, state, (20 + 3 * k) % 21, stake)
    assert finished > 0
