"""Dice as a function of (seed, game, turn): a game can be repeated, by any worker."""

import numpy as np

from gammon.compiled.hashing import mix
from gammon.compiled.kernel import kernel

_ROLLS = np.uint64(36)


@kernel(inline=True)
def roll_of(first: int, second: int) -> int:
    """Return the outcome (0..20) of two dice in any order, as `dice.outcome_of` does."""
    high, low = max(first, second), min(first, second)
    return high * (high - 1) // 2 + low - 1


@kernel()
def throw(seed: np.uint64, game: np.uint64, turn: np.uint64) -> int:
    """Return the outcome (0..20) of two fair dice, the same for the same arguments."""
    face = int(mix(mix(mix(seed) ^ game) ^ turn) % _ROLLS)
    return roll_of(face // 6 + 1, face % 6 + 1)
