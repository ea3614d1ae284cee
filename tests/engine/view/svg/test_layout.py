"""The places of a board."""

from itertools import combinations
from math import hypot

import pytest

from gammon.view.svg.layout import HEIGHT, RADIUS, ROWS, WIDTH, Layout, Spot

PLACES = range(26)


def spots(layout: Layout) -> dict[tuple[int, int], Spot]:
    return {(at, row): layout.checker(at, row) for at in PLACES for row in range(ROWS)}


@pytest.mark.parametrize("turned", [False, True])
def test_checkers_never_overlap(turned: bool) -> None:
    for one, other in combinations(spots(Layout(turned)).values(), 2):
        assert hypot(one.x - other.x, one.y - other.y) >= 2 * RADIUS


@pytest.mark.parametrize("turned", [False, True])
def test_dice_and_cubes_are_free_of_checkers(turned: bool) -> None:
    layout = Layout(turned)
    for free in (layout.left, layout.right, *map(layout.cube, (-1, 0, 1))):
        for x, y in spots(layout).values():
            assert max(abs(x - free.x), abs(y - free.y)) > 20 + RADIUS


def test_a_turned_board_is_upside_down() -> None:
    plain, turned = spots(Layout(False)), spots(Layout(True))
    for place, (x, y) in plain.items():
        assert turned[place] == pytest.approx((x, HEIGHT - y))
    for own in (True, False):
        box, other = Layout(False).slab(own, 3), Layout(True).slab(own, 3)
        assert other.y == pytest.approx(HEIGHT - box.y - box.height)
        assert Layout(True).line(own) == HEIGHT - Layout(False).line(own)
    for owner in (-1, 0, 1):
        assert Layout(True).cube(owner).y == HEIGHT - Layout(False).cube(owner).y


def test_the_player_on_roll_bears_off_at_the_right_below() -> None:
    layout = Layout(False)
    ways = [layout.checker(place, 0) for place in (24, 19, 18, 13, 12, 7, 6, 1)]
    assert [x for x, _ in ways[:4]] == sorted((x for x, _ in ways[:4]), reverse=True)
    assert [x for x, _ in ways[4:]] == sorted(x for x, _ in ways[4:])
    assert max(y for _, y in ways[:4]) < HEIGHT / 2 < min(y for _, y in ways[4:])
    assert layout.tray(True).y > HEIGHT / 2 > layout.tray(False).y
    assert layout.cube(1).y > layout.cube(0).y == HEIGHT / 2 > layout.cube(-1).y
    assert layout.checker(25, 0).y < HEIGHT / 2 < layout.checker(0, 0).y


def test_checkers_beyond_the_fifth_lie_between_two_others() -> None:
    for place in (6, 18, 25):
        rows = [Layout(False).checker(place, row).y for row in range(15)]
        assert rows[5] == (rows[0] + rows[1]) / 2
        assert rows[6] == (rows[1] + rows[2]) / 2
        assert {*rows[6:]} == {rows[6]}


def test_fifteen_checkers_and_their_number_fit_in_a_tray() -> None:
    for own in (True, False):
        layout = Layout(False)
        tray, first, last = layout.tray(own), layout.slab(own, 0), layout.slab(own, 14)
        number = layout.off_number(own)
        low, high = sorted((first.y, last.y))
        assert tray.y < low
        assert high + first.height < tray.y + tray.height
        assert not low - 8 < number.y < high + first.height + 8
        assert 0 < tray.x < tray.x + tray.width < WIDTH
