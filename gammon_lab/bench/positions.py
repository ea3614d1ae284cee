"""The fixed positions of the benchmark; `scripts/write_bench_positions.py` wrote them."""

import csv
from functools import cache
from pathlib import Path
from typing import NamedTuple

from gammon.formats.position_id import parse_position_id
from gammon.rules.board import Points
from gammon.rules.dice import outcome_of

_FILE = Path(__file__).parents[1] / "data" / "bench_positions.csv"


class BenchPosition(NamedTuple):
    """A contact position of self-play with a roll.

    Attributes:
        points: seen from the player on roll.
        dice: the roll.
        outcome: the number of the roll, 0..20.
        leaves: the leaves of the full trees, by depth (3 and 5).
    """

    points: Points
    dice: tuple[int, int]
    outcome: int
    leaves: dict[int, int]


@cache
def bench_positions() -> tuple[BenchPosition, ...]:
    """Return all 500 positions."""
    positions = []
    with _FILE.open(newline="") as file:
        for row in csv.DictReader(file):
            dice = (int(row["dice"][0]), int(row["dice"][1]))
            leaves = {depth: int(row[f"leaves_{depth}"]) for depth in (3, 5)}
            points = parse_position_id(row["position"])
            positions.append(BenchPosition(points, dice, outcome_of(dice), leaves))
    return tuple(positions)


def spread_positions(count: int) -> list[BenchPosition]:
    """Return `count` positions, spread evenly over the list."""
    positions = bench_positions()
    return [positions[k * len(positions) // count] for k in range(count)]
