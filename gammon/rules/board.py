"""A backgammon position: 26 int8 seen from the player on roll.

Index 25 is the roller's own bar, 24..1 the points as the roller numbers them,
0 the opponent's bar. Positive counts are the roller's checkers, negative the
opponent's. Borne-off checkers are not stored: they are 15 minus the sum.

A move is one checker's part of a play, as a person plays and writes it. `gammon.rules.sequences` finds all
plays of a roll with their moves.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gammon.base.errors import IllegalPositionError
from gammon.compiled.records import Int8Matrix, Int8Vector

#: 26 counts as a Python tuple, which can be compared and hashed.
Points = tuple[int, ...]
#: The same counts as an array for compiled code, int8 [26]: a state.
State = Int8Vector
#: States, int8 [N, 26].
Rows = Int8Matrix

SIZE = 26
OWN_BAR = 25
THEIR_BAR = 0
#: The target of a checker that is borne off, in plays given as moves.
OFF = 0
CHECKERS = 15

#: The opening position. It is the same from both sides.
OPENING: Points = (0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0)

#: The phases of a game, for counts of errors; the most common one comes first.
PHASES = ("contact", "back game or crashed", "race", "bearoff")
_HOME = 6
#: A back game: at least this many points in the opponent's home, and pips behind.
_ANCHORS, _BEHIND = 2, 50
#: Crashed: at most this many checkers on the board outside the two lowest points.
_ALIVE = 6


def flipped(points: Sequence[int]) -> Points:
    """Return the same position seen from the other player."""
    return tuple(-int(count) for count in reversed(points))


def off_counts(points: Sequence[int]) -> tuple[int, int]:
    """Return how many checkers the roller and the opponent have borne off."""
    own = sum(count for count in points if count > 0)
    their = -sum(count for count in points if count < 0)
    return CHECKERS - own, CHECKERS - their


def pip_counts(points: Sequence[int]) -> tuple[int, int]:
    """Return the pip counts of the roller and the opponent."""
    own = sum(point * count for point, count in enumerate(points) if count > 0)
    their = sum((25 - point) * -count for point, count in enumerate(points) if count < 0)
    return own, their


def is_over(points: Sequence[int]) -> bool:
    """Return whether a side has borne off its last checker."""
    return CHECKERS in off_counts(points)


def check_points(points: Sequence[int], source: str) -> Points:
    """Check that `points` are a possible position, and return them as a tuple.

    Args:
        points: 26 counts in the order of this module.
        source: the text from which the points were read; the message quotes it.

    Raises:
        IllegalPositionError: there are not 26 counts, a side has more than 15 checkers,
            a checker is on the other side's bar, or the board is empty.
    """
    if len(points) != SIZE:
        raise IllegalPositionError(f"{source!r}: expected {SIZE} points, found {len(points)}")
    own, their = off_counts(points)
    for side, off in (("player on roll", own), ("opponent", their)):
        if off < 0:
            raise IllegalPositionError(
                f"{source!r}: the {side} has {CHECKERS - off} checkers, expected at most {CHECKERS}"
            )
    if points[OWN_BAR] < 0 or points[THEIR_BAR] > 0:
        raise IllegalPositionError(f"{source!r}: a checker stands on the other side's bar")
    if (own, their) == (CHECKERS, CHECKERS):
        raise IllegalPositionError(f"{source!r}: the board is empty, no game has that position")
    return tuple(int(count) for count in points)


def has_contact(points: Points) -> bool:
    """Return whether some checker must still pass a checker of the other side; the game is not over."""
    own = max(p for p in range(SIZE) if points[p] > 0)
    their = min(p for p in range(SIZE) if points[p] < 0)
    return own > their


def plays_back_game(points: Points) -> bool:
    """Return whether the player on roll plays a back game; see `phase_of`."""
    own, their = pip_counts(points)
    anchors = sum(points[p] >= 2 for p in range(19, 25))
    return anchors >= _ANCHORS and own - their >= _BEHIND


def _has_crashed(points: Points) -> bool:
    """Return whether the player on roll has crashed; see `phase_of`."""
    buried = points[1] + points[2] if points[1] > 0 and points[2] > 0 else 0
    return buried > 0 and CHECKERS - off_counts(points)[0] - buried <= _ALIVE


def phase_of(points: Points) -> str:
    """Return the phase of a position, one of `PHASES`.

    `bearoff`: there is no contact, and all checkers of both sides are at home. `race`: there
    is no contact, and some checker is not at home. `back game or crashed`: there is contact,
    and one side plays a back game or has crashed. A side plays a back game if it holds at least
    two points in the opponent's home board and is at least 50 pips behind. It has crashed if
    both its lowest points are occupied and at most six of its checkers are elsewhere on the
    board. `contact`: all other positions.

    Args:
        points: 26 counts, seen from either side; the game is not over.
    """
    sides = points, flipped(points)
    if not has_contact(points):
        home = all(count <= 0 for side in sides for count in side[_HOME + 1 :])
        return "bearoff" if home else "race"
    if any(plays_back_game(side) or _has_crashed(side) for side in sides):
        return "back game or crashed"
    return "contact"


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
