"""Legal plays, and the one that a person means."""

import pytest

from gammon.base.errors import (
    AmbiguousPlayError,
    IllegalPlayError,
    IllegalPositionError,
    SettingError,
)
from gammon.engine.engine import Engine
from gammon.formats import play as module
from gammon.formats.play import choose_play, find_play, legal_plays
from gammon.formats.position import Position
from gammon.rules.board import Points
from gammon.rules.dice import ROLLS
from tests.boards import points_of
from tests.conftest import Played
from tests.engine.rules.slow_plays import enumerate_plays


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
    assert choose_play(plays, (3, 1), "6/5 8/5") == find_play(
        Position.opening(), (3, 1), "8/5 6/5"
    )
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
            assert (
                {*plays} == {*legal_plays(before, dice)} == {*legal_plays(before, dice[::-1])}
            )


def test_moves_are_enumerated_when_somebody_asks_for_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = []

    def noted(points: Points, dice: tuple[int, int]) -> object:
        asked.append(dice)
        return enumerate_plays(points, dice)

    monkeypatch.setattr(module, "_moves_of", noted)
    best = Engine(1).analyze(Position.opening(), (3, 1)).candidates[0].play
    assert not asked
    assert [best.notation, str(best), best.notation] == ["8/5 6/5"] * 3
    assert asked == [(3, 1)]
