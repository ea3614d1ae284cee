"""Decisions with deeply searched equities, written by `scripts/write_reference.py`."""

import csv
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from gammon.formats.position_id import parse_position_id
from gammon.rules.board import SIZE, Points, flipped
from gammon.rules.dice import outcome_of
from gammon.rules.phase import phase_of
from gammon.rules.plays import MAX_ROWS, successors

__all__ = ["UNIT", "Reference", "reference_decisions", "sorted_successors"]

_FILE = Path(__file__).parents[1] / "data" / "reference.csv"
#: The unit of the equities in the file, in points.
UNIT = 1e-4


class Reference(NamedTuple):
    """A decision and the equity of each play.

    Attributes:
        points: 26 counts, seen from the player on roll.
        outcome: the roll, 0..20.
        phase: see `gammon.rules.phase`.
        equities: the equity to the mover in points, by the position after the play, seen
            from the mover. Plays that are clearly worse have an upper bound.
    """

    points: Points
    outcome: int
    phase: str
    equities: dict[Points, float]

    def loss(self, after: Points) -> float:
        """Return the least loss of the play that leads to `after`, in points."""
        return max(self.equities.values()) - self.equities[after]


def sorted_successors(points: Points, outcome: int) -> list[Points]:
    """Return all positions after a roll, seen from the mover, in sorted order."""
    rows = np.empty((MAX_ROWS, SIZE), np.int8)
    n = successors(np.array(points, np.int8), outcome, rows)
    return sorted(flipped(row.tolist()) for row in rows[:n])


@cache
def reference_decisions() -> tuple[Reference, ...]:
    """Return all decisions of the reference file."""
    found = []
    with _FILE.open(newline="") as file:
        for row in csv.DictReader(file):
            points = parse_position_id(row["position"])
            outcome = outcome_of((int(row["dice"][0]), int(row["dice"][1])))
            equities = [UNIT * int(number) for number in row["equities"].split()]
            after = sorted_successors(points, outcome)
            found.append(
                Reference(
                    points, outcome, phase_of(points), dict(zip(after, equities, strict=True))
                )
            )
    return tuple(found)
