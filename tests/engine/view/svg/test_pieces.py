"""Elements as text, and the pieces on a drawn board."""

from xml.etree import ElementTree

import pytest
from hypothesis import given

from gammon.formats.context import BOTTOM, TOP, Context
from gammon.formats.position import Position
from gammon.rules.board import Points
from gammon.view.svg.colours import COLOURS
from gammon.view.svg.drawing import board
from gammon.view.svg.layout import Layout
from gammon.view.svg.pieces import Svg, board_ground, element, piece_of, text
from tests import boards
from tests.conftest import positions
from tests.engine.view.svg.drawn import parts, points_of, words

LIGHT = COLOURS["light"]


def test_an_element() -> None:
    assert element("rect", x=1, y=2.0, rx=1 / 3) == '<rect x="1" y="2" rx="0.33"/>'
    assert (
        element("g", "a", "b", class_="c", data_point=3) == '<g class="c" data-point="3">ab</g>'
    )


def test_texts_and_attributes_come_back_as_they_were() -> None:
    odd = "<&\"'>]]>"
    found = ElementTree.fromstring(text(1, 2, odd, 10, fill=odd))
    assert (found.text, found.get("fill")) == (odd, odd)


def test_a_text_is_centred_on_its_line() -> None:
    found = ElementTree.fromstring(text(1, 2, "X", 10))
    assert (found.get("x"), found.get("y"), found.get("font-size")) == ("1", "5.6", "10")


def test_a_drawing_is_a_text_and_a_picture() -> None:
    drawing = Svg("<svg/>")
    assert drawing == "<svg/>" == drawing._repr_svg_()
    assert type(drawing._repr_svg_()) is str


@given(positions())
def test_every_checker_is_drawn(points: Points) -> None:
    for seat, own in ((BOTTOM, "x"), (TOP, "o")):
        position = Position(points, Context(on_roll=seat))
        drawing = board(position)
        assert points_of(drawing, own) == points
        their = "o" if own == "x" else "x"
        off = (
            len(parts(drawing, "checker", own, "off")),
            len(parts(drawing, "checker", their, "off")),
        )
        assert off == position.off
        numbers = [
            words(part) for side in (own, their) for part in parts(drawing, "count", side)
        ]
        assert numbers == [str(each) for each in off if each]


def test_no_more_than_seven_are_drawn_on_a_point() -> None:
    drawing = board(Position(boards.points_of({6: 15}, {19: 8, 18: 7})))
    drawn = [
        part.get("data-point")
        for part in parts(drawing, "checker")
        if "off" not in part.attrib["class"]
    ]
    assert {place: drawn.count(place) for place in drawn} == {"6": 7, "18": 7, "19": 7}
    numbers = [words(part) for part in parts(drawing, "checker")]
    assert sorted(filter(None, numbers)) == ["15", "8"]


def test_all_points_have_their_numbers() -> None:
    ground = f"<g>{''.join(board_ground(Layout(False), LIGHT))}</g>"
    numbers = [str(number) for number in range(1, 25)]
    assert [part.get("data-point") for part in parts(ground, "point")] == numbers
    assert [words(part) for part in parts(ground, "number")] == numbers
    assert len(parts(ground, "tray")) == 2
    shades = [part.get("fill") for part in parts(ground, "point")]
    assert shades == [*LIGHT.points] * 12


@pytest.mark.parametrize(
    ("fields", "value", "owner", "height"),
    [
        ("0:0:1:00", "1", "centred", 0), ("1:1:1:00", "2", "x", 1),
        ("2:-1:1:00", "4", "o", -1), ("2:-1:-1:00", "4", "o", 1), ("6:1:-1:00", "64", "x", -1),
        ("0:0:1:D", "2", "offered", 0), ("15:0:1:00", "32768", "centred", 0),
    ],
)  # fmt: skip
def test_the_cube(fields: str, value: str, owner: str, height: int) -> None:
    position = Position.parse(f"XGID=-b----E-C---eE---c-e----B-:{fields}:0:0:0:0:15")
    (cube,) = parts(board(position), "cube")
    assert (words(cube), cube.get("data-owner")) == (value, owner)
    middle = float(cube[0].get("y", "")) + float(cube[0].get("height", "")) / 2
    assert middle == Layout(False).cube(height).y


@pytest.mark.parametrize("turn", [1, -1])
def test_dice_have_their_pips_and_their_players_colours(turn: int) -> None:
    for dice in ((1, 2), (3, 4), (5, 6)):
        xgid = f"XGID=-b----E-C---eE---c-e----B-:0:0:{turn}:{dice[0]}{dice[1]}:0:0:0:0:10"
        found = parts(board(Position.parse(xgid)), "die")
        assert [len(die) - 1 for die in found] == [*dice]
        assert [die.get("data-value") for die in found] == [str(each) for each in dice]
        name, piece = piece_of(turn, LIGHT)
        assert {die.get("class") for die in found} == {f"die {name}"}
        assert {die[0].get("fill") for die in found} == {piece.fill}
    assert parts(board(Position.opening()), "die") == []
