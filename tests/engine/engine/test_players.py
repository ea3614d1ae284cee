"""An engine as a player, and levels that play games."""

from dataclasses import replace

import numpy as np
import pytest

import gammon
from gammon.base.errors import SettingError
from gammon.core.level import ROLLERS, Level
from gammon.engine import level_rollouts, question
from gammon.engine.analysis import Kind, Sample, chance_of
from gammon.engine.bot import Bot, is_enough
from gammon.engine.cube import CubeAction, CubeAnswer
from gammon.engine.engine import Engine
from gammon.formats.met_file import read_met
from gammon.formats.position import Position
from gammon.match.player import Player, match_player_of
from gammon.rules.dice import ROLLS
from gammon.rules.match_equity import MatchEquityTable
from gammon.rules.terms import Terms
from gammon.search import Stop
from tests.boards import RACE, points_of
from tests.conftest import Played

# An engine as a player: plays, doubles, answers, resignations.


@pytest.fixture(scope="module", params=[1, 3])
def bot(request: pytest.FixtureRequest) -> Bot:
    return Bot(Engine(depth=request.param))


def test_it_plays_as_the_player_of_matches(bot: Bot, played: Played) -> None:
    """The twin is `gammon match`'s player, which breaks ties by another search."""
    terms = Terms(5, (2, 4), cube=2, owner=1)
    player = match_player_of(Player(bot.engine.depth), terms)
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
        ({25: 3, 19: 12}, {24: 2}, 3),
        ({1: 2}, {24: 1}, 0),
        ({1: 1}, {24: 1}, 0),
    ],
)
def test_it_resigns_what_is_certain(own: dict[int, int], their: dict[int, int], points: int) -> None:
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


# Levels that play games: against plain rollouts, on threads, and where all is clear.

OPENING = gammon.Position.opening()
#: No double: a race that is not far from the point where it would be right.
CLOSE = gammon.Position.parse("XGID=--CDBbC-B----a-----bdA-cc-:0:0:1:00:0:0:0:0:10")
SMALL = Level(3, 0.2, 4, (36, 72), 3, 1, "")


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> dict[str, Level]:
    """The levels, each to a depth and with games that take an instant."""
    levels = dict.fromkeys(ROLLERS, SMALL)
    monkeypatch.setattr(question, "ROLLERS", levels)
    return levels


def test_one_round_of_all_plays_is_a_plain_rollout(small: dict[str, Level]) -> None:
    small["roller"] = SMALL._replace(reach=9.0, most=3, rounds=(72,))
    found = gammon.Engine(level="roller", seed=5).analyze(OPENING, (4, 1))
    plain = gammon.rollout(OPENING, (4, 1), top=3, trials=72, truncate=3, seed=5)
    first = found.candidates[:3]
    for ours, theirs in zip(first, plain.candidates, strict=True):
        assert ours.rollout is not None and ours.kind is Kind.ROLLOUT
        assert ours.play == theirs.play
        assert ours.equity == pytest.approx(theirs.equity, abs=1e-12)
        assert ours.rollout.error == pytest.approx(theirs.error, abs=1e-12)
        assert ours.rollout.jsd == pytest.approx(theirs.jsd)
        assert ours.probabilities == pytest.approx(theirs.probabilities)
    assert all(each.rollout is None for each in found.candidates[3:])


def test_a_close_double_is_a_plain_rollout(small: dict[str, Level]) -> None:
    small["roller"] = SMALL._replace(reach=9.0, rounds=(72,))
    for position in (CLOSE, CLOSE.with_terms(gammon.Terms(7, (3, 5)))):
        found = gammon.Engine(level="roller", seed=5).cube(position)
        plain = gammon.rollout(position, trials=72, truncate=3, seed=5)
        assert plain.cube is not None and found.double_take and plain.cube.double_take
        for name in ("no_double", "double_take"):
            ours, theirs = getattr(found, name), getattr(plain.cube, name)
            assert ours.equity == pytest.approx(theirs.equity, abs=1e-12)
            assert ours.mwc == theirs.mwc and ours.kind is Kind.ROLLOUT
        errors = [found.no_double.error, found.double_take.error]
        assert errors == pytest.approx([each.error for each in plain.candidates])
        assert found.confidence is not None and 0.5 <= found.confidence <= 1.0


def test_games_do_not_depend_on_threads_but_on_the_seed(small: dict[str, Level]) -> None:
    one, two, other = (
        gammon.Engine(level="roller", threads=threads, seed=seed).analyze(OPENING, (4, 3))
        for threads, seed in ((1, 1), (2, 1), (1, 2))
    )
    assert one.candidates == two.candidates
    assert one.candidates[0].equity != other.candidates[0].equity
    assert one.confidence is not None and 0.5 <= one.confidence <= 1.0


def test_the_worse_half_is_given_up_and_stands_behind(
    small: dict[str, Level], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(level_rollouts, "_CLEAR", np.inf)
    small["roller"] = SMALL._replace(most=6, rounds=(36, 72, 144))
    found = gammon.Engine(level="roller").analyze(OPENING, (4, 1), 6)
    games = [each.rollout for each in found.candidates if each.rollout is not None]
    assert [each.trials for each in games] == [144, 144, 72, 36, 36, 36]
    rolled = found.candidates[: len(games)]
    assert all(each.loss == pytest.approx(rolled[0].equity - each.equity) for each in rolled)
    assert all(each.kind is not Kind.ROLLOUT for each in found.candidates[len(games) :])
    assert all(each.error > games[0].error for each in games[2:]), "games of two plays err"


def test_plays_with_games_are_in_order_however_many_they_had(
    small: dict[str, Level], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(level_rollouts, "_CLEAR", np.inf)
    small["roller"] = SMALL._replace(most=6, rounds=(36, 72, 144))
    found = gammon.Engine(level="roller", seed=3).analyze(OPENING, (4, 3), 6)
    rolled = [each for each in found.candidates if each.rollout is not None]
    losses = [each.loss for each in rolled]
    assert losses == sorted(losses)
    assert losses[0] == 0.0 and rolled[0].rollout is not None and rolled[0].rollout.trials == 144


def test_the_chance_that_the_best_play_is_the_best() -> None:
    found = [chance_of(each) for each in (-1.96, 0.0, 1.96)]
    assert found == pytest.approx([0.025, 0.5, 0.975], abs=1e-4)
    plays, jsds = gammon.Engine(1).analyze(OPENING, (3, 1)), (0.0, 2.0, 1.0)
    rolled = [
        replace(each, rollout=Sample(0.01, jsd, 36))
        for each, jsd in zip(plays.candidates, jsds, strict=False)
    ]
    assert replace(plays, candidates=rolled).confidence == chance_of(1.0), "the least clear counts"


def test_one_close_question_of_a_double_is_enough_for_games(small: dict[str, Level]) -> None:
    searched = gammon.Engine(SMALL.depth).cube(CLOSE)
    assert searched.gain is not None and searched.answer_gain is not None
    low, high = sorted((abs(searched.gain), searched.answer_gain))
    for reach, kind in ((0.5 * low, Kind.EXACT), (0.5 * (low + high), Kind.ROLLOUT)):
        small["roller"] = SMALL._replace(reach=reach, rounds=(36,))
        assert gammon.Engine(level="roller").cube(CLOSE).no_double.kind is kind


def test_a_clear_or_forced_play_costs_the_search_alone(small: dict[str, Level]) -> None:
    small["roller"] = SMALL._replace(reach=0.01)
    exact, level = gammon.Engine(3), gammon.Engine(level="roller")
    forced = gammon.Position((0, 2, *[0] * 22, -2, 0))
    for position, dice in ((OPENING, (3, 1)), (forced, (6, 5))):
        found = level.analyze(position, dice)
        wanted = exact.analyze(position, dice)
        assert found.candidates == wanted.candidates and found.stats == wanted.stats
        assert found.confidence is None and found.level == "roller"
        bar = np.array([5, 9])
        level.analyze(position, dice, progress=bar)
        assert bar.tolist() == 2 * [len(found.candidates)], "all of them, without games"
    assert replace(level.cube(OPENING), level=None, seconds=0.0) == replace(exact.cube(OPENING), seconds=0.0)


@pytest.mark.parametrize("score", [None, (3, 5)])
def test_what_exact_tables_know_needs_no_games(
    small: dict[str, Level], score: tuple[int, int] | None
) -> None:
    """Plays of equal worth are as close as can be."""
    small["roller"] = SMALL._replace(depth=1, rounds=(36,))
    position = gammon.Position.parse("XGID=--BBB-----------------cb--:0:0:1:00:0:0:0:0:10")
    if score is not None:
        position = position.with_terms(gammon.Terms(7, score))
    found = gammon.Engine(level="roller").analyze(position, (2, 1))
    assert found.candidates[1].loss < SMALL.reach
    assert all(candidate.rollout is None for candidate in found.candidates)


def test_a_play_that_was_named_is_settled_too(small: dict[str, Level]) -> None:
    for reach in (0.01, 1.0):  # beyond the reach, or beyond the most plays
        small["roller"] = SMALL._replace(reach=reach, most=2)
        _the_named_one_has_games()


def _the_named_one_has_games() -> None:
    found = gammon.Engine(level="roller").analyze(OPENING, (3, 1), plays=["24/20"])
    (named,) = (each for each in found.candidates if each.named)
    assert named.rollout is not None and named.loss > 0.05
    assert found.candidates[0].rollout is not None


def test_of_plays_that_were_not_settled_the_search_tells_the_loss(small: dict[str, Level]) -> None:
    small["roller"] = SMALL._replace(most=2)
    exact = gammon.Engine(3).analyze(OPENING, (4, 1))
    found = gammon.Engine(level="roller").analyze(OPENING, (4, 1))
    by_search = {each.play: each.equity for each in exact.candidates}
    best, others = found.candidates[0], found.candidates[2:]
    for each in others:
        assert each.equity <= by_search[each.play] + 1e-9
        assert each.loss == pytest.approx(max(by_search[best.play] - each.equity, 0.0))


def test_a_stop_leaves_the_search_and_progress_ends_with_all_blocks(small: dict[str, Level]) -> None:
    level, stop = gammon.Engine(level="roller"), gammon.Stop()
    bar = np.zeros(2, np.int64)
    level.analyze(OPENING, (4, 1), progress=bar)
    assert bar[0] > 0 and bar[0] <= bar[1]
    stop.set()
    stopped = level.analyze(OPENING, (4, 1), stop=stop)
    assert all(each.rollout is None for each in stopped.candidates)
    late = gammon.Engine(level="roller", max_seconds=1e-9).analyze(OPENING, (4, 1))
    assert all(each.rollout is None for each in late.candidates)


def test_a_number_is_a_depth_and_a_level_goes_with_no_noise() -> None:
    asked = gammon.Question(level=7)  # type: ignore[arg-type]
    assert (asked.depth, asked.level) == (7, None)
    assert gammon.Engine(level="3").depth == 3
    assert gammon.Question(level="roller+", depth=1).depth == ROLLERS["roller+"].depth
    for wrong in ("2", "rollers", 4):
        with pytest.raises(SettingError, match="level"):
            gammon.Question(level=wrong)  # type: ignore[arg-type]
    with pytest.raises(SettingError, match="noise"):
        gammon.Engine(level="roller", noise=0.1)


def test_many_positions_get_the_plays_of_single_ones(small: dict[str, Level]) -> None:
    level = gammon.Engine(level="roller")
    (row,) = level.best_plays([OPENING.points], [(4, 1)]).tolist()
    assert tuple(row) == level.analyze(OPENING, (4, 1)).candidates[0].play.points
