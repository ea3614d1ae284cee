"""A position in words."""

import pytest

from gammon.formats.position import Position
from gammon.svg.words import cube_value, game_words, said_of, turn_words

BOARD = "XGID=-b----E-C---eE---c-e----B-"


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
    position = Position.parse(f"{BOARD}:{fields}")
    found = turn_words(position), game_words(position), cube_value(position)
    assert found == (turn, game, cube)


@pytest.mark.parametrize(("place", "count", "won"), [(6, 2, "O won"), (19, -2, "X won")])
def test_a_game_that_is_over(place: int, count: int, won: str) -> None:
    points = [0] * 26
    points[place] = count
    assert turn_words(Position(tuple(points))) == won


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
