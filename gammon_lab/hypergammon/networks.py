"""Networks of several sizes that learn the exact equities of hypergammon.

A network has one hidden layer of ReLUs, and inputs for one, two and three checkers of either side on
each place. So the first layer is a sum of two rows, one for each side: the values of all positions
take one product of matrices for each side on roll.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gammon.compiled.records import Float64Vector
from gammon_lab.hypergammon.sides import Sides

Floats = npt.NDArray[np.float32]

#: Hidden units of each network; all learn from the same positions.
HIDDEN = 2, 4, 8, 16, 32, 64, 128
#: Positions of a step, and the first learning rate, which falls linearly to 0.
_BATCH, _RATE = 256, 0.004
#: Adam's rates of decay, and its least divisor.
_DECAY, _SQUARE_DECAY, _LEAST = 0.9, 0.999, 1e-8


class Networks(NamedTuple):
    """The networks, with their hidden units beside each other: H units of K networks.

    Attributes:
        first: float32 [2 I + 1, H], from the inputs of the side on roll, of the waiting side, and 1.
        second: float32 [H + K, K], from the hidden units and constants; units of others have 0.
    """

    first: Floats
    second: Floats


def _inputs(sides: Sides) -> Floats:
    """Return the inputs of each side, float32 [S, I]."""
    most = int(sides.counts.max())
    return np.concatenate([sides.counts >= k for k in range(1, most + 1)], axis=1).astype(np.float32)


def learn(sides: Sides, truth: Float64Vector, visits: Float64Vector, seed: int, steps: int) -> Networks:
    """Let networks learn the equities of positions in play; half are drawn by visits, half evenly.

    Args:
        sides: all sides.
        truth: float64 [S * S], the exact equities.
        visits: float64 [S * S], see `list_visits`.
        seed: of the first weights and of the positions.
        steps: how many steps of Adam.
    """
    random, inputs, n = np.random.default_rng(seed), _inputs(sides), len(sides.counts)
    playing = ((sides.seen[:, None] & sides.points) == 0).ravel()
    playing.reshape(n, n)[0] = playing.reshape(n, n)[:, 0] = False
    places = np.flatnonzero(playing)
    chances = np.cumsum(visits[places])
    owner = np.repeat(np.arange(len(HIDDEN)), HIDDEN)
    own = np.concatenate([owner[:, None] == np.arange(len(HIDDEN)), np.eye(len(HIDDEN), dtype=bool)])
    weights = [
        random.normal(scale=0.3, size=(2 * inputs.shape[1] + 1, len(owner))).astype(np.float32),
        np.where(own, random.normal(size=own.shape) / np.sqrt(np.array(HIDDEN)), 0.0).astype(np.float32),
    ]
    means, squares = ([np.zeros_like(matrix) for matrix in weights] for _ in range(2))
    ones = np.ones((_BATCH, len(HIDDEN)), np.float32)
    for step in range(steps):
        visited = np.searchsorted(chances, random.random(_BATCH // 2) * chances[-1])
        chosen = places[np.concatenate([visited, random.integers(len(places), size=_BATCH // 2)])]
        given = np.concatenate([inputs[chosen % n], inputs[chosen // n], ones[:, :1]], axis=1)
        hidden = np.concatenate([np.maximum(given @ weights[0], 0.0), ones], axis=1)
        off = (hidden @ weights[1] - truth[chosen, None]).astype(np.float32) / _BATCH
        back = (off @ weights[1][: len(owner)].T) * (hidden[:, : len(owner)] > 0.0)
        gradients = given.T @ back, np.where(own, hidden.T @ off, 0.0)
        rate = _RATE * (1.0 - step / steps) / (1.0 - _DECAY ** (step + 1))
        for matrix, gradient, mean, square in zip(weights, gradients, means, squares, strict=True):
            mean[:] += (1.0 - _DECAY) * (gradient - mean)
            square[:] += (1.0 - _SQUARE_DECAY) * (gradient * gradient - square)
            root = np.sqrt(square / (1.0 - _SQUARE_DECAY ** (step + 1)))
            matrix[:] -= (rate * mean / (root + _LEAST)).astype(np.float32)
    return Networks(*weights)


def value_all(networks: Networks, sides: Sides) -> Floats:
    """Return the equities of all positions by each network, float32 [S * S, K].

    What is no position in play has a value too.
    """
    inputs, n = _inputs(sides), len(sides.counts)
    width = inputs.shape[1]
    rolling, waiting = inputs @ networks.first[:width], inputs @ networks.first[width:-1] + networks.first[-1]
    values = np.empty((n, n, len(HIDDEN)), np.float32)
    units = networks.first.shape[1]
    for side in range(n):
        hidden = np.maximum(rolling + waiting[side], 0.0)
        values[side] = hidden @ networks.second[:units] + networks.second[units:].sum(axis=0)
    return values.reshape(n * n, -1)
