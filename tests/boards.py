"""Positions written by hand, match equity tables to play by, and numbers in texts."""

import csv
from collections.abc import Sequence
from pathlib import Path

from gammon.formats.met_file import format_met
from gammon.rules.board import Points
from gammon.rules.match_equity import MatchEquityTable
from tests.conftest import GOLDEN

# Positions written by hand, of any number of checkers, and the golden counts of plays.


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


# Match equity tables that tests play by.

#: Each point is worth 1/32 at any score, but nothing after the Crawford game.
FLAT = MatchEquityTable.extended(
    "flat", [[0.5 + (b - a) / 32 for b in range(8)] for a in range(8)], [0.5] * 8
)


def written(table: MatchEquityTable, folder: Path) -> Path:
    """Write the file of a table."""
    path = folder / "table.csv"
    path.write_text(format_met(table))
    return path


# Things that a file of results may have in the place of three numbers.

NOT_NUMBERS = [
    None, {}, [], [1, 2], [1, 2, "3"], [1, 2, None], [1, 2, True], [1, 2, 10**400],
    [1, 2, float("nan")], [1, 2, float("inf")], [[1], 2, 3],
]  # fmt: skip
