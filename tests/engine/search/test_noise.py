"""Noise: standard normal, a fixed function of state and seed."""

import numpy as np
import pytest

from gammon import search
from gammon.search.noise import gauss
from gammon_lab.games import synthetic

N = 5000


@pytest.fixture(scope="module")
def states():
    return np.random.default_rng(1).integers(-15, 16, (N, 26)).astype(np.int8)


def draws(states, seed):
    return np.array([gauss(state, np.uint64(seed)) for state in states])


def test_noise_is_standard_normal(states):
    sample = draws(states, 1)
    error = 4 / np.sqrt(N)
    assert sample.mean() == pytest.approx(0, abs=error)
    assert (sample**2).mean() == pytest.approx(1, abs=np.sqrt(2) * error)
    assert (sample**3).mean() == pytest.approx(0, abs=np.sqrt(15) * error)
    assert (sample**4).mean() == pytest.approx(3, abs=np.sqrt(96) * error)
    assert np.mean(sample > 1.959964) == pytest.approx(0.025, abs=0.16 * error)


def test_noise_repeats_and_differs_by_seed(states):
    first = draws(states, 1)
    assert (first == draws(states, 1)).all()
    assert abs(np.corrcoef(first, draws(states, 2))[0, 1]) < 4 / np.sqrt(N)


def test_each_byte_counts(states):
    first = draws(states[:1], 3)[0]
    for byte in range(26):
        changed = states[0].copy()
        changed[byte] ^= 1
        assert gauss(changed, np.uint64(3)) != first


def test_a_search_depends_on_the_noise_seed():
    game, state = synthetic.game(-1, 1), synthetic.root(-1, 1, 5)
    found = {
        search.Setup(game, synthetic.LEAF, sigma=0.1, noise_seed=seed).value(state, 4).value
        for seed in (0, 1, 2, 2)
    }
    assert len(found) == 3
