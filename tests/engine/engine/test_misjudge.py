"""Opponents of any strength: their errors against an obvious twin, and what these change."""

from functools import cache
from itertools import pairwise

import numpy as np
import pytest

import gammon
from gammon.base.errors import SettingError
from gammon.engine.misjudge import misjudge, position_errors, sigma_of
from gammon.eval.equity import results_of_cumulative
from gammon.formats.met_file import read_met
from gammon.match.player import parse_player
from gammon.rules.board import OPENING, flipped
from gammon_lab.experiments.grade import ALL, grade
from gammon_study.library.reference import reference_decisions
from tests.splitmix import MASK, splitmix

START = gammon.Position.opening()
CUBE = gammon.Position.parse("XGID=--CDBbC-B----a-----bdA-cc-:0:0:1:00:0:0:0:0:10")
#: One checker each, so that the player on roll wins.
WON = gammon.Position.parse("XGID=-A----------------------a-:0:0:1:00:0:0:0:0:10")


@cache
def drawn() -> np.ndarray:
    return np.array([each.points for each in reference_decisions()[:60]], np.int8)


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
    clean, erring = (
        gammon.Engine(1, strength=strength, noise_seed=3).cube(at) for strength in (None, 15)
    )
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
    decisions = reference_decisions()[:500]
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
        each.mwc for each in (found.no_double, found.double_take, found.double_pass)
        if each is not None and each.mwc is not None
    ]  # fmt: skip
    assert chances
    assert 0.0 <= min(chances) <= max(chances) <= 1.0
    assert "MWC%" in str(found)
