"""The learner: every weight learns, and the mean of the latest ones is what it says."""

import numpy as np
import pytest
import torch

from gammon.eval.features import encode
from gammon.eval.network import Network, tensors
from gammon.eval.plan import N_PLANS, N_USUAL
from gammon.train.families import draw_families
from gammon.train.learner import OPTIMIZERS, Learner, Muon
from tests.conftest import Played
from tests.engine.eval.networks import drawn


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
def test_kept_parts_do_not_learn(optimizer: str) -> None:
    rows, _ = draw_families(140, 1)
    torch.manual_seed(2)
    pupil = Learner(drawn(16, 4, parts=N_PLANS), kept=N_USUAL)
    pupil.start(optimizer, 2)
    begun = {name: value.copy() for name, value in tensors(pupil.network).items()}
    for _ in range(5):
        pupil.learn(rows, np.full((len(rows), 6), 1 / 6, np.float32), 1e-2)
    for found in (tensors(pupil.network), tensors(pupil.mean)):
        for name, value in found.items():
            learns = int(name.split(".")[1]) >= N_USUAL
            assert np.array_equal(value, begun[name]) is not learns


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
        losses.append([pupil.learn(samples, targets, 1e-2) for _ in range(100)])
    full, half = np.array(losses)
    assert not np.array_equal(full, half)
    assert half[0] == pytest.approx(full[0], abs=1e-3)
    assert half[-1] - half[0] == pytest.approx(full[-1] - full[0], rel=0.1)


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
    first = [torch.randn(24, 10), torch.randn(6, 30)]
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
