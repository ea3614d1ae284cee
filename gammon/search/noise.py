"""Evaluation noise as a fixed function of the state.

The same state has the same error wherever it appears, so that probe and search agree
and a run can be repeated, and errors at different states are independent: the model
of an evaluator that is as good as another one, but for errors of a known size.
"""

import math

import numpy as np
from numba import types

from gammon.hashing import mix
from gammon.kernel import kernel
from gammon.search.game import NOT_OVER
from gammon.search.problem import STATE, State

__all__ = ["gauss", "leaf_value"]

_BYTE = np.uint64(8)
_TO_53_BITS = np.uint64(11)
_UNIT = 2.0**-53


@kernel(types.float64(STATE, types.uint64), inner=True)
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


_F64 = types.float64


@kernel(_F64(_F64, _F64, STATE, _F64, types.uint64, types.boolean, _F64, _F64), inner=True)
def leaf_value(
    payoff: float,
    static: float,
    state: State,
    sigma: float,
    seed: np.uint64,
    clamp: bool,
    low: float,
    high: float,
) -> float:
    """Return a leaf's value: what a finished game pays, or the static value with its noise.

    With noise, or if `clamp` is set, the latter is kept within [low, high].
    """
    if payoff != NOT_OVER:
        return payoff
    if sigma > 0.0:
        static += sigma * gauss(state, seed)
    elif not clamp:
        return static
    return min(max(static, low), high)
