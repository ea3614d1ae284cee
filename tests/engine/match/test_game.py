"""Games: against one that is played slowly, quick ones, their dice, and their files."""

from functools import partial
from time import sleep

import numpy as np
import pytest

from gammon.base.errors import GammonError
from gammon.engine.luck import luck_at
from gammon.eval.baseline import BASELINE
from gammon.eval.evaluators import load_evaluator
from gammon.formats.position import STARTS, parse_start
from gammon.match import game as loop
from gammon.match import parse_player
from gammon.match.game import play_matches
from gammon.match.pairs import noise_seed, roll_at, starter_of
from gammon.match.player import Answers, DepthPlayer, Player, match_player_of
from gammon.match.quick import compare, numbers_at_depth_1
from gammon.match.result import Numbers, are_matches
from gammon.rules.board import OPENING, flipped, pip_counts
from gammon.rules.dice import ROLLS, throw
from gammon.rules.terms import CUBELESS, NAMED_STAKES, Payoffs, Score, Terms, cubeless_terms
from tests.naive.matches import JUDGE, slow_match

# Matches, against a match that is played slowly, one decision at a time.

DMP = NAMED_STAKES["dmp"]
GAMMON_GO = NAMED_STAKES["gammon-go"]

PLAYERS = tuple(parse_player(text) for text in ("depth=1", "model=probe", "noise=0.1"))
QUICK, PROBE, NOISY = (match_player_of(player, Terms()) for player in PLAYERS)
DEAD = tuple(map(match_player_of, PLAYERS))
WITHOUT = Score(live=False, payoffs=CUBELESS.payoffs)


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


MEETINGS = {"bots": (QUICK, PROBE), "wild": (Wild(8), Wild(2)), "wilder": (Wild(64), Wild(64))}


@pytest.mark.parametrize("start", [Score(3), Score(2), Score(5), Score(), Score(jacoby=True)])
@pytest.mark.parametrize("name", MEETINGS)
def test_matches_are_those_played_slowly(name, start):
    check(MEETINGS[name], start)


@pytest.mark.smoke
def test_games_without_the_cube_are_those_played_slowly():
    check(DEAD[:2], WITHOUT)


@pytest.mark.parametrize(
    "name", ["nackgammon", pytest.param("longgammon", marks=pytest.mark.nightly), "4HPwATDgc/ABMA"]
)
def test_games_with_another_start_are_those_played_slowly(name):
    check(DEAD[:2], WITHOUT, parse_start(name))


def test_starts_are_the_same_from_both_sides():
    for points in STARTS.values():
        assert flipped(points) == points
        assert sum(count for count in points if count > 0) == 15
    assert parse_start("backgammon") == OPENING == parse_start("4HPwATDgc/ABMA")
    assert pip_counts(STARTS["nackgammon"]) == (194, 194)


def check(players, start, opening=OPENING):
    """Play two pairs, or one of long matches, and check what is recorded of them."""
    pairs = range(3, 4 if start.length > 3 else 5)
    batch = play_matches(players, pairs, 11, partial(luck_at, JUDGE), start, opening)
    numbers = range(6, 2 * pairs.stop)
    assert are_matches(batch.games, numbers, start)
    expected = [each for number in numbers for each in slow_match(players, number, 11, start, opening)]
    assert batch.games == expected
    turns = sum(len(game["positions"]) for game in batch.games)
    decisions = sum(batch.effort.decisions)
    assert decisions >= turns if start.live else decisions == turns


def test_the_cube_stops_at_64():
    games = play_matches((Wild(64), Wild(64)), range(2), 5, None, Score()).games
    assert {game["cube"] for game in games} == {64}
    assert {len(game["doubles"]) for game in games} == {6}


@pytest.mark.parametrize(("player", "start"), [(NOISY, Score(2)), (DEAD[2], WITHOUT)], ids=("cube", "none"))
def test_noise_is_another_one_in_each_game(player, start):
    games = play_matches((player, player), range(2), 3, None, start).games
    same = play_matches((player, player), range(2), 3, None, start).games
    assert games == same
    twins = [game["positions"] for game in games if game["game"] == 0]
    assert twins[0] != twins[1]


def test_a_game_without_an_end_is_told(monkeypatch):
    monkeypatch.setattr(loop, "_MOST_TURNS", 5)
    with pytest.raises(GammonError, match="match 0 has a game of 5 turns"):
        play_matches((PROBE, PROBE), range(1), 3, None, Score())


def test_points_are_points_and_luck_is_in_the_unit_of_the_stakes():
    def luck(stakes):
        players = DEAD[0], DEAD[0]
        start = Score(live=False, payoffs=stakes.payoffs)
        games = play_matches(players, range(3), 5, partial(luck_at, JUDGE), start).games
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
    plain = play_matches((DEAD[0], DEAD[0]), range(4), 9, None, WITHOUT).games
    players = match_player_of(quick, GAMMON_GO), match_player_of(quick, GAMMON_GO.for_opponent())
    assert match_player_of(quick, GAMMON_GO) is players[0] is not match_player_of(quick)
    start = Score(live=False, payoffs=GAMMON_GO.payoffs)
    other = play_matches(players, range(4), 9, None, start).games
    assert [game["rolls"][:2] for game in other] == [game["rolls"][:2] for game in plain]
    assert [game["positions"] for game in other] != [game["positions"] for game in plain]
    even = match_player_of(quick, DMP), match_player_of(quick, DMP.for_opponent())
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
    players = Asleep(1.0), Asleep(0.25)
    effort = play_matches(players, [0], 3, None, WITHOUT).effort
    assert effort.cpu_seconds == [effort.decisions[0], effort.decisions[1] / 4]
    mine = DEAD[1]
    spent = play_matches((mine, Asleep(0.0)), [0], 3, None, WITHOUT).effort.cpu_seconds
    assert spent[0] > 0.0 and spent[1] == 0.0


# Quick games: the shipped network against the baseline, and against the loop of matches.

LEAF = load_evaluator("leaf", bearoff=False)


def test_the_shipped_network_beats_the_baseline() -> None:
    points = compare(LEAF, BASELINE, 2000, seed=5).points
    assert points.mean - 4 * points.error > 1.0
    opposite = compare(BASELINE, LEAF, 2000, seed=5).points
    assert opposite.mean == pytest.approx(-points.mean), "the seats are not symmetric"


def test_games_are_those_of_the_loop_of_matches(monkeypatch) -> None:
    def roll(seed, pair, turn, game):
        return throw(np.uint64(seed), np.uint64(pair), np.uint64(turn))

    monkeypatch.setattr(loop, "roll_at", roll)  # the first roll may be a double
    players = tuple(DepthPlayer(Player(), leaf, cubeless=True) for leaf in (LEAF, BASELINE))
    played = play_matches(players, range(30), 7, None, WITHOUT).games
    assert any(each["rolls"][0] == each["rolls"][1] for each in played)
    found = numbers_at_depth_1(LEAF, BASELINE, 60, seed=7)
    for fast, slow in zip(found, Numbers.of(played), strict=True):
        assert np.array_equal(fast, slow)


def test_pairs_begin_where_they_are_told_to() -> None:
    last = [0, 1, *[0] * 22, -1, 0]  # who is on roll wins
    starts = np.array([OPENING, last], np.int8)
    opening = numbers_at_depth_1(LEAF, BASELINE, 8, seed=7)
    found = numbers_at_depth_1(LEAF, BASELINE, 8, 7, starts)
    first = np.array([0, 1, 4, 5])
    assert np.array_equal(found.points[first], opening.points[first])
    assert found.points[[2, 3, 6, 7]].tolist() == [1.0, -1.0, 1.0, -1.0]
    assert found.turns[[2, 3, 6, 7]].tolist() == [1.0] * 4


# Dice of a match: both seats have the same, and no game begins with a double.


def test_a_game_does_not_begin_with_a_double():
    firsts = [roll_at(1, pair, 0) for pair in range(600)]
    assert all(ROLLS[outcome][0] != ROLLS[outcome][1] for outcome in firsts)
    assert len(set(firsts)) == 15


def test_other_seeds_pairs_and_games_have_other_dice():
    def dice(*numbers, game=0):
        return [roll_at(*numbers, turn, game) for turn in range(9)]

    assert len({str(each) for each in (dice(1, 3), dice(2, 3), dice(1, 4))}) == 3
    assert dice(1, 3, game=1) != dice(1, 3)


def test_who_begins_is_fair():
    seats = [starter_of(3, pair, game) for pair in range(300) for game in range(1, 4)]
    assert 0.45 < np.mean(seats) < 0.55
    assert {starter_of(3, pair, 0) for pair in range(9)} == {0}


def test_each_player_errs_in_its_own_way_in_each_game():
    some = [
        noise_seed(seed, match, side, game)
        for seed in (1, 2)
        for match in (0, 1, 2)
        for side in (0, 1)
        for game in (0, 1)
    ]
    assert len(set(some)) == len(some)


# Games from a file: whole matches, or refused.


def game(match, number, score, crawford, points, cube=1, doubles=()):
    return {
        "match": match, "game": number, "score": list(score), "crawford": crawford, "first": 0,
        "rolls": "316142", "positions": ["a", "b", "c"], "doubles": list(doubles), "cube": cube,
        "points": points, "luck": 0.25,
    }  # fmt: skip


#: A match of 3 points that A wins: 0-0, 2-0 Crawford, 2-1 post-Crawford; then one that B wins.
GAMES = [
    game(4, 0, (0, 0), False, 2, 2, [1]),
    game(4, 1, (2, 0), True, -1),
    game(4, 2, (2, 1), False, 4, 2, [2]),
    game(5, 0, (0, 0), False, -12, 4, [1, 2]),
]
START = Score(3)


@pytest.mark.smoke
def test_whole_matches():
    assert are_matches(GAMES, [4, 5], START)
    assert are_matches(GAMES[3:], range(5, 6), START)
    assert are_matches([], [], START)
    passed = GAMES[2] | {"points": 2, "cube": 2, "doubles": [1, 3]}
    assert are_matches([*GAMES[:2], passed, GAMES[3]], [4, 5], START)


@pytest.mark.parametrize(
    "games",
    [GAMES[:3], GAMES[1:], [*GAMES, GAMES[3]], [GAMES[0], *GAMES[2:]], GAMES[::-1], {}, "text", [1, 2, 3, 4]],
    ids=range(8),
)
def test_games_that_are_not_whole_matches(games):
    assert not are_matches(games, [4, 5], START)


@pytest.mark.parametrize(
    "change",
    [
        {"match": 5}, {"match": 4.0}, {"game": 2}, {"score": [1, 0]}, {"crawford": False},
        {"first": 2}, {"rolls": "31"}, {"positions": ["a", "b", 3]}, {"points": 0},
        {"points": 2, "cube": 2}, {"points": -4}, {"luck": float("nan")}, {"luck": 1},
        {"doubles": [1]}, {"doubles": ["1"]}, {"doubles": [1, 1], "cube": 4, "points": -4},
        {"doubles": [2, 1], "cube": 4, "points": -4}, {"doubles": [0], "cube": 2, "points": -2},
        {"doubles": [4], "cube": 2, "points": -2}, {"doubles": [3], "points": -2},
        {"doubles": list(range(1, 9)), "cube": 256, "points": -256}, {"more": 1},
    ],
    ids=str,
)  # fmt: skip
def test_a_game_that_makes_no_sense(change):
    assert not are_matches([GAMES[0], GAMES[1] | change, *GAMES[2:]], [4, 5], START)


def test_gammons_count_only_with_a_turned_cube_under_jacoby():
    gammon = game(0, 0, (0, 0), False, -2)
    assert are_matches([gammon], [0], Score())
    assert not are_matches([gammon], [0], Score(jacoby=True))
    assert are_matches([gammon | {"points": -1}], [0], Score(jacoby=True))
    assert are_matches([game(0, 0, (0, 0), False, -4, 2, [1])], [0], Score(jacoby=True))


def test_a_dead_cube_is_not_turned():
    start = Score(live=False)
    assert are_matches([game(0, 0, (0, 0), False, -3)], [0], start)
    for change in ({"doubles": [1], "cube": 2, "points": -2}, {"doubles": [3], "points": 1}):
        games = [game(0, 0, (0, 0), False, -3) | change]
        assert are_matches(games, [0], Score())
        assert not are_matches(games, [0], start)


@pytest.mark.parametrize("value", [None, [], {}, 5, "game"], ids=str)
def test_what_a_file_says_may_be_no_game(value):
    assert not are_matches([value], [0], Score(live=False))
    whole = game(0, 0, (0, 0), False, 1)
    assert not are_matches([{name: whole[name] for name in list(whole)[1:]}], [0], Score())
    for change in ({"points": 10**400}, {"luck": float("inf")}, {"first": True}):
        assert not are_matches([whole | change], [0], Score())
