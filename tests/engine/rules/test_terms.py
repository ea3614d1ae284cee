"""Terms: who may turn the cube at which score, and which terms no game has."""

from typing import Any

import numpy as np
import pytest

from gammon.base.errors import SettingError
from gammon.rules.terms import Terms

MONEY = Terms()


def match(own: int, their: int, **more: Any) -> Terms:
    """The terms of a match of 7 points."""
    return Terms(7, (own, their), **more).checked()


@pytest.mark.smoke
def test_both_may_turn_a_centred_cube_for_money() -> None:
    assert MONEY.checked() is MONEY
    assert MONEY.may_double
    assert MONEY.turned() == MONEY
    taken = MONEY.doubled()
    assert (taken.cube, taken.owner) == (2, -1)
    assert not taken.may_double
    assert taken.turned().may_double
    assert taken.turned().doubled().cube == 4


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
    assert (terms.may_double, terms.turned().may_double) == (own, their)
    assert terms.dead == (not own and not their)
    assert terms.turned().turned() == terms
    assert terms.turned().dead == terms.dead


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
    for terms in (turned, turned.turned(), MONEY, match(7, 7)):
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
