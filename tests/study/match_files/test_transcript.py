"""Transcripts: actions held to the rules, and the position before each."""

import pytest

from gammon.base.errors import FormatError
from gammon.formats.context import BOTTOM, TOP
from gammon.formats.position import Position
from gammon.rules.board import OPENING
from gammon.rules.moves import Move
from gammon.rules.terms import Score
from gammon_study.match_files.match_file import read_transcript
from gammon_study.match_files.transcript import (
    Action,
    ActionKind,
    GameReplay,
    GameTranscript,
    Transcript,
)
from tests.matches import MATCH5, random_match

ROLL = Action(ActionKind.ROLL, 0, (3, 1), (Move(8, 5), Move(6, 5)))
DANCE = Action(ActionKind.ROLL, 1, (6, 2))


def act(kind: str, side: int, points: int = 0) -> Action:
    return Action(ActionKind(kind), side, points=points)


@pytest.mark.smoke
def test_positions_carry_the_cube_and_the_score() -> None:
    game = GameTranscript(
        Score(7, (2, 3)),
        (ROLL, act("double", 1), act("take", 0), Action(
            ActionKind.ROLL, 1, (4, 2), (Move(8, 4), Move(6, 4)),
        ), act("double", 0), act("pass", 1)),
        0, 2,
    )  # fmt: skip
    moments = list(game.moments())
    assert [moment.first for moment in moments] == [True] + 5 * [False]
    first, double, take, roll, redouble, last = (moment.position for moment in moments)
    assert (first.points, first.dice, first.context.on_roll) == (OPENING, (3, 1), BOTTOM)
    assert first.context.terms().away == (5, 4)
    assert (double.context.on_roll, double.context.offer, double.dice) == (TOP, "", None)
    assert double.context.terms().away == (4, 5)
    assert (take.context.on_roll, take.context.offer) == (TOP, "D")
    assert take.context.to_decide == BOTTOM
    assert take.points == double.points == roll.points
    assert roll.context.terms().cube == 2
    assert roll.context.terms().owner == -1
    assert redouble.context.terms().owner == 1
    assert last.context.terms().cube == 2
    for moment in moments:
        assert Position.parse(moment.position.xgid) == moment.position


WRONG = [
    ([act("double", 0)], "before the first roll"),
    ([act("take", 0)], "expected a roll or a double"),
    ([ROLL, ROLL], "not to act"),
    ([ROLL, act("double", 1), act("roll", 0)], "expected an answer"),
    ([ROLL, act("double", 1), act("pass", 0), DANCE], "after the end"),
    ([ROLL, DANCE], "not a legal play"),
    ([Action(ActionKind.ROLL, 0, (1, 1))], "first roll"),
    ([ROLL, act("resign", 1, 4)], "1, 2 or 3 times the cube of 1"),
]


@pytest.mark.parametrize(("actions", "words"), WRONG)
def test_actions_against_the_rules(actions: list[Action], words: str) -> None:
    with pytest.raises(FormatError, match=words):
        list(GameTranscript(Score(5), tuple(actions)).moments())


def test_doubles_that_nobody_may_make() -> None:
    crawford = GameReplay(Score(5, (4, 0), True))
    crawford.do(ROLL)
    with pytest.raises(FormatError, match="Crawford"):
        crawford.do(act("double", 1))
    owned = GameReplay(Score())
    for action in (ROLL, act("double", 1), act("take", 0)):
        owned.do(action)
    owned.do(Action(ActionKind.ROLL, 1, (4, 2), owned.find((4, 2), (Move(8, 4), Move(6, 4)))))
    owned.do(Action(ActionKind.ROLL, 0, (4, 2), owned.find((4, 2), (Move(8, 4), Move(6, 4)))))
    with pytest.raises(FormatError, match="own the cube"):
        owned.do(act("double", 1))


@pytest.mark.parametrize("length", [0, 1, 3, 5])
def test_random_matches_end_as_a_plain_count_has_it(length: int) -> None:
    kinds = set()
    for seed in range(4):
        match = random_match(length, seed)
        score = Score(length)
        for game in match.games:
            assert game.score == score
            replay = GameReplay(game.score)
            for action in game.actions:
                assert replay.result is None
                replay.do(action)
                kinds.add(action.kind)
            assert replay.result == (game.winner, game.points)
            score = score.after(game.points if game.winner == 0 else -game.points)
        assert match.final_score == score.points
    assert kinds >= {ActionKind.ROLL, ActionKind.DOUBLE, ActionKind.TAKE}


def test_plays_that_are_meant() -> None:
    replay = GameReplay(Score())
    assert replay.find((6, 5), (Move(24, 13),)) == (Move(24, 18), Move(18, 13))
    with pytest.raises(FormatError, match="24/13 is not a legal play of 64"):
        replay.find((6, 4), (Move(24, 13),))
    assert replay.only_play((6, 5)) is None
    replay.do(Action(ActionKind.ROLL, 0, (6, 1), (Move(13, 7), Move(6, 5))))
    with pytest.raises(FormatError, match="24/14 can mean several legal plays of 64 here"):
        replay.find((6, 4), (Move(24, 14),))


def test_the_crawford_game_comes_once() -> None:
    games = read_transcript(MATCH5).games
    assert [game.score.crawford for game in games] == [False, False, True, False]
    assert Transcript(("a", "b"), 5, ()).final_score == (0, 0)
