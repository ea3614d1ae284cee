"""The answer of the bearoff tables, and a match equity table of our own."""

import numpy as np
import pytest

import gammon
from gammon.base.errors import IllegalPositionError
from gammon.engine.bearoff import PIPS_A_ROLL, bearoff
from gammon.engine.engine import Engine
from gammon.engine.met_maker import make_met
from gammon.formats.position import Position
from gammon.rules.dice import ROLLS
from gammon.rules.home import N_SIDES, N_TWO_SIDED
from gammon.rules.terms import Terms
from tests.boards import by_counts, points_of
from tests.naive.bearoff import SIDES, enumerated, tables

# The tables' answer for a position: beside their own rows, and beside plain sums.


def position_of(own: object, their: object) -> Position:
    return Position(by_counts(own, their))


def test_two_checkers_on_the_ace_point_need_one_roll() -> None:
    found = bearoff(position_of((2,), (0, 0, 0, 0, 0, 2)))
    assert found.own.rolls[0] == 1.0
    assert (found.own.checkers, found.own.pips, found.own.mean_rolls) == (2, 2, 1.0)
    assert found.own.epc == pytest.approx(49 / 6)
    assert found.own.wastage == pytest.approx(49 / 6 - 2)
    assert found.exact
    assert found.probabilities.win == 1.0
    assert found.equity == 1.0
    # 33, 44, 55, 66 take two from the six point: 33 by four threes.
    assert found.their.rolls[0] == pytest.approx(4 / 36)
    assert pytest.approx(49 / 6) == PIPS_A_ROLL


def test_any_position_is_answered_from_its_rows() -> None:
    one_sided, _, two_sided = tables()
    rng = np.random.default_rng(4)
    engine = Engine(depth=1)
    for limit in (N_TWO_SIDED, N_SIDES):
        for own, their in rng.integers(1, limit, (20, 2)):
            found = bearoff(position_of(SIDES[own], SIDES[their]))
            assert list(found.own.rolls) == one_sided[own].tolist()
            assert list(found.their.rolls) == one_sided[their].tolist()
            assert found.exact == (max(own, their) < N_TWO_SIDED)
            if found.exact:
                expected = two_sided[own, their]
            else:
                left = 1 - np.append(0.0, np.cumsum(one_sided[their], dtype=float)[:-1])
                expected = one_sided[own] @ left
            assert found.probabilities.win == pytest.approx(expected, abs=1e-6)
            said = engine.evaluate(found.position).probabilities
            assert found.probabilities == pytest.approx(said, abs=1e-6)


def test_gammons_count_where_a_side_has_all_its_checkers() -> None:
    found = bearoff(position_of((0, 0, 0, 0, 0, 15), (2,)))
    # Before the other one is off, 11 rolls with a 6, 51, 42, 33 and 22 take a checker off.
    assert found.probabilities.lose_gammon == pytest.approx(19 / 36)
    assert found.equity == pytest.approx(-1 - 19 / 36)
    assert not found.exact


def test_a_race_is_answered_by_its_sides() -> None:
    """One side at home, whose rolls are its row; the other one with a checker on 14."""
    position = position_of((2, 2, 2, 2, 2, 4, *[0] * 7, 1), (3, 3, 3, 3, 3, 0))
    own, their = bearoff(position), bearoff(position.flipped())
    rank = int(np.flatnonzero((np.array([3, 3, 3, 3, 3, 0]) == SIDES).all(axis=1))[0])
    assert list(own.their.rolls) == tables()[0][rank].tolist()
    assert own.own == their.their
    assert own.their == their.own
    assert own.own.pips == 68
    # No side wastes less than a few pips, or much more than ten.
    assert 5 < own.own.wastage < 12
    assert sum(own.own.rolls) == pytest.approx(1, abs=1e-5)
    assert not own.exact
    left = 1 - np.append(0.0, np.cumsum(own.their.rolls)[:-1])
    assert own.probabilities.win == pytest.approx(float(own.own.rolls @ left), abs=1e-5)
    engine = Engine(depth=1)
    for found in own, their:
        said = engine.evaluate(found.position).probabilities
        assert found.probabilities == pytest.approx(said, abs=1e-6)


def test_what_is_no_race_or_too_long_a_one() -> None:
    with pytest.raises(IllegalPositionError, match="the sides have contact"):
        bearoff(Position.opening())
    far = points_of({19: 7, 3: 1}, {24: 1})
    with pytest.raises(IllegalPositionError, match="a side too far behind; expected 6 checkers"):
        bearoff(Position(far))
    with pytest.raises(IllegalPositionError, match="too long a race; expected sides that need at most 31"):
        bearoff(Position(points_of({18: 15}, {24: 1})))  # 270 pips; the table of rolls ends at 32
    assert bearoff(Position(points_of({13: 15}, {24: 1}))).own.wastage > 0.0
    with pytest.raises(IllegalPositionError, match="the game is over"):
        bearoff(position_of((2,), ()))


def drawn_side(rng: np.random.Generator, few: int, many: int, last: int) -> tuple[int, ...]:
    """Draw a side of `few` checkers to one less than `many`, one of them outside its home."""
    places = [int(rng.integers(7, last + 1)), *rng.integers(1, 8, rng.integers(few, many) - 1)]
    return tuple(places.count(p) for p in range(1, 25))


def test_what_is_exact_is_so_and_estimates_are_as_near_as_is_said() -> None:
    """Beside an enumeration of all plays of each side alone."""
    rng = np.random.default_rng(7)
    off, chances = [], []
    for number in range(60):
        few = number % 3 == 0
        own, their = (drawn_side(rng, *((1, 4, 12) if few else (4, 6, 8))) for _ in "xo")
        found = bearoff(position_of(own, their))
        expected = [np.array(enumerated((0, *side, 0))) for side in (own, their)]
        assert found.own.exact is found.their.exact is few
        assert found.estimated is not few
        win = sum(expected[0][k] * expected[1][k:].sum() for k in range(1, 17))
        for side, rolls in zip((found.own, found.their), expected, strict=True):
            if few:
                assert side.rolls[:16] == pytest.approx(rolls[1:], abs=1e-6)
            else:
                off.append(abs(side.mean_rolls - float(np.arange(17) @ rolls)))
        if few:
            assert found.probabilities.win == pytest.approx(win, abs=1e-6)
        else:
            chances.append(abs(found.probabilities.win - win))
    assert max(off) < 0.1 and np.quantile(off, 0.9) < 0.04
    assert max(chances) < 0.06 and np.quantile(chances, 0.9) < 0.02


def test_a_side_at_home_is_exact_beside_one_that_is_estimated() -> None:
    """The position of an audit, whose mean rolls are 3.942 and whose chance is .2530."""
    found = bearoff(Position.parse("XGID=-A-A-----A--A------b--a-a-:0:0:1:00:0:0:0:0:10"))
    assert (found.own.exact, found.their.exact, found.estimated) == (False, True, True)
    assert found.own.mean_rolls == pytest.approx(3.942, abs=0.04)
    assert found.probabilities.win == pytest.approx(0.253, abs=0.02)


# Our own match equity table: each chance follows from those with fewer points.

SMALL = make_met(4, 1)


def test_it_is_near_the_one_in_use() -> None:
    table = gammon.read_met()
    for own in range(1, 5):
        for their in range(1, 5):
            assert SMALL.mwc(own, their) == pytest.approx(table.mwc(own, their), abs=0.03)
        assert SMALL.mwc(own, 1, True) == pytest.approx(table.mwc(own, 1, True), abs=0.03)


@pytest.mark.parametrize(
    "terms", [Terms(3, (3, 1)), Terms(4, (4, 1), crawford=True), Terms(4, (4, 3)), Terms(2, (2, 2))], ids=str
)
def test_a_chance_is_the_mean_over_who_begins_and_how(terms: Terms) -> None:
    engine = gammon.Engine(depth=1, met=SMALL)
    chances = []
    for mine in (True, False):
        position = gammon.Position.opening().with_terms(terms if mine else terms.for_opponent())
        for roll in ROLLS:
            if roll[0] != roll[1]:
                mwc = engine.analyze(position, roll).candidates[0].mwc
                assert mwc is not None
                chances.append(mwc if mine else 1 - mwc)
    late = 1 in terms.away and not terms.crawford
    expected = sum(chances) / len(chances)
    assert SMALL.mwc(*terms.away, late) == pytest.approx(expected, abs=1e-9)


def test_progress_and_settings() -> None:
    told: list[tuple[int, int]] = []
    make_met(2, 1, on_score=lambda done, total: told.append((done, total)))
    # One score after the Crawford game needs no search; four others follow one by one.
    assert told == [(done, 5) for done in range(2, 6)]
    for length, depth in ((1, 1), (65, 1), (3, 2)):
        with pytest.raises(gammon.SettingError):
            make_met(length, depth)
