"""Misere NIM against the lectures, and against its rules written a second time."""

from functools import cache

import numpy as np
import pytest

from gammon.games import misere_nim
from tests.games.solve import solve


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


@pytest.mark.parametrize(("heaps", "wins"), [((1, 2, 2), True), ((1, 3, 5, 7), False)])
def test_misere_nim_of_the_lectures(heaps, wins):
    assert misere_win(heaps) == wins
    game = misere_nim.game(heaps)
    for algorithm in ("alpha-beta", "star2"):
        found = solve(game, misere_nim.root(heaps), 2 * sum(heaps) - 1, algorithm)
        assert found[1] == (1 if wins else -1)


def test_misere_nim_against_the_twin():
    for heaps in np.ndindex(3, 4, 4):
        if sum(heaps):
            _, value = solve(misere_nim.game(heaps), misere_nim.root(heaps), 2 * sum(heaps) - 1)
            assert (value > 0) == misere_win(heaps), heaps
