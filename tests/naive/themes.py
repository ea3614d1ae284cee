"""The rules of themes as docs/review.md has them, in plain Python."""

from collections.abc import Sequence
from itertools import combinations

from gammon.rules.board import CHECKERS, OPENING, THEIR_BAR, Points, flipped, has_contact, plays_back_game
from gammon.rules.terms import Terms
from gammon_study.reviews.choice import ALIKE, ChoiceKind, CubeValues
from gammon_study.reviews.explain import after_play
from gammon_study.reviews.names import THEMES

_HOME = range(1, 7)
_THEIR_HOME = range(19, 25)
#: A game is in its opening while so many checkers of each side stand where they began.
_UNMOVED = 10
#: A blitz: so many checkers in the zone against so many in the home board, where no more points
#: are made.
_ZONE, _ATTACKERS, _VICTIMS, _CLOSED = range(1, 12), 10, 2, 4
_PRIME = 4
#: The other's 5-, 4- and bar point, from where a holding game is played.
_HOLDING = 20, 21, 18
#: Containment: so many checkers at most are not home, the last one still so far from there.
_STRAGGLERS, _FAR, _GUARDS = 2, 13, 6
#: Bear-in: nobody is farther away, and so many checkers are home or off.
_NEAR, _ARRIVED = 12, 9
#: Points that are made or slotted on a player's own side.
_BUILT, _SLOTTED = range(1, 9), range(3, 8)


def _rear(points: Points) -> int:
    return max(place for place, count in enumerate(points) if count > 0)


def _home(points: Points) -> int:
    """Return how many checkers are home or off."""
    return CHECKERS - sum(count for count in points[7:] if count > 0)


def _unmoved(points: Points) -> int:
    return sum(min(max(a, 0), max(b, 0)) for a, b in zip(points, OPENING, strict=True))


def _opening(points: Points) -> bool:
    return min(_unmoved(points), _unmoved(flipped(points))) >= _UNMOVED


def _blitz(points: Points) -> bool:
    home = [points[place] for place in _HOME]
    victims = home.count(-1) - points[THEIR_BAR]
    attackers = sum(max(points[place], 0) for place in _ZONE)
    made = sum(count >= 2 for count in home)
    begun = victims >= _VICTIMS and min(home) >= -1 and has_contact(points)
    return begun and attackers >= _ATTACKERS and made <= _CLOSED


def _prime(points: Points) -> bool:
    """Tell whether there is a run of points with an opposing checker behind it."""
    behind = min(place for place, count in enumerate(points) if count < 0)
    return any(
        min(points[first : first + _PRIME]) >= 2 for first in range(max(behind + 1, 1), 25 - _PRIME + 1)
    )


def _holds(points: Points) -> bool:
    """Tell whether the rearmost checkers are an anchor of a holding game."""
    rear = _rear(points)
    return rear in _HOLDING and points[rear] >= 2


def _holding(points: Points) -> bool:
    other = flipped(points)
    past = min(points[:7]) >= 0
    return _holds(points) and (past or _holds(other)) and has_contact(points)


def _containment(points: Points) -> bool:
    """Tell whether this side must stop the other's last checkers, which are alone."""
    other = flipped(points)
    outside = CHECKERS - _home(other)
    if not 1 <= outside <= _STRAGGLERS or max(other[7:25]) >= 2 or _rear(other) < _FAR:
        return False
    guards = sum(max(points[place], 0) for place in range(25 - _rear(other) + 1, 19))
    return guards >= _GUARDS


def _bear_off(points: Points) -> bool:
    return _home(points) == CHECKERS


def _bear_in(points: Points) -> bool:
    return _NEAR >= _rear(points) > 6 and _home(points) >= _ARRIVED


#: Rules that look at both sides, and those that ask about the player on roll alone.
_EITHER = {
    "opening": _opening,
    "blitz": _blitz,
    "prime": _prime,
    "holding game": _holding,
    "back game": plays_back_game,
    "containment": _containment,
    "race": lambda points: not has_contact(points),
}
_ON_ROLL = {"bear-in": _bear_in, "bear-off": _bear_off}


def position_themes(points: Points) -> list[str]:
    """Return the themes of a position, 26 counts seen from the player on roll."""
    sides = points, flipped(points)
    found = [name for name, rule in _EITHER.items() if any(map(rule, sides))]
    return found + [name for name, rule in _ON_ROLL.items() if rule(points)]


def made_points(before: Points, after: Points, places: Sequence[int] = _BUILT) -> list[int]:
    """Return the points that a play makes, the highest first."""
    return [place for place in reversed(places) if after[place] >= 2 > before[place]]


def _slots(before: Points, after: Points) -> list[int]:
    behind = min(place for place, count in enumerate(after) if count < 0)
    return [place for place in _SLOTTED if after[place] == 1 > before[place] and behind < place]


def _runs(before: Points, after: Points) -> int:
    return sum(max(count, 0) for count in before[19:]) - sum(max(count, 0) for count in after[19:])


def play_themes(points: Points, plays: Sequence[str]) -> list[str]:
    """Return what plays differ in: whether they hit, what they make or slot, whether they run.

    Args:
        points: 26 counts before them.
        plays: those that are compared, in our notation.
    """
    found = set()
    results = [after_play(points, play) for play in dict.fromkeys(plays)]
    for one, other in combinations(results, 2):
        if one[THEIR_BAR] != other[THEIR_BAR]:
            found.add("hit or not")
        if any(rule(points, one) != rule(points, other) for rule in (made_points, _slots)):
            found.add("point or slot")
        if made_points(points, one, _THEIR_HOME) != made_points(points, other, _THEIR_HOME):
            found.add("anchor")
        if _runs(points, one) != _runs(points, other):
            found.add("run")
    return [theme for theme in THEMES if theme in found]


def cube_themes(kind: ChoiceKind, values: CubeValues, error: float) -> list[str]:
    """Return the themes of a choice about the cube."""
    wrong = "missed double" if kind is ChoiceKind.NO_DOUBLE else f"wrong {kind.value}"
    found = [wrong] if error >= ALIKE else []
    doubler = kind in (ChoiceKind.NO_DOUBLE, ChoiceKind.DOUBLE)
    if doubler and min(values.no_double, values.double_take) > values.double_pass:
        found.append("too good")
    return found


def score_themes(terms: Terms) -> list[str]:
    """Return the themes of a score, by the terms of the player who decides.

    Gammon go: a gammon wins the match, and one that is lost costs no more than the game, which
    loses it anyway. Gammon save is the same for the opponent.
    """
    own, their = terms.away
    if not terms.length:
        return []
    found = []
    for name, mine, other in (("gammon go", own, their), ("gammon save", their, own)):
        if other <= terms.cube < mine <= 2 * terms.cube:
            found.append(name)
    return found
