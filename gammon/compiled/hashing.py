"""Random numbers as a function of their arguments: the finalizer of splitmix64.

Dice, noise and synthetic trees are hashes of a seed and a position in the sequence or tree, so
the same seed gives the same result in any order and with any number of workers.
"""

import numpy as np

from gammon.compiled.kernel import kernel

# In compiled code the sum of a uint64 and an int64 is a float, so every constant is a uint64.
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_M1 = np.uint64(0xBF58476D1CE4E5B9)
_M2 = np.uint64(0x94D049BB133111EB)
_S11 = np.uint64(11)
_S27 = np.uint64(27)
_S30 = np.uint64(30)
_S31 = np.uint64(31)


@kernel(wraps=True)
def mix(x: np.uint64) -> np.uint64:
    """Return a 64-bit hash of x (splitmix64: Steele, Lea and Flood 2014)."""
    x = x + _GOLDEN
    x = (x ^ (x >> _S30)) * _M1
    x = (x ^ (x >> _S27)) * _M2
    return x ^ (x >> _S31)


@kernel(inline=True)
def unit(key: np.uint64) -> float:
    """Return a number from [0, 1), a multiple of 2**-53, by the upper bits of a hash."""
    return float(key >> _S11) * 2.0**-53
