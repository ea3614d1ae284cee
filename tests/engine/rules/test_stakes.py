"""The worth of results: for money, at scores, to either player."""

import math
from typing import Any

import numpy as np
import pytest
from gammon.rules.stakes import (
    DMP,
    GAMMON_GO,
    GAMMON_SAVE,
    MONEY,
    NAMED_STAKES,
    Stakes,
    parse_stakes,
)
from hypothesis import given
from hypothesis import strategies as st

from gammon.base.errors import FormatError, SettingError
from gammon.rules.outcome import N_RESULTS, POINTS

ODD = Stakes(0.5, 0.75, 2.0, -1.0, -1.5, -4.0)


@st.composite
def any_stakes(draw: st.DrawFn) -> Stakes:
    """Any stakes that can be, from six numbers in ascending order."""
    number = st.floats(-100, 100, allow_subnormal=False)
    worth = sorted(draw(st.lists(number, min_size=N_RESULTS, max_size=N_RESULTS)))
    if worth[3] - worth[2] < 1e-2:
        worth[3:] = [each + 1.0 for each in worth[3:]]
    return Stakes(*worth[3:], *worth[2::-1])


def test_money_is_the_points_of_the_cube() -> None:
    assert MONEY.worth.tolist() == POINTS.tolist()
    assert MONEY.params.tolist() == [*POINTS, *POINTS]


@pytest.mark.smoke
def test_worth_is_in_the_order_of_results() -> None:
    assert ODD.worth.tolist() == [-4.0, -1.5, -1.0, 0.5, 0.75, 2.0]
    assert ODD.params[:6].tolist() == ODD.worth.tolist()
    # A result that this player loses by a backgammon is one that the other wins by it.
    assert ODD.params[6:].tolist() == [-2.0, -0.75, -0.5, 1.0, 1.5, 4.0]


@given(any_stakes())
def test_what_one_wins_the_other_loses(stakes: Stakes) -> None:
    assert stakes.checked() == stakes
    other = stakes.turned()
    assert other.turned() == stakes
    assert (other.worth == -stakes.worth[::-1]).all()
    assert (stakes.params == [*stakes.worth, *other.worth]).all()
    assert (np.diff(other.worth) >= 0).all()
    assert (
        stakes.symmetric == (stakes == other) == (stakes.params[:6] == stakes.params[6:]).all()
    )


def test_which_are_symmetric() -> None:
    assert {name: stakes.symmetric for name, stakes in NAMED_STAKES.items()} == {
        "money": True, "dmp": True, "gammon-go": False, "gammon-save": False,
    }  # fmt: skip
    assert not ODD.symmetric
    assert GAMMON_GO.turned() == GAMMON_SAVE
    assert Stakes(1, 1, 1, -1, -3, -3) == GAMMON_SAVE
    assert set(DMP.worth.tolist()) == {-1.0, 1.0}


@given(any_stakes())
def test_text_and_back(stakes: Stakes) -> None:
    assert parse_stakes(str(stakes)) == stakes


@pytest.mark.smoke
def test_text() -> None:
    assert [str(stakes) for stakes in NAMED_STAKES.values()] == list(NAMED_STAKES)
    for name, stakes in NAMED_STAKES.items():
        assert parse_stakes(name) is stakes
    assert str(Stakes(1, 1.5, 2, -1, -1.5, -2)) == "1,1.5,2,-1,-1.5,-2"
    assert parse_stakes(" 1, 2, 3, -1, -2, -3 ") == MONEY
    assert str(parse_stakes("1,2,3,-1,-2,-3")) == "money"
    third = Stakes(1 / 3, 2 / 3, 1, -1 / 3, -2 / 3, -1)
    assert parse_stakes(str(third)) == third, "not a digit is lost"


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
        (1, 0.5, 3, -1, -2, -3), (1, 2, 1.5, -1, -2, -3), (1, 2, 3, -1, -0.5, -3),
        (1, 2, 3, -1, -2, -1.5), (-1, 2, 3, -1, -2, -3), (-2, 2, 3, -1, -2, -3),
        (1, 2, math.inf, -1, -2, -3), (math.nan, 2, 3, -1, -2, -3),
        (1e-7, 2, 3, -1e-7, -2, -3), (1e6, 1e6, 1e6, 999999, 999999, 999999),
    ],
    ids=str,
)  # fmt: skip
def test_stakes_out_of_order_are_refused(worth: tuple[float, ...]) -> None:
    stakes = Stakes(*worth)
    with pytest.raises(SettingError, match="no less than a gammon") as caught:
        stakes.checked()
    assert f"{worth[2]:g}" in str(caught.value)
    with pytest.raises(SettingError):
        parse_stakes(",".join(map(str, worth)))


@pytest.mark.parametrize(
    "worth", ["1", None, True, 1j, 10**400, [1.0], 1e7], ids=lambda w: str(w)[:9]
)
def test_stakes_are_numbers(worth: Any) -> None:
    with pytest.raises(
        SettingError, match=r"^stakes .*expected numbers from -1e6 to 1e6"
    ) as got:
        Stakes(1, 2, worth, -1, -2, -3).checked()
    assert len(str(got.value)) < 250


def test_numbers_of_numpy_become_those_of_python() -> None:
    stakes = Stakes(*np.array([1, 2, 3, -1, -2, -3])).checked()
    assert stakes == MONEY and {type(each) for each in stakes} == {float}
    assert {type(each) for each in MONEY.checked()} == {type(each) for each in MONEY}


@pytest.mark.parametrize("text", [None, 5, ["money"], b"money", "1," * 9999, "9" * 9999])
def test_other_values_are_no_texts_of_stakes(text: Any) -> None:
    with pytest.raises(FormatError, match="expected money") as caught:
        parse_stakes(text)
    assert len(str(caught.value)) < 250
