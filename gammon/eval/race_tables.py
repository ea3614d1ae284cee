"""Exact tables for races with checkers outside: sides of up to three, and ways out.

Two tables, each made from sides with few pips to those with many. A row has the chances that
the last checker is done after exactly 1, 2, ... 32 rolls, played for the fewest on average:

    few   [2925, 32]  by the rank of up to three checkers on any points: off
    back  [924, 32]   by the rank of up to six checkers in the opponent's home: out of there;
                      the one nearest to its way out counts as on the ace point, and other
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

#: Points of a side, and the first one of the opponent's home.
OUTER = 24
BACK = OUTER - HOME + 1
#: Checkers of the sides of the first table, and how many these sides are.
FEW = 3
N_FEW = comb(OUTER + FEW, FEW)
#: The share of a checker in its side's rank, by the number of those behind it and its point.
_ADDED = np.array([[comb(p + FEW - 1 - k, FEW - k) for p in range(OUTER + 1)] for k in range(FEW)], np.int64)


@kernel(inner=True)
def rank_of_few(state: State, opponent: bool) -> int:
    """Return the rank of a side of up to three checkers; none is on the bar.

    It is that of its points in colexicographic order, by the highest one first; a checker that
    is off stands on point 0.

    Args:
        state: int8 [26].
        opponent: whose side.
    """
    rank, behind = 0, 0
    for p in range(OUTER, 0, -1):
        for _ in range(-int(state[25 - p]) if opponent else int(state[p])):
            rank += _ADDED[behind, p]
            behind += 1
    return rank


@kernel(allocates=True)
def _fill(states: Int8Matrix, few: bool, out: Float32Matrix) -> None:
    """Write the rows of one of the tables.

    Args:
        states: int8 [N, 26], the sides of the player on roll, fewer pips first.
        few: whether the table is the first one.
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
    """Return the sides of the points of their checkers, 0 for one that is off, by pips."""
    ordered = sorted(sides, key=sum)
    states = np.zeros((len(ordered), SIZE), np.int8)
    for state, points in zip(states, ordered, strict=True):
        for p in points:
            state[p] += p > 0
    return states


def build_few() -> Float32Matrix:
    """Return the table of sides of up to three checkers, float32 [2925, 32]."""
    out = np.zeros((N_FEW, ROLLS_KEPT), np.float32)
    _fill(_states(combinations_with_replacement(range(OUTER + 1), FEW)), True, out)
    return out


def build_back() -> Float32Matrix:
    """Return the table of checkers in the opponent's home, float32 [924, 32]."""
    out = np.zeros((N_TWO_SIDED, ROLLS_KEPT), np.float32)
    points = [0, *range(BACK, OUTER + 1)]
    _fill(_states(combinations_with_replacement(points, MOST_CHECKERS)), False, out)
    return out
