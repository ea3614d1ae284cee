"""Drawn positions from which a share of self-play's games begins.

A network errs most where its own games seldom go: back games, primes on both sides, a checker
on the bar against a closed board, a bearoff against an anchor. Each kind has a rough recipe
here. The players go on from there, so that after a few turns the positions are those of play.
"""

from itertools import cycle

import numpy as np

from gammon.rules.board import CHECKERS, OPENING, OWN_BAR, SIZE, has_contact
from gammon.train.families import family_starts, two_primes
from gammon.train.sketch import Rows, Sketch, drawn

#: Rows of `mixed_starts`.
_ROWS = 1 << 16
_HOME = range(1, 7)


def _back_game(sketch: Sketch) -> None:
    """Side 0 holds two or three points of the other's home, and is far behind."""
    held = sketch.choose(range(20, 25), 2 + sketch.draw(0.8))
    sketch.make(0, held)
    sketch.scatter(0, [*held, *held, *range(15, 20), OWN_BAR], sketch.draw(0.4, 0.35))
    # The others make a board while they wait for a shot, or are already too far on.
    sketch.scatter(0, range(3, 14) if sketch.draw(0.75) == 0 else range(1, 8), sketch.left(0))
    sketch.scatter(1, range(16, 25), sketch.draw(0.8))
    sketch.scatter(1, [*range(1, 13), *range(1, 9), *_HOME], sketch.left(1))


def _closed_board(sketch: Sketch) -> None:
    """Side 0 has five or six points of its home; side 1 is on the bar."""
    sketch.make(0, sketch.choose(_HOME, 6 - sketch.draw(0.6)))
    sketch.sides[1, OWN_BAR] = 1 + sketch.draw(0.6, 0.3)
    # The others come home, or wait in the other's.
    sketch.scatter(0, range(1, 19) if sketch.draw(0.7) == 0 else range(1, 25), sketch.left(0))
    # A game may come here early, or when side 1 has nearly borne off.
    off = sketch.draw(0.5) * int(sketch.random.integers(1, sketch.left(1) + 1))
    sketch.scatter(1, [*range(1, 19), *_HOME, *_HOME], sketch.left(1) - off)


def _late_contact(sketch: Sketch) -> None:
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


_KINDS = (_back_game, two_primes, _closed_board, _late_contact)


def draw_starts(count: int, seed: int) -> Rows:
    """Draw positions that a network should know better than its games teach it.

    Args:
        count: N, how many.
        seed: the same one gives the same positions, and a larger `count` more of them.

    Returns:
        int8 [N, 26], positions in play with contact, seen from the player on roll, who has
        either side alike: a back game, two primes, a closed board, late contact, in turn.
    """
    random = np.random.default_rng(seed)
    found = np.empty((count, SIZE), np.int8)
    for row, draw in zip(found, cycle(_KINDS), strict=False):
        row[:] = drawn(random, draw, lambda each: has_contact(each.tolist()))
    return found


def mixed_starts(share: float, seed: int, families: float = 0.0) -> Rows:
    """Return where games begin, int8 [S, 26]: in drawn positions, families, and the opening.

    Args:
        share: that of `draw_starts`, 0 to 1. With no share but the opening's there is one row.
        seed: as for `draw_starts`.
        families: the share of `family_starts`, 0 to 1.
    """
    opening = np.array([OPENING], np.int8)
    of_kinds, of_families = round(share * _ROWS), round(families * _ROWS)
    if of_kinds + of_families == 0:
        return opening
    return np.concatenate(
        [
            draw_starts(of_kinds, seed),
            family_starts(of_families, seed),
            opening.repeat(_ROWS - of_kinds - of_families, axis=0),
        ]
    )
