"""The learner: every weight learns, units of the first layer, first networks, checkpoints."""

import os
import pickle
from pathlib import Path

import numpy as np
import pytest
import torch

from gammon.base.errors import GammonError, ModelError
from gammon.eval.evaluators import evaluator_of
from gammon.eval.features import encode
from gammon.eval.model_file import load_model, parts_of, save_model
from gammon.eval.network import Network, module_probabilities, network_of, tensors
from gammon.eval.plan import BOTH, N_PLANS, N_USUAL, PARTS, plan_of
from gammon_lab.train.learner import (
    OPTIMIZERS,
    Learner,
    Muon,
    checked_count,
    load_checkpoint,
    save_checkpoint,
    take_array,
    take_samples,
)
from gammon_lab.train.recipe import Recipe, Samples, TrainingStage
from gammon_lab.train.selfplay import played_positions
from gammon_lab.train.starts import draw_families
from gammon_lab.train.training import activity, first_network, fresh_network, renew, sorted_by_activity
from tests.conftest import Played
from tests.damage import damages
from tests.engine.eval.networks import drawn
from tests.lab.train.recipes import changed
from tests.naive.training import UNITS, slow_activity

# The learner: every weight learns, and the mean of the latest ones is what it says.


@pytest.fixture(scope="module")
def samples(played: Played) -> np.ndarray:
    return np.array(played(640, 1)[::10], np.int8)


def learner(optimizer: str, average: int) -> Learner:
    torch.manual_seed(2)
    result = Learner(Network(16, 4))
    result.start(optimizer, average)
    return result


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_every_weight_learns(optimizer: str, samples: np.ndarray) -> None:
    targets = np.tile(np.array([0.02, 0.1, 0.3, 0.4, 0.15, 0.03], np.float32), (64, 1))
    pupil = learner(optimizer, 1)
    begun = {name: value.copy() for name, value in tensors(pupil.network).items()}
    losses = [pupil.learn(samples, targets, 1e-2) for _ in range(100)]
    # The loss cannot fall below the targets' own entropy.
    entropy = -(targets[0] * np.log(targets[0])).sum()
    assert 0 < losses[-1] - entropy < (losses[0] - entropy) / 3
    for name, value in tensors(pupil.network).items():
        assert not np.array_equal(value, begun[name]), f"{name} did not learn"


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_the_mean_is_of_the_latest_weights(optimizer: str, samples: np.ndarray) -> None:
    targets = np.full((64, 6), 1 / 6, np.float32)
    pupil = learner(optimizer, 4)
    expected = {name: value.copy() for name, value in tensors(pupil.network).items()}
    for _ in range(10):
        pupil.learn(samples, targets, 1e-2)
        for name, value in tensors(pupil.network).items():
            expected[name] += (value - expected[name]) / 4
    for name, value in tensors(pupil.mean).items():
        assert np.allclose(value, expected[name], atol=1e-6)
        assert not np.allclose(value, tensors(pupil.network)[name], atol=1e-6)


def test_targets_below_zero_are_nothing_to_run_after(samples: np.ndarray) -> None:
    beyond = np.tile(np.array([-0.1, 0, 0, 1.2, -0.1, 0], np.float32), (64, 1))
    within = np.tile(np.array([0, 0, 0, 1, 0, 0], np.float32), (64, 1))
    for optimizer in OPTIMIZERS:
        one, other = learner(optimizer, 1), learner(optimizer, 1)
        for _ in range(20):
            loss = one.learn(samples, beyond, 1e-2)
            assert loss == other.learn(samples, within, 1e-2) >= 0


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_mixed_precision_learns_nearly_the_same(optimizer: str, samples: np.ndarray) -> None:
    random = np.random.default_rng(1)
    targets = random.dirichlet(np.ones(6), len(samples)).astype(np.float32)
    losses = []
    for mixed in (False, True):
        pupil = learner(optimizer, 1)
        pupil.mixed = mixed
        losses.append([pupil.learn(samples, targets, 1e-2) for _ in range(60)])
    full, half = np.array(losses)
    assert not np.array_equal(full, half)
    assert half[0] == pytest.approx(full[0], abs=1e-3)
    assert half[-1] - half[0] == pytest.approx(full[-1] - full[0], rel=0.1)


def test_threads_that_encode_change_nothing(samples: np.ndarray) -> None:
    targets = np.random.default_rng(1).dirichlet(np.ones(6), len(samples)).astype(np.float32)
    weights = []
    for encoding in (1, 3):
        pupil = learner("muon", 1)
        pupil.encoding = encoding
        for _ in range(3):
            pupil.learn(samples, targets, 1e-2)
        weights.append(tensors(pupil.network))
    for name, value in weights[0].items():
        assert np.array_equal(value, weights[1][name])


def test_logits_are_in_full_precision(samples: np.ndarray) -> None:
    network = drawn(16, 4)
    features = torch.from_numpy(encode(samples))
    with torch.autocast("cpu", torch.bfloat16):
        logits = network.logits(features.bfloat16())
    assert logits.dtype == torch.float32
    # Sums in bfloat16 have 8 bits, these more.
    assert not torch.equal(logits, logits.bfloat16().float())


def test_steps_are_those_of_torch_but_for_its_precision() -> None:
    torch.manual_seed(1)
    first = [torch.randn(24, 10), torch.randn(6, 30), torch.randn(24, 10)]
    own, their = ([each.clone().requires_grad_() for each in first] for _ in range(2))
    muon = Muon(list(own))
    known = torch.optim.Muon(their, weight_decay=0.0, adjust_lr_fn="match_rms_adamw")
    for _ in range(4):
        for optimizer, weights in ((muon, own), (known, their)):
            optimizer.zero_grad()
            for group in optimizer.param_groups:
                group["lr"] = 0.01
            sum((each**3).sum() for each in weights).backward()
            optimizer.step()
    for begun, one, other in zip(first, own, their, strict=True):
        moved = (other - begun).norm()
        assert moved > 0.1
        assert (one - other).norm() < 0.02 * moved


# Units of the first layer: their activity by its definition, new ones, and their order.


@pytest.fixture(scope="module")
def units_samples(played: Played) -> np.ndarray:
    drawn_ones, _ = draw_families(140, 3)  # of the plans that ordinary games seldom have
    return np.concatenate([np.array(played(1_500, 1)[::10], np.int8), drawn_ones])


def network(parts: int = N_PLANS) -> Network:
    """A network whose units 2 and 7 of the last part are dead, each by another factor."""
    made = drawn(UNITS, 4, parts=parts)
    with torch.no_grad():
        made.parts[-1].get_parameter("hidden1.bias")[2] = -100.0
        made.parts[-1].get_parameter("gate.bias")[7] = -100.0
    return made


@pytest.mark.parametrize("parts", PARTS)
def test_activity(units_samples: np.ndarray, parts: int) -> None:
    found = activity(network(parts), units_samples)
    assert found.numpy() == pytest.approx(slow_activity(network(parts), units_samples))
    assert set(torch.nonzero(found[-1] == 0).flatten().tolist()) >= {2, 7}
    assert found.max() > 0


def test_nothing_is_known_of_a_part_that_judges_no_position(units_samples: np.ndarray) -> None:
    of_both = units_samples[[plan_of(row, N_PLANS) == BOTH for row in units_samples]]
    found = activity(network(), of_both)
    assert found[BOTH].isfinite().all()
    assert found[BOTH + 1 :].isnan().all()


def test_new_units_say_nothing_and_learn(units_samples: np.ndarray) -> None:
    made, fresh = network(), Network(UNITS, 4, parts=N_PLANS)
    dead = activity(made, units_samples) == 0
    before, said = tensors(made), module_probabilities(made, units_samples)
    before = {name: value.copy() for name, value in before.items()}
    renew(made, fresh, dead)
    assert np.allclose(module_probabilities(made, units_samples), said, atol=1e-6)
    for number, part in enumerate(made.parts):
        new = dead[number].numpy()
        for name in ("hidden1.weight", "hidden1.bias", "gate.weight", "gate.bias"):
            value = part.get_parameter(name).detach().numpy()
            other = fresh.parts[number].get_parameter(name).detach().numpy()
            assert np.array_equal(value[new], other[new])
            assert np.array_equal(value[~new], before[f"parts.{number}.{name}"][~new])
    assert (activity(made, units_samples)[-1, [2, 7]] > 0).all()
    torch.nn.functional.cross_entropy(
        made.logits(torch.from_numpy(encode(units_samples))), torch.ones(len(units_samples), dtype=torch.long)
    ).backward()
    gradient = made.parts[-1].get_parameter("hidden2.weight").grad
    assert gradient is not None
    assert (gradient[:, [2, 7]] != 0).any(dim=0).all()


@pytest.mark.parametrize("parts", PARTS)
def test_the_most_active_units_come_first(units_samples: np.ndarray, parts: int) -> None:
    made = network(parts)
    assert (activity(made, units_samples).diff(dim=1) > 0).any()
    ordered = network_of(sorted_by_activity(tensors(made), units_samples))
    assert (activity(ordered, units_samples).diff(dim=1) <= 0).all()
    said = module_probabilities(made, units_samples)
    assert np.allclose(module_probabilities(ordered, units_samples), said, atol=1e-6)


# The network that a run begins with: what it takes from a model, and what is new.

RECIPE = Recipe(
    seed=3, hidden1=16, hidden2=4, stages=(TrainingStage(target="sampled", positions=1, rate=(0, 0)),)
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
        RECIPE, hidden1=units, hidden2=len(shipped["hidden2.bias"]), start="probe", parts=N_PLANS
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
        parts=N_PLANS,
        start=start,
        samples=(Samples(model="leaf", positions=1, seed=1),),
        stages=(TrainingStage(target="made", positions=1, rate=(0, 0)),),
    )
    grown = parts_of(tensors(first_network(recipe)))
    for number, part in enumerate(parts_of(tensors(usual))):
        for again in range(number, N_PLANS, N_USUAL):
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


# Checkpoints: what is saved is loaded, and damage is noticed.

ARRAYS = {
    "step": np.array(3, np.float32),
    "numbers": np.array([1, 2**64 - 1], np.uint64),
    "boards": np.arange(12, dtype=np.int8).reshape(3, 4).T,
    "none": np.zeros((0, 6), np.float32),
}
FACTS = {"stage": 1, "seconds": 0.1, "recipe": {"rate": [1e-3, 0.0]}}


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.safetensors"
    save_checkpoint(path, ARRAYS, FACTS)
    arrays, facts = load_checkpoint(path)
    assert facts == FACTS
    assert arrays.keys() == ARRAYS.keys()
    for name, array in ARRAYS.items():
        assert arrays[name].dtype == array.dtype
        assert arrays[name].shape == array.shape
        assert np.array_equal(arrays[name], array)


@pytest.mark.smoke
def test_flipped_bits_and_cuts_are_noticed(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.safetensors"
    save_checkpoint(path, ARRAYS, FACTS)
    whole = path.read_bytes()
    harmless = 0
    for damaged in damages(whole, 200):
        path.write_bytes(damaged.data)
        try:
            arrays, facts = load_checkpoint(path)
        except ModelError as error:
            assert "damaged" in str(error)
            assert "\n" not in str(error)
            continue
        harmless += 1
        assert facts == FACTS
        assert all(np.array_equal(arrays[name], array) for name, array in ARRAYS.items())
    assert harmless < 20


class Code:
    """An object that runs code when it is unpickled."""

    def __init__(self, place: Path) -> None:
        self.place = place

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, (str(self.place),)


def test_nothing_of_a_file_is_run(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.safetensors"
    path.write_bytes(pickle.dumps(Code(tmp_path / "run")))
    with pytest.raises(ModelError, match="not a checkpoint"):
        load_checkpoint(path)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("data", [b"", b"rubbish", b"\xff" * 8, b"\2" + b"\0" * 7 + b"{}"])
def test_what_is_no_checkpoint(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "checkpoint.safetensors"
    path.write_bytes(data)
    with pytest.raises(ModelError, match="not a checkpoint"):
        load_checkpoint(path)
    with pytest.raises(ModelError, match="not a checkpoint"):
        load_checkpoint(tmp_path)


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(GammonError, match="cannot be written"):
        save_checkpoint(tmp_path / "file" / "checkpoint.safetensors", ARRAYS, FACTS)


def test_what_is_taken_is_checked() -> None:
    arrays = {"a": np.zeros(3, np.int8), "m.samples": np.zeros((2, 26), np.int8)}
    with pytest.raises(ValueError, match="a of int8"):
        take_array(dict(arrays), "a", np.int8, (4,))
    with pytest.raises(ValueError, match="a of int8"):
        take_array(dict(arrays), "a", np.uint8, (3,))
    assert take_array(dict(arrays), "a", np.int8, (3,)).flags.writeable
    arrays["m.targets"] = np.zeros((2, 6), np.float32)
    samples, targets = take_samples(dict(arrays), "m")
    assert samples.shape == (2, 26)
    assert targets.shape == (2, 6)
    arrays["m.samples"][1, [3, 4]] = -128
    with pytest.raises(ValueError, match="too many checkers"):
        take_samples(dict(arrays), "m")
    for wrong in (True, -1, 1.0, "1", None, 10**5000):
        with pytest.raises(ValueError, match=r"count|digits"):
            checked_count(wrong)
