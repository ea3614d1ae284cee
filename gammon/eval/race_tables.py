"""Exact tables for races with checkers outside the home: sides of up to three checkers, and
checkers that must leave the opponent's home.

Each of the two tables is filled from sides with few pips to sides with many. A row holds the
chances that the task is done after exactly 1, 2, ... 32 rolls, if the side plays for the smallest
mean number of rolls:

    few   [2925, 32]  by the rank of up to three checkers on any points: all are borne off
    back  [924, 32]   by the rank of up to six checkers in the opponent's home: all have left
                      it; the point nearest to the exit counts as the ace point, and other
                      checkers do not matter
"""

from collections.abc import Iterable
from itertools import combinations_with_replacement
from math import comb

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float32Matrix, Int8Matrix
from gammon.eval.bearoff import ROLLS_KEPT
from gammon.rules.board import SIZE, State
from gammon.rules.dice import N_ROLLS, PROBABILITIES
from gammon.rules.home import HOME, MOST_CHECKERS, N_TWO_SIDED, rank_from
from gammon.rules.plays import MAX_ROWS, successors

#: Number of points, and the first point of the opponent's home in the side's own numbering.
OUTER = 24
BACK = OUTER - HOME + 1
#: Most checkers of a side in the first table, and the number of such sides.
FEW = 3
N_FEW = comb(OUTER + FEW, FEW)
#: The number that a checker adds to its side's rank, by the number of checkers behind it and by its point.
_ADDED = np.array([[comb(p + FEW - 1 - k, FEW - k) for p in range(OUTER + 1)] for k in range(FEW)], np.int64)


@kernel(inner=True)
def rank_of_few(state: State, opponent: bool) -> int:
    """Return the rank of a side of up to three checkers, none of them on the bar.

    Sides are ranked in colexicographic order of their points, highest first; a checker that is
    off counts as standing on point 0.

    Args:
        state: int8 [26].
        opponent: rank the opponent's side instead of the player's.
    """
    rank, behind = 0, 0
    for p in range(OUTER, 0, -1):
        for _ in range(-int(state[25 - p]) if opponent else int(state[p])):
            rank += _ADDED[behind, p]
            behind += 1
    return rank


@kernel(allocates=True)
def _fill(states: Int8Matrix, few: bool, out: Float32Matrix) -> None:
    """Fill one of the tables.

    Args:
        states: int8 [N, 26], the sides of the player on roll, fewer pips first.
        few: whether it is the first table.
        out: float32 [N, 32], zeros.
    """
    rows = np.empty((MAX_ROWS, SIZE), np.int8)
    means = np.zeros(out.shape[0], np.float64)
    for n in range(1, states.shape[0]):
        state = states[n]
        i = rank_of_few(state, False) if few else rank_from(state, False, BACK)
        for roll in range(N_ROLLS):
            best = -1
            for j in range(int(successors(state, roll, rows))):
                rank = rank_of_few(rows[j], True) if few else rank_from(rows[j], True, BACK)
                if best < 0 or means[rank] < means[best]:
                    best = rank
            if best == 0:
                out[i, 0] += PROBABILITIES[roll]
            else:
                for k in range(ROLLS_KEPT - 1):
                    out[i, k + 1] += PROBABILITIES[roll] * out[best, k]
        for k in range(ROLLS_KEPT):
            means[i] += (k + 1) * out[i, k]


def _states(sides: Iterable[tuple[int, ...]]) -> Int8Matrix:
    """Return the sides, int8 [N, 26], for given points of checkers (0: off), in order of pips."""
    ordered = sorted(sides, key=sum)
    states = np.zeros((len(ordered), SIZE), np.int8)
    for state, points in zip(states, ordered, strict=True):
        for p in points:
            state[p] += p > 0
    return states


def build_few() -> Float32Matrix:
    """Return the table for sides of up to three checkers, float32 [2925, 32]."""
    out = np.zeros((N_FEW, ROLLS_KEPT), np.float32)
    _fill(_states(combinations_with_replacement(range(OUTER + 1), FEW)), True, out)
    return out


def build_back() -> Float32Matrix:
    """Return the table for checkers in the opponent's home, float32 [924, 32]."""
    out = np.zeros((N_TWO_SIDED, ROLLS_KEPT), np.float32)
    points = [0, *range(BACK, OUTER + 1)]
    _fill(_states(combinations_with_replacement(points, MOST_CHECKERS)), False, out)
    return out
