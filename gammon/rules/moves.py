"""Plays as sequences of checker moves, which a person plays and writes.

The compiled generator (`gammon.rules.plays`) knows only positions. This module enumerates
the moves directly in plain Python, and gives each distinct result of a roll one sequence
that leads to it. The enumeration is also the generator's slow, obvious twin.
"""

from collections.abc import Iterator
from typing import NamedTuple

from gammon.rules.board import OFF, OWN_BAR, THEIR_BAR, Points


class Move(NamedTuple):
    """The move of one checker, as the mover numbers the points: 25 is the bar, 0 is off."""

    source: int
    target: int
    hit: bool = False


#: The checker moves of one turn, in the order of play.
Moves = tuple[Move, ...]


def legal_moves(points: Points, die: int) -> Iterator[tuple[Move, Points]]:
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


def _preference(moves: Moves) -> tuple[int, Moves]:
    """Rank sequences with the same result: the fewest moving checkers, then the rearmost."""
    ends: list[int] = []
    for move in moves:
        if move.source in ends:
            ends.remove(move.source)
        ends.append(move.target)
    return -len(ends), tuple(sorted(moves, reverse=True))


def _play_die(plays: dict[Points, Moves], die: int) -> dict[Points, Moves]:
    """Return every play that is one move of `die` longer than one of `plays`."""
    longer: dict[Points, Moves] = {}
    for points, moves in plays.items():
        for move, after in legal_moves(points, die):
            candidate = (*moves, move)
            if after not in longer or _preference(candidate) > _preference(longer[after]):
                longer[after] = candidate
    return longer


def enumerate_plays(points: Points, dice: tuple[int, int]) -> dict[Points, Moves]:
    """Return every distinct result of a roll, with moves that lead to it.

    Args:
        points: 26 counts, seen from the player on roll; the game is not over.
        dice: the roll, in any order.

    Returns:
        The results, seen from the mover, each with its moves in the order of play. A pass
        is the position itself, with no moves.
    """
    nothing: dict[Points, Moves] = {points: ()}
    high, low = max(dice), min(dice)
    if high == low:
        plays = nothing
        for _ in range(4):
            plays = _play_die(plays, high) or plays
        return plays
    high_first, low_first = _play_die(nothing, high), _play_die(nothing, low)
    both = _play_die(high_first, low)
    for after, moves in _play_die(low_first, high).items():
        if after not in both or _preference(moves) > _preference(both[after]):
            both[after] = moves
    return both or high_first or low_first or nothing
