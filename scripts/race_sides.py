"""All sides of up to 15 checkers on the first points, and how many rolls they need.

`scripts/learn_races.py` learns from it, and `scripts/judge_races.py` judges by it. Sides are ranked
as in `gammon.eval.bearoff`, but on `POINTS` points. Each roll is played for the least mean number of
further rolls, to bear off either the last checker or the first one.
"""

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from math import comb
from pathlib import Path
from typing import NamedTuple

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import (
    Float32Matrix,
    Float32Vector,
    Int8Matrix,
    Int8Vector,
    Int64Matrix,
    Int64Vector,
)
from gammon.rules.board import CHECKERS
from gammon.rules.dice import HIGH, LOW, N_ROLLS, PROBABILITIES
from gammon.rules.home import HOME

#: The number of points on which the sides stand.
POINTS = 12
#: The number of sides.
N_SIDES = comb(CHECKERS + POINTS, POINTS)
#: The number of stored chances of a side, from the least possible number of rolls on.
WINDOW = 20
#: Purposes: the last checker off, the first checker off.
LAST, FIRST = range(2)
_MOST = 64  # rolls, before the window is taken
CHOOSE = np.array([[comb(n, k) for k in range(POINTS + 1)] for n in range(CHECKERS + POINTS + 1)], np.int64)
_UNSEEN = 1e-9


class Sides(NamedTuple):
    """The numbers of rolls that all sides need, by rank and purpose.

    Attributes:
        mean: float32 [2, N], the mean number of rolls.
        begin: int8 [2, N], one less than the first stored number of rolls.
        rolls: float32 [2 N, `WINDOW`], the chances of that number of rolls, and of one more each.
    """

    mean: Float32Matrix
    begin: Int8Matrix
    rolls: Float32Matrix


@kernel(inner=True)
def rank_of(counts: Int8Vector) -> int:
    """Return the rank of a side: checkers on the points 1 to `POINTS`."""
    rank, total = 0, 0
    for p in range(POINTS):
        total += counts[p]
        rank += CHOOSE[total + p, p + 1]
    return rank


@kernel(inner=True)
def _search(
    side: Int64Vector,
    first: int,
    second: int,
    several: int,
    mean: Float32Matrix,
    stack: Int64Matrix,
    best: Int64Vector,
    least: Float32Vector,
) -> None:
    """Improve the best plays for both purposes by the plays of the dice in one order.

    Args:
        side: int64 [12], the number of checkers on the points up to each point.
        first: the first die.
        second: the second die.
        several: the number of moves: 2, or 4 for a double.
        mean: see `Sides`.
        stack: int64 [4, 14], a buffer: sides, each with its rank and the point of the checker that
            moves next.
        best: int64 [2], ranks of the best sides so far.
        least: float32 [2], their means.
    """
    rank = 0
    for k in range(POINTS):
        stack[0, k] = side[k]
        rank += CHOOSE[side[k] + k, k + 1]
    stack[0, POINTS], stack[0, POINTS + 1] = rank, POINTS - 1
    depth = 0
    while depth >= 0:
        row = stack[depth]
        total, rank, from_here = row[POINTS - 1], row[POINTS], row[POINTS + 1]
        die = second if depth % 2 else first
        home = row[HOME - 1] == total
        p = from_here
        row[POINTS + 1] = -1
        while p >= 0:
            below = row[p - 1] if p > 0 else 0
            if row[p] == below or (p < die and not (home and (p + 1 == die or row[p] == total))):
                p -= 1
                continue
            after = rank
            if p >= die:
                for k in range(p - die, p):
                    after += CHOOSE[row[k] + k, k]
            else:
                for k in range(p, POINTS):
                    after -= CHOOSE[row[k] + k - 1, k]
            if depth + 1 < several and (p >= die or total > 1):
                child = stack[depth + 1]
                for k in range(POINTS):
                    child[k] = row[k]
                if p >= die:
                    for k in range(p - die, p):
                        child[k] += 1
                else:
                    for k in range(p, POINTS):
                        child[k] -= 1
                child[POINTS] = after
                # The dice of a double move checkers from the back to the front.
                child[POINTS + 1] = p if several == 4 else POINTS - 1
                row[POINTS + 1] = p - 1
                break
            for purpose in range(2):
                if mean[purpose, after] < least[purpose]:
                    least[purpose] = mean[purpose, after]
                    best[purpose] = after
            p -= 1
        depth += 1 if p >= 0 else -1


@kernel(allocates=True)
def _fill(
    counts: Int8Matrix, order: Int64Vector, mean: Float32Matrix, begin: Int8Matrix, rolls: Float32Matrix
) -> None:
    n = mean.shape[1]
    side, stack = np.zeros(POINTS, np.int64), np.zeros((4, POINTS + 2), np.int64)
    best, least = np.zeros(2, np.int64), np.zeros(2, np.float32)
    chance = np.zeros((2, _MOST), np.float64)
    for i in range(order.shape[0]):
        own = counts[order[i]]
        rank = rank_of(own)
        total = 0
        for p in range(POINTS):
            total += own[p]
            side[p] = total
        outside = total - side[HOME - 1]
        chance[:] = 0.0
        for roll in range(N_ROLLS):
            high, low = HIGH[roll], LOW[roll]
            least[:] = np.inf
            _search(side, high, low, 4 if high == low else 2, mean, stack, best, least)
            if high != low and outside <= 2:
                _search(side, low, high, 2, mean, stack, best, least)
            for purpose in range(2):
                if purpose == FIRST and total < CHECKERS:
                    continue
                place = purpose * n + best[purpose]
                if mean[purpose, best[purpose]] == 0.0:
                    chance[purpose, 0] += PROBABILITIES[roll]
                    continue
                at = begin[purpose, best[purpose]] + 1
                for k in range(WINDOW):
                    chance[purpose, at + k] += PROBABILITIES[roll] * rolls[place, k]
        for purpose in range(2):
            if purpose == FIRST and total < CHECKERS:
                continue
            at = 0
            while chance[purpose, at] < _UNSEEN:
                at += 1
            begin[purpose, rank] = at
            m = 0.0
            for k in range(_MOST):
                m += (k + 1) * chance[purpose, k]
                place = min(max(k - at, 0), WINDOW - 1)
                rolls[purpose * n + rank, place] += chance[purpose, k]
            mean[purpose, rank] = m


@kernel(allocates=True)
def _list(counts: Int8Matrix, pips: Int64Vector) -> int:
    """List all sides but the empty one, and their pips; return how many there are."""
    own = np.zeros(POINTS, np.int8)
    left, pip, n = CHECKERS, 0, 0
    while True:
        p = 0
        while p < POINTS and left == 0:
            left += own[p]
            pip -= own[p] * (p + 1)
            own[p] = 0
            p += 1
        if p == POINTS:
            return n
        own[p] += 1
        left -= 1
        pip += p + 1
        counts[n] = own
        pips[n] = pip
        n += 1


def build(threads: int = 2) -> Sides:
    """Return the numbers of all sides; it takes some minutes on two cores, and 3 GB."""
    counts, pips = np.zeros((N_SIDES, POINTS), np.int8), np.zeros(N_SIDES, np.int64)
    n = _list(counts, pips)
    order = np.argsort(pips[:n], kind="stable")
    edges = np.searchsorted(pips[order], np.arange(pips.max() + 2))
    sides = Sides(
        np.zeros((2, N_SIDES), np.float32),
        np.zeros((2, N_SIDES), np.int8),
        np.zeros((2 * N_SIDES, WINDOW), np.float32),
    )
    with ThreadPoolExecutor(threads) as pool:
        for first, end in pairwise(edges.tolist()):
            cuts = np.linspace(first, end, threads + 1).astype(int)
            pieces = [np.ascontiguousarray(order[a:b]) for a, b in pairwise(cuts)]
            list(pool.map(lambda piece: _fill(counts, piece, *sides), pieces))
    return sides


def load_or_build(folder: Path) -> Sides:
    """Return the sides in a folder, mapped into memory; build them if they are missing."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"sides-{POINTS}-{name}.npy" for name in Sides._fields]
    if not all(path.exists() for path in paths):
        built = build()
        for path, name in zip(paths, Sides._fields, strict=True):
            np.save(path, getattr(built, name))
    return Sides(*(np.load(path, mmap_mode="c") for path in paths))
