"""Luck is fair; opponents of any strength, whose errors an obvious twin makes too."""

from functools import cache
from itertools import pairwise

import numpy as np
import pytest

import gammon
from gammon.base.errors import SettingError
from gammon.engine.luck import initiative_at, luck_at
from gammon.engine.misjudge import misjudge, position_errors, sigma_of
from gammon.engine.scale import Scale
from gammon.eval.baseline import BASELINE
from gammon.eval.cubeful import cubeful_evaluator, evaluator_at
from gammon.eval.equity import results_of_cumulative
from gammon.eval.evaluators import load_evaluator
from gammon.formats.met_file import read_met
from gammon.games.backgammon import backgammon
from gammon.match.player import parse_player
from gammon.rules.board import OPENING, flipped
from gammon.rules.dice import PROBABILITIES, ROLLS
from gammon.rules.terms import CUBELESS, NAMED_STAKES, Terms
from gammon_lab.experiments.grade import ALL, grade
from gammon_study.library.judged_decisions import judged_decisions
from tests.boards import FLAT
from tests.naive.matches import worths
from tests.naive.search import defined_value, replies
from tests.naive.splitmix import MASK, splitmix

# Luck is fair.

GAMMON_GO = NAMED_STAKES["gammon-go"]


def test_luck_is_0_on_the_mean():
    rolls = np.arange(21)
    for state in (OPENING, flipped(OPENING), (*OPENING[:24], 0, 2)):
        states, terms = np.array([state] * 21, np.int8), [CUBELESS] * 21
        lucks = luck_at(BASELINE, states, rolls, terms, np.zeros(21, np.bool_))
        assert PROBABILITIES @ lucks == pytest.approx(0.0, abs=1e-12)
        assert np.ptp(lucks) > 0.1
        first = luck_at(BASELINE, states, rolls, terms, np.ones(21, np.bool_))
        others = [high != low for high, low in ROLLS]
        assert first[others].mean() == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize(
    "stakes", [CUBELESS, GAMMON_GO, GAMMON_GO.for_opponent()], ids=lambda terms: str(terms.payoffs)
)
def test_rolls_are_worth_their_best_plays(stakes, played):
    game, judge = backgammon(stakes), load_evaluator("probe", bearoff=False)
    near = (0, 1, 1, *[0] * 21, -15, 0)
    states = np.array([near, *played(24, 6)[::4]], np.int8)
    for state in states:
        values, nothing = worths(game, judge, state), np.zeros(21, np.bool_)
        lucks = luck_at(judge, np.array([state] * 21), np.arange(21), [stakes] * 21, nothing)
        assert lucks == pytest.approx(values - PROBABILITIES @ values, abs=1e-6)
    assert stakes.payoffs.win_gammon in worths(game, judge, states[0]), "a gammon is won at once"


@pytest.mark.parametrize("met", [None, FLAT], ids=str)
def test_luck_with_the_cube(met, played):
    """Its mean over all rolls is 0, and it is that of the best replies by definition."""
    network = load_evaluator("probe")
    judge = cubeful_evaluator(network)
    some = [
        Terms(),
        Terms(jacoby=True),
        Terms(cube=4, owner=-1),
        Terms(7, (2, 4), cube=2, owner=1),
        Terms(5, (1, 4), crawford=True),
        Terms(3, (3, 3)),
    ]
    boards = [OPENING, *played(80, 6)[5::16]]
    for number, (state, at) in enumerate(zip(boards, some, strict=True)):
        alike = at._replace(cube=2) if at.owner and not at.length else at
        game = Scale.at(alike, met).game
        unit = 0.5 if at.length else at.cube
        array, rolls = np.array([state] * 21, np.int8), np.arange(21)
        lucks = luck_at(network, array, rolls, [at] * 21, np.zeros(21, np.bool_), met)
        assert PROBABILITIES @ lucks == pytest.approx(0.0, abs=1e-12)
        assert np.ptp(lucks) > 0.01
        worth = np.array(
            [
                unit
                * max(
                    -defined_value(game, judge, row, 0, -game.stake, on_turn=True)
                    for row in replies(game, array[0], roll)
                )
                for roll in range(21)
            ]
        )
        assert lucks == pytest.approx(worth - PROBABILITIES @ worth, abs=1e-6 * at.cube)
        if number == 0:
            first = luck_at(network, array, rolls, [at] * 21, np.ones(21, np.bool_), met)
            others = [high != low for high, low in ROLLS]
            assert first[others].mean() == pytest.approx(0.0, abs=1e-12)


def test_luck_of_boards_at_several_terms_is_that_of_each_alone(played):
    judge = load_evaluator("probe")
    some = [Terms(7, (2, 4), cube=2, owner=1), Terms(7, (4, 2)), Terms(7, (7, 7))]
    states, terms = np.array(played(30, 9), np.int8), [some[i % 3] for i in range(30)]
    rolls, first = np.arange(30) % 21, np.arange(30) % 4 == 0
    found = luck_at(judge, states, rolls, terms, first)
    for n in range(30):
        each = slice(n, n + 1)
        alone = luck_at(judge, states[each], rolls[each], terms[each], first[each])
        assert found[n] == pytest.approx(alone[0], abs=1e-12)


@pytest.mark.parametrize("terms", [Terms(), Terms(7, (3, 5)), Terms(5, (1, 4), True)])
def test_luck_with_the_initiative_is_0_on_the_mean_of_both_players(terms: Terms) -> None:
    """The first roll of a game is one of 30: 15 that are not doubles, by either player."""
    judge, total = load_evaluator("probe"), 0.0
    rolls = np.array([k for k, (high, low) in enumerate(ROLLS) if high != low])
    states = np.array([OPENING] * len(rolls), np.int8)
    first = np.ones(len(rolls), np.bool_)
    begin = initiative_at(judge, terms), initiative_at(judge, terms.for_opponent())
    assert begin[0] == pytest.approx(begin[1])
    assert begin[0] > 0.0
    for sign, at in ((1, terms), (-1, terms.for_opponent())):
        lucks = luck_at(judge, states, rolls, [at] * len(rolls), first) + initiative_at(judge, at)
        total += sign * lucks.sum()
        leaf = evaluator_at(judge, at)
        values = 0.5 * worths(Scale.at(at).game, leaf, np.array(OPENING, np.int8))[rolls]
        if at.length:  # by the definition: chances to win less the mean of all 30
            other = worths(Scale.at(at.for_opponent()).game, leaf, np.array(OPENING, np.int8))[rolls]
            mean = 0.5 * (values.mean() - 0.5 * other.mean())
            assert lucks == pytest.approx(values - mean)
    assert total == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("terms", [GAMMON_GO, GAMMON_GO.for_opponent(), Terms()], ids=str)
def test_luck_is_that_of_the_game_at_the_terms(terms, played):
    """Without the cube each player has its own payoffs, and the network needs no cube."""
    probe, states, rolls = (load_evaluator("probe"), np.array(played(6, 9), np.int8), np.arange(6))
    leaf = cubeful_evaluator(probe) if terms == Terms() else probe
    lucks = luck_at(probe, states, rolls, [terms] * 6, np.zeros(6, np.bool_))
    for state, roll, luck in zip(states, rolls, lucks, strict=True):
        values = worths(backgammon(terms), leaf, state)
        assert luck == pytest.approx(values[roll] - PROBABILITIES @ values, abs=1e-6)


# Opponents of any strength: their errors against an obvious twin, and what these change.

START = gammon.Position.opening()
CUBE = gammon.Position.parse("XGID=--CDBbC-B----a-----bdA-cc-:0:0:1:00:0:0:0:0:10")
#: One checker each, so that the player on roll wins.
WON = gammon.Position.parse("XGID=-A----------------------a-:0:0:1:00:0:0:0:0:10")


@cache
def drawn() -> np.ndarray:
    return np.array([each.points for each in judged_decisions()[:60]], np.int8)


def one_side(points: tuple[int, ...], seed: int) -> float:
    """The sum of uniform errors: of each point, one that depends on the count there."""
    total = 0.0
    for place, count in enumerate(points):
        cell = splitmix(splitmix(seed) ^ (place << 8 | count & 255))
        total += (splitmix((cell + place) & MASK) >> 11) / 2**53 - 0.5
    return total * (12 / 26) ** 0.5


def test_errors_are_those_of_an_obvious_twin() -> None:
    for seed in (0, 7, 0xFEDC_BA98_7654_3210, MASK):
        wanted = [
            (one_side(board, seed) - one_side(flipped(board), seed)) / 2**0.5
            for board in map(tuple, drawn().tolist())
        ]
        assert position_errors(drawn(), seed) == pytest.approx(wanted, abs=1e-12)


def test_errors_stay_as_they_are() -> None:
    """So games of a seed can be repeated with later versions, and elsewhere."""
    golden = {
        "7DZggEO/zQYAAA": -1.4938757662962316,
        "NgAAoLwbAAAAAA": 1.1946507524368684,
        "PwAAAHYbMKkAAA": 0.558633424862425,
    }
    boards = np.array([gammon.Position.parse(text).points for text in golden], np.int8)
    assert position_errors(boards, 1) == pytest.approx(list(golden.values()), abs=1e-12)


def test_both_sides_are_misjudged_alike() -> None:
    turned = np.ascontiguousarray(-drawn()[:, ::-1])
    assert (position_errors(turned, 5) == -position_errors(drawn(), 5)).all()
    assert position_errors(np.array([OPENING], np.int8), 5) == 0.0


def test_errors_have_their_size_and_are_alike_where_positions_are() -> None:
    here = drawn()[3:4]
    near, far = here.copy(), drawn()[1:2]
    place = int(np.flatnonzero(here[0] > 0)[-1])
    near[0, [place, place - 1]] += (-1, 1)
    boards = np.concatenate([here, near, far])
    found = np.array([position_errors(boards, seed) for seed in range(900)])
    assert found.mean(axis=0) == pytest.approx(np.zeros(3), abs=0.1)
    unlike = (boards != -boards[:, ::-1]).mean(axis=1)
    assert found.std(axis=0) == pytest.approx(unlike**0.5, rel=0.1)
    alike = np.corrcoef(found.T)
    assert alike[0, 1] > 0.75 and alike[0, 2] < 0.6


@pytest.mark.parametrize("terms", [gammon.Terms(), gammon.Terms(7, (3, 5), cube=2, owner=1)])
def test_plays_have_their_errors(terms: gammon.Terms) -> None:
    at = CUBE.with_terms(terms)
    clean = gammon.Engine(1).analyze(at, (6, 3)).candidates
    erring = gammon.Engine(strength=10, noise_seed=3).analyze(at, (6, 3)).candidates
    errors = dict(
        zip(
            [each.play.points for each in clean],
            position_errors(np.array([each.play.points for each in clean], np.int8), 3),
            strict=True,
        )
    )
    chances = results_of_cumulative(np.array(clean[0].probabilities))
    met, points = read_met(), np.array([-3.0, -2.0, -1.0, 1.0, 2.0, 3.0])
    spread = np.sqrt(chances @ points**2 - (chances @ points) ** 2)
    equities = {each.play.points: each.equity for each in clean}
    for each in erring:
        wrong = sigma_of(10.0) * spread * errors[each.play.points]
        assert each.equity == pytest.approx(equities[each.play.points] + wrong, abs=1e-6)
        if terms.length:
            assert each.mwc == pytest.approx(met.mwc_of_emg(each.equity, terms), abs=1e-6)
    found = [each.equity for each in erring]
    assert found == sorted(found, reverse=True)
    assert [each.loss for each in erring] == pytest.approx([found[0] - each for each in found])


@pytest.mark.parametrize("terms", [gammon.Terms(), gammon.Terms(7, (3, 5))])
def test_a_cube_that_is_doubled_doubles_the_error(terms: gammon.Terms) -> None:
    at = CUBE.with_terms(terms)
    clean, erring = (gammon.Engine(1, strength=strength, noise_seed=3).cube(at) for strength in (None, 15))
    assert clean.double_take and erring.double_take
    wrong = erring.no_double.equity - clean.no_double.equity
    assert wrong * position_errors(np.array([at.points], np.int8), 3)[0] > 0.0
    assert erring.double_take.equity - clean.double_take.equity == pytest.approx(2.0 * wrong)
    assert erring.double_pass == clean.double_pass
    if terms.length:
        for each in (erring.no_double, erring.double_take):
            assert each.mwc == pytest.approx(read_met().mwc_of_emg(each.equity, terms))


def test_sizes_grow_with_the_rating_in_straight_lines() -> None:
    assert sigma_of(2.0) == 0.0365
    assert sigma_of(30.0) == 0.28
    assert sigma_of(12.5) == pytest.approx((sigma_of(10.0) + sigma_of(15.0)) / 2)


def test_a_page_gets_the_errors_in_points() -> None:
    chances, errors = np.array([0.5, 0.1, 0.0, 0.1, 0.0]), np.empty(60)
    misjudge(drawn(), chances, 15.0, np.uint64(1), np.empty((1, 26), np.int8), errors)
    assert errors == pytest.approx(0.166 * 1.6**0.5 * position_errors(drawn(), 1))


def test_nothing_is_misjudged_where_all_is_decided() -> None:
    clean, erring = (gammon.Engine(1, strength=each).cube(WON) for each in (None, 30))
    assert (erring.no_double, erring.double_take) == (clean.no_double, clean.double_take)


def test_who_is_said_to_be_weaker_loses_more() -> None:
    decisions = judged_decisions()[:250]
    players = ("depth=1", "strength=3", "strength=7", "strength=15", "strength=30")
    found = [grade(parse_player(each), decisions)[ALL].rating for each in players]
    assert all(stronger + 1.0 < weaker for stronger, weaker in pairwise(found)), found
    sizes = [sigma_of(each / 4) for each in range(8, 121)]
    assert all(small < large for small, large in pairwise(sizes))


def test_an_engine_errs_by_its_seed_alone() -> None:
    engine = gammon.Engine(strength=12, noise_seed=4)
    assert (engine.depth, engine.strength) == (1, 12.0)
    boards, dice = drawn(), np.array([(6, 1), (5, 2), (3, 3)] * 20)
    first = engine.best_plays(boards, dice)
    assert (engine.best_plays(boards, dice, [4] * 60) == first).all()
    assert (engine.with_errors(5).with_errors(4).best_plays(boards, dice) == first).all()
    assert (engine.with_errors(5).best_plays(boards, dice) != first).any()
    clean = gammon.Engine(1).best_plays(boards, dice)
    assert 10 < (clean != first).any(axis=1).sum() < 50
    last = engine.best_plays(boards, dice, terms=gammon.Terms(1, (1, 1)))
    assert (last != first).any(), "no gammon counts"
    told = engine.evaluate_many(boards).equities
    assert (told == gammon.Engine(1).evaluate_many(boards).equities).all()


def test_what_no_strength_can_be() -> None:
    for wrong in (1.9, 31, -5, float("nan"), True):
        with pytest.raises(SettingError, match="performance rating"):
            gammon.Engine(strength=wrong)
    with pytest.raises(SettingError, match="level with strength"):
        gammon.Engine(strength=10, level="roller")


def test_nobody_wins_a_match_more_than_surely() -> None:
    """Errors are added to chances that are next to 0 or 1."""
    lost = "XGID=-BBBCCB------------ab-Aaa-:0:0:1:00:4:4:0:5:10"
    engine = gammon.Engine(strength=30, noise_seed=45)
    found = engine.cube(gammon.Position.parse(lost))
    chances = [
        each.mwc
        for each in (found.no_double, found.double_take, found.double_pass)
        if each is not None and each.mwc is not None
    ]
    assert chances
    assert 0.0 <= min(chances) <= max(chances) <= 1.0
    assert "MWC%" in str(found)
