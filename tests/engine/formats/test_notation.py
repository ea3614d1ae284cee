"""Plays as people write them, and the legal one that a person means."""

import pytest

from gammon.base.errors import (
    AmbiguousPlayError,
    FormatError,
    IllegalPlayError,
    IllegalPositionError,
    SettingError,
)
from gammon.engine.engine import Engine
from gammon.formats import play as module
from gammon.formats.notation import chains_of, format_play, meant, parse_play
from gammon.formats.play import choose_play, find_play, legal_plays
from gammon.formats.position import Position
from gammon.rules.board import OPENING, Move, Points
from gammon.rules.dice import ROLLS
from tests.boards import points_of
from tests.conftest import Played
from tests.naive.plays import enumerate_plays

# Plays as people write them.


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
    "text", ["8", "8/", "/5", "8/x", "5/8", "8/8", "26/20", "8/5(5)", "8*/5", "8/5)", "eight/five"]
)
def test_refused(text: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse_play(text)
    assert repr(text) in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "9" * 5000 + "/5",
        "8/" + "0" * 5000,
        "٨/٥",
        "8/" + 100000 * " ",
        100000 * " / ",
        "8/5(" + 100000 * " ",
        100000 * "(",
        100000 * "-",
        100000 * "*",
    ],
    ids=range(9),
)
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
    assert found(tuple(blots), Move(24, 20), Move(20, 14)) == (Move(24, 20, True), Move(20, 14))


# Legal plays, and the one that a person means.


def test_every_play_is_found_by_its_own_name(played: Played) -> None:
    for number, points in enumerate(played(50, 8)):
        position, dice = Position(points), ROLLS[number % 21]
        plays = legal_plays(position, dice)
        names = [play.notation for play in plays]
        assert len(set(names)) == len(names)
        for play in plays:
            assert find_play(position, dice, play.notation) == play
            assert play.position.flipped().points == play.points


def test_stars_and_middle_points_may_be_left_out() -> None:
    # White blots on 18 and 16: over which one a checker goes from 24 to 13 matters.
    position = Position(points_of({24: 1, 6: 5}, {18: 1, 16: 1, 1: 2}))
    assert find_play(position, (6, 2), "24/18/16").notation == "24/18*/16*"
    assert find_play(position, (6, 5), "24-18-13").notation == "24/18*/13"
    with pytest.raises(IllegalPlayError, match="'24/20'"):
        find_play(position, (6, 2), "24/20")


def test_a_text_that_two_plays_answer_to() -> None:
    # Either die can go first, and each way hits another blot.
    position = Position(points_of({24: 1, 6: 5}, {19: 1, 18: 1, 1: 2}))
    with pytest.raises(AmbiguousPlayError, match=r"'24/13'.*24/18\*/13, 24/19\*/13") as caught:
        find_play(position, (6, 5), "24/13")
    assert "\n" not in str(caught.value)
    assert find_play(position, (6, 5), "24/18/13").notation == "24/18*/13"
    assert find_play(position, (6, 5), "24/19*/13").notation == "24/19*/13"


def test_a_pass_is_the_one_play_of_a_closed_board() -> None:
    points = (0, *[0] * 18, *[-2] * 6, 1)
    (play,) = legal_plays(Position(points), (6, 5))
    assert (play.moves, play.points, str(play)) == ((), points, "cannot move")


def test_finished_games_have_no_plays() -> None:
    over = Position.parse("XGID=-B------------------------:0:0:1:31:0:0:0:0:10")
    with pytest.raises(IllegalPositionError, match=f"'{over.position_id}': the game is over"):
        legal_plays(over, (3, 1))


def test_wrong_dice_are_refused() -> None:
    with pytest.raises(SettingError, match=r"dice \(7, 1\)"):
        find_play(Position.opening(), (7, 1), "8/5 6/5")


def test_a_play_is_chosen_from_a_list_as_it_is_found() -> None:
    plays = legal_plays(Position.opening(), (3, 1))
    assert choose_play(plays, (3, 1), "6/5 8/5") == find_play(Position.opening(), (3, 1), "8/5 6/5")
    with pytest.raises(IllegalPlayError, match="'8/4'"):
        choose_play(plays[:2], (3, 1), "8/4")


def test_a_play_where_no_checker_can_move() -> None:
    position = Position.parse("XGID=-BBBBBBB-----------bbbbbbA:0:0:1:66:0:0:0:0:10")
    with pytest.raises(IllegalPlayError, match="is not a legal play of 66 here: no checker"):
        find_play(position, (6, 6), "bar/19")


def test_plays_of_an_analysis_have_the_moves_of_the_slow_generator(played: Played) -> None:
    engine = Engine(1)
    for number, points in enumerate(played(60, 9)):
        dice = ROLLS[number % 21]
        plays = [each.play for each in engine.analyze(Position(points), dice).candidates]
        assert {play.points: play.moves for play in plays} == enumerate_plays(points, dice)
        for before in (Position(points), Position(points).with_dice(dice)):
            assert {*plays} == {*legal_plays(before, dice)} == {*legal_plays(before, dice[::-1])}


def test_moves_are_enumerated_when_somebody_asks_for_them(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def noted(points: Points, dice: tuple[int, int]) -> object:
        asked.append(dice)
        return enumerate_plays(points, dice)

    monkeypatch.setattr(module, "_moves_of", noted)
    best = Engine(1).analyze(Position.opening(), (3, 1)).candidates[0].play
    assert not asked
    assert [best.notation, str(best), best.notation] == ["8/5 6/5"] * 3
    assert asked == [(3, 1)]
