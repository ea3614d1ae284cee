"""Matches, against a match that is played slowly, one decision at a time."""

from functools import partial
from time import sleep

import numpy as np
import pytest

from gammon.base.errors import GammonError
from gammon.engine.luck import luck_at, roll_values
from gammon.engine.scale import Scale
from gammon.eval.cubeful import evaluator_at
from gammon.eval.evaluators import load_evaluator
from gammon.formats.play import legal_plays
from gammon.formats.position import Position
from gammon.formats.position_id import format_position_id
from gammon.match import game as loop
from gammon.match import parse_player
from gammon.match.dice import noise_seed, roll_at, starter_of
from gammon.match.game import play_pairs
from gammon.match.player import Answers, mind_of
from gammon.match.record import are_matches
from gammon.rules.board import OPENING, flipped, is_over
from gammon.rules.dice import ROLLS, WEIGHTS
from gammon.rules.outcome import points_of
from gammon.rules.terms import CUBELESS, NAMED_STAKES, Payoffs, Score, Terms, cubeless_terms

DMP = NAMED_STAKES["dmp"]
GAMMON_GO = NAMED_STAKES["gammon-go"]

PLAYERS = tuple(parse_player(text) for text in ("depth=1", "model=probe", "noise=0.1"))
QUICK, PROBE, NOISY = (mind_of(player, Terms()) for player in PLAYERS)
DEAD = tuple(map(mind_of, PLAYERS))
WITHOUT = Score(live=False, payoffs=CUBELESS.payoffs)
JUDGE = load_evaluator("probe")


class Wild:
    """A player that doubles whenever it can, and takes all doubles up to a cube."""

    def __init__(self, most):
        self.most = most

    def plays(self, states, outcomes, terms, seeds):
        return PROBE.plays(states, outcomes, terms, seeds)

    def cubes(self, states, terms, seeds):
        cubes = np.array([at.cube for at in terms])
        return Answers(np.ones(len(terms), np.bool_), 2 * cubes <= self.most)

    def cpu_seconds(self):
        return PROBE.cpu_seconds()


def slow_match(players, number, seed, start):
    """Play a match by the rules, and return the records of its games."""
    length, _, _, jacoby, live, _ = start
    points, games, crawford_was = [0, 0], [], False
    while max(points) < max(length, 1) and not (not length and games):
        side = (starter_of(seed, number // 2, len(games)) + number) % 2
        away = [length - points[0], length - points[1]]
        crawford = length > 1 and 1 in away and not crawford_was
        crawford_was = crawford_was or crawford
        first, rolls, positions = side, "", []
        board, cube, owner, doubles, luck, won = OPENING, 1, None, [], 0.0, None
        for turn in range(1000):
            mine = 0 if owner is None else (1 if owner == side else -1)
            sides = (away[side], away[1 - side]) if length else (0, 0)
            at = Terms(length, sides, crawford, jacoby, cube=cube, owner=mine,
                       live=live and cube < 64)  # fmt: skip
            state = np.array([board], np.int8)
            sign = 1 if side == 0 else -1
            seeds = [noise_seed(seed, number, each, len(games)) for each in (0, 1)]
            own, other = seeds[side : side + 1], seeds[1 - side :][:1]
            asked = turn > 0 and at.may_double
            if asked and players[side].cubes(state, [at], own).doubles[0]:
                doubles.append(turn)
                if not players[1 - side].cubes(state, [at], other).takes[0]:
                    won = sign * cube
                    break
                cube, owner = 2 * cube, 1 - side
                at = at._replace(cube=cube, owner=-1, live=cube < 64)
            roll = roll_at(seed, number // 2, turn, len(games))
            unit = 0.5 if length else cube
            known = at if length else at._replace(cube=2 if owner is not None else 1)
            if not live:
                at = known = start.terms(side)
            values = roll_values(Scale.at(known).game, evaluator_at(JUDGE, known), state)[0]
            weights = [float(high != low) for high, low in ROLLS] if turn == 0 else WEIGHTS
            luck += sign * unit * (values[roll] - np.average(values, weights=weights))
            (after,) = players[side].plays(state, [roll], [at], [0]).tolist()
            assert tuple(after) in [
                play.points for play in legal_plays(Position(board), ROLLS[roll])
            ]
            board, side = flipped(after), 1 - side
            rolls += "{}{}".format(*ROLLS[roll])
            positions.append(format_position_id(board))
            if is_over(board):
                result = abs(points_of(np.array(board, np.int8)))
                if jacoby and cube == 1:
                    result = 1
                won = sign * result * cube
                break
        games.append(
            {
                "match": number, "game": len(games), "score": list(points),
                "crawford": crawford, "first": first, "rolls": rolls, "positions": positions,
                "doubles": doubles, "cube": cube, "points": won,
                "luck": pytest.approx(luck, abs=2e-6 * cube),
            }
        )  # fmt: skip
        points[0 if won > 0 else 1] += abs(won)
    return games


MEETINGS = {
    "bots": (QUICK, PROBE), "wild": (Wild(8), Wild(2)), "wilder": (Wild(64), Wild(64)),
}  # fmt: skip


@pytest.mark.parametrize("start", [Score(3), Score(2), Score(9), Score(), Score(jacoby=True)])
@pytest.mark.parametrize("name", MEETINGS)
def test_matches_are_those_played_slowly(name, start):
    check(MEETINGS[name], start)


@pytest.mark.smoke
def test_games_without_the_cube_are_those_played_slowly():
    check(DEAD[:2], WITHOUT)


def check(minds, start):
    """Play two pairs, and check what is recorded of them."""
    batch = play_pairs(minds, range(3, 5), 11, partial(luck_at, JUDGE), start)
    assert are_matches(batch.games, range(6, 10), start)
    expected = [
        each for number in range(6, 10) for each in slow_match(minds, number, 11, start)
    ]
    assert batch.games == expected
    turns = sum(len(game["positions"]) for game in batch.games)
    decisions = sum(batch.effort.decisions)
    assert decisions >= turns if start.live else decisions == turns


def test_the_cube_stops_at_64():
    games = play_pairs((Wild(64), Wild(64)), range(2), 5, None, Score()).games
    assert {game["cube"] for game in games} == {64}
    assert {len(game["doubles"]) for game in games} == {6}


@pytest.mark.parametrize(
    ("mind", "start"), [(NOISY, Score(2)), (DEAD[2], WITHOUT)], ids=("cube", "none")
)
def test_noise_is_another_one_in_each_game(mind, start):
    games = play_pairs((mind, mind), range(2), 3, None, start).games
    same = play_pairs((mind, mind), range(2), 3, None, start).games
    assert games == same
    twins = [game["positions"] for game in games if game["game"] == 0]
    assert twins[0] != twins[1]


def test_a_game_without_an_end_is_told(monkeypatch):
    monkeypatch.setattr(loop, "_MOST_TURNS", 5)
    with pytest.raises(GammonError, match="match 0 has a game of 5 turns"):
        play_pairs((PROBE, PROBE), range(1), 3, None, Score())


def test_points_are_points_and_luck_is_in_the_unit_of_the_stakes():
    def luck(stakes):
        minds = DEAD[0], DEAD[0]
        start = Score(live=False, payoffs=stakes.payoffs)
        games = play_pairs(minds, range(3), 5, partial(luck_at, JUDGE), start).games
        assert {abs(game["points"]) for game in games} <= {1, 2, 3}
        return games, np.array([game["luck"] for game in games])

    games, money = luck(CUBELESS)
    same, double = luck(cubeless_terms(Payoffs(2, 4, 6, -2, -4, -6)))
    assert [game["positions"] for game in same] == [game["positions"] for game in games]
    assert double == pytest.approx(2 * money, abs=1e-5)
    assert luck(GAMMON_GO)[1] != pytest.approx(money, abs=0.05)


def test_each_side_plays_for_its_own_stakes():
    """At gammon-go A plays on for a gammon, where B at gammon-save runs: other games."""
    quick = PLAYERS[0]
    plain = play_pairs((DEAD[0], DEAD[0]), range(4), 9, None, WITHOUT).games
    minds = mind_of(quick, GAMMON_GO), mind_of(quick, GAMMON_GO.turned())
    assert mind_of(quick, GAMMON_GO) is minds[0] is not mind_of(quick)
    start = Score(live=False, payoffs=GAMMON_GO.payoffs)
    other = play_pairs(minds, range(4), 9, None, start).games
    assert [game["rolls"][:2] for game in other] == [game["rolls"][:2] for game in plain]
    assert [game["positions"] for game in other] != [game["positions"] for game in plain]
    even = mind_of(quick, DMP), mind_of(quick, DMP.turned())
    assert even[0] is even[1], "at double match point both want the same"


class Asleep:
    """A player for whom another process plays, which sleeps before it answers."""

    def __init__(self, cpu):
        self.cpu, self.spent = cpu, 0.0

    def plays(self, states, outcomes, terms, seeds):
        sleep(0.001)
        self.spent += self.cpu * len(states)
        return PROBE.plays(states, outcomes, terms, seeds)

    def cubes(self, states, terms, seeds):
        return PROBE.cubes(states, terms, seeds)

    def cpu_seconds(self):
        return None if self.cpu is None else self.spent


def test_the_time_of_a_player_is_processor_time_of_its_own_process():
    """A pipe and a sleep between two programs cost neither anything."""
    minds = Asleep(1.0), Asleep(0.25)
    effort = play_pairs(minds, [0], 3, None, WITHOUT).effort
    assert effort.cpu_seconds == [effort.decisions[0], effort.decisions[1] / 4]
    mine = DEAD[1]
    spent = play_pairs((mine, Asleep(0.0)), [0], 3, None, WITHOUT).effort.cpu_seconds
    assert spent[0] > 0.0 and spent[1] == 0.0
