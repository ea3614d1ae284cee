"""The compiled network against torch."""

from collections.abc import Callable

import numpy as np
import pytest
import torch

from gammon.eval import nnue
from gammon.eval.equity import cumulative
from gammon.eval.features import N_COUNTS, encode
from gammon.eval.network import Network, module_probabilities, tensors
from gammon.eval.packed import first_layers, pack
from gammon.records import Float32Matrix, Float32Vector
from gammon.rules.board import OPENING, Points
from gammon.rules.outcome import N_RESULTS, POINTS
from gammon.rules.plays import MAX_ROWS, successors
from gammon.rules.state import Rows, State
from tests.eval.networks import drawn


def results(parent: State, rows: Rows, packed: Float32Vector) -> Float32Matrix:
    """The chances of the six results [N, 6] of positions, as the search gets them."""
    out = np.empty((len(rows), N_RESULTS), np.float32)
    nnue.results(parent, rows, len(rows), packed, out)
    return out


def by_torch(network: Network, rows: Rows) -> Float32Matrix:
    with torch.inference_mode():
        logits = network.logits(torch.from_numpy(encode(rows)))
        found: Float32Matrix = torch.softmax(logits, dim=1).numpy()
    return found


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
    network = drawn(hidden1, hidden2, tactics, parts)
    packed = pack(tensors(network))
    rows = np.empty((MAX_ROWS, 26), np.int8)
    checked, worst, spread = 0, 0.0, []
    rng = np.random.default_rng(4)
    for points in played(20_000, 7):
        if checked >= 10_000:
            break
        state = np.array(points, np.int8)
        n = successors(state, rng.integers(21), rows)
        found, expected = results(state, rows[:n], packed), by_torch(network, rows[:n])
        worst = max(worst, float(np.abs(expected - found).max()))
        spread.append(float((expected @ POINTS).std()))
        checked += n
    assert checked >= 10_000
    assert max(spread) > 0.01, "the positions are all worth the same: nothing was checked"
    assert worst < 1e-5


def test_chances_of_unrelated_positions(played: Callable[[int, int], list[Points]]) -> None:
    network = drawn(64, 16)
    packed = pack(tensors(network))
    rows = np.array(played(500, 9), np.int8)
    assert np.abs(nnue.results_of(rows, packed) - by_torch(network, rows)).max() < 1e-5
    found = nnue.probabilities(rows, packed)
    assert np.array_equal(found, cumulative(nnue.results_of(rows, packed)))
    assert np.abs(found - module_probabilities(network, rows)).max() < 1e-5


def test_parent_does_not_matter(played: Callable[[int, int], list[Points]]) -> None:
    packed = pack(tensors(drawn(64, 16)))
    rows = np.array(played(200, 2), np.int8)
    near, far = (
        results(rows[0], rows, packed),
        results(np.array(OPENING, np.int8), rows, packed),
    )
    assert np.abs(near - far).max() < 1e-5


def test_numbers_that_are_not_seen_change_nothing(
    played: Callable[[int, int], list[Points]],
) -> None:
    weights = tensors(drawn(32, 8))
    for name in first_layers(weights):
        weights[name][:, N_COUNTS:] = 0.0
    without = weights | {name: weights[name][:, :N_COUNTS] for name in first_layers(weights)}
    rows = np.array(played(200, 5), np.int8)
    for parent in (rows[0], rows[100]):
        found, expected = (
            results(parent, rows, pack(weights)),
            results(parent, rows, pack(without)),
        )
        assert np.array_equal(found, expected), "to the last bit"
