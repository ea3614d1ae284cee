"""Random NIM against its paper, and against its rules written a second time."""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from gammon_lab.games import random_nim
from tests.engine.games.solve import solve


@cache
def random_nim_wins(heaps, w1):
    """Return the probability that the player who moves now wins."""
    best = Fraction(0)
    for i, beans in enumerate(heaps):
        for left in range(beans):
            after = list(heaps)
            after[i] = left
            if sum(after) == 0:
                return Fraction(1)
            loses = Fraction(0)
            for source, chance in ((0, w1), (1, 1 - w1)):
                moved = list(after)
                if moved[source]:
                    moved[source] -= 1
                    moved[source + 1] += 1
                loses += chance * (1 - random_nim_wins(tuple(moved), w1))
            best = max(best, loses)
    return best


def test_random_nim_against_the_twin():
    for heaps in np.ndindex(3, 3, 3):
        if sum(heaps):
            game, root = random_nim.game(heaps, (1, 2)), random_nim.root(heaps)
            _, value = solve(game, root, 2 * sum(heaps) - 1)
            twin = random_nim_wins(heaps, Fraction(1, 3))
            assert (1 + value) / 2 == pytest.approx(float(twin)), heaps
