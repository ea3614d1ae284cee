"""A board as one drawing, its words, and as PNG."""

import re
import struct
from typing import Any

import pytest

import gammon
from gammon.base.errors import SettingError
from gammon.formats.position import Position
from gammon.view.svg.colours import COLOURS
from gammon.view.svg.drawing import board, game_words, png, said_of, turn_words
from gammon.view.svg.pieces import cube_value
from tests import boards
from tests.engine.commands.program import OPENING_31
from tests.engine.view.svg.drawn import parsed, parts, points_of, words

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
        "X: pips 128, score 3", "X to play 52", "O: pips 108, score 5", "match to 7",
    ]  # fmt: skip
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
    lines = [
        [float(line.get("y", "")) for line in parts(each, "words")] for each in (plain, turned)
    ]
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
        (START, {"play": gammon.find_play(MIDDLE, (5, 2), "bar/23 6/1*")},
         "play bar/23 6/1*: expected one of the position 4HPwATDgc/ABMA"),
        ("x", {}, "position 'x': expected a gammon.Position"),
    ],
)  # fmt: skip
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
        ("1:-1:-1:B:0:0:2:0:10", "O beavers to 4", "money, beavers", 4),
        ("0:0:1:00:6:2:1:7:10", "X on roll", "match to 7, Crawford", 1),
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
    pytest.importorskip("resvg_py")
    found = png(board(START), 300)
    assert found[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", found[16:24]) == (300, 272)
    assert found == png(board(START), 300)
    assert found != png(board(START).replace("pips 167", ""), 300), "a font was found"


def test_a_width_that_no_picture_has() -> None:
    with pytest.raises(SettingError, match="width 0: expected a whole number from 1 to 10000"):
        png(board(START), 0)
