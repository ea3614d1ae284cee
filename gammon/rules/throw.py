"""Dice as a function of (seed, game, turn): a game can be repeated, by any worker."""

import numpy as np

from gammon.compiled.hashing import mix
from gammon.compiled.kernel import kernel

_ROLLS = np.uint64(36)


@kernel()
def throw(seed: np.uint64, game: np.uint64, turn: np.uint64) -> int:
    """Return the outcome (0..20) of two fair dice, the same for the same arguments."""
    face = int(mix(mix(mix(seed) ^ game) ^ turn) % _ROLLS)
    first = face // 6 + 1
    second = face % 6 + 1
    high = max(first, second)
    low = min(first, second)
    return high * (high - 1) // 2 + low - 1
