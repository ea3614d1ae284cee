"""Boards of many matches in groups: a search is for one score and one state of the cube."""

from collections.abc import Sequence

from gammon.rules.terms import Terms


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
