"""Stakes of compiled code: each cube state has its own, and its sign is whose turn it is."""

import numpy as np
import pytest

from gammon.formats.met_file import read_met
from gammon.rules.outcome import POINTS
from gammon.rules.terms import (
    LEVELS,
    N_PARAMS,
    NO_OFFER,
    Terms,
    level_of,
    offer,
    owner_of,
    params_of,
    stake_of,
    worth_of,
)
from gammon.search.game import NOT_OVER

MET = read_met()
#: Cube states, as (base-2 logarithm, owner).
STATES = [(0, 0), *((level, owner) for level in range(1, 7) for owner in (1, -1))]
SCORES = [(7, 7), (3, 5), (2, 1), (1, 3), (2, 2), (1, 1), (64, 40)]


def match(score: tuple[int, int], level: int, owner: int) -> Terms:
    return Terms(64, score, cube=1 << level, owner=owner).checked()


def test_what_a_pass_pays_where_nobody_doubles_is_what_the_search_takes_for_nothing() -> None:
    assert NO_OFFER == NOT_OVER


def test_the_stake_of_money_is_the_owner() -> None:
    for owner in (1, 0, -1):
        for cube in (2, 4):
            assert stake_of(Terms(cube=cube, owner=owner)) == owner
    assert stake_of(Terms().turned()) == -stake_of(Terms())


@pytest.mark.smoke
def test_stakes_of_a_match_tell_cube_and_owner() -> None:
    found = set()
    for level, owner in STATES:
        stake = stake_of(match((7, 7), level, owner))
        assert (level_of(stake), owner_of(stake)) == (level, owner)
        assert (level_of(-stake), owner_of(-stake)) == (level, -owner)
        found |= {stake, -stake}
    assert len(found) == 2 * len(STATES)
    assert 0 not in found


@pytest.mark.parametrize("score", SCORES, ids=str)
@pytest.mark.parametrize("crawford", [False, True])
def test_worth_is_that_of_the_score_after_the_game(
    score: tuple[int, int], crawford: bool
) -> None:
    if crawford and (1 not in score or score == (1, 1)):
        return
    terms = Terms(64, score, crawford).checked()
    params = params_of(terms, MET)
    assert params.shape == (N_PARAMS,)
    for level in range(LEVELS + 2):
        for result, points in enumerate((POINTS * 2**level).astype(int).tolist()):
            own = 2.0 * MET.after(terms, points) - 1.0
            their = 2.0 * MET.after(terms.turned(), points) - 1.0
            assert worth_of(5, level, result, params) == pytest.approx(own)
            assert worth_of(-5, level, result, params) == pytest.approx(their)


def test_worth_for_money_is_the_points_of_the_results() -> None:
    for stake in (1, 0, -1):
        worth = [worth_of(stake, 0, result, params_of(Terms())) for result in range(6)]
        assert worth == POINTS.tolist()


@pytest.mark.parametrize("score", SCORES, ids=str)
def test_offers_in_a_match(score: tuple[int, int]) -> None:
    for level, owner in STATES:
        first = match(score, level, owner)
        params = params_of(first, MET)
        # Whoever is on roll sees the same cube, from the first player's side or the other.
        for terms, stake in (
            (first, stake_of(first)), (first.turned(), -stake_of(first)),
        ):  # fmt: skip
            doubled, factor, beaver, cash = offer(stake, params)
            assert (cash != NO_OFFER) == terms.may_double
            if terms.may_double:
                assert (factor, beaver) == (1.0, 1.0)
                assert cash == pytest.approx(2.0 * MET.after(terms, terms.cube) - 1.0)
                assert (level_of(doubled), owner_of(doubled)) == (level + 1, -1)
                assert np.sign(doubled) == np.sign(stake)


def test_offers_for_money() -> None:
    params = params_of(Terms())
    assert offer(0, params) == offer(1, params) == (-1, 2.0, 2.0, 1.0)
    assert offer(-1, params)[3] == NO_OFFER
    assert offer(0, params_of(Terms(beavers=True))) == (-1, 2.0, 4.0, 1.0)
    for terms in (Terms(live=False), Terms(7, (3, 1), crawford=True)):
        assert offer(stake_of(terms), params_of(terms, MET))[3] == NO_OFFER
