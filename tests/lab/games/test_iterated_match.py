"""The iterated game against its paper."""

from fractions import Fraction
from functools import cache

import pytest

from gammon import search
from gammon.games.nothing import NOTHING
from gammon_lab.games import iterated_match


@cache
def best_chances(games, lead):
    """Return the chances of A's win, a draw and B's win if A plays best: a recursion."""
    if games == 0:
        return tuple(Fraction(lead * sign > 0) for sign in (1, 0, -1)) if lead else (0, 1, 0)
    safe = best_chances(games - 1, lead)
    won, lost = (best_chances(games - 1, lead + sign) for sign in (1, -1))
    gamble = tuple((a + b) / Fraction(2) for a, b in zip(won, lost, strict=True))
    return max(gamble, safe, key=lambda chances: chances[0] - chances[2])


def test_best_play_against_the_recursion():
    assert [16 * chance for chance in best_chances(4, 0)] == [10, 2, 4]
    for games in range(1, 5):
        found = search.Setup(iterated_match.game(), NOTHING, "star1").value(
            iterated_match.root(games), 4 * games
        )
        win, _, loss = best_chances(games, 0)
        assert found.value == pytest.approx(float(win - loss))
