"""Drawn positions from which a share of self-play's games begins.

A network errs most where its own games seldom go: back games, primes on both sides, a checker
on the bar against a closed board, a bearoff against an anchor. Each kind has a rough recipe
here. The players go on from there, so that after a few turns the positions are those of play.
"""

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from gammon.rules.board import CHECKERS, OPENING, OWN_BAR, SIZE, has_contact

__all__ = ["KINDS", "draw_starts", "mixed_starts"]

#: The kinds of drawn positions, by their numbers.
KINDS = ("back game", "two primes", "closed board", "late contact")
#: Rows of `mixed_starts`.
_ROWS = 1 << 16
#: How often checkers that belong nowhere stand in pairs.
_PAIRS = 0.75
_HOME = range(1, 7)

Rows = npt.NDArray[np.int8]


class _Sketch:
    """A position that is being drawn: the checkers of two sides, each by its own numbering.

    Which side is on roll is drawn last.
    """

    def __init__(self, random: np.random.Generator) -> None:
        self.random = random
        #: int8 [2, 26], by side and point; 25 is the side's own bar.
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


def _back_game(sketch: _Sketch) -> None:
    """Side 0 holds two or three points of the other's home, and is far behind."""
    held = sketch.choose(range(20, 25), 2 + sketch.draw(0.8))
    sketch.make(0, held)
    sketch.scatter(0, [*held, *held, *range(15, 20), OWN_BAR], sketch.draw(0.4, 0.35))
    # The others make a board while they wait for a shot, or are already too far on.
    sketch.scatter(0, range(3, 14) if sketch.draw(0.75) == 0 else range(1, 8), sketch.left(0))
    sketch.scatter(1, range(16, 25), sketch.draw(0.8))
    sketch.scatter(1, [*range(1, 13), *range(1, 9), *_HOME], sketch.left(1))


def _two_primes(sketch: _Sketch) -> None:
    """Each side has four to six points in a row, and some checkers behind the other's."""
    begins = []
    for side in range(2):
        length = 4 + sketch.draw(0.5, 0.35)
        begins.append(int(sketch.random.integers(2, 12 - length)))
        sketch.make(side, range(begins[side], begins[side] + length))
    for side in range(2):
        # On the other's first points, or on the bar.
        sketch.scatter(side, range(26 - begins[1 - side], 26), 1 + sketch.draw(0.2, 0.6))
    for side in range(2):
        sketch.scatter(side, range(begins[side], 19), sketch.left(side))


def _closed_board(sketch: _Sketch) -> None:
    """Side 0 has five or six points of its home; side 1 is on the bar."""
    sketch.make(0, sketch.choose(_HOME, 6 - sketch.draw(0.6)))
    sketch.sides[1, OWN_BAR] = 1 + sketch.draw(0.6, 0.3)
    # The others come home, or wait in the other's.
    sketch.scatter(0, range(1, 19) if sketch.draw(0.7) == 0 else range(1, 25), sketch.left(0))
    # A game may come here early, or when side 1 has nearly borne off.
    off = sketch.draw(0.5) * int(sketch.random.integers(1, sketch.left(1) + 1))
    sketch.scatter(1, [*range(1, 19), *_HOME, *_HOME], sketch.left(1) - off)


def _late_contact(sketch: _Sketch) -> None:
    """Side 0 bears off while side 1 holds a point of that home, or is on the bar."""
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


_SKETCHES = (_back_game, _two_primes, _closed_board, _late_contact)


def _drawn(random: np.random.Generator, kind: int) -> Rows:
    """Return a position int8 [26] of a kind, which may be without contact."""
    sketch = _Sketch(random)
    _SKETCHES[kind](sketch)
    return sketch.board()


def draw_starts(count: int, seed: int) -> tuple[Rows, npt.NDArray[np.int64]]:
    """Draw positions that a network should know better than its games teach it.

    Args:
        count: N, how many.
        seed: the same one gives the same positions, and a larger `count` more of them.

    Returns:
        int8 [N, 26], positions in play with contact, seen from the player on roll, who has
        either side alike; and int64 [N], the number of each one's kind in `KINDS`, in turn.
    """
    random = np.random.default_rng(seed)
    kinds = np.arange(count) % len(KINDS)
    found = np.empty((count, SIZE), np.int8)
    for row, kind in zip(found, kinds.tolist(), strict=True):
        row[:] = _drawn(random, kind)
        while not has_contact(row.tolist()):
            row[:] = _drawn(random, kind)
    return found, kinds


def mixed_starts(share: float, seed: int) -> Rows:
    """Return where games begin, int8 [S, 26]: in drawn positions, and in the opening.

    Args:
        share: that of drawn positions, 0 to 1. With 0 there is one row, the opening.
        seed: as for `draw_starts`.
    """
    opening = np.array([OPENING], np.int8)
    drawn = round(share * _ROWS)
    if drawn == 0:
        return opening
    return np.concatenate([draw_starts(drawn, seed)[0], opening.repeat(_ROWS - drawn, axis=0)])
