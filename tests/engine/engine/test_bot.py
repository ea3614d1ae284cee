"""An engine as a player: plays, doubles, answers, resignations."""

from dataclasses import replace

import numpy as np
import pytest

from gammon.engine.bot import Bot, is_enough
from gammon.engine.cube import CubeAction, CubeAnswer
from gammon.engine.engine import Engine
from gammon.formats.met_file import read_met
from gammon.formats.position import Position
from gammon.match.player import Player, mind_of
from gammon.rules.dice import ROLLS
from gammon.rules.match_equity import MatchEquityTable
from gammon.rules.terms import Terms
from gammon.search import Stop
from tests.boards import RACE, points_of
from tests.conftest import Played


@pytest.fixture(scope="module", params=[1, 3])
def bot(request: pytest.FixtureRequest) -> Bot:
    return Bot(Engine(depth=request.param))


def test_it_plays_as_the_player_of_matches(bot: Bot, played: Played) -> None:
    """The twin is `gammon match`'s player, which breaks ties by another search."""
    terms = Terms(5, (2, 4), cube=2, owner=1)
    player = mind_of(Player(bot.engine.depth), terms)
    for n, points in enumerate(played(30, 3)):
        outcome = n % len(ROLLS)
        ours = bot.play(Position(points).with_terms(terms), ROLLS[outcome]).points
        theirs = player.plays(np.array([points], np.int8), [outcome], [terms], [0])
        assert ours == tuple(theirs[0].tolist())


def test_of_equal_plays_it_is_the_best_without_the_cube() -> None:
    """Any play of 41 leads to a double and a free drop; yet some have better chances."""
    position, bot = Position.opening().with_terms(Terms(7, (1, 2))), Bot(Engine(depth=3))
    found = bot.engine.analyze(position, (4, 1), 100).candidates
    equal = [each for each in found if each.equity > -1.0 - 1e-7]
    assert len(equal) > 2
    best = max(equal, key=lambda each: each.cubeless_equity or 0.0)
    assert bot.play(position, (4, 1)) == best.play
    for top in (1, 2, 9):
        assert bot.engine.analyze(position, (4, 1), top).candidates[0].play == best.play


def test_doubles_and_answers_are_those_of_the_engine(bot: Bot) -> None:
    position = Position(RACE)
    decision = bot.engine.cube(position)
    assert bot.doubles(position) == (decision.action is CubeAction.DOUBLE)
    assert bot.answer(position) is decision.answer


def test_a_double_that_cannot_be_or_gains_nothing() -> None:
    bot = Bot(Engine(depth=1))
    theirs = Position(RACE).with_terms(Terms(cube=2, owner=-1))
    crawford = Position(RACE).with_terms(Terms(7, (1, 3), crawford=True))
    futile = Position(RACE).with_terms(Terms(7, (1, 3)))
    for position in (theirs, crawford, futile):
        assert not bot.doubles(position)
    assert bot.answer(futile) is CubeAnswer.TAKE
    assert not Bot(Engine(depth=1, cubeless=True)).doubles(Position(RACE))


def test_a_cube_beyond_64_counts_as_64() -> None:
    bot = Bot(Engine(depth=1), 4096)
    high = Position(RACE).with_terms(Terms(cube=64, owner=1))
    high = replace(high, context=replace(high.context, cube_log2=9))
    assert bot.doubles(high) == bot.doubles(Position(RACE).with_terms(Terms(cube=32, owner=1)))
    assert bot.play(high, (3, 1)).points == bot.play(Position(RACE), (3, 1)).points


@pytest.mark.parametrize("highest", [64, 4096])
def test_nobody_doubles_at_the_highest_cube(highest: int) -> None:
    bot = Bot(Engine(depth=1)) if highest == 64 else Bot(Engine(depth=1), highest)
    strong = Position(points_of({1: 2, 2: 2}, {24: 3, 23: 2}))
    context = replace(strong.context, cube_owner=1, max_cube_log2=20)
    log2 = highest.bit_length() - 1
    for less, doubles in ((-1, True), (0, False), (1, False)):
        high = replace(strong, context=replace(context, cube_log2=log2 + less))
        assert bot.doubles(high) is doubles


@pytest.mark.parametrize(
    ("own", "their", "points"),
    [
        ({1: 14}, {24: 1}, 1),
        ({18: 15}, {24: 1}, 2),
        ({25: 3, 18: 12}, {24: 2}, 3),
        ({1: 2}, {24: 1}, 0),
        ({1: 1}, {24: 1}, 0),
    ],
)
def test_it_resigns_what_is_certain(
    own: dict[int, int], their: dict[int, int], points: int
) -> None:
    assert Bot(Engine(depth=3)).resigns(Position(points_of(own, their))) == points


def test_resignations_that_are_taken() -> None:
    met = read_met()
    assert is_enough(Terms(), 1, -1.0, None, met)
    assert not is_enough(Terms(), 1, -1.5, None, met)
    assert is_enough(Terms(jacoby=True), 3, -1.0, None, met)
    assert not is_enough(Terms(jacoby=True), 3, -1.2, None, met)
    over = Terms(5, (5, 2), cube=2, owner=-1)
    assert is_enough(over, 1, -1.0, 0.0, met)
    assert not is_enough(Terms(5, (5, 5)), 1, -1.6, 0.1, met)
    # A table in which points are worth nothing takes what brings no more than playing on.
    flat = MatchEquityTable.extended("flat", [[0.5] * 5] * 5, [0.5] * 5)
    assert is_enough(Terms(5, (5, 5)), 1, -1.6, 0.5, flat)
    assert not is_enough(Terms(5, (5, 5)), 1, -1.6, 0.4, flat)


def test_a_stop() -> None:
    stop = Stop()
    stop.set()
    candidate = Bot(Engine(depth=7)).analysis(Position.opening(), (3, 1), stop).candidates[0]
    assert (candidate.play.notation, candidate.depth) == ("8/5 6/5", 1)


def test_a_resignation_is_not_taken_where_a_game_is_worth_little() -> None:
    """X loses a backgammon for certain. At 39 to 0 each point is a hundred-thousandth."""
    position = Position.parse("XGID=----------------------O-a-:0:0:1:00:39:0:1:40:10")
    bot = Bot(Engine(depth=1))
    assert [bot.accepts(position, points) for points in (1, 2, 3)] == [False, False, True]


def test_a_resignation_at_a_cube_beyond_64_is_answered() -> None:
    bot = Bot(Engine(depth=1))
    high = Position(RACE).with_terms(Terms(cube=64, owner=1))
    high = replace(high, context=replace(high.context, cube_log2=7))
    low = Position(RACE).with_terms(Terms(cube=64, owner=1))
    for points in (1, 3):
        for dice in (None, (3, 1)):
            found = [bot.accepts(each.with_dice(dice), points) for each in (high, low)]
            assert found[0] == found[1]
