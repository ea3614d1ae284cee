"""Plays as people write them."""

from collections.abc import Callable

import pytest

from gammon.errors import AmbiguousPlayError, FormatError, IllegalPlayError
from gammon.formats.notation import format_play, parse_play
from gammon.formats.position import Position
from gammon.play import find_play, legal_plays
from gammon.rules.board import Points
from gammon.rules.dice import ROLLS
from gammon.rules.moves import Move


@pytest.mark.parametrize(
    ("moves", "text"),
    [
        ((), "cannot move"),
        ((Move(8, 5), Move(6, 5)), "8/5 6/5"),
        ((Move(6, 5), Move(8, 5)), "8/5 6/5"),
        ((Move(24, 18, True), Move(18, 13)), "24/18*/13"),
        ((Move(24, 18), Move(18, 13)), "24/13"),
        ((Move(24, 18), Move(18, 13, True)), "24/13*"),
        ((Move(25, 22), Move(6, 4)), "bar/22 6/4"),
        ((Move(25, 22), Move(22, 16)), "bar/16"),
        ((Move(6, 0), Move(6, 0)), "6/off(2)"),
        ((Move(13, 8), Move(13, 8), Move(8, 3), Move(8, 3)), "13/3(2)"),
        ((Move(8, 3), Move(8, 3), Move(13, 8), Move(6, 1)), "13/3 8/3 6/1"),
        ((Move(6, 4, True), Move(4, 2, True), Move(6, 4), Move(4, 2)), "6/4*/2* 6/2"),
    ],
)
def test_canonical(moves: tuple[Move, ...], text: str) -> None:
    assert format_play(moves) == text


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("8/5 6/5", "8/5 6/5"),
        ("6/5, 8/5", "8/5 6/5"),
        ("8-5 6-5", "8/5 6/5"),
        ("24/18*/13", "24/18*/13"),
        ("BAR/22 6/4", "bar/22 6/4"),
        ("25/22", "bar/22"),
        ("b/22", "bar/22"),
        ("6/0(2)", "6/off(2)"),
        ("6/Off (2)", "6/off(2)"),
        ("13/8(2) 6/1(2)", "13/8(2) 6/1(2)"),
        ("  13 / 8   6/1 ", "13/8 6/1"),
        ("cannot move", "cannot move"),
        ("", "cannot move"),
    ],
)
def test_liberal(text: str, canonical: str) -> None:
    assert format_play(parse_play(text)) == canonical


@pytest.mark.parametrize(
    "text",
    ["8", "8/", "/5", "8/x", "5/8", "8/8", "26/20", "8/5(5)", "8*/5", "8/5)", "eight/five"],
)
def test_refused(text: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse_play(text)
    assert repr(text) in str(caught.value)


def test_every_play_is_found_by_its_own_name(
    played: Callable[[int, int], list[Points]],
) -> None:
    for number, points in enumerate(played(150, 8)):
        position, dice = Position(points), ROLLS[number % 21]
        plays = legal_plays(position, dice)
        names = [play.notation for play in plays]
        assert len(set(names)) == len(names)
        for play in plays:
            assert find_play(position, dice, play.notation) == play
            assert play.position.flipped().points == play.points


def test_stars_and_middle_points_may_be_left_out() -> None:
    # White blots on 18 and 16: over which one a checker goes from 24 to 13 matters.
    points = [0] * 26
    points[24], points[6], points[18], points[16], points[1] = 1, 5, -1, -1, -2
    position = Position(tuple(points))
    assert find_play(position, (6, 2), "24/18/16").notation == "24/18*/16*"
    assert find_play(position, (6, 5), "24-18-13").notation == "24/18*/13"
    with pytest.raises(IllegalPlayError, match="'24/20'"):
        find_play(position, (6, 2), "24/20")


def test_a_text_that_two_plays_answer_to() -> None:
    # Either die can go first, and each way hits another blot.
    points = [0] * 26
    points[24], points[6], points[19], points[18], points[1] = 1, 5, -1, -1, -2
    position = Position(tuple(points))
    with pytest.raises(AmbiguousPlayError, match=r"'24/13'.*24/18\*/13, 24/19\*/13") as caught:
        find_play(position, (6, 5), "24/13")
    assert "\n" not in str(caught.value)
    assert find_play(position, (6, 5), "24/18/13").notation == "24/18*/13"
    assert find_play(position, (6, 5), "24/19*/13").notation == "24/19*/13"
