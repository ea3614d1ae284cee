"""Families of positions: they can be, they are of their family, and both sides are holders."""

import numpy as np
import pytest

from gammon.rules.board import CHECKERS, check_points, flipped, has_contact, is_over, pip_counts
from gammon.rules.dice import ROLLS
from gammon.train.families import FAMILIES, draw_families, family_starts, holder_of
from tests.engine.rules.slow_plays import enumerate_plays
from tests.engine.train.test_starts import longest_row

Points = tuple[int, ...]


def anchors(points: Points) -> list[int]:
    """Return the points of the other's home, by its numbers, that the player on roll holds."""
    return [25 - point for point in range(24, 18, -1) if points[point] >= 2]


def own(points: Points) -> int:
    return sum(count for count in points if count > 0)


def is_seen(family: str, points: Points) -> bool:
    """Tell what a player would see in it, as the holder; a slow twin of the rules."""
    behind = pip_counts(points)[0] - pip_counts(points)[1]
    other = flipped(points)
    if family.startswith("back game"):
        first, second = map(int, family.rsplit(maxsplit=1)[-1].split("-"))
        return anchors(points) == [first, second] and behind >= 50
    if family == "massive back game":
        back = sum(count for count in points[19:] if count > 0)
        return len(anchors(points)) >= 3 and back >= 7 and behind >= 50
    if family == "containment":
        caught = sum(count for count in other[13:] if count > 0)
        return own(other) <= 11 and 1 <= caught <= 3 and own(points) >= 13
    if family == "snake":
        far = sum(count for count in points[10:] if count > 0)
        return own(other) <= 6 and far >= 11 and longest_row(points) >= 4
    return longest_row(points) >= 4 and longest_row(other) >= 4


@pytest.mark.smoke
def test_positions_can_be_and_are_of_their_family() -> None:
    rows, numbers = draw_families(20 * len(FAMILIES), 5)
    turned = 0
    for row, number in zip(rows, numbers.tolist(), strict=True):
        points = check_points(row.tolist(), "drawn")
        assert not is_over(points)
        assert has_contact(points)
        holder = holder_of(FAMILIES[number], row)
        seen = [is_seen(FAMILIES[number], side) for side in (points, flipped(points))]
        assert seen[0 if holder == 1 else 1], (FAMILIES[number], points)
        turned += holder
    assert np.bincount(numbers).tolist() == [20] * len(FAMILIES)
    assert abs(turned) < 80, "either side is the holder"
    assert len({row.tobytes() for row in rows}) > 270


def test_a_position_of_no_family() -> None:
    row = np.zeros(26, np.int8)
    row[3], row[22] = CHECKERS, -CHECKERS
    assert not any(holder_of(family, row) for family in FAMILIES), "a race"
    row[3], row[22], row[24], row[6] = 13, -13, 2, -2
    assert not any(holder_of(family, row) for family in FAMILIES)


def test_the_seed_decides_and_a_larger_number_adds_to_the_same_ones() -> None:
    rows, _ = draw_families(30, 7)
    more, _ = draw_families(50, 7)
    assert np.array_equal(more[:30], rows)
    assert not np.array_equal(draw_families(30, 8)[0], rows)
    found = family_starts(30, 7)
    assert found.dtype == np.int8
    assert np.array_equal(found, family_starts(30, 7))


def test_half_of_the_starts_are_one_play_on() -> None:
    names = [*FAMILIES[:10], *["containment"] * 3, *["massive back game"] * 2]
    names += [*["snake"] * 3, *["prime against prime"] * 2]
    drawn, _ = draw_families(40, 3, names)
    on = 0
    for before, after in zip(drawn.tolist(), family_starts(40, 3).tolist(), strict=True):
        if before == after:
            continue
        on += 1
        back = flipped(tuple(after))
        assert any(back in enumerate_plays(tuple(before), roll) for roll in ROLLS)
    assert 10 < on < 30
