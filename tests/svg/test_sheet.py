"""Boards that share their parts."""

import re

import pytest

import gammon
from gammon.formats.position import Position
from gammon.svg.colours import COLOURS
from gammon.svg.layout import Layout
from gammon.svg.sheet import sheet_board, sheet_parts, sheet_style
from tests.svg.drawn import parsed, parts
from tests.svg.test_drawing import MIDDLE

USE = re.compile(r'<use href="#(gb-[a-z0-9-]+)"')
STACK = re.compile(r'<use href="#gb-([xo])(\d)([ud])" x="([^"]+)" y="([^"]+)"/>')
LAYOUT = Layout(False)


def counts(drawing: str, own: str) -> list[int]:
    """The 26 counts that a drawing shows, from the places of its stacks and their numbers."""
    where = {LAYOUT.checker(place, 0): place for place in range(26)}
    found = [0] * 26
    for name, count, _, x, y in STACK.findall(drawing):
        place = next(
            p
            for spot, p in where.items()
            if abs(spot.x - float(x)) + abs(spot.y - float(y)) < 0.1
        )
        found[place] = int(count) * (1 if name == own else -1)
    for part in parsed(drawing):
        circles = [each for each in part.iter() if each.tag.endswith("circle")]
        number = "".join(part.itertext())
        if part.tag.endswith("g") and circles and number:
            x, y = (float(circles[0].get(name, "")) for name in ("cx", "cy"))
            place = next(
                p
                for p in range(26)
                if abs(LAYOUT.checker(p, 7).x - x) + abs(LAYOUT.checker(p, 7).y - y) < 0.1
            )
            found[place] = int(number) * (1 if found[place] > 0 else -1)
    return found


POSITIONS = [
    MIDDLE, Position.opening(), MIDDLE.flipped(),
    Position.parse("XGID=b--CCI-----------------bb-:1:1:1:66:0:0:1:0:10"),
    Position.parse("XGID=aJ----------------------f-:0:0:-1:00:0:0:1:0:10"),
]  # fmt: skip


@pytest.mark.parametrize("position", POSITIONS, ids=str)
def test_it_shows_the_position(position: Position) -> None:
    drawing = sheet_board(position)
    own = "x" if position.context.on_roll == 1 else "o"
    assert counts(drawing, own) == list(position.points)
    off = [drawing.count(f'"#gb-{name}-off"') for name in (own, "ox"[own == "o"])]
    assert off == list(position.off)
    for value in position.dice or ():
        assert f'<use href="#gb-{own}-{value}"' in drawing


def test_all_parts_are_there_once() -> None:
    shared = sheet_parts()
    names = re.findall(r' id="([^"]+)"', shared)
    assert len(names) == len(set(names))
    for position in POSITIONS:
        assert set(USE.findall(sheet_board(position))) <= set(names)
        assert len(sheet_board(position)) < 2500
    assert parsed(shared).get("width") == "0"


def test_a_stack_grows_away_from_the_edge() -> None:
    shared = sheet_parts()
    for way, sign in (("d", 1), ("u", -1)):
        (stack,) = [each for each in parsed(shared).iter() if each.get("id") == f"gb-x5{way}"]
        heights = [
            float(each.get("cy", "")) for each in stack.iter()
            if each.get("r") == "17.5"
        ]  # fmt: skip
        assert len(heights) == 5
        assert heights == sorted(heights, key=lambda y: sign * y)
        assert heights[0] == 0.0


def test_arrows_of_two_plays() -> None:
    best = gammon.find_play(MIDDLE, (5, 2), "bar/23 6/1*")
    made = gammon.find_play(MIDDLE, (5, 2), "bar/23 8/3")
    drawing = sheet_board(MIDDLE, best=best, made=made)
    shapes = {
        name: [part.tag.rpartition("}")[2] for part in parts(drawing, name)[0]]
        for name in ("gb-best", "gb-made")
    }
    assert shapes == {"gb-best": ["polygon"] * 2 + ["path"], "gb-made": ["polygon"] * 2}
    assert "gb-made" not in sheet_board(MIDDLE, best=best)


@pytest.mark.parametrize("name", COLOURS)
def test_every_variable_has_a_colour(name: str) -> None:
    declared = dict(re.findall(r"(--gb-[a-z-]+):(#[0-9a-f]{6});", sheet_style(name)))
    used = re.findall(r"var\((--gb-[a-z-]+)\)", sheet_parts() + sheet_board(MIDDLE))
    assert {*used} <= declared.keys()
    assert declared["--gb-x-fill"] == COLOURS[name].x.fill
    assert declared["--gb-even"] == COLOURS[name].points[1]
    assert declared["--gb-arrow"] == COLOURS[name].arrow
