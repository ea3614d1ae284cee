"""Learning a cube: it starts from nothing, comes nearer, and repeats itself."""

from itertools import pairwise

import numpy as np
import pytest
import torch
from cubes import learner
from cubes.learned import learned_evaluator, nothing
from cubes.learner import CubeModule, Sweeps, fit, known_of, sweep
from cubes.targets import cube_targets, static_outputs

from gammon.eval.evaluators import load_evaluator
from gammon.eval.features import encode
from gammon.eval.model_file import load_model
from gammon.eval.network import Network, network_of

pytestmark = pytest.mark.nightly  # the package has no learned cube


@pytest.fixture
def leaf():
    return load_evaluator("probe")


@pytest.fixture
def rows(played):
    return np.array(played(600, 3), np.int8)


def module_of(trunk: bool = False) -> CubeModule:
    torch.manual_seed(1)
    network = network_of(load_model("probe").weights) if trunk else Network(16, 8)
    return CubeModule(network, trunk)


def test_a_new_module_adds_nothing(leaf, rows) -> None:
    known = known_of(leaf, rows)
    added = module_of()(torch.from_numpy(encode(rows)), torch.from_numpy(known))
    assert added.shape == (len(rows), 3)
    assert not added.detach().numpy().any()
    values = static_outputs(learned_evaluator(leaf, nothing(), exact=False), rows)
    assert known.tobytes() == np.ascontiguousarray(values[:, [*range(6), 7, 8, 9]]).tobytes()


@pytest.mark.parametrize("kind", ["own", "trunk", "formula"])
def test_it_learns_its_targets(kind, leaf, rows) -> None:
    module = CubeModule(None) if kind == "formula" else module_of(kind == "trunk")
    before = {name: w.clone() for name, w in module.named_parameters()}
    player = learned_evaluator(leaf, nothing(), exact=False)
    known, targets = known_of(leaf, rows), cube_targets(player, rows)
    missed = np.mean((known[:, 6:] - targets) ** 2)
    loss = fit(module, rows, known, targets, 20, 64, (3e-3, 0.0), np.random.default_rng(1))
    learned = static_outputs(learned_evaluator(leaf, module.learned(), exact=False), rows)
    now = np.mean((learned[:, 7:] - targets) ** 2)
    assert loss < 0.9 * missed
    assert now == pytest.approx(loss, rel=0.1)
    changed = {
        name for name, w in module.named_parameters() if not torch.equal(w, before[name])
    }
    kept = {name for name in before if "hidden" in name or "gate" in name}
    assert changed == before.keys() - (kept if kind == "trunk" else set())


def test_sweeps_repeat_themselves_and_build_on_each_other(leaf, monkeypatch, rows) -> None:
    asked = []

    def positions(player, seed):
        asked.append(seed)
        return rows[seed % 3 :: 3]

    monkeypatch.setattr(learner, "played_positions", positions)
    settings = Sweeps(sweeps=3, kept=2, passes=2, batch=32, seed=7)
    first, second = (list(sweep(leaf, module_of(), settings)) for _ in range(2))
    assert asked == [7, 8, 9] * 2
    assert [loss for _, loss in first] == [loss for _, loss in second]
    weights = [cube.formula["4.weight"] for cube, _ in first]
    assert weights[-1].tobytes() == second[-1][0].formula["4.weight"].tobytes()
    assert all((one != other).any() for one, other in pairwise(weights))
