"""The board line of GNU Backgammon's external players."""

from dataclasses import replace

import pytest

from gammon.base.errors import GammonError
from gammon.formats.context import BOTTOM, TOP, Context
from gammon.formats.position import Position
from gammon.rules.board import OPENING
from gammon.rules.terms import Terms
from gammon_adapters.fibs_board import BoardLine, format_board, parse_board
from tests.conftest import Played

#: As GNU Backgammon 1.07.001 wrote them, when player 0 was external.
FIRST = (
    "board:gnubg:root:0:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0"
    ":-1:3:1:3:1:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1"
)
OPENING_POINTS = ":".join(map(str, OPENING))


def line(rest: str, head: str = "gnubg:root:5:4:2") -> str:
    return f"board:{head}:{OPENING_POINTS}:{rest}"


def test_the_first_request_of_a_game() -> None:
    found = parse_board(f"{FIRST}\n")
    assert found.names == ("gnubg", "root")
    position = found.position
    assert (position.points, position.dice) == (OPENING, (3, 1))
    assert (position.context.on_roll, position.context.cube_owner) == (TOP, 0)
    assert position.context.terms() == Terms()
    assert format_board(found) == FIRST


def test_the_crawford_game_of_a_match() -> None:
    text = line("-1:3:1:3:1:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:0")
    found = parse_board(text)
    context = found.position.context
    assert (context.scores, context.length, context.crawford) == ((2, 4), 5, True)
    assert context.terms() == Terms(5, (1, 3), crawford=True)
    assert format_board(found) == text


def test_the_marks_after_the_crawford_game() -> None:
    text = line("1:0:0:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:1:1")
    found = parse_board(text)
    assert found.position.context.terms() == Terms(5, (3, 1))
    assert format_board(found) == text


def test_a_double_is_told_with_names_and_scores_swapped() -> None:
    text = line("1:0:0:0:0:2:1:0:1:1:-1:0:25:0:0:0:0:0:0:0:1", "root:gnubg:7:2:4")
    found = parse_board(text)
    context = found.position.context
    assert found.names == ("gnubg", "root")
    assert (context.scores, context.offer) == ((2, 4), "D")
    assert (context.on_roll, context.to_decide, context.cube_owner) == (BOTTOM, TOP, BOTTOM)
    assert context.terms() == Terms(7, (5, 3), cube=2, owner=1)
    assert format_board(found) == text


def test_the_points_are_those_of_player_1(played: Played) -> None:
    for points in played(40, 7):
        for on_roll in (BOTTOM, TOP):
            position = Position(points, Context(on_roll=on_roll))
            found = parse_board(format_board(BoardLine(position, ("a", "b"))))
            assert found.position.points == points
            assert found.position.context.on_roll == on_roll


@pytest.mark.parametrize("offer", ["", "D"])
@pytest.mark.parametrize(
    "terms",
    [
        Terms(), Terms(cube=4, owner=1), Terms(cube=2, owner=-1), Terms(7, (3, 5)),
        Terms(7, (1, 5), crawford=True), Terms(7, (1, 5)), Terms(9, (4, 2), cube=2, owner=-1),
        Terms(3, (1, 1)),
    ],
)  # fmt: skip
def test_what_is_written_is_read(terms: Terms, offer: str) -> None:
    for on_roll in (BOTTOM, TOP):
        position = Position(OPENING, Context(on_roll=on_roll)).with_terms(terms)
        context = replace(
            position.context, offer=offer, to_decide=-on_roll if offer else 0, max_cube_log2=12
        )
        position = replace(position, context=context)
        assert parse_board(format_board(BoardLine(position))) == BoardLine(position)


def test_a_cube_that_nobody_may_turn() -> None:
    found = parse_board(line("1:0:0:0:0:1:0:0:0:1:-1:0:25:0:0:0:0:0:0:0:1", "a:b:0:0:0"))
    assert not found.position.context.terms().live


def test_a_colon_in_a_name_becomes_a_line() -> None:
    assert format_board(BoardLine(Position.opening(), ("a:b", "c"))).startswith("board:a_b:c:0")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "expected board: at the beginning"),
        (f"evaluation fibsboard {FIRST} PLIES 0 ON", "expected board: at the beginning"),
        ("board", "found 0 numbers"),
        (FIRST[:-2], "found 49 numbers"),
        (FIRST.replace(":3:1:3:1", ":3:x:3:1"), "'x' is not a number"),
        pytest.param(FIRST.replace(":25:", f":{'9' * 5000}:"), "is not a number", id="long"),
        (FIRST.replace("root:0", "root:9999999"), "'9999999' is not .* of up to 4 digits"),
        (FIRST.replace(":3:1:3:1", ":3:7:3:7"), "die 7"),
        (FIRST.replace(":3:1:3:1", ":0:1:0:1"), "dice 0 and 1, expected none or two"),
        (FIRST.replace(":-1:3:1", ":0:3:1"), "turn 0"),
        (FIRST.replace(":1:-1:0:25", ":-1:1:0:25"), "colour -1, direction 1"),
        (FIRST.replace("3:1:1:1:1:0", "3:1:3:1:1:0"), "cube 3"),
        (FIRST.replace("root:0:0:0", "root:5:5:0"), "match of 5, which is over"),
        (FIRST.replace(":-2:", ":-3:"), "16 checkers"),
    ],
)
def test_what_is_refused(text: str, words: str) -> None:
    with pytest.raises(GammonError, match=words) as caught:
        parse_board(text)
    assert "\n" not in str(caught.value)
