"""Terms: who may turn the cube at which score, and which terms no game has."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gammon.base.errors import FormatError, SettingError
from gammon.formats.met_file import read_met
from gammon.rules.match_equity import params_of
from gammon.rules.outcome import N_RESULTS, POINTS
from gammon.rules.terms import (
    CUBELESS,
    N_CUBES,
    N_PARAMS,
    NAMED_STAKES,
    NO_OFFER,
    Payoffs,
    Score,
    Terms,
    cube_log2_of,
    cubeless_terms,
    offer,
    owner_of,
    parse_stakes,
    payoff_at,
    payoff_of,
    stake_of,
    stakes_of,
)
from gammon.search.game import NOT_OVER

MONEY = Terms()


def match(own: int, their: int, **more: Any) -> Terms:
    """The terms of a match of 7 points."""
    return Terms(7, (own, their), **more).checked()


@pytest.mark.smoke
def test_both_may_turn_a_centred_cube_for_money() -> None:
    assert MONEY.checked() is MONEY
    assert MONEY.may_double
    assert MONEY.for_opponent() == MONEY
    taken = MONEY.doubled()
    assert (taken.cube, taken.owner) == (2, -1)
    assert not taken.may_double
    assert taken.for_opponent().may_double
    assert taken.for_opponent().doubled().cube == 4


@pytest.mark.parametrize(
    ("terms", "own", "their"),
    [
        (MONEY, True, True),
        (Terms(jacoby=True, beavers=True, cube=2), True, True),  # an automatic double
        (Terms(cube=64, owner=1), True, False),
        (Terms(cube=64, owner=-1, live=False), False, False),
        (match(7, 7), True, True),
        (match(2, 1, crawford=True), False, False),
        (match(2, 1), True, False),
        (match(1, 2), False, True),
        (match(1, 1), False, False),
        (match(3, 5, cube=2, owner=1), True, False),
        (match(3, 5, cube=4, owner=-1), False, True),
        (match(4, 5, cube=4, owner=1), False, False),  # to win it is the match already
        (match(5, 4, cube=4, owner=-1), False, False),
    ],
    ids=str,
)
def test_who_may_double(terms: Terms, own: bool, their: bool) -> None:
    assert (terms.may_double, terms.for_opponent().may_double) == (own, their)
    assert terms.dead == (not own and not their)
    assert terms.for_opponent().for_opponent() == terms
    assert terms.for_opponent().dead == terms.dead


def test_nobody_offers_a_double_of_the_highest_cube() -> None:
    assert MONEY.may_offer
    assert Terms(cube=32, owner=1).may_offer
    assert not Terms(cube=64, owner=1).may_offer
    assert not match(2, 1, crawford=True).may_offer


def test_the_jacoby_rule() -> None:
    centred = Terms(jacoby=True, cube=2)  # an automatic double
    turned = Terms(jacoby=True, cube=2, owner=-1)
    results = 3, 2, 1, -1, -2, -3
    assert [centred.counted(each) for each in results] == [1, 1, 1, -1, -1, -1]
    for terms in (turned, turned.for_opponent(), MONEY, match(7, 7)):
        assert [terms.counted(each) for each in results] == [*results]


def test_integers_of_numpy_become_pythons() -> None:
    own = Terms(np.int64(7), (np.int8(3), np.int64(5)), cube=np.int64(2), owner=np.int8(-1))
    found = own.checked()
    assert found == own
    for each in (found.length, *found.away, found.cube, found.owner):
        assert type(each) is int


def test_post_crawford_is_what_comes_after_the_crawford_game() -> None:
    assert match(2, 1).post_crawford
    assert match(1, 5).post_crawford
    assert not match(2, 1, crawford=True).post_crawford
    assert not match(2, 2).post_crawford
    assert not MONEY.post_crawford


@pytest.mark.parametrize(
    ("terms", "words"),
    [
        (Terms(65, (3, 3)), "match length 65: expected a whole number from 0 to 64"),
        (Terms(-1), "match length -1"),
        (Terms(True, (1, 1)), "match length True"),
        (Terms(7, (8, 3)), "away (8, 3): expected two whole numbers from 1 to 7"),
        (Terms(7, (0, 3)), "away (0, 3)"),
        (Terms(7, (3.0, 3)), "away (3.0, 3)"),  # type: ignore[arg-type]
        (Terms(7), "away (0, 0): expected two"),
        (Terms(7, 3), "away 3: expected two"),  # type: ignore[arg-type]
        (Terms(0, (3, 3)), "away (3, 3): expected (0, 0) for money"),
        (Terms(7, (3, 3), crawford=1), "crawford 1: expected a bool"),  # type: ignore[arg-type]
        (Terms(7, (3, 2), crawford=True), "Crawford game at 3-away 2-away"),
        (Terms(7, (1, 1), crawford=True), "Crawford game at 1-away 1-away: expected exactly"),
        (Terms(crawford=True), "Crawford game at 0-away 0-away"),
        (Terms(7, (1, 2), crawford=True, cube=2, owner=1), "cube 2 in the Crawford game"),
        (Terms(7, (3, 3), jacoby=True), "Jacoby rule in a match of 7"),
        (Terms(7, (3, 3), beavers=True), "beavers in a match of 7"),
        (Terms(cube=3), "cube 3: expected 1, 2, 4, ... 64"),
        (Terms(cube=0), "cube 0"),
        (Terms(cube=128, owner=1), "cube 128"),
        (Terms(cube=2.0, owner=1), "cube 2.0"),  # type: ignore[arg-type]
        (Terms(live=None), "live None: expected a bool"),  # type: ignore[arg-type]
        (Terms(cube=2, owner=2), "cube owner 2: expected 1 for the player on roll"),
        (Terms(owner=1), "cube owner 1: expected 0, since nobody owns a cube at 1"),
        (Terms(7, (3, 3), cube=2), "cube owner 0: expected 1 or -1, since somebody has turned"),
    ],
    ids=str,
)
def test_terms_that_no_game_has(terms: Terms, words: str) -> None:
    with pytest.raises(SettingError) as caught:
        terms.checked()
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


MET = read_met()
#: Cube states, as (base-2 logarithm, owner).
STATES = [(0, 0), *((level, owner) for level in range(1, 7) for owner in (1, -1))]
SCORES = [(7, 7), (3, 5), (2, 1), (1, 3), (2, 2), (1, 1), (64, 40)]


def to_64(score: tuple[int, int], level: int, owner: int) -> Terms:
    return Terms(64, score, cube=1 << level, owner=owner).checked()


def test_what_a_pass_pays_where_nobody_doubles_is_what_the_search_takes_for_nothing() -> None:
    assert NO_OFFER == NOT_OVER


def test_the_stake_of_money_is_the_owner() -> None:
    for owner in (1, 0, -1):
        for cube in (2, 4):
            assert stake_of(Terms(cube=cube, owner=owner)) == owner
    assert stake_of(Terms().for_opponent()) == -stake_of(Terms())


@pytest.mark.smoke
def test_stakes_of_a_match_tell_cube_and_owner() -> None:
    found = set()
    for level, owner in STATES:
        stake = stake_of(to_64((7, 7), level, owner))
        assert (cube_log2_of(stake), owner_of(stake)) == (level, owner)
        assert (cube_log2_of(-stake), owner_of(-stake)) == (level, -owner)
        found |= {stake, -stake}
    assert len(found) == 2 * len(STATES)
    assert 0 not in found


@pytest.mark.parametrize("score", SCORES, ids=str)
@pytest.mark.parametrize("crawford", [False, True])
def test_worth_is_that_of_the_score_after_the_game(score: tuple[int, int], crawford: bool) -> None:
    if crawford and (1 not in score or score == (1, 1)):
        return
    terms = Terms(64, score, crawford).checked()
    params = params_of(terms, MET)
    assert params.shape == (N_PARAMS,)
    for level in range(N_CUBES + 2):
        for result, points in enumerate((POINTS * 2**level).astype(int).tolist()):
            own = 2.0 * MET.after(terms, points) - 1.0
            their = 2.0 * MET.after(terms.for_opponent(), points) - 1.0
            assert payoff_of(5, level, result, params) == pytest.approx(own)
            assert payoff_of(-5, level, result, params) == pytest.approx(their)


def test_worth_for_money_is_the_points_of_the_results() -> None:
    for stake in (1, 0, -1):
        worth = [payoff_of(stake, 0, result, params_of(Terms())) for result in range(6)]
        assert worth == POINTS.tolist()


@pytest.mark.parametrize("score", SCORES, ids=str)
def test_offers_in_a_match(score: tuple[int, int]) -> None:
    for level, owner in STATES:
        first = to_64(score, level, owner)
        params = params_of(first, MET)
        # Whoever is on roll sees the same cube, from the first player's side or the other.
        for terms, stake in ((first, stake_of(first)), (first.for_opponent(), -stake_of(first))):
            doubled, factor, beaver, cash = offer(stake, params)
            assert (cash != NO_OFFER) == terms.may_double
            if terms.may_double:
                assert (factor, beaver) == (1.0, 1.0)
                assert cash == pytest.approx(2.0 * MET.after(terms, terms.cube) - 1.0)
                assert (cube_log2_of(doubled), owner_of(doubled)) == (level + 1, -1)
                assert np.sign(doubled) == np.sign(stake)


def test_offers_for_money() -> None:
    params = params_of(Terms())
    assert offer(0, params) == offer(1, params) == (-1, 2.0, 2.0, 1.0)
    assert offer(-1, params)[3] == NO_OFFER
    assert offer(0, params_of(Terms(beavers=True))) == (-1, 2.0, 4.0, 1.0)
    for terms in (Terms(live=False), Terms(7, (3, 1), crawford=True)):
        assert offer(stake_of(terms), params_of(terms, MET))[3] == NO_OFFER


@pytest.mark.smoke
@pytest.mark.parametrize("length", [1, 2, 3, 5, 7])
def test_matches_against_a_plain_count(length):
    random = np.random.default_rng(length)
    seen = set()
    for _ in range(200):
        score, a, b, crawford_games = Score(length), 0, 0, 0
        while a < length and b < length:
            assert not score.over
            someone_is_1_away = length - a == 1 or length - b == 1
            crawford = length > 1 and someone_is_1_away and crawford_games == 0
            crawford_games += crawford
            expected = Terms(length, (length - a, length - b), crawford)
            assert score.terms(0) == expected.checked()
            assert score.terms(1) == expected.for_opponent()
            seen.add((crawford, expected.post_crawford))
            won = int(random.choice((-4, -2, -1, 1, 2, 3)))
            score = score.after(won)
            a, b = a + max(won, 0), b + max(-won, 0)
            assert score.points == (a, b)
        assert score.over
        assert crawford_games <= 1
    assert seen == {1: {(False, True)}}.get(length, {(False, False), (True, False), (False, True)})


def test_a_money_game_is_over_after_it():
    score = Score(jacoby=True)
    assert score.terms(0) == score.terms(1) == Terms(jacoby=True)
    assert not score.over
    assert score.after(-2).over
    assert score.after(1).over


@pytest.mark.parametrize("length", [0, 5])
def test_a_dead_cube_stays_dead(length):
    score = Score(length, live=False)
    for _ in range(3):
        for side in (0, 1):
            assert score.terms(side) == Score(length, score.points).terms(side)._replace(live=False)
            assert score.terms(side).dead
        score = score.after(1)


PAYOFFS = {name: terms.payoffs for name, terms in NAMED_STAKES.items() if terms.payoffs}
PLAIN, DMP, GAMMON_GO, GAMMON_SAVE = PAYOFFS.values()

ODD = Payoffs(0.5, 0.75, 2.0, -1.0, -1.5, -4.0)


@st.composite
def any_payoffs(draw: st.DrawFn) -> Payoffs:
    """Any payoffs that can be, from six numbers in ascending order."""
    number = st.floats(-100, 100, allow_subnormal=False)
    worth = sorted(draw(st.lists(number, min_size=N_RESULTS, max_size=N_RESULTS)))
    if worth[3] - worth[2] < 1e-2:
        worth[3:] = [each + 1.0 for each in worth[3:]]
    return Payoffs(*worth[3:], *worth[2::-1])


def worths(payoffs: Payoffs, sign: int) -> list[float]:
    """What compiled code pays for the six results: the first player, or the other one."""
    terms = cubeless_terms(payoffs)
    stake, params = sign * stake_of(terms), params_of(terms)
    return [payoff_at(stake, result, params) for result in range(N_RESULTS)]


def test_money_is_the_points_of_the_cube() -> None:
    assert PLAIN.ascending.tolist() == POINTS.tolist() == worths(PLAIN, 1) == worths(PLAIN, -1)


@pytest.mark.smoke
def test_payoffs_are_in_the_order_of_results() -> None:
    assert ODD.ascending.tolist() == worths(ODD, 1) == [-4.0, -1.5, -1.0, 0.5, 0.75, 2.0]
    # A result that this player loses by a backgammon is one that the other wins by it.
    assert worths(ODD, -1) == [-2.0, -0.75, -0.5, 1.0, 1.5, 4.0]


@given(any_payoffs())
def test_what_one_wins_the_other_loses(payoffs: Payoffs) -> None:
    assert payoffs.checked() == payoffs
    other = payoffs.for_opponent()
    assert other.for_opponent() == payoffs
    assert cubeless_terms(payoffs).for_opponent() == cubeless_terms(other)
    assert worths(payoffs, 1) == payoffs.ascending.tolist()
    assert worths(payoffs, -1) == other.ascending.tolist() == worths(other, 1)
    assert (np.diff(other.ascending) >= 0).all()
    assert (stake_of(cubeless_terms(payoffs)) == 0) == (payoffs == other)


def test_which_are_symmetric() -> None:
    assert {name: stake_of(terms) == 0 for name, terms in NAMED_STAKES.items()} == {
        "money": True,
        "dmp": True,
        "gammon-go": False,
        "gammon-save": False,
    }
    assert GAMMON_GO.for_opponent() == GAMMON_SAVE
    assert Payoffs(1, 1, 1, -1, -3, -3) == GAMMON_SAVE
    assert set(DMP.ascending.tolist()) == {-1.0, 1.0}


def test_payoffs_are_of_games_for_money_without_the_cube() -> None:
    assert CUBELESS.cubeless and CUBELESS.dead and not Terms(live=False).cubeless
    for terms in (
        Terms(payoffs=PLAIN),
        Terms(5, (3, 3), live=False, payoffs=PLAIN),
        Terms(cube=2, owner=1, live=False, payoffs=PLAIN),
        Terms(jacoby=True, live=False, payoffs=PLAIN),
    ):
        with pytest.raises(SettingError, match=r"^payoffs money with the cube"):
            terms.checked()
    with pytest.raises(SettingError, match=r"^payoffs .*: expected gammon\.Payoffs"):
        Terms(live=False, payoffs=(1, 2, 3, -1, -2, -3)).checked()  # type: ignore[arg-type]
    with pytest.raises(SettingError, match="no less than a gammon"):
        Terms(live=False, payoffs=Payoffs(1, 0, 3, -1, -2, -3)).checked()
    numbers = Payoffs(*np.array(PLAIN))
    assert Terms(live=False, payoffs=numbers).checked() == CUBELESS


def test_a_setting_gives_terms() -> None:
    for given_ in ("money", PLAIN, CUBELESS):
        assert stakes_of(given_) == CUBELESS
    for wrong in (5, None, Terms(), (1, 2, 3, -1, -2, -3)):
        with pytest.raises(SettingError, match=r"expected gammon\.Payoffs, or their name"):
            stakes_of(wrong)


@given(any_payoffs())
def test_text_and_back(payoffs: Payoffs) -> None:
    assert parse_stakes(str(payoffs)).payoffs == payoffs


@pytest.mark.smoke
def test_text() -> None:
    assert [str(payoffs) for payoffs in PAYOFFS.values()] == list(NAMED_STAKES)
    for name, terms in NAMED_STAKES.items():
        assert parse_stakes(name) is terms
    assert str(Payoffs(1, 1.5, 2, -1, -1.5, -2)) == "1,1.5,2,-1,-1.5,-2"
    assert parse_stakes(" 1, 2, 3, -1, -2, -3 ") == CUBELESS
    assert str(parse_stakes("1,2,3,-1,-2,-3").payoffs) == "money"
    third = Payoffs(1 / 3, 2 / 3, 1, -1 / 3, -2 / 3, -1)
    assert parse_stakes(str(third)).payoffs == third, "not a digit is lost"


@pytest.mark.parametrize(
    "text", ["", "cash", "Money", "1,2,3", "1,2,3,-1,-2,-3,-4", "1,2,3,-1,-2,x", "1;2;3;4;5;6"]
)
def test_what_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse_stakes(text)
    message = str(caught.value)
    assert repr(text) in message
    assert "gammon-go" in message
    assert "\n" not in message


@pytest.mark.parametrize(
    "worth",
    [
        (1, 0.5, 3, -1, -2, -3),
        (1, 2, 1.5, -1, -2, -3),
        (1, 2, 3, -1, -0.5, -3),
        (1, 2, 3, -1, -2, -1.5),
        (-1, 2, 3, -1, -2, -3),
        (-2, 2, 3, -1, -2, -3),
        (1, 2, math.inf, -1, -2, -3),
        (math.nan, 2, 3, -1, -2, -3),
        (1e-7, 2, 3, -1e-7, -2, -3),
        (1e6, 1e6, 1e6, 999999, 999999, 999999),
    ],
    ids=str,
)
def test_stakes_out_of_order_are_refused(worth: tuple[float, ...]) -> None:
    stakes = Payoffs(*worth)
    with pytest.raises(SettingError, match="no less than a gammon") as caught:
        stakes.checked()
    assert f"{worth[2]:g}" in str(caught.value)
    with pytest.raises(SettingError):
        parse_stakes(",".join(map(str, worth)))


@pytest.mark.parametrize("worth", ["1", None, True, 1j, 10**400, [1.0], 1e7], ids=lambda w: str(w)[:9])
def test_stakes_are_numbers(worth: Any) -> None:
    with pytest.raises(SettingError, match=r"^stakes .*expected numbers from -1e6 to 1e6") as got:
        Payoffs(1, 2, worth, -1, -2, -3).checked()
    assert len(str(got.value)) < 250


def test_numbers_of_numpy_become_those_of_python() -> None:
    stakes = Payoffs(*np.array([1, 2, 3, -1, -2, -3])).checked()
    assert stakes == PLAIN and {type(each) for each in stakes} == {float}
    assert {type(each) for each in PLAIN.checked()} == {type(each) for each in PLAIN}


@pytest.mark.parametrize("text", [None, 5, ["money"], b"money", "1," * 9999, "9" * 9999])
def test_other_values_are_no_texts_of_stakes(text: Any) -> None:
    with pytest.raises(FormatError, match="expected money") as caught:
        parse_stakes(text)
    assert len(str(caught.value)) < 250
