"""Games: what is recorded happened."""

import numpy as np
import pytest

from gammon.answers.play import legal_plays
from gammon.eval.baseline import BASELINE
from gammon.eval.evaluators import load_evaluator
from gammon.formats.position import Position
from gammon.formats.position_id import format_position_id
from gammon.match import parse_player
from gammon.match.played import is_game_record, play_pairs, roll_of
from gammon.match.player import mind_of
from gammon.rules.board import OPENING
from gammon.rules.dice import ROLLS
from gammon.rules.outcome import points_of
from gammon.rules.stakes import DMP, GAMMON_GO, MONEY, Stakes

QUICK, PROBE, NOISY = (parse_player(text) for text in ("depth=1", "model=probe", "noise=0.1"))


def test_dice():
    firsts = [roll_of(1, pair, 0) for pair in range(600)]
    assert all(ROLLS[outcome][0] != ROLLS[outcome][1] for outcome in firsts)
    assert len(set(firsts)) == 15
    assert [roll_of(1, 3, turn) for turn in range(9)] != [
        roll_of(2, 3, turn) for turn in range(9)
    ]


@pytest.mark.smoke
def test_games_are_legal_and_come_in_pairs():
    batch = play_pairs((mind_of(QUICK), mind_of(PROBE)), range(7, 11), 3, BASELINE)
    assert [game["game"] for game in batch.games] == list(range(14, 22))
    for game in batch.games:
        points, turns = OPENING, len(game["positions"])
        for turn, name in enumerate(game["positions"]):
            outcome = roll_of(3, game["game"] // 2, turn)
            assert game["rolls"][2 * turn : 2 * turn + 2] == "{}{}".format(*ROLLS[outcome])
            after = {
                format_position_id(play.position.points): play.position.points
                for play in legal_plays(Position(points), ROLLS[outcome])
            }
            points = after[name]
        last_was_a = (game["first"] + turns - 1) % 2 == 0
        won = -points_of(np.array(points, np.int8))
        assert game["points"] == (won if last_was_a else -won) != 0
    assert sum(batch.decisions) == sum(len(game["positions"]) for game in batch.games)


def test_points_are_points_and_luck_is_in_the_unit_of_the_stakes():
    def luck(stakes):
        minds = mind_of(QUICK, MONEY), mind_of(QUICK, MONEY)
        games = play_pairs(minds, range(3), 5, load_evaluator("probe"), stakes).games
        assert {abs(game["points"]) for game in games} <= {1, 2, 3}
        return games, np.array([game["luck"] for game in games])

    games, money = luck(MONEY)
    same, double = luck(Stakes(2, 4, 6, -2, -4, -6))
    assert [game["positions"] for game in same] == [game["positions"] for game in games]
    assert double == pytest.approx(2 * money, abs=1e-5)
    assert luck(GAMMON_GO)[1] != pytest.approx(money, abs=0.05)


def test_each_side_plays_for_its_own_stakes():
    """At gammon-go A plays on for a gammon, where B at gammon-save runs: other games."""
    plain = play_pairs((mind_of(QUICK), mind_of(QUICK)), range(4), 9, None).games
    minds = mind_of(QUICK, GAMMON_GO), mind_of(QUICK, GAMMON_GO.turned())
    assert mind_of(QUICK, GAMMON_GO) is minds[0] is not mind_of(QUICK)
    other = play_pairs(minds, range(4), 9, None, GAMMON_GO).games
    assert [game["rolls"][:2] for game in other] == [game["rolls"][:2] for game in plain]
    assert [game["positions"] for game in other] != [game["positions"] for game in plain]
    even = mind_of(QUICK, DMP), mind_of(QUICK, DMP.turned())
    assert even[0] is even[1], "at double match point both want the same"


def test_what_a_file_says_may_be_no_game():
    game = {"game": 0, "first": 0, "rolls": "3161", "positions": ["a", "b"], "points": -1,
            "luck": 0.5}  # fmt: skip
    assert is_game_record(game)
    for change in (
        {"game": "0"}, {"first": 2}, {"first": True}, {"rolls": "316"}, {"positions": ["a", 2]},
        {"positions": {}}, {"points": 0}, {"points": 4}, {"points": 10**400}, {"luck": 1},
        {"luck": float("nan")}, {"luck": float("inf")}, {"more": 1},
    ):  # fmt: skip
        assert not is_game_record(game | change), change
    for value in (None, [], {}, 5, "game", {name: game[name] for name in list(game)[1:]}):
        assert not is_game_record(value)
