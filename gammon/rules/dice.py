"""The 21 distinct rolls of two dice, their probabilities, and reproducible dice.

The number of a roll (0..20) is its *outcome*: 11, 21, 22, 31, 32, 33, ... 66, in the order of
the larger die, then of the smaller.
"""

from typing import Any

import numpy as np

from gammon.base.checks import is_whole, shown
from gammon.base.errors import FormatError, SettingError
from gammon.compiled.hashing import mix
from gammon.compiled.kernel import kernel

#: The rolls, larger die first.
ROLLS = tuple((high, low) for high in range(1, 7) for low in range(1, high + 1))
N_ROLLS = len(ROLLS)
#: In 36ths: a double comes one way, any other roll two ways.
WEIGHTS = tuple(1 if high == low else 2 for high, low in ROLLS)
PROBABILITIES = np.array(WEIGHTS, np.float64) / 36.0
#: The same rolls as arrays, for compiled code.
HIGH = np.array([high for high, _ in ROLLS], np.int64)
LOW = np.array([low for _, low in ROLLS], np.int64)
#: The outcomes by two dice in any order.
OUTCOMES = {dice: k for k, roll in enumerate(ROLLS) for dice in (roll, roll[::-1])}
_THROWS = np.uint64(36)


def checked_dice(dice: Any) -> tuple[int, int]:
    """Return two dice, given as a tuple, list or array of whole numbers, as a tuple of int.

    Raises:
        SettingError: a die is not in 1..6, or there are not two dice.
    """
    given = dice.tolist() if isinstance(dice, np.ndarray) else dice
    if isinstance(given, tuple | list) and len(given) == 2:
        first, second = given
        if is_whole(first, 1, 6) and is_whole(second, 1, 6):
            return int(first), int(second)
    raise SettingError(f"dice {shown(dice)}: expected two numbers from 1 to 6, such as (3, 1)")


def outcome_of(dice: tuple[int, int]) -> int:
    """Return the outcome (0..20) of two dice in any order.

    Raises:
        SettingError: a die is not in 1..6, or there are not two dice.
    """
    low, high = sorted(checked_dice(dice))
    return high * (high - 1) // 2 + low - 1


def parse_dice(text: str) -> tuple[int, int]:
    """Parse dice as people type them: `31`, `3-1`, `3 1`, `3,1`.

    Raises:
        FormatError: the text is not two digits from 1 to 6.
    """
    digits = [c for c in text if c not in " -,/"]
    if len(digits) != 2 or not all(c in "123456" for c in digits):
        raise FormatError(f"dice {text!r}: expected two digits from 1 to 6, such as 31")
    return int(digits[0]), int(digits[1])


@kernel(inline=True)
def roll_of(first: int, second: int) -> int:
    """Return the outcome (0..20) of two dice in any order, as `outcome_of` does."""
    high, low = max(first, second), min(first, second)
    return high * (high - 1) // 2 + low - 1


@kernel()
def throw(seed: np.uint64, game: np.uint64, turn: np.uint64) -> int:
    """Return the outcome (0..20) of two fair dice, the same for the same arguments."""
    face = int(mix(mix(mix(seed) ^ game) ^ turn) % _THROWS)
    return roll_of(face // 6 + 1, face % 6 + 1)
