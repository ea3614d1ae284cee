"""Plays as protocols send them."""

import pytest

from gammon.base.errors import GammonError
from gammon.formats.play import find_play, legal_plays
from gammon.formats.position import Position
from gammon.rules.board import OPENING, Points
from gammon.rules.dice import ROLLS
from gammon_adapters.play_text import checked_text, single_moves
from tests.conftest import Played
from tests.lab.programs.boards import LAST, PASS


@pytest.mark.parametrize(
    ("points", "dice", "text", "steps"),
    [
        (OPENING, (6, 5), "24/13", ["24/18", "18/13"]),
        (OPENING, (3, 3), "8/5(2) 6/3(2)", ["8/5", "8/5", "6/3", "6/3"]),
        (LAST, (6, 2), "5/3*/off", ["5/3", "3/off"]),
        (PASS, (6, 5), "cannot move", []),
    ],
)
def test_steps(points: Points, dice: tuple[int, int], text: str, steps: list[str]) -> None:
    play = find_play(Position(points), dice, text)
    assert single_moves(play) == steps
    assert checked_text(play, dice, " ".join(steps)) == " ".join(steps)


def test_steps_mean_the_play(played: Played) -> None:
    for n, points in enumerate(played(40, 8)):
        dice = ROLLS[n % len(ROLLS)]
        for play in legal_plays(Position(points), dice):
            text = " ".join(single_moves(play))
            assert find_play(Position(points), dice, text).points == play.points


def test_a_text_that_means_another_play_is_not_sent() -> None:
    play = find_play(Position.opening(), (3, 1), "8/5 6/5")
    for text in ("24/20", "", "8/4"):
        with pytest.raises(GammonError):
            checked_text(play, (3, 1), text)
