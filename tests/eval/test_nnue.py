"""The compiled network against torch, and its features against a slow twin."""

from collections.abc import Callable

import numpy as np
import pytest
import torch
from hypothesis import given

from gammon.eval import nnue
from gammon.eval.equity import cumulative, equity, flipped
from gammon.eval.features import N_COUNTS, N_FEATURES, encode
from gammon.eval.model_file import load_model
from gammon.eval.network import Network, module_probabilities, tensors
from gammon.eval.packed import Weights, pack, rounded
from gammon.eval.plan import N_PLANS, plan_of
from gammon.rules.board import OPENING, Points, off_counts
from gammon.rules.plays import MAX_ROWS, successors
from tests.conftest import positions


def slow_features(points: Points) -> list[float]:
    """The 204 numbers of one count each, one by one, as the module's text says."""
    sides = [[points[p] for p in range(1, 26)], [-points[25 - p] for p in range(1, 26)]]
    units: list[float] = []
    for side in sides:
        for count in side:
            here = max(count, 0)
            units += [here == 1, here == 2, here >= 3, (here - 3) / 2 if here > 3 else 0]
    for off in off_counts(points):
        units += [off / 15, off > 0]
    return units


@given(positions())
def test_features(points: Points) -> None:
    features = encode(np.array([points], np.int8))
    assert features.shape == (1, N_FEATURES)
    assert np.allclose(features[0, :N_COUNTS], slow_features(points), atol=1e-7)


def network(hidden1: int, hidden2: int, tactics: bool = True, parts: int = 1) -> Network:
    torch.manual_seed(hidden1)
    made = Network(hidden1, hidden2, tactics, parts)
    # Untrained outputs are all alike; larger weights spread them over (0, 1).
    with torch.no_grad():
        for name, parameter in made.named_parameters():
            if name.endswith("output.weight"):
                parameter.mul_(20)
    return loaded(made, rounded(tensors(made)))


def loaded(made: Network, weights: Weights) -> Network:
    made.load_state_dict({name: torch.from_numpy(value) for name, value in weights.items()})
    return made


@given(positions())
def test_a_plan_is_who_has_checkers_back(points: Points) -> None:
    own = any(count > 0 for count in points[19:])
    their = any(count < 0 for count in points[:7])
    expected = 0 if own and their else 1 if own else 2
    assert plan_of(np.array(points, np.int8)) == expected
    # Of a network whose parts each say one thing alone, the part that is asked shows.
    net = Network(4, 4, parts=N_PLANS)
    with torch.no_grad():
        for plan, part in enumerate(net.parts):
            for parameter in part.parameters():
                parameter.zero_()
            part.get_parameter("output.bias")[plan] = 9.0
    rows = np.array([points], np.int8)
    for said in (
        nnue.results_of(rows, pack(tensors(net))),
        net.logits(torch.from_numpy(encode(rows))).detach().numpy(),
    ):
        assert said.argmax() == expected


def test_rounding(played: Callable[[int, int], list[Points]]) -> None:
    shipped = load_model("leaf").weights
    assert all(np.array_equal(value, shipped[k]) for k, value in rounded(shipped).items())
    torch.manual_seed(2)
    drawn = tensors(Network(64, 16))
    nearest = rounded(drawn)
    assert np.array_equal(pack(drawn), pack(nearest))
    changed = [k for k, value in nearest.items() if not np.array_equal(value, drawn[k])]
    assert changed == ["parts.0.hidden1.weight", "parts.0.gate.weight"]
    # A bfloat16 has eight digits; a weight of three or more checkers is a sum of three steps.
    for k in changed:
        step = np.abs(drawn[k]).max()
        assert np.abs(nearest[k] - drawn[k]).max() < 5 * step / 2**8
    rows = np.array(played(500, 9), np.int8)
    before = module_probabilities(loaded(Network(64, 16), drawn), rows)
    after = module_probabilities(loaded(Network(64, 16), nearest), rows)
    assert 0 < np.abs(after - before).max() < 1e-3


@pytest.mark.parametrize(
    ("hidden1", "hidden2", "tactics", "parts"),
    [(256, 32, True, 3), (256, 32, True, 1), (32, 8, False, 3), (17, 4, True, 1)],
)
def test_compiled_is_torch_on_10000_positions(
    hidden1: int,
    hidden2: int,
    tactics: bool,
    parts: int,
    played: Callable[[int, int], list[Points]],
) -> None:
    net = network(hidden1, hidden2, tactics, parts)
    packed = pack(tensors(net))
    assert packed[:2].tolist() == [hidden1, hidden2]
    assert packed[4] == parts
    rows = np.empty((MAX_ROWS, 26), np.int8)
    out = np.empty(MAX_ROWS, np.float32)
    checked, worst, spread = 0, 0.0, []
    rng = np.random.default_rng(4)
    for points in played(20_000, 7):
        if checked >= 10_000:
            break
        state = np.array(points, np.int8)
        n = successors(state, rng.integers(21), rows)
        nnue.values(state, rows, n, packed, out)
        expected = equity(module_probabilities(net, rows[:n]))
        worst = max(worst, float(np.abs(expected - out[:n]).max()))
        spread.append(float(expected.std()))
        checked += n
    assert checked >= 10_000
    assert max(spread) > 0.01, "the positions are all worth the same: nothing was checked"
    assert worst < 1e-5


def test_probabilities_of_unrelated_positions(
    played: Callable[[int, int], list[Points]],
) -> None:
    net = network(64, 16)
    rows = np.array(played(500, 9), np.int8)
    found = nnue.probabilities(rows, pack(tensors(net)))
    assert np.abs(found - module_probabilities(net, rows)).max() < 1e-5


def test_parent_does_not_matter(played: Callable[[int, int], list[Points]]) -> None:
    packed = pack(tensors(network(64, 16)))
    rows = np.array(played(200, 2), np.int8)
    near, far = np.empty(200, np.float32), np.empty(200, np.float32)
    nnue.values(rows[0], rows, 200, packed, near)
    nnue.values(np.array(OPENING, np.int8), rows, 200, packed, far)
    assert np.abs(near - far).max() < 1e-5


def test_equity_of_certain_results() -> None:
    results = np.eye(6)
    assert equity(cumulative(results)).tolist() == [-3, -2, -1, 1, 2, 3]
    assert equity(flipped(cumulative(results))).tolist() == [3, 2, 1, -1, -2, -3]
