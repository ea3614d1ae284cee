"""The network that a run begins with: what it takes from a model, and what is new."""

from pathlib import Path

import numpy as np
import pytest
import torch

from gammon.base.errors import ModelError
from gammon.eval.evaluators import evaluator_of
from gammon.eval.features import encode
from gammon.eval.model_file import load_model, save_model
from gammon.eval.network import Network, module_probabilities, network_of, tensors
from gammon.eval.plan import N_PLANS, N_USUAL
from gammon.eval.weights import parts_of
from gammon.train.recipe import Recipe, Samples, TrainingStage
from gammon.train.selfplay import played_positions
from gammon.train.training import first_network, fresh_network
from gammon.train.units import activity
from tests.conftest import Played
from tests.engine.eval.networks import drawn
from tests.engine.train.recipes import changed

RECIPE = Recipe(
    seed=3,
    hidden1=16,
    hidden2=4,
    stages=(TrainingStage(target="sampled", positions=1, rate=(0, 0)),),
)


def model(path: Path, network: Network) -> str:
    save_model(path, tensors(network), {})
    return str(path)


def test_random_weights_have_their_own_numbers() -> None:
    torch.manual_seed(8)
    expected = torch.rand(3)
    torch.manual_seed(8)
    one, other = (tensors(first_network(RECIPE)) for _ in range(2))
    assert torch.equal(torch.rand(3), expected)
    assert all(np.array_equal(other[name], value) for name, value in one.items())
    later = tensors(fresh_network(changed(RECIPE, seed=2**64 - 1), 1))
    assert not np.array_equal(later["parts.0.gate.bias"], one["parts.0.gate.bias"])


def test_the_weights_of_a_model() -> None:
    (shipped,) = parts_of(load_model("probe").weights)
    units, seen = shipped["hidden1.weight"].shape
    recipe = changed(
        RECIPE,
        hidden1=units,
        hidden2=len(shipped["hidden2.bias"]),
        start="probe",
        parts=N_PLANS,
    )
    network = first_network(recipe)
    # Those of its units that are dead are new ones.
    for begun in map(dict, parts_of(tensors(network))):
        kept = begun["hidden2.weight"].any(axis=0)
        assert kept.sum() >= units / 2
        for name in ("hidden1.weight", "gate.weight"):
            first = begun.pop(name)[kept]
            assert np.array_equal(first[:, :seen], shipped[name][kept])
            assert not first[:, seen:].any(), "new features begin without a say"
        for name in ("hidden1.bias", "gate.bias"):
            assert np.array_equal(begun.pop(name)[kept], shipped[name][kept])
        second = begun.pop("hidden2.weight")[:, kept]
        assert np.array_equal(second, shipped["hidden2.weight"][:, kept])
        assert all(np.array_equal(value, shipped[name]) for name, value in begun.items())


def test_new_parts_begin_as_those_of_the_model(tmp_path: Path) -> None:
    usual = drawn(16, 4, parts=N_USUAL)
    start = model(tmp_path / "usual.safetensors", usual)
    recipe = changed(
        RECIPE,
        parts=N_PLANS, kept=N_USUAL, start=start,
        samples=(Samples(model="leaf", positions=1, seed=1),),
        stages=(TrainingStage(target="made", positions=1, rate=(0, 0)),),
    )  # fmt: skip
    grown = parts_of(tensors(first_network(recipe)))
    for number, part in enumerate(parts_of(tensors(usual))):
        # Nor do units of theirs begin anew that are dead in ordinary games.
        assert all(np.array_equal(part[name], grown[number][name]) for name in part)
        for again in range(number + N_USUAL, N_PLANS, N_USUAL):
            assert np.array_equal(part["output.weight"], grown[again]["output.weight"])


def test_models_that_do_not_fit(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"hidden1\.weight"):
        first_network(changed(RECIPE, hidden1=12, start="probe"))
    whole = model(tmp_path / "whole.safetensors", Network(16, 4, parts=N_PLANS))
    with pytest.raises(ModelError, match="5 parts, expected no more than the recipe's 1"):
        first_network(changed(RECIPE, start=whole))


def test_a_network_that_grows_says_what_it_said(played: Played) -> None:
    shipped = load_model("probe").weights
    (part,) = parts_of(shipped)
    units, units2 = len(part["hidden1.bias"]), len(part["hidden2.bias"])
    recipe = changed(RECIPE, hidden1=units + 16, hidden2=units2 + 4, start="probe")
    grown, positions = first_network(recipe), np.array(played(500, 1)[::10], np.int8)
    expected = module_probabilities(network_of(shipped), positions)
    assert np.allclose(module_probabilities(grown, positions), expected, atol=1e-6)
    # The new units are there to learn: a step changes what the network says.
    loss = grown.logits(torch.from_numpy(encode(positions)))[:, 0].sum()
    loss.backward()
    gradient = grown.parts[0].get_parameter("output.weight").grad
    assert gradient is not None
    assert gradient[0, units2:].abs().sum() > 0


def test_dead_units_begin_anew(tmp_path: Path, played: Played) -> None:
    old = drawn(16, 4)
    with torch.no_grad():
        old.parts[0].get_parameter("hidden1.bias")[[3, 8]] = -100.0
    network = first_network(changed(RECIPE, start=model(tmp_path / "old.safetensors", old)))
    alive = activity(network, played_positions(evaluator_of(tensors(old)), 1)) > 0
    assert alive[0, [3, 8]].all()
    begun, shape = tensors(network), tensors(fresh_network(RECIPE))
    assert not begun["parts.0.hidden2.weight"][:, [3, 8]].any()
    for name in ("parts.0.hidden1.weight", "parts.0.gate.bias"):
        assert np.array_equal(begun[name][[3, 8]], shape[name][[3, 8]])
    rows = np.array(played(500, 1)[::10], np.int8)
    said, before = (module_probabilities(which, rows) for which in (network, old))
    assert np.allclose(said, before, atol=1e-6)
