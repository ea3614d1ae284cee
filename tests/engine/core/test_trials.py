"""The trials of rollouts against their slow twin, and against exact values."""

import csv

import numpy as np
import pytest

from gammon.core.dice import roll_of_trial, shuffles_of
from gammon.engine.block import Starts, play_games
from gammon.formats.position import Position
from gammon.rules.board import OPENING
from gammon.rules.terms import NAMED_STAKES, Terms
from gammon.search import Filter, Stop, TreeSearch
from gammon.search.workspace import Workspace
from tests.conftest import GOLDEN
from tests.engine.core.games import before_turn, plan, setting, slow_trial

GAMMON_SAVE = NAMED_STAKES["gammon-save"]

FIRST_ROW = Position.parse("XGID=--CDBbC-B-----a----bdA-cc-:0:0:1:00:0:0:1:0:10").points

CASES = {
    "cubeless": (None, plan()),
    "truncated": (None, plan(truncate=5)),
    "cube": (Terms(), plan(first=True)),
    "Jacoby and beavers": (Terms(jacoby=True, beavers=True), plan(first=True)),
    "own cube": (Terms(cube=2, owner=1), plan(truncate=9)),
    "match": (Terms(7, (3, 4)), plan(first=True)),
    "2-away": (Terms(5, (2, 4), cube=2, owner=-1), plan()),
}


def starts(game, *boards, stake=None, scale=1.0):
    stakes = np.full(len(boards), game.stake if stake is None else stake)
    return Starts(np.array(boards, np.int8), stakes, np.full(len(boards), scale))


@pytest.mark.parametrize("name", CASES)
def test_a_trial_is_that_of_the_twin(name):
    terms, how = CASES[name]
    game, leaf, probe = setting(terms)
    begin = starts(game, FIRST_ROW, (*[0] * 2, 3, 2, 4, 1, 2, *[0] * 12, -5, -3, 0, -2, 0, 0, 0))
    found = play_games(game, leaf, probe, how, begin, 40, 3, Filter())
    shuffles, turns = shuffles_of(int(how.seed)), np.zeros(2)
    sums = np.zeros((2, 6))
    for c, (points, stake, scale) in enumerate(zip(*begin, strict=True)):
        for i in range(3):
            dice = [roll_of_trial(shuffles, how.seed, 40 + i, turn) for turn in range(128)]
            value, plain, chances, played = slow_trial(
                game, leaf, probe, how, points, int(stake), scale, dice
            )
            assert found.plain[c, i] == pytest.approx(plain, abs=1e-6)
            assert found.values[c, i] == pytest.approx(value, abs=1e-5)
            sums[c] += chances
            turns[c] += played
    assert found.chances == pytest.approx(sums, abs=1e-5)
    assert (found.turns == turns).all()


def test_the_twin_sees_doubles_taken_and_passed():
    """The cases above are not all alike."""
    game, leaf, probe = setting(Terms())
    found = play_games(game, leaf, probe, plan(first=True), starts(game, OPENING), 0, 108, Filter())
    assert {1.0, 2.0, -1.0, -2.0} <= set(found.plain[0].tolist())
    assert np.abs(found.plain).max() >= 4.0


def test_trials_do_not_depend_on_the_block_they_are_played_in():
    game, leaf, probe = setting(Terms())
    begin = starts(game, FIRST_ROW, OPENING)
    whole = play_games(game, leaf, probe, plan(), begin, 0, 8, Filter())
    for first in (3, 7):
        alone = play_games(game, leaf, probe, plan(), begin, first, 1, Filter())
        assert (alone.values[:, 0] == whole.values[:, first]).all()


def test_candidates_meet_the_same_dice_and_one_sees_no_other():
    game, leaf, probe = setting()
    begin = starts(game, FIRST_ROW, FIRST_ROW, OPENING)
    found = play_games(game, leaf, probe, plan(), begin, 0, 36, Filter())
    assert (found.values[0] == found.values[1]).all()
    alone = play_games(game, leaf, probe, plan(), starts(game, OPENING), 0, 36, Filter())
    assert (found.values[2] == alone.values[0]).all()


def test_stakes_turn_with_the_player():
    """What the trailer gains at gammon-go, the leader loses at gammon-save."""
    game, leaf, probe = setting(stakes=GAMMON_SAVE)
    ours = play_games(game, leaf, probe, plan(), starts(game, OPENING), 0, 36, Filter())
    turned = game.for_opponent()
    theirs = play_games(turned, leaf, probe, plan(), starts(turned, OPENING), 0, 36, Filter())
    assert ours.values.mean() < theirs.values.mean()


def test_a_finished_game_is_worth_its_payoff():
    game, leaf, probe = setting(Terms(cube=2, owner=1))
    over = (*[0] * 20, -3, -2, 0, 0, 0, 0)
    lost = tuple(-count for count in reversed(over))
    found = play_games(game, leaf, probe, plan(first=True), starts(game, lost), 0, 36, Filter())
    assert (found.values == found.values[0, 0]).all()
    assert abs(found.values[0, 0]) in (1.0, 2.0, 3.0)
    assert found.turns.tolist() == [0]


with (GOLDEN / "bearoff_money.csv").open() as file:
    EXACT = {row["position"]: row for row in csv.DictReader(file)}


@pytest.mark.parametrize("name", ["66-33", "61-6", "5551-4442", "51111-11111", "6655-6644"])
@pytest.mark.parametrize(
    ("column", "terms"),
    [
        ("cubeless", None),
        ("own", Terms(cube=2, owner=1)),
        ("centred", Terms()),
        ("opponents", Terms(cube=2, owner=-1)),
    ],
)
def test_bearoffs_agree_with_their_exact_values(name, column, terms):
    """Whole games, without the tables' word on how they end."""
    row = EXACT[name]
    game, leaf, probe = setting(terms)
    begin = starts(game, Position.parse(row["position_id"]).points)
    found = play_games(game, leaf, probe, plan(), begin, 0, 1296, Filter())
    for values in (found.values[0], found.plain[0]):
        error = values.std(ddof=1) / 36
        assert abs(values.mean() - float(row[column])) <= 3 * error + 1e-6
    ended = play_games(game, leaf, probe, plan(exact=True), begin, 0, 1296, Filter())
    assert ended.values.mean() == pytest.approx(float(row[column]), abs=1e-5)
    assert (ended.turns <= 1296).all()


def test_deeper_plays_are_those_of_a_search():
    """With exact ends, luck taken out and one turn: all that is left is the play."""
    game, leaf, probe = setting(Terms())
    how = plan(seed=3, depth=3, truncate=1)
    found = play_games(game, leaf, probe, how, starts(game, FIRST_ROW), 0, 5, Filter())
    shuffles = shuffles_of(3)
    for trial in range(5):
        roll = roll_of_trial(shuffles, np.uint64(3), trial, 0)
        best = TreeSearch(game, leaf, probe=probe).decide(FIRST_ROW, roll, 3)
        row = best.rows[best.order[0]]
        static = before_turn(game, leaf, row, row[None], -game.stake)[0]
        assert found.plain[0, trial] == pytest.approx(-static, abs=1e-6)


def test_there_is_room_for_the_deeper_of_plays_and_doubles(monkeypatch):
    """Compiled code writes behind the end of what is too small."""
    allocate, rooms = Workspace.allocate, []

    def seen(problem, width, depth, *more):
        rooms.append(depth)
        return allocate(problem, width, depth, *more)

    monkeypatch.setattr(Workspace, "allocate", seen)
    game, leaf, probe = setting(Terms())
    for depth, cube_depth in ((1, 3), (3, 1)):
        how = plan(depth=depth, cube_depth=cube_depth, truncate=1, first=True)
        play_games(game, leaf, probe, how, starts(game, OPENING), 0, 1, Filter())
    assert rooms == [2, 2]


@pytest.mark.parametrize("depth", [1, 3])
def test_games_end_where_a_stop_is_set(depth):
    """Nothing of them is played, whatever a turn would take."""
    game, leaf, probe = setting(Terms())
    stop = Stop()
    stop.set()
    how, begin = plan(depth=depth, cube_depth=depth, first=True), starts(game, OPENING)
    found = play_games(game, leaf, probe, how, begin, 0, 10**6, Filter(), stop)
    assert found.turns.tolist() == [0]
