"""Random positions in which a share of self-play's games begins.

A network errs most where its own games seldom go: back games, primes on both sides, a checker on
the bar against a closed board, a bearoff against an anchor. Each kind has a rough recipe here.
The players continue from there, so after a few turns the positions are natural.
"""

from itertools import cycle

import numpy as np

from gammon.rules.board import CHECKERS, OPENING, OWN_BAR, SIZE, has_contact
from gammon.train.families import family_starts, two_primes
from gammon.train.sketch import Rows, Sketch, draw_position

#: Number of rows that `mixed_starts` returns.
_ROWS = 1 << 16
_HOME = range(1, 7)


def _back_game(sketch: Sketch) -> None:
    """Side 0 holds two or three points in the other side's home, and is far behind."""
    held = sketch.choose(range(20, 25), 2 + sketch.draw(0.8))
    sketch.make(0, held)
    sketch.scatter(0, [*held, *held, *range(15, 20), OWN_BAR], sketch.draw(0.4, 0.35))
    # The other checkers make a board while they wait for a shot, or have advanced too far.
    sketch.scatter(0, range(3, 14) if sketch.draw(0.75) == 0 else range(1, 8), sketch.left(0))
    sketch.scatter(1, range(16, 25), sketch.draw(0.8))
    sketch.scatter(1, [*range(1, 13), *range(1, 9), *_HOME], sketch.left(1))


def _closed_board(sketch: Sketch) -> None:
    """Side 0 has five or six points of its home; side 1 is on the bar."""
    sketch.make(0, sketch.choose(_HOME, 6 - sketch.draw(0.6)))
    sketch.sides[1, OWN_BAR] = 1 + sketch.draw(0.6, 0.3)
    # The other checkers come home, or wait in the other side's home.
    sketch.scatter(0, range(1, 19) if sketch.draw(0.7) == 0 else range(1, 25), sketch.left(0))
    # Such positions arise early, or when side 1 has nearly borne off.
    off = sketch.draw(0.5) * int(sketch.random.integers(1, sketch.left(1) + 1))
    sketch.scatter(1, [*range(1, 19), *_HOME, *_HOME], sketch.left(1) - off)


def _late_contact(sketch: Sketch) -> None:
    """Side 0 bears off while side 1 holds a point in that home, or is on the bar."""
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
    """Draw positions of kinds that a network's own games seldom reach.

    Args:
        count: N, number of positions.
        seed: the same seed gives the same positions; a larger `count` appends to them.

    Returns:
        int8 [N, 26], unfinished positions with contact, seen from the player on roll, who has
        either side with equal chance: a back game, two primes, a closed board, late contact, in
        turn.
    """
    random = np.random.default_rng(seed)
    positions = np.empty((count, SIZE), np.int8)
    for row, draw in zip(positions, cycle(_KINDS), strict=False):
        row[:] = draw_position(random, draw, lambda board: has_contact(board.tolist()))
    return positions


def mixed_starts(share: float, seed: int, families: float = 0.0) -> Rows:
    """Return first positions of games, int8 [S, 26]: drawn positions, families, and the opening.

    Args:
        share: the share of `draw_starts`, 0 to 1.
        seed: as for `draw_starts`.
        families: the share of `family_starts`, 0 to 1. If both shares are 0, the opening is
            the only row.
    """
    opening = np.array([OPENING], np.int8)
    drawn, in_families = round(share * _ROWS), round(families * _ROWS)
    if drawn + in_families == 0:
        return opening
    return np.concatenate(
        [
            draw_starts(drawn, seed),
            family_starts(in_families, seed),
            opening.repeat(_ROWS - drawn - in_families, axis=0),
        ]
    )
