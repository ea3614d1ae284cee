"""Drawn positions: they can be, they are what their kind says, and both sides have them."""

from itertools import cycle

import numpy as np
import pytest

from gammon.rules.board import (
    CHECKERS,
    OPENING,
    Points,
    check_points,
    flipped,
    has_contact,
    is_over,
    off_counts,
    pip_counts,
)
from gammon.train.starts import draw_starts, mixed_starts


def longest_row(points: Points) -> int:
    """The most points in a row that the player on roll has made."""
    made = "".join("x" if count >= 2 else " " for count in points[1:25])
    return max(map(len, made.split()), default=0)


def plays_back_game(points: Points) -> bool:
    own, their = pip_counts(points)
    held = sum(points[point] >= 2 for point in range(20, 25))
    return held >= 2 and sum(c for c in points[19:] if c > 0) >= 4 and own > their


def is_between_primes(points: Points) -> bool:
    return longest_row(points) >= 4 and max(p for p in range(26) if points[p] > 0) > 18


def has_shut_out(points: Points) -> bool:
    return points[0] < 0 and sum(count >= 2 for count in points[1:7]) >= 5


def bears_off_in_contact(points: Points) -> bool:
    outside = sum(count for count in points[7:] if count > 0)
    return outside <= 2 and any(count < 0 for count in points[:7])


#: What at least one of the sides does in a position of each kind; in the second, both.
SIGNS = (plays_back_game, is_between_primes, has_shut_out, bears_off_in_contact)


@pytest.mark.smoke
def test_positions_can_be_and_are_of_their_kind() -> None:
    rows = draw_starts(800, 5)
    turned = [0] * len(SIGNS)
    for row, kind in zip(rows.tolist(), cycle(range(len(SIGNS))), strict=False):
        points = check_points(row, "drawn")
        assert max(off_counts(points)) < CHECKERS
        assert not is_over(points)
        assert has_contact(points)
        signs = [SIGNS[kind](side) for side in (points, flipped(points))]
        assert all(signs) if kind == 1 else any(signs), (SIGNS[kind], points)
        turned[kind] += signs[0] - signs[1]
    assert rows.shape == (800, 26)
    assert np.abs(turned).max() < 50, "either side has the drawn one, as often as the other"
    assert len({tuple(row) for row in rows.tolist()}) > 790


def test_the_seed_decides_and_a_larger_number_adds_to_the_same_ones() -> None:
    rows, more = draw_starts(40, 7), draw_starts(90, 7)
    assert np.array_equal(more[:40], rows)
    assert not np.array_equal(draw_starts(40, 8), rows)
    assert rows.dtype == np.int8


def test_a_share_of_drawn_positions_among_openings() -> None:
    assert mixed_starts(0.0, 1).tolist() == [list(OPENING)]
    rows = mixed_starts(0.02, 1)
    drawn = ~(rows == np.array(OPENING, np.int8)).all(axis=1)
    assert drawn.mean() == pytest.approx(0.02, abs=1e-4)
    assert np.array_equal(rows[drawn], draw_starts(int(drawn.sum()), 1))
