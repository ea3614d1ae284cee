"""Learning the efficiency of the cube: from a fixed one on, nearer, and the same again."""

from itertools import pairwise

import numpy as np
import pytest
import torch
from cubes import learner
from cubes.learner import CubeModule, Lesson, Sweeps, fit, leaf_with, sweep, values_of
from cubes.targets import cube_targets, folded, static_outputs

from gammon.eval.cubeful import cubeful_evaluator
from gammon.eval.efficiency import CONTACT
from gammon.eval.model_file import load_model
from gammon.rules.board import has_contact


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
