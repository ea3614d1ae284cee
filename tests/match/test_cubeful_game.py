"""Matches with the cube, against a match that is played slowly, one decision at a time."""

import numpy as np
import pytest

from gammon.answers.play import legal_plays
from gammon.base.errors import GammonError
from gammon.eval.cubeful import cubeful_evaluator
from gammon.eval.evaluators import load_evaluator
from gammon.formats.position import Position
from gammon.formats.position_id import format_position_id
from gammon.match import cubeful_game, parse_player
from gammon.match.cube_player import Answers, cube_player_of
from gammon.match.cubeful_game import play_cubeful_pairs, starter_of
from gammon.match.cubeful_record import are_matches
from gammon.match.groups import worth_at
from gammon.match.luck import luck_of
from gammon.match.played import roll_of
from gammon.rules.board import OPENING, flipped, is_over
from gammon.rules.dice import ROLLS
from gammon.rules.outcome import points_of
from gammon.rules.score import Score
from gammon.rules.terms import Terms

QUICK, PROBE, NOISY = (
    cube_player_of(parse_player(text)) for text in ("depth=1", "model=probe", "noise=0.1")
)
JUDGE = cubeful_evaluator(load_evaluator("probe"))


class Wild:
    """A player that doubles whenever it can, and takes all doubles up to a cube."""

    def __init__(self, most):
        self.most = most

    def plays(self, states, outcomes, terms, seeds):
        return PROBE.plays(states, outcomes, terms, seeds)

    def cubes(self, states, terms):
        cubes = np.array([at.cube for at in terms])
        return Answers(np.ones(len(terms), np.bool_), 2 * cubes <= self.most)


def slow_match(players, number, seed, length, jacoby=False):
    """Play a match, and say the points, the doubles and the luck of each of its games."""
    points, games, crawford_was = [0, 0], [], False
    while max(points) < max(length, 1) and not (not length and games):
        side = (starter_of(seed, number // 2, len(games)) + number) % 2
        away = [length - points[0], length - points[1]]
        crawford = length > 1 and 1 in away and not crawford_was
        crawford_was = crawford_was or crawford
        board, cube, owner, doubles, luck, won = OPENING, 1, None, [], 0.0, None
        for turn in range(1000):
            mine = 0 if owner is None else (1 if owner == side else -1)
            sides = (away[side], away[1 - side]) if length else (0, 0)
            at = Terms(length, sides, crawford, jacoby, cube=cube, owner=mine, live=cube < 64)
            state = np.array([board], np.int8)
            sign = 1 if side == 0 else -1
            if turn > 0 and at.may_double and players[side].cubes(state, [at]).doubles[0]:
                doubles.append(turn)
                if not players[1 - side].cubes(state, [at]).takes[0]:
                    won = sign * cube
                    break
                cube, owner = 2 * cube, 1 - side
                at = at._replace(cube=cube, owner=-1, live=cube < 64)
            roll = roll_of(seed, number // 2, turn, len(games))
            unit = 0.5 if length else cube
            game = worth_at(
                at if length else at._replace(cube=2 if owner is not None else 1)
            ).game
            luck += sign * unit * luck_of(game, JUDGE, state, [roll], turn == 0)[0]
            (after,) = players[side].plays(state, [roll], [at], [0]).tolist()
            assert tuple(after) in [
                play.points for play in legal_plays(Position(board), ROLLS[roll])
            ]
            board, side = flipped(after), 1 - side
            if is_over(board):
                result = abs(points_of(np.array(board, np.int8)))
                if jacoby and cube == 1:
                    result = 1
                won = sign * result * cube
                break
        games.append((list(points), crawford, doubles, cube, won, luck))
        points[0 if won > 0 else 1] += abs(won)
    return games


PLAYERS = [(QUICK, PROBE), (Wild(8), Wild(2)), (Wild(64), Wild(64))]


@pytest.mark.parametrize("players", PLAYERS, ids=("bots", "wild", "wilder"))
@pytest.mark.parametrize("start", [Score(3), Score(2), Score(9), Score(), Score(jacoby=True)])
def test_matches_are_those_played_slowly(players, start):
    pairs = range(3, 5)
    batch = play_cubeful_pairs(players, pairs, 11, JUDGE, start)
    assert are_matches(batch.games, range(6, 10), start)
    expected = [
        each for number in range(6, 10)
        for each in slow_match(players, number, 11, start.length, start.jacoby)
    ]  # fmt: skip
    assert len(batch.games) == len(expected)
    for game, (points, crawford, doubles, cube, won, luck) in zip(
        batch.games, expected, strict=True
    ):
        assert (game["score"], game["crawford"]) == (points, crawford)
        assert (game["doubles"], game["cube"], game["points"]) == (doubles, cube, won)
        assert game["luck"] == pytest.approx(luck, abs=2e-6 * max(cube, 1))
    assert sum(batch.decisions) >= sum(len(game["positions"]) for game in batch.games)


def test_the_cube_stops_at_64():
    games = play_cubeful_pairs((Wild(64), Wild(64)), range(2), 5, None, Score()).games
    assert {game["cube"] for game in games} == {64}
    assert {len(game["doubles"]) for game in games} == {6}


def test_records_are_what_happened():
    """The positions follow each other by legal plays of the rolls; dice come in pairs."""
    games = play_cubeful_pairs((QUICK, PROBE), range(2), 7, None, Score(3)).games
    first = {}
    for game in games:
        points = OPENING
        dice = [game["rolls"][i : i + 2] for i in range(0, len(game["rolls"]), 2)]
        for roll, name in zip(dice, game["positions"], strict=True):
            plays = legal_plays(Position(points), (int(roll[0]), int(roll[1])))
            after = {format_position_id(flipped(play.points)): play.points for play in plays}
            points = flipped(after[name])
        assert game["luck"] == 0.0
        pair, number = game["match"] // 2, game["game"]
        assert dice[0][0] != dice[0][1]
        other = first.setdefault((pair, number), game)
        if other is not game:  # the same dice, and the other side begins
            assert dice[0] == other["rolls"][:2]
            assert game["first"] == 1 - other["first"]


def test_who_begins_is_fair():
    seats = [starter_of(3, pair, game) for pair in range(300) for game in range(1, 4)]
    assert 0.45 < np.mean(seats) < 0.55
    assert {starter_of(3, pair, 0) for pair in range(9)} == {0}


def test_noise_is_another_one_in_each_game():
    games = play_cubeful_pairs((NOISY, NOISY), range(2), 3, None, Score(2)).games
    same = play_cubeful_pairs((NOISY, NOISY), range(2), 3, None, Score(2)).games
    assert games == same
    twins = [game["positions"] for game in games if game["game"] == 0]
    assert twins[0] != twins[1]


def test_a_game_without_an_end_is_told(monkeypatch):
    monkeypatch.setattr(cubeful_game, "MOST_TURNS", 5)
    with pytest.raises(GammonError, match="match 0 has a game of 5 turns"):
        play_cubeful_pairs((PROBE, PROBE), range(1), 3, None, Score())
