"""Checks of settings: what passes, what is refused, and how the refusal reads."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gammon.base.checks import Unchanging, is_whole, number, one_of, path_of, shown, whole
from gammon.base.errors import SettingError


class Mute:
    def __repr__(self) -> str:
        raise RuntimeError


#: Values that are not numbers.
STRANGE = [
    None,
    True,
    np.True_,
    "3",
    b"3",
    3j,
    [3],
    np.array(3),
    np.array([3]),
    Mute(),
    print,
    np.timedelta64(3),
]


@pytest.mark.parametrize("value", [3, np.int8(3), np.uint64(3)])
def test_whole_numbers_become_pythons(value: Any) -> None:
    found = whole("top", value, 1, 5)
    assert (found, type(found)) == (3, int)
    assert is_whole(value, 3)


@pytest.mark.parametrize("value", [*STRANGE, 3.0, math.nan, 0, 6, -(10**400), np.int64(-1)])
def test_other_values_are_no_whole_numbers_in_range(value: Any) -> None:
    assert not is_whole(value, 1, 5)
    with pytest.raises(SettingError, match=r"^top .*: expected a whole number from 1 to 5$"):
        whole("top", value, 1, 5)


def test_a_range_may_be_open() -> None:
    assert whole("top", 10**400, 1) == 10**400
    with pytest.raises(SettingError, match=r"^top 0: expected a whole number, 1 or more$"):
        whole("top", 0, 1)


@pytest.mark.parametrize("value", [2, 2.0, np.float32(2), np.int16(2)])
def test_numbers_become_floats(value: Any) -> None:
    found = number("noise", value, "a number", 0.0)
    assert (found, type(found)) == (2.0, float)


@pytest.mark.parametrize(
    "value", [*STRANGE, math.nan, math.inf, -math.inf, 10**400, -0.1, 9.1, np.float32("nan")]
)
def test_other_values_are_no_numbers_in_range(value: Any) -> None:
    with pytest.raises(SettingError, match=r"^noise .*: expected a number, 0 to 9$"):
        number("noise", value, "a number, 0 to 9", 0.0, 9.0)


def test_a_choice_is_the_one_that_is_known() -> None:
    assert one_of("depth", 3, (1, 3)) == 3
    assert type(one_of("depth", np.int64(3), (1, 3))) is int
    assert one_of("filter", np.str_("tiny"), {"tiny": 0, "huge": 1}) == "tiny"


@pytest.mark.parametrize("value", [*STRANGE, 3.0, 2, "1"])
def test_other_values_are_no_choices(value: Any) -> None:
    with pytest.raises(SettingError, match=r"^depth .*: expected one of 1, 3$"):
        one_of("depth", value, (1, 3))


@pytest.mark.parametrize("value", ["deep/file", Path("file")])
def test_a_path_is_a_text_or_a_path(value: Any) -> None:
    assert path_of("out", value) == Path(value)


@pytest.mark.parametrize("value", [*STRANGE[:2], 3, b"file", "", "a\0b", Path("a\0b")])
def test_other_values_are_no_paths(value: Any) -> None:
    with pytest.raises(SettingError, match=r"^out .*: expected a path$"):
        path_of("out", value)


@given(st.one_of(st.text(), st.binary(), st.lists(st.integers()), st.floats()))
def test_values_are_shown_in_one_short_line(value: Any) -> None:
    text = shown(value)
    assert len(text) <= 60
    assert "\n" not in text
    assert len(text) == 60 or text == " ".join(repr(value).split())


def test_what_cannot_be_shown_is_named_by_its_type() -> None:
    assert shown(Mute()) == "of type Mute"
    assert shown(10**5000) == "of type int"


def test_what_never_changes_is_assigned_once() -> None:
    class Made(Unchanging):
        def __init__(self) -> None:
            self.number = 1
            self._made = True

    made: Any = Made()
    for name in ("number", "nubmer"):
        with pytest.raises(AttributeError, match=f"Made.{name} never changes: make another"):
            setattr(made, name, 2)
    assert vars(made) == {"number": 1, "_made": True}
