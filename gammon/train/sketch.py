"""A position that is being drawn at random, for games to begin there."""

from collections.abc import Callable, Iterable, Sequence

import numpy as np
import numpy.typing as npt

from gammon.rules.board import CHECKERS, SIZE

Rows = npt.NDArray[np.int8]

#: How often checkers that belong nowhere stand in pairs.
_PAIRS = 0.75


class Sketch:
    """The checkers of two sides, each by its own numbering. Which one is on roll is drawn last.

    Args:
        random: draws all there is.

    Attributes:
        random: the same.
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
        """Return a number of different points."""
        chosen: list[int] = self.random.permutation(points)[:count].tolist()
        return chosen

    def make(self, side: int, points: Iterable[int]) -> None:
        """Put two checkers on each of the points."""
        for point in points:
            self.sides[side, point] += 2

    def scatter(self, side: int, points: Iterable[int], count: int) -> None:
        """Put checkers on some of the points, but on none that the other side holds.

        A point that is named twice is twice as likely. Where none is free, the checkers stay
        away.
        """
        free = [point for point in points if not self.sides[1 - side, SIZE - 1 - point]]
        while free and count > 0:
            together = min(count, 2 if self.random.random() < _PAIRS else 1)
            self.sides[side, free[self.random.integers(len(free))]] += together
            count -= together

    def left(self, side: int) -> int:
        """Return how many checkers of a side have no place yet."""
        return CHECKERS - int(self.sides[side].sum())

    def board(self) -> Rows:
        """Return the position int8 [26], seen from a player on roll who is drawn."""
        own = int(self.random.integers(2))
        return np.asarray(self.sides[own] - self.sides[1 - own, ::-1], np.int8)


def drawn(random: np.random.Generator, draw: Callable[[Sketch], None], fits: Callable[[Rows], int]) -> Rows:
    """Return the first position int8 [26] that fits.

    Args:
        random: draws all there is.
        draw: draws a position into an empty sketch.
        fits: tells of a position int8 [26] whether it is kept; 0 if not.
    """
    while True:
        sketch = Sketch(random)
        draw(sketch)
        row = sketch.board()
        if fits(row):
            return row
