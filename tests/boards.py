"""Positions written by hand, of any number of checkers, and the golden counts of plays."""

import csv
from collections.abc import Sequence

from gammon.rules.board import Points
from tests.conftest import GOLDEN


def points_of(own: dict[int, int], their: dict[int, int]) -> Points:
    """A position by both sides' places on the board, as the player on roll numbers them."""
    return tuple(own.get(place, -their.get(place, 0)) for place in range(26))


def by_sides(own: dict[int, int], their: dict[int, int]) -> Points:
    """A position by the places of each side in its own numbering, 25 for the bar."""
    return points_of(own, {25 - place: count for place, count in their.items()})


def by_counts(own: Sequence[int], their: Sequence[int] = ()) -> Points:
    """A position by how many checkers each side has on its points 1, 2 and so on."""
    sides = ({p: int(c) for p, c in enumerate(side, 1) if c} for side in (own, their))
    return by_sides(*sides)


#: A race of all checkers.
RACE = points_of({6: 5, 5: 5, 4: 4}, {18: 2, 19: 5, 20: 5, 21: 3})


def opening_counts() -> dict[str, int]:
    """The number of plays of each roll in the opening position."""
    with (GOLDEN / "opening_counts.csv").open() as file:
        return {row["roll"]: int(row["successors"]) for row in csv.DictReader(file)}
