"""The twin of `gammon_lab.hypergammon`: value iteration over lists of positions after each roll."""

from itertools import combinations_with_replacement

import numpy as np

from gammon.rules.board import SIZE, flipped
from gammon.rules.dice import ROLLS, WEIGHTS
from tests.naive.plays import enumerate_plays


def all_positions(checkers):
    """Return all positions, finished games included, as 26 counts; sides have no common point."""
    sides = list(combinations_with_replacement(range(SIZE), checkers))
    positions = []
    for own in sides:
        for their in sides:
            if {place for place in own if 0 < place < 25} & {25 - place for place in their if 0 < place < 25}:
                continue
            points = [0] * SIZE
            for place in own:
                points[place] += place > 0
            for place in their:
                points[25 - place] -= place > 0
            positions.append(tuple(points))
    return positions


def points_lost(points, checkers):
    """Return what the player on roll loses: the opponent has borne off all checkers."""
    if sum(points) < checkers:
        return 1
    return 3 if any(points[19:]) else 2


def replies(points, dice):
    """Return the positions after all plays of a roll, seen from the opponent."""
    return [flipped(after) for after in enumerate_plays(points, dice)]


def is_over(points):
    """Tell whether a side has no checkers left."""
    return not any(count > 0 for count in points) or not any(count < 0 for count in points)


def solved(checkers, replies_of=replies, enough=1e-12):
    """Return the positions in play, and nine numbers of each, float64 [N, 9].

    The first four are equities of rolling: without a cube, and with the cube at the player on roll,
    in the middle, at the opponent. The other five are chances without a cube: to win, to win a
    gammon or more, a backgammon, to lose a gammon or more, a backgammon. `replies_of` returns the
    positions after all plays of a roll.
    """
    playing = [points for points in all_positions(checkers) if not is_over(points)]
    number = {points: k for k, points in enumerate(playing)}
    payoffs = np.array([-1.0, -2.0, -3.0])
    after, begins = [], [0]
    for points in playing:
        for dice in ROLLS:
            for reply in replies_of(points, dice):
                if is_over(reply):  # numbers behind all others: the results of finished games
                    after.append(len(playing) + points_lost(reply, checkers) - 1)
                else:
                    after.append(number[reply])
            begins.append(len(after))
    after, begins = np.array(after), np.array(begins[:-1])
    weights = np.array(WEIGHTS) / 36

    values = np.zeros((len(playing), 4))
    change = 1.0
    while change > enough:
        doubled = np.minimum(2 * values[:, 3], 1.0)
        turns = values.copy()
        turns[:, 1] = np.maximum(values[:, 1], doubled)
        turns[:, 2] = np.maximum(values[:, 2], doubled)
        turns = np.concatenate([turns, np.repeat(payoffs[:, None], 4, axis=1)])
        best = np.maximum.reduceat(-turns[after][:, [0, 3, 2, 1]], begins)
        new = np.einsum("prk,r->pk", best.reshape(len(playing), len(ROLLS), 4), weights)
        change = np.abs(new - values).max()
        values = new

    dead = np.concatenate([values[:, 0], payoffs])
    ends = [*begins[1:], len(after)]
    chosen = np.array([after[a + np.argmin(dead[after[a:b]])] for a, b in zip(begins, ends, strict=True)])
    lost = np.array([[0, 0, 0, 0, 0], [0, 0, 0, 1, 0], [0, 0, 0, 1, 1]])
    chances = np.zeros((len(playing), 5))
    change = 1.0
    while change > enough:
        theirs = np.concatenate([chances, lost])[chosen]
        ours = np.column_stack([1 - theirs[:, 0], theirs[:, 3:], theirs[:, 1:3]])
        new = np.einsum("prk,r->pk", ours.reshape(len(playing), len(ROLLS), 5), weights)
        change = np.abs(new - chances).max()
        chances = new
    return playing, np.column_stack([values, chances])
