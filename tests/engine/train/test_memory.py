"""The memory of earlier samples."""

import numpy as np

from gammon.train.memory import SampleMemory


def sample(number):
    return np.full((1, 26), number, np.int8), np.full((1, 6), number, np.float32)


def test_the_oldest_give_way():
    memory = SampleMemory.empty(4)
    random = np.random.default_rng(1)
    for number in range(1, 7):
        memory.add(*sample(number))
        latest = set(range(max(number - 3, 1), number + 1))
        samples, targets = memory.draw(random, 100)
        assert set(samples[:, 0].tolist()) == latest
        assert (samples[:, :1] == targets).all()
