"""The phases of a game; a player's errors are counted by the phase of the position."""

from gammon.rules.board import CHECKERS, Points, flipped, has_contact, off_counts, pip_counts

#: The most common phase comes first.
PHASES = ("contact", "back game or crashed", "race", "bearoff")
_HOME = 6
#: A back game: at least this many points in the opponent's home, and pips behind.
_ANCHORS, _BEHIND = 2, 50
#: Crashed: at most this many checkers on the board outside the two lowest points.
_ALIVE = 6


def plays_back_game(points: Points) -> bool:
    """Tell whether the player on roll holds points at the other's home, far behind."""
    own, their = pip_counts(points)
    anchors = sum(points[p] >= 2 for p in range(19, 25))
    return anchors >= _ANCHORS and own - their >= _BEHIND


def _has_crashed(points: Points) -> bool:
    """Tell whether the player on roll has few checkers outside the two lowest points."""
    buried = points[1] + points[2] if points[1] > 0 and points[2] > 0 else 0
    return buried > 0 and CHECKERS - off_counts(points)[0] - buried <= _ALIVE


def phase_of(points: Points) -> str:
    """Return the phase of a position, one of `PHASES`.

    `bearoff`: there is no contact, and all checkers of both sides are at home. `race`: there
    is no contact, and some checker is not at home. `back game or crashed`: there is contact,
    and one side plays a back game or has crashed. A side plays a back game if it holds two
    points in the other's home and is at least 50 pips behind. It has crashed if both its
    lowest points are occupied and at most six of its checkers are elsewhere on the board.
    `contact`: all other positions.

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
