"""Games: what is recorded happened."""

import numpy as np

from gammon.eval.baseline import BASELINE
from gammon.formats.position import Position
from gammon.formats.position_id import format_position_id
from gammon.match import parse_player
from gammon.match.played import play_pairs, roll_of
from gammon.match.player import mind_of
from gammon.play import legal_plays
from gammon.rules.board import OPENING
from gammon.rules.dice import ROLLS
from gammon.rules.outcome import points_of

QUICK, PROBE, NOISY = (parse_player(text) for text in ("depth=1", "model=probe", "noise=0.1"))


def test_dice():
    firsts = [roll_of(1, pair, 0) for pair in range(600)]
    assert all(ROLLS[outcome][0] != ROLLS[outcome][1] for outcome in firsts)
    assert len(set(firsts)) == 15
    assert [roll_of(1, 3, turn) for turn in range(9)] != [
        roll_of(2, 3, turn) for turn in range(9)
    ]


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
