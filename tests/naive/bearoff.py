"""The twin of the bearoff tables: means of best plays, by the slow generator of plays."""

import csv
from functools import cache

import numpy as np

from gammon.eval import bearoff_build
from gammon.eval.bearoff import N_NUMBERS, N_WITH_CUBE, ROLLS_KEPT
from gammon.formats.met_file import read_met
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


@cache
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
        chance * max(map(worth, after(own, dice))) for dice, chance in zip(ROLLS, PROBABILITIES, strict=True)
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
                tuple(text.count(str(point)) for point in range(1, 7)) for text in row["position"].split("-")
            )
            yield own, their, row


@cache
def rolls_needed(own):
    """Return the distribution of the rolls that a side needs, and its mean: the twin."""
    out = np.zeros(ROLLS_KEPT)
    for dice, chance in zip(ROLLS, PROBABILITIES, strict=True):
        plays = after(own, dice)
        if any(sum(play) == 0 for play in plays):
            out[0] += chance
            continue
        best = min((rolls_needed(play) for play in plays), key=lambda found: found[1])
        out[1:] += chance * best[0][:-1]
    return out, out @ np.arange(1, ROLLS_KEPT + 1)


@cache
def rolled(own, their, owner):
    """Return the worth of rolling to the player on roll, with the cube: the twin.

    The owner is 1 for that player, 0 for nobody, -1 for the opponent.
    """
    return mean_of_best(own, lambda play: -on_turn(their, play, -owner) if sum(play) else 1.0)


def on_turn(own, their, owner):
    """Return the worth of a position to the player on roll, who may double."""
    no_double = rolled(own, their, owner)
    if owner < 0:
        return no_double
    return max(no_double, min(2.0 * rolled(own, their, -1), 1.0))


MET = read_met()


@cache
def rolled_in_match(own, their, terms):
    """Return the chance of the player on roll to win the match, rolling now: the twin."""
    won, turned = MET.after(terms, terms.cube), terms.for_opponent()
    return mean_of_best(own, lambda play: 1.0 - on_turn_in_match(their, play, turned) if sum(play) else won)


def on_turn_in_match(own, their, terms):
    """Return that chance of a player who may double."""
    no_double = rolled_in_match(own, their, terms)
    if not terms.may_double:
        return no_double
    taken = rolled_in_match(own, their, terms.doubled())
    return max(no_double, min(taken, MET.after(terms, terms.cube)))


@cache
def enumerated(points: tuple[int, ...]) -> tuple[float, ...]:
    """The chances to be done after 0, 1, ... 16 rolls of play for the fewest on average."""
    if not any(points):
        return (1.0, *16 * (0.0,))
    total = np.zeros(17)
    for roll, chance in zip(ROLLS, PROBABILITIES, strict=True):
        after = map(enumerated, enumerate_plays(points, roll))
        best = min(after, key=lambda chances: np.arange(17) @ chances)
        total[1:] += chance * np.array(best[:-1])
    return tuple(total.tolist())
