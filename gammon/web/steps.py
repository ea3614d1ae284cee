"""The steps of a roll: a graph that leads a page through all legal plays, without rules."""

from typing import NamedTuple

from gammon.rules.board import Points
from gammon.rules.moves import legal_moves

__all__ = ["Step", "Steps", "steps_of"]


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


def steps_of(points: Points, dice: tuple[int, int]) -> Steps:
    """Return the graph of the steps that belong to a full legal play.

    Args:
        points: 26 counts, seen from the mover; the game is not over.
        dice: the roll, in any order.
    """
    graph = _Graph()
    low, high = sorted(dice)
    first = points, (low,) * 4 if low == high else (low, high)
    length = graph.longest(first)
    graph.add(first)
    steps = graph.nodes[0]
    if low != high and length == 1 and any(step.die == high for step in steps):
        graph.nodes[0] = [step for step in steps if step.die == high]
    return graph.reached()


class _Graph:
    """The graph while it is built.

    Attributes:
        nodes: as in `Steps`.
    """

    def __init__(self) -> None:
        self.nodes: list[list[Step]] = []
        self._numbers: dict[_Place, int] = {}
        self._moves: dict[_Place, list[tuple[int, int, int, _Place]]] = {}
        self._longest: dict[_Place, int] = {}

    def _moves_from(self, place: _Place) -> list[tuple[int, int, int, _Place]]:
        """Return the moves from a place: source, target, die, and the place they lead to."""
        if place not in self._moves:
            points, left = place
            self._moves[place] = [
                (move.source, move.target, die, (after, _without(left, die)))
                for die in dict.fromkeys(left)
                for move, after in legal_moves(points, die)
            ]
        return self._moves[place]

    def longest(self, place: _Place) -> int:
        """Return how many dice can be played from a place."""
        if place not in self._longest:
            after = [self.longest(to) for _, _, _, to in self._moves_from(place)]
            self._longest[place] = 1 + max(after) if after else 0
        return self._longest[place]

    def add(self, place: _Place) -> int:
        """Add a place with all that follows, and return its number."""
        if place not in self._numbers:
            self._numbers[place] = number = len(self.nodes)
            self.nodes.append([])
            wanted = self.longest(place) - 1
            self.nodes[number] = [
                Step(source, target, die, self.add(to))
                for source, target, die, to in self._moves_from(place)
                if self.longest(to) == wanted
            ]
        return self._numbers[place]

    def reached(self) -> Steps:
        """Return the nodes that the first one leads to."""
        found, waiting = {0}, [0]
        while waiting:
            new = {step.node for step in self.nodes[waiting.pop()]} - found
            found |= new
            waiting += new
        number = {old: new for new, old in enumerate(sorted(found))}
        nodes = [
            [step._replace(node=number[step.node]) for step in self.nodes[old]]
            for old in sorted(found)
        ]
        ends = {
            number[old]: points
            for (points, _), old in self._numbers.items()
            if old in number and not self.nodes[old]
        }
        return Steps(nodes, ends)


def _without(left: tuple[int, ...], die: int) -> tuple[int, ...]:
    at = left.index(die)
    return left[:at] + left[at + 1 :]
