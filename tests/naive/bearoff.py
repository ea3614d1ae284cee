"""The twin of the bearoff tables: means of best plays, by the slow generator of plays."""

import csv
from functools import cache

import numpy as np

from gammon.eval import bearoff_build
from gammon.eval.bearoff import N_NUMBERS, N_WITH_CUBE
from gammon.rules.dice import PROBABILITIES, ROLLS
from tests.boards import by_counts
from tests.conftest import GOLDEN
from tests.naive.plays import enumerate_plays

SIDES = bearoff_build.sides()


@cache
def built():
    return bearoff_build.build_tables()


def tables():
    return bearoff_build.parts_of(built())


def with_cube():
    return built()[N_NUMBERS : N_NUMBERS + N_WITH_CUBE].reshape(-1, 3)


def rank_of_side(*counts):
    return int(np.flatnonzero((counts == SIDES).all(axis=1))[0])


@cache
def after(own, dice):
    """Return what a side can be after a roll, by the slow generator of plays."""
    points = by_counts(own, (1,))
    return {tuple(play[1:7]) for play in enumerate_plays(points, dice)}


def mean_of_best(own, worth):
    """Return the mean over the rolls of what the best play is worth, by what it leaves."""
    return sum(
        chance * max(map(worth, after(own, dice)))
        for dice, chance in zip(ROLLS, PROBABILITIES, strict=True)
    )


def exact_rows(name):
    """Yield the rows of a golden file of exact values, with both sides of each position.

    The files come from a program of the project's own, apart from this package: recursion over
    all plays and doubles, in Python. GNU Backgammon's table agrees with those for money.
    "66-3": the player on roll has two checkers on the 6-point, the opponent one on the 3-point.
    """
    with (GOLDEN / name).open(newline="") as file:
        for row in csv.DictReader(file):
            own, their = (
                tuple(text.count(str(point)) for point in range(1, 7))
                for text in row["position"].split("-")
            )
            yield own, their, row
