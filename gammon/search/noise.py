"""Evaluation noise as a fixed function of the state.

The same state has the same error wherever it appears, so that probe and search agree
and a run can be repeated, and errors at different states are independent: the model
of an evaluator that is as good as another one, but for errors of a known size.
"""

import math

import numpy as np

from gammon.compiled.hashing import mix
from gammon.compiled.kernel import kernel
from gammon.search.game import State

_BYTE = np.uint64(8)
_TO_53_BITS = np.uint64(11)
_UNIT = 2.0**-53


@kernel(inner=True)
def gauss(state: State, seed: np.uint64) -> float:
    """Return a standard normal number that depends on the state and the seed only.

    The bytes of the state are hashed eight at a time; two hashes give the two uniform
    numbers of Box and Muller (1958).
    """
    key = mix(seed)
    word = np.uint64(0)
    for i in range(state.shape[0]):
        word = word << _BYTE | np.uint64(int(state[i]) & 255)
        if i & 7 == 7:
            key = mix(key ^ word)
            word = np.uint64(0)
    first = mix(key ^ word)
    second = mix(first)
    radius = math.sqrt(-2.0 * math.log((float(first >> _TO_53_BITS) + 1.0) * _UNIT))
    return radius * math.cos(2.0 * math.pi * float(second >> _TO_53_BITS) * _UNIT)
