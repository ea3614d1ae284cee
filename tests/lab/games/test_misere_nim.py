"""Misere NIM against the lectures, and against its rules written a second time."""

from functools import cache

import numpy as np

from gammon_lab.games import misere_nim
from tests.engine.games.solve import solve


@cache
def misere_win(heaps):
    """Tell whether the player to move wins."""
    if sum(heaps) == 0:
        return True
    return any(
        not misere_win((*heaps[:i], left, *heaps[i + 1 :]))
        for i, beans in enumerate(heaps)
        for left in range(beans)
    )


def test_misere_nim_against_the_twin():
    for heaps in (*np.ndindex(3, 4, 4), (1, 3, 5, 7)):
        if sum(heaps):
            _, value = solve(misere_nim.game(heaps), misere_nim.root(heaps), 2 * sum(heaps) - 1)
            assert (value > 0) == misere_win(heaps), heaps
