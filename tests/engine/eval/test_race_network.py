"""The network of races: its block says what the layers say that learned."""

import numpy as np
import pytest

from gammon.eval import race_network
from gammon.eval.race_network import H1, SEEN

BLOCK = race_network.race_block()


def numbers(name, *shape):
    at = getattr(race_network.BLOCK, name)
    return BLOCK[at : at + int(np.prod(shape))].reshape(shape)


def first_sums(counts):
    """Return the sums of the first layer by the block's rows, float32 [128], in their order."""
    sums = numbers("bias1", H1).copy()
    for group, home in enumerate(numbers("home", 2, 5, 5, 5, H1)):
        a, b, c = (min(count, 4) for count in counts[3 * group : 3 * group + 3])
        sums += home[c, b, a]
    for p, count in enumerate(counts):
        if count > (0 if p > 5 else 4):
            sums += numbers("steps", 24, 15, H1)[p, count - 1]
    return sums


def test_the_rows_of_the_first_layer_add_up_to_what_learned():
    """Any numbers of checkers, also those of which the groups do not tell all."""
    flat = race_network.NETWORK.numbers()
    weights, bias = np.split(flat[: H1 * (SEEN + 1)], [H1 * SEEN])
    rng = np.random.default_rng(6)
    for most in (1, 3, 6, 15):
        sides = rng.integers(0, most + 1, (50, 24)).astype(np.int8)
        expected = race_network.units_of(sides) @ weights.reshape(H1, SEEN).T + bias
        found = np.array([first_sums(tuple(side.tolist())) for side in sides])
        assert found == pytest.approx(expected, abs=1e-3)
