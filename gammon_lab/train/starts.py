"""Random positions in which a share of self-play's games begins.

A network errs most where its own games seldom go: back games, primes on both sides, a checker on
the bar against a closed board, a bearoff against an anchor. Each kind has a rough recipe here.
The players continue from there, so after a few turns the positions are natural.

Games of strong players seldom go to the positions of some *families*. A *back game* has two anchors.
A *massive* back game has half the checkers. A *containment* holds a checker that was hit when the
others were nearly off. A *snake* is a prime far from home that has to be rolled around the board. The
last one is *prime against prime*. Each family has a rule for boards and a random sketch; sketches that
break the rule are discarded. The side with the structure is called the holder here; it is on roll in
half of the positions.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import combinations, cycle
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gammon.rules.board import CHECKERS, OPENING, OWN_BAR, SIZE, Points, has_contact
from gammon.rules.dice import N_ROLLS, PROBABILITIES
from gammon.rules.outcome import IN_PLAY, result_of
from gammon.rules.plays import MAX_ROWS, successors

Rows = npt.NDArray[np.int8]

#: Probability that scattered checkers are placed in pairs.
_PAIRS = 0.75


class Sketch:
    """The checkers of two sides while a position is drawn, each in its own numbering.

    The player on roll is drawn last.

    Args:
        random: the random numbers.

    Attributes:
        random: the random numbers.
        sides: int8 [2, 26], checkers by side and point; 25 is the side's own bar.
    """

    def __init__(self, random: np.random.Generator) -> None:
        self.random = random
        self.sides = np.zeros((2, SIZE), np.int8)

    def draw(self, *shares: float) -> int:
        """Return 0, 1, 2 ... with these probabilities, or the next number with the rest."""
        drawn = self.random.random()
        return sum(drawn >= bound for bound in np.cumsum(shares).tolist())

    def choose(self, points: Sequence[int], count: int) -> list[int]:
        """Return `count` different points, drawn at random."""
        chosen: list[int] = self.random.permutation(points)[:count].tolist()
        return chosen

    def make(self, side: int, points: Iterable[int]) -> None:
        """Put two checkers on each of the points."""
        for point in points:
            self.sides[side, point] += 2

    def scatter(self, side: int, points: Iterable[int], count: int) -> None:
        """Put checkers on some of the points, but on none that the other side occupies.

        A point that is listed twice is twice as likely. If no point is free, the checkers are
        left out.
        """
        free = [point for point in points if not self.sides[1 - side, SIZE - 1 - point]]
        while free and count > 0:
            together = min(count, 2 if self.random.random() < _PAIRS else 1)
            self.sides[side, free[self.random.integers(len(free))]] += together
            count -= together

    def left(self, side: int) -> int:
        """Return how many of a side's checkers are not placed yet."""
        return CHECKERS - int(self.sides[side].sum())

    def board(self) -> Rows:
        """Return the position int8 [26], seen from a randomly chosen player on roll."""
        own = int(self.random.integers(2))
        return np.asarray(self.sides[own] - self.sides[1 - own, ::-1], np.int8)


def draw_position(
    random: np.random.Generator, draw: Callable[[Sketch], None], fits: Callable[[Rows], int]
) -> Rows:
    """Draw positions until one fits, and return it, int8 [26].

    Args:
        random: the random numbers.
        draw: draws a position into an empty sketch.
        fits: returns whether to accept a position int8 [26]; 0 if not.
    """
    while True:
        sketch = Sketch(random)
        draw(sketch)
        row = sketch.board()
        if fits(row):
            return row


#: Checkers of a side by its own numbering, int8 [26]; 25 is its own bar.
Side = npt.NDArray[np.int8]

_HOME = range(1, 7)
#: Fewest pips by which the holder of a back game is behind.
_BEHIND = 50


def _prime(side: Side) -> int:
    """Return the length in points of a side's longest prime."""
    longest = length = 0
    for count in side[1:25].tolist():
        length = length + 1 if count > 1 else 0
        longest = max(longest, length)
    return longest


def _behind(holder: Side, other: Side) -> int:
    return int((holder.astype(np.int64) - other) @ np.arange(SIZE))


def _is_back_game(first: int, second: int) -> Callable[[Side, Side], bool]:
    anchors = [first, second]

    def rule(holder: Side, other: Side) -> bool:
        held = [point for point in range(1, 7) if holder[25 - point] > 1]
        return held == anchors and _behind(holder, other) >= _BEHIND

    return rule


def _is_containment(holder: Side, other: Side) -> bool:
    caught = int(other[13:].sum())
    few = CHECKERS - int(other.sum()) >= 4
    return few and 1 <= caught <= 3 and int(holder.sum()) >= 13 and _prime(holder[:19]) >= 3


def _is_massive(holder: Side, other: Side) -> bool:
    committed = int(holder[19:].sum()) >= 7 and int((holder[19:25] > 1).sum()) >= 3
    return committed and _behind(holder, other) >= _BEHIND


def _is_snake(holder: Side, other: Side) -> bool:
    far = _prime(holder[10:25]) >= 4 and int(holder[10:].sum()) >= 11
    return far and CHECKERS - int(other.sum()) >= 9 and int(other[13:].sum()) >= 1


def _is_prime_against_prime(holder: Side, other: Side) -> bool:
    return _prime(holder) >= 4 and _prime(other) >= 4


def _draw_back_game(first: int, second: int) -> Callable[[Sketch], None]:
    held = [25 - first, 25 - second]

    def draw(sketch: Sketch) -> None:
        sketch.make(0, held)
        sketch.scatter(0, [*held, *held, *range(14, 19), OWN_BAR], sketch.draw(0.45, 0.35, 0.15))
        # The other checkers still have time, or have already advanced too far.
        own = (range(4, 14), range(1, 8), [*range(2, 9), *range(4, 7)])[sketch.draw(0.6, 0.2)]
        sketch.scatter(0, own, sketch.left(0))
        sketch.scatter(1, range(13, 22), sketch.draw(0.6, 0.25, 0.1))
        off = sketch.draw(0.75) * int(sketch.random.integers(1, 6))
        sketch.scatter(1, [*range(1, 13), *range(2, 9), *_HOME], sketch.left(1) - off)

    return draw


def _draw_containment(sketch: Sketch) -> None:
    begin = int(sketch.random.integers(1, 9))
    sketch.make(0, range(begin, begin + 3 + sketch.draw(0.35, 0.3, 0.25)))
    caught = 1 + sketch.draw(0.7, 0.25)
    sketch.scatter(1, [*range(13, 25), *range(19, 25), *[OWN_BAR] * 10], caught)
    off = int(sketch.random.integers(4, sketch.left(1) + 1))
    sketch.scatter(1, [*_HOME, 1, 2, 3], sketch.left(1) - off)
    sketch.scatter(0, range(19, 25), sketch.draw(0.6, 0.2, 0.2))
    sketch.scatter(0, [*range(1, 13), *range(1, 19)], sketch.left(0))


def _draw_massive(sketch: Sketch) -> None:
    sketch.make(0, sketch.choose(range(19, 25), 3 + sketch.draw(0.7)))
    committed = 7 + sketch.draw(0.3, 0.25, 0.2, 0.15)
    sketch.scatter(0, [*range(18, 25), OWN_BAR], max(committed - int(sketch.sides[0].sum()), 0))
    sketch.scatter(0, range(1, 19), sketch.left(0))
    sketch.scatter(1, range(13, 25), sketch.draw(0.6, 0.25))
    off = sketch.draw(0.7) * int(sketch.random.integers(1, 6))
    sketch.scatter(1, [*range(1, 13), *_HOME], sketch.left(1) - off)


def _draw_snake(sketch: Sketch) -> None:
    length = 4 + sketch.draw(0.4, 0.35)
    begin = int(sketch.random.integers(10, 26 - length))
    sketch.make(0, range(begin, begin + length))
    # The straggler is behind the prime, and has to pass it on its way home.
    sketch.scatter(1, [*range(max(26 - begin, 13), 25), *[OWN_BAR] * 6], 1 + sketch.draw(0.85))
    sketch.scatter(1, range(1, 7), sketch.draw(0.4, 0.3, 0.2))
    sketch.scatter(0, [*range(begin - 2, 25), *range(10, 25)], sketch.left(0) - sketch.draw(0.6))
    sketch.scatter(0, range(1, 10), sketch.left(0))


def two_primes(sketch: Sketch) -> None:
    """Draw a prime of four to six points for each side, and some checkers behind the other's prime."""
    begins = []
    for side in range(2):
        length = 4 + sketch.draw(0.5, 0.35)
        begins.append(int(sketch.random.integers(2, 12 - length)))
        sketch.make(side, range(begins[side], begins[side] + length))
    for side in range(2):
        # On the points behind the other side's prime, or on the bar.
        sketch.scatter(side, range(26 - begins[1 - side], 26), 1 + sketch.draw(0.2, 0.6))
    for side in range(2):
        sketch.scatter(side, range(begins[side], 19), sketch.left(side))


class _Family(NamedTuple):
    """A family: a rule for the holder's and the other side's checkers, and a sketch."""

    rule: Callable[[Side, Side], bool]
    draw: Callable[[Sketch], None]


_FAMILIES = {
    **{
        f"back game {first}-{second}": _Family(_is_back_game(first, second), _draw_back_game(first, second))
        for first, second in combinations(range(1, 6), 2)
    },
    "containment": _Family(_is_containment, _draw_containment),
    "massive back game": _Family(_is_massive, _draw_massive),
    "snake": _Family(_is_snake, _draw_snake),
    "prime against prime": _Family(_is_prime_against_prime, two_primes),
}
#: Names of the families.
FAMILIES = tuple(_FAMILIES)
#: Repetitions of families that games leave soon, or in which networks err most.
_MORE = {"containment": 3, "massive back game": 2, "snake": 3, "prime against prime": 2}
_ORDER = [name for name in FAMILIES for _ in range(_MORE.get(name, 1))]


def holder_of(family: str, row: npt.NDArray[np.int8]) -> int:
    """Return who holds a family's structure in a position int8 [26].

    Returns:
        1 for the player on roll, also if both sides hold it, -1 for the opponent; 0 if the
        position does not belong to the family, or has no contact.
    """
    rule = _FAMILIES[family].rule
    own, their = np.maximum(row, 0), np.maximum(-row[::-1], 0)
    if not has_contact(row.tolist()):
        return 0
    return 1 if rule(own, their) else -1 if rule(their, own) else 0


def draw_families(
    count: int, seed: int, order: Sequence[str] = FAMILIES
) -> tuple[Rows, npt.NDArray[np.int64]]:
    """Draw positions of families in turn.

    Args:
        count: N, number of positions.
        seed: the same seed gives the same positions; a larger `count` appends to them.
        order: names of the families.

    Returns:
        int8 [N, 26], seen from the player on roll, and int64 [N], the index of each position's
        family in `FAMILIES`.
    """
    random = np.random.default_rng(seed)
    positions = np.empty((count, SIZE), np.int8)
    for row, name in zip(positions, cycle(order), strict=False):
        row[:] = draw_position(random, _FAMILIES[name].draw, partial(holder_of, name))
    numbers = [FAMILIES.index(name) for name in order]
    return positions, np.resize(np.array(numbers, np.int64), count)


def family_starts(count: int, seed: int) -> Rows:
    """Draw first positions of games, int8 [N, 26]: in families, and one play further.

    A search also sees structures dissolve. So half of the positions are replaced by the result
    of a random roll and any play of it, seen from the opponent. Short-lived structures are drawn
    more often.

    Args:
        count: N, number of positions.
        seed: the same seed gives the same positions.
    """
    positions, _ = draw_families(count, seed, _ORDER)
    random = np.random.default_rng([seed, 1])
    after = np.empty((MAX_ROWS, SIZE), np.int8)
    for number in np.flatnonzero(random.random(count) < 0.5).tolist():
        plays = successors(positions[number], int(random.choice(N_ROLLS, p=PROBABILITIES)), after)
        chosen = after[random.integers(plays)]
        if result_of(chosen) == IN_PLAY:
            positions[number] = chosen
    return positions


#: Number of rows that `mixed_starts` returns.
_ROWS = 1 << 16


def _back_game(sketch: Sketch) -> None:
    """Side 0 holds two or three points in the other side's home, and is far behind."""
    held = sketch.choose(range(20, 25), 2 + sketch.draw(0.8))
    sketch.make(0, held)
    sketch.scatter(0, [*held, *held, *range(15, 20), OWN_BAR], sketch.draw(0.4, 0.35))
    # The other checkers make a board while they wait for a shot, or have advanced too far.
    sketch.scatter(0, range(3, 14) if sketch.draw(0.75) == 0 else range(1, 8), sketch.left(0))
    sketch.scatter(1, range(16, 25), sketch.draw(0.8))
    sketch.scatter(1, [*range(1, 13), *range(1, 9), *_HOME], sketch.left(1))


def _closed_board(sketch: Sketch) -> None:
    """Side 0 has five or six points of its home; side 1 is on the bar."""
    sketch.make(0, sketch.choose(_HOME, 6 - sketch.draw(0.6)))
    sketch.sides[1, OWN_BAR] = 1 + sketch.draw(0.6, 0.3)
    # The other checkers come home, or wait in the other side's home.
    sketch.scatter(0, range(1, 19) if sketch.draw(0.7) == 0 else range(1, 25), sketch.left(0))
    # Such positions arise early, or when side 1 has nearly borne off.
    off = sketch.draw(0.5) * int(sketch.random.integers(1, sketch.left(1) + 1))
    sketch.scatter(1, [*range(1, 19), *_HOME, *_HOME], sketch.left(1) - off)


def _late_contact(sketch: Sketch) -> None:
    """Side 0 bears off while side 1 holds a point in that home, or is on the bar."""
    off, held = 0, sketch.draw(0.4, 0.45)
    sketch.make(1, sketch.choose(range(19, 25), held))
    if held == 0:
        sketch.sides[1, OWN_BAR] = 1 + sketch.draw(0.7)
        off = sketch.draw(0.6) * int(sketch.random.integers(1, sketch.left(1) + 1))
    left = int(sketch.random.integers(2, CHECKERS + 1))
    outside = sketch.draw(0.6, 0.2, 0.2) if left > 3 else 0
    sketch.scatter(0, range(7, 13), outside)
    sketch.scatter(0, _HOME, left - outside)
    sketch.scatter(1, [*_HOME, *_HOME, *range(1, 13)], sketch.left(1) - off)


_KINDS = (_back_game, two_primes, _closed_board, _late_contact)


def draw_starts(count: int, seed: int) -> Rows:
    """Draw positions of kinds that a network's own games seldom reach.

    Args:
        count: N, number of positions.
        seed: the same seed gives the same positions; a larger `count` appends to them.

    Returns:
        int8 [N, 26], unfinished positions with contact, seen from the player on roll, who has
        either side with equal chance: a back game, two primes, a closed board, late contact, in
        turn.
    """
    random = np.random.default_rng(seed)
    positions = np.empty((count, SIZE), np.int8)
    for row, draw in zip(positions, cycle(_KINDS), strict=False):
        row[:] = draw_position(random, draw, lambda board: has_contact(board.tolist()))
    return positions


def mixed_starts(share: float, seed: int, families: float = 0.0, opening: Points = OPENING) -> Rows:
    """Return first positions of games, int8 [S, 26]: drawn positions, families, and the opening.

    Args:
        share: the share of `draw_starts`, 0 to 1.
        seed: as for `draw_starts`.
        families: the share of `family_starts`, 0 to 1. If both shares are 0, the opening is
            the only row.
        opening: where the other games begin.
    """
    begin = np.array([opening], np.int8)
    drawn, in_families = round(share * _ROWS), round(families * _ROWS)
    if drawn + in_families == 0:
        return begin
    return np.concatenate(
        [
            draw_starts(drawn, seed),
            family_starts(in_families, seed),
            begin.repeat(_ROWS - drawn - in_families, axis=0),
        ]
    )
