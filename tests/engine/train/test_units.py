"""Units of the first layer: their activity by its definition, new ones, and their order."""

import numpy as np
import pytest
import torch

from gammon.eval.features import encode
from gammon.eval.network import Network, module_probabilities, network_of, tensors
from gammon.eval.plan import BOTH, N_PLANS, PARTS, plan_of
from gammon.train.families import draw_families
from gammon.train.units import activity, renew, sorted_by_activity
from tests.conftest import Played
from tests.engine.eval.networks import drawn

UNITS = 12


@pytest.fixture(scope="module")
def samples(played: Played) -> np.ndarray:
    drawn_ones, _ = draw_families(140, 3)  # of the plans that ordinary games seldom have
    return np.concatenate([np.array(played(1_500, 1)[::10], np.int8), drawn_ones])


def network(parts: int = N_PLANS) -> Network:
    """A network whose units 2 and 7 of the last part are dead, each by another factor."""
    made = drawn(UNITS, 4, parts=parts)
    with torch.no_grad():
        made.parts[-1].get_parameter("hidden1.bias")[2] = -100.0
        made.parts[-1].get_parameter("gate.bias")[7] = -100.0
    return made


def slow_activity(made: Network, samples: np.ndarray) -> np.ndarray:
    active, judged = np.zeros((len(made.parts), UNITS)), np.zeros((len(made.parts), 1))
    for row in samples:
        number = int(plan_of(row, len(made.parts)))
        part = {
            key: value.detach().numpy() for key, value in made.parts[number].named_parameters()
        }
        first, second = (
            part[f"{factor}.weight"] @ encode(row)[0] + part[f"{factor}.bias"]
            for factor in ("hidden1", "gate")
        )
        judged[number] += 1
        active[number] += (first > 0) & (second > 0)
    return active / judged


@pytest.mark.parametrize("parts", PARTS)
def test_activity(samples: np.ndarray, parts: int) -> None:
    found = activity(network(parts), samples)
    assert found.numpy() == pytest.approx(slow_activity(network(parts), samples))
    assert set(torch.nonzero(found[-1] == 0).flatten().tolist()) >= {2, 7}
    assert found.max() > 0


def test_nothing_is_known_of_a_part_that_judges_no_position(samples: np.ndarray) -> None:
    of_both = samples[[plan_of(row, N_PLANS) == BOTH for row in samples]]
    found = activity(network(), of_both)
    assert found[BOTH].isfinite().all()
    assert found[BOTH + 1 :].isnan().all()


def test_new_units_say_nothing_and_learn(samples: np.ndarray) -> None:
    made, fresh = network(), Network(UNITS, 4, parts=N_PLANS)
    dead = activity(made, samples) == 0
    before, said = tensors(made), module_probabilities(made, samples)
    before = {name: value.copy() for name, value in before.items()}
    renew(made, fresh, dead)
    assert np.allclose(module_probabilities(made, samples), said, atol=1e-6)
    for number, part in enumerate(made.parts):
        new = dead[number].numpy()
        for name in ("hidden1.weight", "hidden1.bias", "gate.weight", "gate.bias"):
            value = part.get_parameter(name).detach().numpy()
            other = fresh.parts[number].get_parameter(name).detach().numpy()
            assert np.array_equal(value[new], other[new])
            assert np.array_equal(value[~new], before[f"parts.{number}.{name}"][~new])
    assert (activity(made, samples)[-1, [2, 7]] > 0).all()
    torch.nn.functional.cross_entropy(
        made.logits(torch.from_numpy(encode(samples))),
        torch.ones(len(samples), dtype=torch.long),
    ).backward()
    gradient = made.parts[-1].get_parameter("hidden2.weight").grad
    assert gradient is not None
    assert (gradient[:, [2, 7]] != 0).any(dim=0).all()


@pytest.mark.parametrize("parts", PARTS)
def test_the_most_active_units_come_first(samples: np.ndarray, parts: int) -> None:
    made = network(parts)
    assert (activity(made, samples).diff(dim=1) > 0).any()
    ordered = network_of(sorted_by_activity(tensors(made), samples))
    assert (activity(ordered, samples).diff(dim=1) <= 0).all()
    said = module_probabilities(made, samples)
    assert np.allclose(module_probabilities(ordered, samples), said, atol=1e-6)
