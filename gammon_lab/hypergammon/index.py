"""A number for each position of hypergammon, without gaps: 0 to 7,959,903 with three checkers.

Two sides never share a point. So the waiting side is ranked among the sides on the places that the
side on roll leaves free, in the waiting side's numbering. Positions are numbered by the rank of the
side on roll, and then by this rank.
"""

from functools import cache
from math import comb

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Int8Vector, Int64Vector
from gammon.rules.board import OWN_BAR, SIZE
from gammon_lab.hypergammon.sides import CHOOSE, sides_of


@kernel(inner=True)
def _rank(state: Int8Vector, checkers: int, waiting: bool) -> int:
    """Return the colexicographic rank of a side of a position.

    Args:
        state: int8 [26], seen from the player on roll.
        checkers: the checkers of a side; those that are not on the board are off.
        waiting: whether to rank the waiting side, among the sides on places that are free.
    """
    off = checkers
    for place in range(SIZE):
        off -= max(-state[place] if waiting else state[place], 0)
    rank = 0
    ranked = 0
    label = 0
    for place in range(SIZE):
        count = -int(state[OWN_BAR - place]) if waiting else int(state[place])
        if place == 0:
            count = off
        elif waiting and count < 0 and place < OWN_BAR:
            continue
        for _ in range(count):
            rank += CHOOSE[label + ranked, ranked + 1]
            ranked += 1
        label += 1
    return rank


@kernel()
def index_of(state: Int8Vector, checkers: int, bases: Int64Vector) -> int:
    """Return the number of a position.

    Args:
        state: int8 [26], seen from the player on roll.
        checkers: the checkers of a side.
        bases: int64 [S + 1], see `bases_of`.
    """
    number: int = bases[_rank(state, checkers, bool(0))] + _rank(state, checkers, bool(1))
    return number


@cache
def bases_of(checkers: int) -> Int64Vector:
    """Return the first number of each side on roll by its rank, and last the number of positions.

    Raises:
        SettingError: see `checked_checkers`.
    """
    sides = sides_of(checkers)
    free = SIZE - (sides.counts[:, 1:OWN_BAR] > 0).sum(axis=1)
    many = np.zeros(len(free), np.int64)
    many[_ranks(checkers)] = CHOOSE[free + checkers - 1, checkers]
    return np.concatenate([[0], np.cumsum(many)])


def _ranks(checkers: int) -> Int64Vector:
    """Return the rank of each side, int64 [S], by its number."""
    return np.argsort(sides_of(checkers).number)


def positions(checkers: int) -> int:
    """Return how many positions there are, finished games included.

    By the points that the side on roll occupies: their choice, the ways to put some of the checkers
    there and the others on the bar or off, and the ways of the waiting side on the other places.
    """
    inside = OWN_BAR - 1
    total = comb(SIZE + checkers - 1, checkers) * (checkers + 1)
    for points in range(1, checkers + 1):
        ways = sum(comb(k - 1, points - 1) * (checkers - k + 1) for k in range(points, checkers + 1))
        total += comb(inside, points) * ways * comb(SIZE - points + checkers - 1, checkers)
    return total
