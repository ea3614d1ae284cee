"""Plays as people write them."""

import pytest

from gammon.base.errors import AmbiguousPlayError, FormatError, IllegalPlayError
from gammon.formats.notation import chains_of, format_play, meant, parse_play
from gammon.rules.board import OPENING
from gammon.rules.moves import Move
from tests.engine.rules.slow_plays import enumerate_plays


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


def test_a_chain_has_the_moves_of_one_checker() -> None:
    moves = Move(6, 4), Move(18, 13), Move(24, 18, True), Move(6, 4)
    assert chains_of(moves) == [[moves[2], moves[1]], [moves[0]], [moves[3]]]


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
        ("“8–5 6−5”", "8/5 6/5"),
        ("8/5\u00a06\u200b/5", "8/5 6/5"),
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


@pytest.mark.parametrize(
    "text",
    [
        "9" * 5000 + "/5", "8/" + "0" * 5000, "٨/٥", "8/" + 100000 * " ",
        100000 * " / ", "8/5(" + 100000 * " ", 100000 * "(", 100000 * "-", 100000 * "*",
    ],
    ids=range(9),
)  # fmt: skip
def test_long_texts_are_refused_at_once(text: str) -> None:
    """One that takes squared time would not end."""
    with pytest.raises(FormatError) as caught:
        parse_play(text)
    assert len(str(caught.value)) < 300


def test_blanks_are_no_reason_to_refuse() -> None:
    text = (100000 * " ").join(["", "8", "/", "5", "6/5", ""])
    assert format_play(parse_play(text)) == "8/5 6/5"


def test_what_written_moves_mean() -> None:
    """Against the definition: checkers come to the same points, and hits to the same blots."""

    def found(points, *wanted):
        plays = enumerate_plays(points, (6, 4)).values()
        return meant(points, (6, 4), plays, wanted, "it")

    assert found(OPENING, Move(24, 14)) == (Move(24, 20), Move(20, 14))
    with pytest.raises(IllegalPlayError, match=r"^it is not a legal play of 64 here: expected"):
        found(OPENING, Move(24, 13))
    blots = list(OPENING)
    blots[20] = blots[18] = -1
    both = r"^it can mean several legal plays of 64 here: expected one of \S+14, \S+14$"
    with pytest.raises(AmbiguousPlayError, match=both):
        found(tuple(blots), Move(24, 14))
    assert found(tuple(blots), Move(24, 20), Move(20, 14)) == (
        Move(24, 20, True), Move(20, 14),
    )  # fmt: skip
