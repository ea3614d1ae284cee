"""Random positions for games to begin in."""

from collections.abc import Callable, Iterable, Sequence

import numpy as np
import numpy.typing as npt

from gammon.rules.board import CHECKERS, SIZE

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
