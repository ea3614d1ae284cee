"""Plays as moves: what a person plays and writes, recovered from positions.

The compiled generator knows only positions. Here each distinct result of a roll
gets one sequence of checker moves that leads to it, in plain Python by direct
enumeration; the same enumeration is the generator's slow, obvious twin.
"""

from collections.abc import Iterator
from typing import NamedTuple

from gammon.errors import IllegalPlayError
from gammon.rules.board import OFF, OWN_BAR, THEIR_BAR, Points

__all__ = ["Move", "enumerate_plays", "recover_moves"]


class Move(NamedTuple):
    """One checker's move, by the mover's numbering: 25 is the bar, 0 is off."""

    source: int
    target: int
    hit: bool = False


def _legal_moves(points: Points, die: int) -> Iterator[tuple[Move, Points]]:
    """Yield each legal move of one die, rearmost checker first, with its result."""
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


def _sequences(
    points: Points, dice: tuple[int, ...]
) -> Iterator[tuple[tuple[Move, ...], Points]]:
    """Yield every way to play the dice in the order given, stopping where one cannot be."""
    played = False
    if dice:
        for move, after in _legal_moves(points, dice[0]):
            played = True
            for moves, result in _sequences(after, dice[1:]):
                yield (move, *moves), result
    if not played:
        yield (), points


def _preference(moves: tuple[Move, ...]) -> tuple[int, int, tuple[Move, ...]]:
    """Rank sequences with the same result: few separate items, rearmost checkers first."""
    ends: list[int] = []
    joined = 0
    for move in moves:
        if move.source in ends:
            ends.remove(move.source)
            joined += 1
        ends.append(move.target)
    return joined, -sum(move.hit for move in moves), tuple(sorted(moves, reverse=True))


def enumerate_plays(points: Points, dice: tuple[int, int]) -> dict[Points, tuple[Move, ...]]:
    """Return every distinct result of a roll with the moves that lead to it.

    Args:
        points: 26 counts, seen from the player on roll; not finished.
        dice: the roll, in any order.

    Returns:
        Results seen from the mover, each with its moves in the order of play. A pass is
        the position itself with no moves.
    """
    high, low = max(dice), min(dice)
    orders = [(high,) * 4] if high == low else [(high, low), (low, high)]
    found = [play for order in orders for play in _sequences(points, order)]
    most = max(len(moves) for moves, _ in found)
    found = [(moves, after) for moves, after in found if len(moves) == most]
    if most == 1 and high != low:
        # Either die can be played but not both: the larger one must be.
        larger = {after for _, after in _legal_moves(points, high)}
        if larger:
            found = [(moves, after) for moves, after in _sequences(points, (high,))]
    plays: dict[Points, tuple[Move, ...]] = {}
    for moves, after in found:
        if after not in plays or _preference(moves) > _preference(plays[after]):
            plays[after] = moves
    return plays


def recover_moves(before: Points, after: Points, dice: tuple[int, int]) -> tuple[Move, ...]:
    """Return the moves that lead from one position to another, both as the mover sees them.

    Raises:
        IllegalPlayError: no legal play of these dice leads there.
    """
    moves = enumerate_plays(before, dice).get(after)
    if moves is None:
        raise IllegalPlayError(
            f"no legal play of {dice[0]}{dice[1]} leads from {before} to {after}: "
            "expected a successor of the first position, seen from the same player"
        )
    return moves
