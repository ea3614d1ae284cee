"""The compiled network against torch."""

from collections.abc import Callable

import numpy as np
import pytest

from gammon.eval import nnue
from gammon.eval.equity import cumulative, equity, results_of_cumulative
from gammon.eval.features import N_COUNTS
from gammon.eval.network import module_probabilities, tensors
from gammon.eval.packed import first_layers, pack
from gammon.rules.board import OPENING, Points
from gammon.rules.plays import MAX_ROWS, successors
from tests.eval.networks import drawn


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
    net = drawn(hidden1, hidden2, tactics, parts)
    packed = pack(tensors(net))
    rows = np.empty((MAX_ROWS, 26), np.int8)
    out = np.empty((MAX_ROWS, 6), np.float32)
    checked, worst, spread = 0, 0.0, []
    rng = np.random.default_rng(4)
    for points in played(20_000, 7):
        if checked >= 10_000:
            break
        state = np.array(points, np.int8)
        n = successors(state, rng.integers(21), rows)
        nnue.results(state, rows, n, packed, out)
        expected = results_of_cumulative(module_probabilities(net, rows[:n]))
        worst = max(worst, float(np.abs(expected - out[:n]).max()))
        spread.append(float(equity(cumulative(expected)).std()))
        checked += n
    assert checked >= 10_000
    assert max(spread) > 0.01, "the positions are all worth the same: nothing was checked"
    assert worst < 1e-5


@pytest.mark.smoke
def test_probabilities_of_unrelated_positions(
    played: Callable[[int, int], list[Points]],
) -> None:
    net = drawn(64, 16)
    rows = np.array(played(500, 9), np.int8)
    found = nnue.probabilities(rows, pack(tensors(net)))
    assert np.abs(found - module_probabilities(net, rows)).max() < 1e-5


def test_parent_does_not_matter(played: Callable[[int, int], list[Points]]) -> None:
    packed = pack(tensors(drawn(64, 16)))
    rows = np.array(played(200, 2), np.int8)
    near, far = np.empty((200, 6), np.float32), np.empty((200, 6), np.float32)
    nnue.results(rows[0], rows, 200, packed, near)
    nnue.results(np.array(OPENING, np.int8), rows, 200, packed, far)
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
        found, expected = np.empty((200, 6), np.float32), np.empty((200, 6), np.float32)
        nnue.results(parent, rows, 200, pack(weights), found)
        nnue.results(parent, rows, 200, pack(without), expected)
        assert np.array_equal(found, expected), "to the last bit"
