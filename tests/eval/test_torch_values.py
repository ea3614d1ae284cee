"""Modules of torch as evaluators."""

import gc
import weakref

import numpy as np
import pytest
import torch

from gammon.errors import ModelError
from gammon.eval.features import N_FEATURES
from gammon.eval.network import tensors
from gammon.eval.nnue import results_of
from gammon.eval.packed import pack
from gammon.eval.torch_values import module_evaluator
from gammon.rules.outcome import N_RESULTS
from tests.eval.networks import drawn


def test_a_module_says_what_its_compiled_twin_says(played):
    rows = np.array(played(60, 3), np.int8)
    networks = drawn(16, 4), drawn(24, 4, parts=3)
    # Both are in use at a time: each is asked through its own weights.
    evaluators = [module_evaluator(network) for network in networks]
    for network, evaluator in zip(networks, evaluators, strict=True):
        out = np.full((60, N_RESULTS), 7.0, np.float32)
        evaluator.evaluate(rows[0], rows, 50, evaluator.weights, out)
        expected = results_of(rows[:50], pack(tensors(network)))
        assert np.abs(out[:50] - expected).max() < 1e-5
        assert (out[50:] == 7.0).all()


def test_a_module_that_fails_is_refused_by_one_line():
    with pytest.raises(ModelError, match=rf"Linear: .*\[N, {N_FEATURES}\]") as caught:
        module_evaluator(torch.nn.Linear(N_FEATURES + 1, 5))
    assert "\n" not in str(caught.value)


def test_a_module_is_dropped_with_its_last_evaluator():
    network = drawn(8, 4)
    alive = weakref.ref(network)
    evaluators = [module_evaluator(network) for _ in range(3)]
    del network
    assert alive() is not None, "its evaluators need it"
    evaluators.clear()
    gc.collect()
    assert alive() is None
