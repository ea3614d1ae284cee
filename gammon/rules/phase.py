"""What kind of position it is: a game's phases, by which errors are counted."""

from gammon.rules.board import Points, flipped, has_contact, off_counts, pip_counts

__all__ = ["PHASES", "phase_of"]

#: From the most common on.
PHASES = ("contact", "back game or crashed", "race", "bearoff")
_HOME = 6
#: A back game needs two points in the opponent's home, and so many pips to catch up.
_ANCHORS, _BEHIND = 2, 50
#: Who has no more checkers than this off the two lowest points has crashed.
_ALIVE = 6


def _plays_back_game(points: Points) -> bool:
    own, their = pip_counts(points)
    anchors = sum(points[p] >= 2 for p in range(19, 25))
    return anchors >= _ANCHORS and own - their >= _BEHIND


def _has_crashed(points: Points) -> bool:
    buried = points[1] + points[2] if points[1] > 0 and points[2] > 0 else 0
    return buried > 0 and 15 - off_counts(points)[0] - buried <= _ALIVE


def phase_of(points: Points) -> str:
    """Return the phase of a position that is not over, one of `PHASES`.

    `bearoff`: no contact, and all checkers of both sides are at home. `race`: no contact.
    `back game or crashed`: with contact, a side holds two points in the other's home and is
    50 pips behind, or has all but six checkers on its two lowest points or off. `contact`:
    the rest.
    """
    sides = points, flipped(points)
    if not has_contact(points):
        home = all(count <= 0 for side in sides for count in side[_HOME + 1 :])
        return "bearoff" if home else "race"
    if any(_plays_back_game(side) or _has_crashed(side) for side in sides):
        return "back game or crashed"
    return "contact"
