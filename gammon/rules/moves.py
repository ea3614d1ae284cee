"""Moves of single checkers, the parts of a play as a person plays and writes it.

`gammon.rules.ways` finds all plays of a roll with their moves.
"""

from collections.abc import Iterator
from typing import NamedTuple

from gammon.rules.board import OFF, OWN_BAR, THEIR_BAR, Points


class Move(NamedTuple):
    """The move of one checker. Points are numbered from the mover: 25 is the bar, 0 is off."""

    source: int
    target: int
    hit: bool = False


#: The checker moves of one turn, in the order of play.
Moves = tuple[Move, ...]


def legal_moves(points: Points, die: int) -> Iterator[tuple[Move, Points]]:
    """Yield each legal move of one die and the position after it, rearmost checker first."""
    own_points = [p for p in range(OWN_BAR, 0, -1) if points[p] > 0]
    if points[OWN_BAR]:
        own_points = [OWN_BAR]
    rear = own_points[0] if own_points else 0
    for source in own_points:
        target = max(source - die, OFF)
        if target == OFF and (rear > 6 or (source < die and source != rear)):
            continue
        if target != OFF and points[target] < -1:
            continue
        after = list(points)
        after[source] -= 1
        hit = target != OFF and points[target] == -1
        if hit:
            after[target] = 0
            after[THEIR_BAR] -= 1
        if target != OFF:
            after[target] += 1
        yield Move(source, target, hit), tuple(after)
