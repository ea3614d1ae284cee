"""Learning the efficiency of the cube: targets, updates, and what decisions lose."""

from itertools import pairwise

import numpy as np
import pytest
import torch
from cubes import learner
from cubes.judge import Distance, losses, rolled_values, static_values
from cubes.learner import CubeModule, Lesson, Sweeps, fit, leaf_with, sweep, values_of
from cubes.targets import cube_targets, folded, static_outputs

from gammon.eval.bearoff_cube import exact_money
from gammon.eval.cubeful import cubeful_evaluator
from gammon.eval.efficiency import CONTACT
from gammon.eval.evaluators import load_evaluator
from gammon.eval.model_file import load_model
from gammon.games.backgammon import backgammon
from gammon.rules.board import has_contact
from gammon.rules.terms import Terms
from gammon.search import TreeSearch
from tests.boards import by_counts, points_of
from tests.lab.train.conftest import _one_thread  # noqa: F401
from tests.naive.search import defined_value, outputs

# Distances between values with the cube, and what decisions lose by them.

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


# Learning the efficiency of the cube: from a fixed one on, nearer, and the same again.


@pytest.fixture(scope="module")
def weights():
    return load_model("probe").weights


@pytest.fixture
def rows(played):
    return np.array(played(600, 3), np.int8)


def new_module() -> CubeModule:
    torch.manual_seed(1)
    return CubeModule()


def test_a_new_module_leaves_the_values_as_they_are(weights, rows) -> None:
    numbers = new_module().numbers()
    found, fixed = (
        folded(player, static_outputs(player, rows))
        for player in (cubeful_evaluator(leaf_with(weights, n)) for n in (numbers, None))
    )
    assert found == pytest.approx(fixed, abs=2e-6)


def test_the_module_says_what_the_leaf_says(weights, rows) -> None:
    module = new_module()
    with torch.no_grad():
        module.output.weight.normal_(std=0.1)
    leaf = leaf_with(weights, module.numbers())
    lesson = Lesson.of(leaf, rows)
    contact = np.array([has_contact(tuple(row)) for row in rows.tolist()])
    outputs = static_outputs(cubeful_evaluator(leaf), rows[contact])
    said = module(lesson.seen).clamp(0.0, 1.0).detach().numpy()
    assert said == pytest.approx(outputs[:, 7:], abs=0.02)
    assert said.std() > 0.01
    values = folded(cubeful_evaluator(leaf), outputs)
    every = torch.arange(len(lesson.seen))
    assert values_of(module, lesson, every).detach().numpy() == pytest.approx(values, abs=0.02)
    assert (values[:, 2] <= values[:, 1]).all() and (values[:, 1] < values[:, 0]).any()
    assert np.array_equal(lesson.targets, cube_targets(cubeful_evaluator(leaf), rows[contact]))


def test_it_learns_its_targets(weights, rows) -> None:
    module = new_module()
    lesson = Lesson.of(leaf_with(weights, module.numbers()), rows)
    before = torch.mean((lesson.dead + CONTACT * lesson.gap - lesson.targets) ** 2)
    loss = fit(module, lesson, 40, 64, (1e-2, 0.0), np.random.default_rng(1))
    found = values_of(module, lesson, torch.arange(len(lesson.seen)))
    missed = float(torch.mean((found - lesson.targets) ** 2).detach())
    assert missed == pytest.approx(loss, rel=0.1)
    assert loss < 0.9 * before


def test_sweeps_repeat_themselves_and_build_on_each_other(weights, monkeypatch, rows) -> None:
    asked = []

    def positions(player, seed):
        asked.append(seed)
        return rows[seed % 3 :: 3]

    monkeypatch.setattr(learner, "played_positions", positions)
    settings = Sweeps(sweeps=3, kept=2, passes=2, batch=32, seed=7)
    first, second = (list(sweep(weights, settings)) for _ in range(2))
    assert asked == [7, 8, 9] * 2
    assert [loss for _, loss in first] == [loss for _, loss in second]
    assert first[-1][0].tobytes() == second[-1][0].tobytes()
    assert all((one != other).any() for (one, _), (other, _) in pairwise(first))


# Values with the cube one turn ahead, against plain recursion.


@pytest.fixture(scope="module")
def evaluator():
    return cubeful_evaluator(load_evaluator("probe"))


def test_targets_are_those_of_a_search(evaluator, played) -> None:
    rows = np.array(played(700, 2), np.int8)[::50]
    found = cube_targets(evaluator, rows)
    assert found.shape == (len(rows), 3)
    for column, terms in zip(found.T, OWNED, strict=True):
        searched = TreeSearch(backgammon(terms), evaluator).values(rows, 2)
        assert column == pytest.approx(searched.values, abs=2e-6)


def test_a_target_is_the_mean_of_the_best_replies(evaluator) -> None:
    over_soon = points_of({1: 1, 5: 2}, {20: 1, 23: 2})
    row = np.array(over_soon, np.int8)
    found = cube_targets(evaluator, row[None])[0]
    for value, terms in zip(found.tolist(), OWNED, strict=True):
        game = backgammon(terms)
        expected = defined_value(game, evaluator, row, 2, terms.owner)
        assert value == pytest.approx(expected, abs=1e-6)


def test_outputs_are_those_of_the_evaluator(evaluator, played) -> None:
    rows = np.array(played(100, 4), np.int8)
    assert static_outputs(evaluator, rows).tobytes() == outputs(evaluator, rows[0], rows).tobytes()
    assert static_outputs(evaluator, rows[:0]).shape == (0, evaluator.outputs)
