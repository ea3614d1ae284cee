"""The bearoff tables, built once for all tests of them, and sides in plain Python."""

from functools import cache

import numpy as np

from gammon.eval import bearoff_build

__all__ = ["SIDES", "points_of", "rank_of_side", "tables"]

SIDES = bearoff_build.sides()


@cache
def tables():
    return *bearoff_build.build_one_sided(), bearoff_build.build_two_sided()


def rank_of_side(*counts):
    return int(np.flatnonzero((counts == SIDES).all(axis=1))[0])


def points_of(own, their=()):
    """Return a position from the counts of both home boards."""
    points = [0] * 26
    for p, count in enumerate(own):
        points[1 + p] = int(count)
    for p, count in enumerate(their):
        points[24 - p] = -int(count)
    return tuple(points)
