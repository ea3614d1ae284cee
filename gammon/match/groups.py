"""Boards of many matches in groups: a search is for one score and one state of the cube."""

from collections.abc import Sequence
from functools import lru_cache

from gammon.formats.met_file import read_met
from gammon.games.cubeful import cubeful_backgammon
from gammon.rules.terms import Terms
from gammon.search import Game

__all__ = ["by_terms", "game_at", "unit_at"]


def by_terms(terms: Sequence[Terms]) -> dict[Terms, list[int]]:
    """Return the numbers of those boards that can be searched together, by their terms.

    Values for money are per unit of the cube, so that only its owner tells terms apart.

    Args:
        terms: N, those of the player on roll on each board.
    """
    groups: dict[Terms, list[int]] = {}
    for number, each in enumerate(terms):
        key = each if each.length else each._replace(cube=2 if each.owner else 1)
        groups.setdefault(key, []).append(number)
    return groups


@lru_cache(4096)
def game_at(terms: Terms) -> Game:
    """Return the game with the cube at these terms, by the Kazaross-XG2 table."""
    return cubeful_backgammon(terms, read_met() if terms.length else None)


def unit_at(terms: Terms) -> float:
    """Return what a point of equity, which is per unit of the cube, is in the game's values.

    For money it is 1. In a match it is the chance to win the match that lies between winning
    and losing the game at this cube.
    """
    if not terms.length:
        return 1.0
    table = read_met()
    return table.after(terms, terms.cube) - table.after(terms, -terms.cube)
