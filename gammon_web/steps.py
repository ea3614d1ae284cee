"""The steps of a roll: a graph that leads a page through all legal plays, without rules."""

from functools import cache
from typing import NamedTuple

from gammon.rules.board import Points
from gammon.rules.moves import legal_moves


class Step(NamedTuple):
    """One checker moves by one die.

    Attributes:
        source: 25 is the bar.
        target: 0 is off.
        die: that is used up.
        node: that it leads to.
    """

    source: int
    target: int
    die: int
    node: int


class Steps(NamedTuple):
    """The graph of a roll.

    Attributes:
        nodes: the steps from each node; node 0 is before the first one. A node without steps
            is the end of a complete play.
        ends: the points at such nodes, seen from the mover.
    """

    nodes: list[list[Step]]
    ends: dict[int, Points]


#: A board, and the dice that are left.
_Place = tuple[Points, tuple[int, ...]]
#: A move by a die: source, target, die, and the place that it leads to.
_Move = tuple[int, int, int, _Place]


def steps_of(points: Points, dice: tuple[int, int]) -> Steps:
    """Return the graph of the steps that belong to a full legal play.

    Args:
        points: 26 counts, seen from the mover; the game is not over.
        dice: the roll, in any order.
    """

    @cache
    def moves(place: _Place) -> list[_Move]:
        board, left = place
        return [
            (move.source, move.target, die, (after, _without(left, die)))
            for die in dict.fromkeys(left)
            for move, after in legal_moves(board, die)
        ]

    @cache
    def longest(place: _Place) -> int:
        """Return how many dice can be played from a place."""
        return max((1 + longest(after) for *_, after in moves(place)), default=0)

    def full(place: _Place) -> list[_Move]:
        """Return the moves that belong to a full play."""
        found = [each for each in moves(place) if longest(each[3]) == longest(place) - 1]
        if place == first and longest(place) == 1:  # of two dice, the higher one if it can be
            found = [each for each in found if each[2] == high] or found
        return found

    low, high = sorted(dice)
    first: _Place = points, (low,) * 4 if low == high else (low, high)
    nodes, places, numbers = [], [first], {first: 0}
    for place in places:  # which grow
        node = []
        for source, target, die, after in full(place):
            if after not in numbers:
                numbers[after] = len(places)
                places.append(after)
            node.append(Step(source, target, die, numbers[after]))
        nodes.append(node)
    return Steps(nodes, {at: places[at][0] for at, node in enumerate(nodes) if not node})


def _without(left: tuple[int, ...], die: int) -> tuple[int, ...]:
    """Return the dice that are left after one of them."""
    at = left.index(die)
    return left[:at] + left[at + 1 :]
