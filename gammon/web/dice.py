"""Dice that anybody can check: the n-th roll of a seed is always the same."""

import numpy as np

from gammon.compiled.hashing import mix
from gammon.web import answers
from gammon.web.asked import Asked
from gammon.web.client import Client
from gammon.web.limits import MOST_SEEDS

#: Rolls of an answer.
_MOST = 1000


def roll_of_seed(seed: int, number: int) -> tuple[int, int]:
    """Return a roll: the die of the first player, or on the left, and then the other one.

    Args:
        seed: any number from 0 to 2**53 - 1.
        number: of the roll, from 0 on.
    """
    face = int(mix(mix(np.uint64(seed)) ^ np.uint64(number))) % 36
    return face // 6 + 1, face % 6 + 1


def dice(asked: Asked, client: Client) -> answers.Dice:
    """Answer `GET /dice`."""
    seed = asked.whole("seed", 1, 0, MOST_SEEDS - 1)
    begin = asked.whole("begin", 0, 0, MOST_SEEDS - 1)
    count = asked.whole("count", 100, 1, _MOST)
    rolls = (roll_of_seed(seed, number) for number in range(begin, begin + count))
    return {"seed": seed, "begin": begin, "dice": [f"{a}{b}" for a, b in rolls]}
