"""Distances between values with the cube, and what decisions lose by them."""

import numpy as np
import pytest
from cubes.judge import Distance, losses, rolled_values, static_values

from gammon.eval.bearoff_cube import exact_money
from gammon.eval.cubeful import cubeful_evaluator
from gammon.eval.evaluators import load_evaluator
from gammon.rules.terms import Terms
from tests.boards import by_counts

OWNED = [Terms(cube=2, owner=1), Terms(), Terms(cube=2, owner=-1)]
BEAROFFS = np.array([by_counts((2, 1), (3,)), by_counts((1, 0, 1), (2, 2))], np.int8)


def lost_by(mine, right, column) -> float:
    """The losses of both players' decisions, action by action."""

    def action(values):
        taken = 2.0 * values[2]
        return min(taken, 1.0) > values[column], taken < 1.0

    (doubles, takes), taken = action(mine), 2.0 * right[2]
    roller = {True: min(taken, 1.0), False: right[column]}
    answer = {True: taken, False: 1.0}  # the opponent pays
    return (max(roller.values()) - roller[doubles]) + (answer[takes] - min(answer.values()))


def test_losses_are_those_of_the_actions() -> None:
    random = np.random.default_rng(1)
    right = random.uniform(-1.0, 1.2, (300, 3))
    mine = right + random.normal(0.0, 0.3, right.shape)
    found = losses(mine, right)
    for values, better, lost in zip(mine, right, found, strict=True):
        assert lost[0] == pytest.approx(lost_by(values, better, 1))
        assert lost[1] == pytest.approx(lost_by(values, better, 0))
    assert (found > 0.0).any()
    assert not losses(right, right).any()


def test_distances() -> None:
    right = np.zeros((4, 3))
    mine = np.array([[0.1, 0.2, 0.0], [-0.1, 0.2, 0.0], [0.1, 0.2, 0.0], [-0.1, 0.2, 0.0]])
    found = Distance.of(mine, right)
    assert found.rms == pytest.approx([0.1, 0.2, 0.0])
    assert found.mean == pytest.approx([0.0, 0.2, 0.0])
    assert found.error == pytest.approx([0.1 / 3**0.5, 0.0, 0.0])
    assert found.lost == pytest.approx(losses(mine, right).mean(axis=0))


def test_games_come_to_the_exact_values() -> None:
    player = cubeful_evaluator(load_evaluator("probe"))
    boards = [tuple(row) for row in BEAROFFS.tolist()]
    exact = np.array([[exact_money(points, terms) for terms in OWNED] for points in boards])
    assert static_values(player, BEAROFFS) == pytest.approx(exact, abs=1e-6)
    # Players who know the values play at their best, and all of their luck is seen.
    rolled = rolled_values(player, BEAROFFS, 36, (1, 1), 5)
    assert rolled == pytest.approx(exact, abs=1e-5)
