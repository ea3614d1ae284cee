"""Damaged files: cut at a place, or with one bit flipped, by turns."""

import random
from collections.abc import Iterator
from typing import NamedTuple


class Damaged(NamedTuple):
    """What is left of a file, where it was damaged, and whether a bit was flipped there."""

    data: bytes
    place: int
    flipped: bool


def damages(whole: bytes, times: int) -> Iterator[Damaged]:
    """Yield damaged copies of a file, the same ones each time."""
    chance = random.Random(19)
    for number in range(times):
        place, flipped = chance.randrange(len(whole)), number % 2 == 1
        data = bytearray(whole)
        if flipped:
            data[place] ^= 1 << chance.randrange(8)
        else:
            del data[place:]
        yield Damaged(bytes(data), place, flipped)
