"""Drawings: the places of a board, colours, pieces, arrows, the whole, and PNG."""

import re
import struct
from itertools import combinations
from math import hypot
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given

import gammon
from gammon.base.errors import SettingError
from gammon.formats.context import BOTTOM, TOP, Context
from gammon.formats.play import find_play, legal_plays
from gammon.formats.position import Position
from gammon.rules.board import Points
from gammon.view.svg.drawing import (
    Svg,
    board,
    board_ground,
    cube_value,
    element,
    game_words,
    piece_of,
    png,
    said_of,
    text,
    turn_words,
)
from gammon.view.svg.layout import COLOURS, HEIGHT, RADIUS, ROWS, WIDTH, Layout, Spot
from tests import boards
from tests.colours import contrast
from tests.conftest import positions
from tests.engine.commands.program import OPENING_31
from tests.engine.view.shown import parsed, parts, points_of, words

# The places of a board.

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


# Colours that can be told apart, and read, without their hues.


@pytest.mark.parametrize("name", COLOURS)
def test_words_and_pieces_can_be_told_from_what_is_behind_them(name: str) -> None:
    scheme = COLOURS[name]
    assert contrast(scheme.words, scheme.ground) > 7
    assert contrast(scheme.words, scheme.bar) > 7, "numbers of borne-off checkers"
    for piece in (scheme.x, scheme.o, scheme.cube):
        assert contrast(piece.fill, piece.mark) > 7
    assert contrast(scheme.x.fill, scheme.o.fill) > 7
    for piece in (scheme.x, scheme.o):
        assert contrast(piece.fill, piece.edge) > 1.1, "of those that lie on each other"
    grounds = scheme.field, scheme.bar, *scheme.points
    for ground in grounds:
        for piece in (scheme.x, scheme.o):
            assert max(contrast(piece.fill, ground), contrast(piece.edge, ground)) > 3
    for ground in (*grounds, scheme.x.fill, scheme.o.fill):
        assert max(contrast(scheme.arrow, ground), contrast(scheme.halo, ground)) > 3


def test_print_has_no_hues() -> None:
    found = COLOURS["print"]
    flat = [*found.points, *found.x, *found.o, *found.cube]
    flat += [each for each in found if isinstance(each, str)]
    assert all(each[1:3] == each[3:5] == each[5:7] for each in flat)


# Elements as text, and the pieces on a drawn board.

LIGHT = COLOURS["light"]


def test_an_element() -> None:
    assert element("rect", x=1, y=2.0, rx=1 / 3) == '<rect x="1" y="2" rx="0.33"/>'
    assert element("g", "a", "b", class_="c", data_point=3) == '<g class="c" data-point="3">ab</g>'


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
        off = (len(parts(drawing, "checker", own, "off")), len(parts(drawing, "checker", their, "off")))
        assert off == position.off
        numbers = [words(part) for side in (own, their) for part in parts(drawing, "count", side)]
        assert numbers == [str(each) for each in off if each]


def test_no_more_than_seven_are_drawn_on_a_point() -> None:
    drawing = board(Position(boards.points_of({6: 15}, {19: 8, 18: 7})))
    drawn = [
        part.get("data-point") for part in parts(drawing, "checker") if "off" not in part.attrib["class"]
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
        ("0:0:1:00", "1", "centred", 0),
        ("1:1:1:00", "2", "x", 1),
        ("2:-1:1:00", "4", "o", -1),
        ("2:-1:-1:00", "4", "o", 1),
        ("6:1:-1:00", "64", "x", -1),
        ("0:0:1:D", "2", "offered", 0),
        ("15:0:1:00", "32768", "centred", 0),
    ],
)
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


# The arrows of a play.

OPENING = "-b----E-C---eE---c-e----B-"
PLACED = Layout(False)


def drawn(checkers: str, dice: str, text: str) -> str:
    position = Position.parse(f"XGID={checkers}:0:0:1:{dice}:0:0:0:0:10")
    assert position.dice is not None
    return board(position, play=find_play(position, position.dice, text))


def ways(drawing: str) -> list[tuple[str | None, str | None]]:
    return [(each.get("data-from"), each.get("data-to")) for each in parts(drawing, "arrow")]


def ends(drawing: str) -> list[tuple[Spot, Spot]]:
    """Where each arrow begins and where its tip is."""
    found = []
    for arrow in parts(drawing, "arrow"):
        corners = [tuple(map(float, each.split(","))) for each in arrow.attrib["points"].split()]
        (x, y), (u, v) = corners[0], corners[-1]
        found.append((Spot((x + u) / 2, (y + v) / 2), Spot(*corners[3])))
    return found


@pytest.mark.parametrize(
    ("checkers", "dice", "text", "expected", "hits"),
    [
        (OPENING, "31", "8/5 6/5", [(8, 5), (6, 5)], []),
        (OPENING, "65", "24/13", [(24, 13)], []),
        (OPENING, "66", "24/18(2) 13/7(2)", [(24, 18), (24, 18), (13, 7), (13, 7)], []),
        ("aa----E-C---dE---cae----B-", "65", "24/18*/13", [(24, 18), (18, 13)], [18]),
        ("-ba---E-C---dE---c-e-----B", "44", "bar/21(2) 6/2*(2)", [(25, 21), (25, 21), (6, 2), (6, 2)], [2]),
        ("-CBBC--------------bbcb---", "61", "4/off 4/3", [(4, 3), (4, 0)], []),
    ],
)
def test_there_is_one_for_each_checker_and_each_hit(
    checkers: str, dice: str, text: str, expected: list[tuple[int, int]], hits: list[int]
) -> None:
    drawing = drawn(checkers, dice, text)
    assert ways(drawing) == [(str(source), str(target)) for source, target in expected]
    assert [each.get("data-point") for each in parts(drawing, "hit")] == [*map(str, hits)]


def test_they_lead_from_the_last_checker_to_the_next_free_place() -> None:
    (begin, end), (other_begin, other_end) = ends(drawn(OPENING, "31", "8/5 6/5"))
    assert begin == pytest.approx(PLACED.checker(8, 2), abs=0.1)
    assert end == pytest.approx(PLACED.checker(5, 0), abs=0.1)
    assert other_begin == pytest.approx(PLACED.checker(6, 4), abs=0.1)
    assert other_end == pytest.approx(PLACED.checker(5, 1), abs=0.1)


def test_one_that_hits_ends_at_the_rim_of_the_checker() -> None:
    hit, on = ends(drawn("aa----E-C---dE---cae----B-", "65", "24/18*/13"))
    blot = PLACED.checker(18, 0)
    assert hit[1].x - blot.x == pytest.approx(RADIUS, abs=0.5)
    assert on[0] == pytest.approx(blot, abs=0.1)


def test_the_order_of_moves_does_not_matter_to_a_hit() -> None:
    """8/2 stands before 6/2*, which is played first."""
    drawing = drawn("-ba---E-C---eE---b-e----B-", "64", "8/2* 6/2")
    tips = [tip for _, tip in ends(drawing)]
    assert tips[1] == pytest.approx(PLACED.checker(2, 1), abs=0.1)
    assert len(parts(drawing, "hit")) == 1


def test_those_of_two_checkers_side_by_side_do_not_cross() -> None:
    a, b, c, d = ends(drawn(OPENING, "66", "24/18(2) 13/7(2)"))
    for one, other in ((a, b), (c, d)):
        assert (one[0].y - other[0].y) * (one[1].y - other[1].y) > 0


def test_no_move_no_arrow() -> None:
    position = Position.parse("XGID=---------------bbbbbb-A--A:0:0:1:66:0:0:0:0:10")
    (play,) = legal_plays(position, (6, 6))
    drawing = board(position, play=play)
    assert ways(drawing) == []
    assert "The arrows show the play cannot move" not in drawing


# A board as one drawing, its words, and as PNG.

MIDDLE = gammon.Position.parse("XGID=-a-B-BC-A---bC---c-db-A--A:1:-1:1:52:3:5:0:7:10")


def test_a_middle_game() -> None:
    play = gammon.find_play(MIDDLE, (5, 2), "bar/23 6/1*")
    drawing = gammon.svg.board(MIDDLE, play=play)
    assert points_of(drawing, "x") == MIDDLE.points
    assert len(parts(drawing, "checker", "on-bar")) == 1
    assert len(parts(drawing, "checker", "x", "off")) == 2
    assert len(parts(drawing, "checker", "o", "off")) == 3
    (cube,) = parts(drawing, "cube")
    assert (words(cube), cube.get("data-owner")) == ("2", "o")
    assert [die.get("data-value") for die in parts(drawing, "die")] == ["5", "2"]
    assert [words(line) for line in parts(drawing, "words")] == [
        "X: pips 128, score 3",
        "X to play 52",
        "O: pips 108, score 5",
        "match to 7",
    ]
    assert len(parts(drawing, "arrow")) == 2
    assert [mark.get("data-point") for mark in parts(drawing, "hit")] == ["1"]


def test_a_screen_reader_says_it_in_sentences() -> None:
    play = gammon.find_play(MIDDLE, (5, 2), "bar/23 6/1*")
    title, described = parsed(board(MIDDLE, play=play))[:2]
    assert (title.tag[-5:], words(title)) == ("title", "Backgammon: X to play 52")
    assert described.tag[-4:] == "desc"
    assert "X has 1 on the bar, 1 on point 22," in words(described)
    assert words(described).endswith("The arrows show the play bar/23 6/1*.")


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("colours", COLOURS)
def test_it_needs_nothing_from_elsewhere(colours: str, turned: bool) -> None:
    drawing = board(gammon.Position.parse(OPENING_31), colours=colours, turned=turned)
    tags = {part.tag.partition("}")[2] for part in parsed(drawing).iter()}
    assert tags <= {"svg", "title", "desc", "rect", "polygon", "circle", "g", "text", "path"}
    assert not re.search(r"href|url\(|<!|<\?| id=| on[a-z]+=", drawing)
    assert drawing.count("http") == 1, "the name of SVG"
    assert {part.get("font-family") for part in parsed(drawing).iter()} == {None, "sans-serif"}


def test_a_turned_board_has_the_same_parts_elsewhere() -> None:
    plain, turned = board(MIDDLE), board(MIDDLE, turned=True)
    assert points_of(turned, "x") == MIDDLE.points
    assert words(parsed(turned)) == words(parsed(plain))
    lines = [[float(line.get("y", "")) for line in parts(each, "words")] for each in (plain, turned)]
    assert lines[0][0] > lines[0][2]
    assert lines[1][0] < lines[1][2]


def test_sizes() -> None:
    assert parsed(board(MIDDLE, size=200)).get("width") == "200"
    assert parsed(board(MIDDLE, size=None)).get("width") is None
    assert parsed(board(MIDDLE)).get("viewBox") == "0 0 600 544"


START = gammon.Position.opening()


@pytest.mark.parametrize(
    ("position", "settings", "words"),
    [
        (START, {"colours": "blue"}, "colours 'blue': expected one of light, dark, print"),
        (START, {"size": 0}, "size 0: expected a whole number from 1 to 100000"),
        (START, {"play": "8/5"}, "play '8/5': expected a gammon.Play"),
        (
            START,
            {"play": gammon.find_play(MIDDLE, (5, 2), "bar/23 6/1*")},
            "play bar/23 6/1*: expected one of the position 4HPwATDgc/ABMA",
        ),
        ("x", {}, "position 'x': expected a gammon.Position"),
    ],
)
def test_other_settings_are_refused(position: Any, settings: Any, words: str) -> None:
    with pytest.raises(SettingError, match=f"^{re.escape(words)}$"):
        board(position, **settings)


def test_a_position_shows_itself_with_any_cube_and_score() -> None:
    """Also where no terms can be had from its context, as beyond 64."""
    for fields in ("9:0:1:00:0:0:0:0:10", "0:0:1:00:7:99:0:100:10", "3:1:-1:R:0:0:2:0:10"):
        position = gammon.Position.parse(f"XGID=-b----E-C---eE---c-e----B-:{fields}")
        assert position._repr_svg_() == board(position)


CHECKERS = "XGID=-b----E-C---eE---c-e----B-"


@pytest.mark.parametrize(
    ("fields", "turn", "game", "cube"),
    [
        ("0:0:1:31:0:0:0:0:10", "X to play 31", "money", 1),
        ("1:-1:-1:00:0:0:3:0:10", "O on roll", "money, Jacoby, beavers", 2),
        ("0:0:1:D:0:0:1:0:10", "X doubles to 2", "money, Jacoby", 2),
        ("1:-1:-1:B:0:0:2:0:10", "X beavers O's double", "money, beavers", 4),
        ("0:0:1:R:0:0:2:0:10", "X raccoons O's beaver", "money, beavers", 2),
        ("0:0:1:00:6:2:1:7:10", "X on roll", "match to 7, Crawford", 1),
        ("0:0:1:00:6:6:1:7:10", "X on roll", "match to 7", 1),
    ],
)
def test_lines(fields: str, turn: str, game: str, cube: int) -> None:
    position = Position.parse(f"{CHECKERS}:{fields}")
    found = turn_words(position), game_words(position), cube_value(position)
    assert found == (turn, game, cube)


def test_a_game_that_is_over() -> None:
    assert turn_words(Position(boards.points_of({6: 2}, {}))) == "O won"
    assert turn_words(Position(boards.points_of({}, {19: 2}))) == "X won"


def test_sentences() -> None:
    position = Position.parse("XGID=aB------------------c----A:2:1:1:00:3:5:0:7:10")
    assert said_of(position, "bar/24") == (
        "Points are numbered as X counts them. "
        "X has 1 on the bar, 2 on point 1 and 12 borne off, and 27 pips to go. "
        "O has 1 on the bar, 3 on point 20 and 11 borne off, and 40 pips to go. "
        "The game: X 3, O 5 in a match to 7, X's cube at 4. "
        "The arrows show the play bar/24."
    )


def test_sentences_for_money_and_a_side_without_a_checker() -> None:
    position = Position.parse("XGID=------O-------------------:0:0:1:D:0:0:1:0:10")
    assert said_of(position) == (
        "Points are numbered as X counts them. X has 15 on point 6, and 90 pips to go. "
        "O has 15 borne off, and 0 pips to go. The game: money, Jacoby, cube on offer at 2."
    )


def test_a_single_pip_in_a_sentence() -> None:
    assert "and 1 pip to go. O has" in said_of(Position(boards.points_of({1: 1}, {20: 1})))


def test_it_has_the_width_and_the_words() -> None:
    found = png(board(START), 300)
    assert found[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", found[16:24]) == (300, 272)
    assert found == png(board(START), 300)
    assert found != png(board(START).replace("pips 167", ""), 300), "a font was found"


def test_a_width_that_no_picture_has() -> None:
    with pytest.raises(SettingError, match="width 0: expected a whole number from 1 to 10000"):
        png(board(START), 0)
