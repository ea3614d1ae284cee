"""Settings: what each kind takes of Python, of texts and of JSON, and how refusals read."""

import math
from dataclasses import FrozenInstanceError, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gammon.base.checks import Unchanging, is_whole, number, one_of, path_of, shown, whole
from gammon.base.errors import SettingError
from gammon.base.settings import (
    Flag,
    Number,
    OneOf,
    SettingKind,
    Text,
    Whole,
    check_settings,
    setting,
    settings_of,
    unchecked,
    with_settings,
)

# Settings: what each kind takes of Python, of texts and of JSON, and records of them.

SIDE, SHARE, DEPTH = OneOf(("left", "right")), Number("a share, 0 or more"), OneOf((1, 3))


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        (Whole(1, 9), "7", 7),
        (Whole(-9), "-03", -3),
        (SHARE, "1e-2", 0.01),
        (SIDE, "left", "left"),
        (DEPTH, "3", 3),
        (Flag(), "", True),
        (Flag(), "Yes", True),
        (Flag(), "0", False),
        (Text(), "a b", "a b"),
    ],
)
def test_texts_are_read(kind: SettingKind, text: str, value: Any) -> None:
    found = kind.read("name", text)
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize(
    ("kind", "text", "wanted"),
    [
        *(
            (Whole(1, 9), text, "a whole number from 1 to 9")
            for text in ("10", "1.5", "1e3", "٣", "9" * 5000, "--3", "-", " 3", "0x3", "")
        ),
        *((SHARE, text, "a share, 0 or more") for text in ("-1", "x", "nan", "inf", "9" * 5000, "")),
        (SIDE, "up", "one of left, right"),
        (DEPTH, "2", "one of 1, 3"),
        (Flag(), "maybe", "1 or 0"),
    ],
)
def test_other_texts_are_refused(kind: SettingKind, text: str, wanted: str) -> None:
    with pytest.raises(SettingError) as caught:
        kind.read("name", text)
    assert str(caught.value).startswith("name ")
    assert str(caught.value).endswith(f": expected {wanted}")


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (Whole(1), "7"), (Whole(1), 0), (SHARE, "0.5"), (SHARE, -1), (SIDE, 1), (DEPTH, "3"),
        (DEPTH, True), (Flag(), 1), (Flag(), "yes"), (Text(), 5), (Text(), None),
    ],
)  # fmt: skip
def test_values_of_another_type_are_refused(kind: SettingKind, value: Any) -> None:
    for check in (kind.checked, kind.decoded):
        with pytest.raises(SettingError, match=r"^name .*: expected"):
            check("name", value)


def test_schemas() -> None:
    assert Whole(1, 9).schema == {"type": "integer", "minimum": 1, "maximum": 9}
    assert Whole(0).schema == {"type": "integer", "minimum": 0}
    stepped = {"type": "integer", "minimum": 36, "maximum": 360, "multipleOf": 36}
    assert Whole(36, 360, 36).schema == stepped
    assert SIDE.schema == {"enum": ["left", "right"]}
    kinds = [SHARE, Flag(), Text()]
    assert [kind.schema["type"] for kind in kinds] == ["number", "boolean", "string"]


@dataclass(frozen=True)
class Record:
    plain: int = 0
    width: int = setting(Whole(1), "How wide.", 3, metavar="N")
    side: str | None = setting(SIDE, "Which side.", word="at", served=False)

    def __post_init__(self) -> None:
        check_settings(self)


def test_a_record_tells_its_settings() -> None:
    known = settings_of(Record)
    assert list(known) == ["width", "side"]
    width, side = known.values()
    assert (width.word, width.entry, width.default, width.metavar) == ("width", "width", 3, "N")
    assert (side.word, side.entry, side.default, side.served) == ("at", "at", None, False)


def test_a_record_is_checked() -> None:
    width: Any = np.int8(5)
    assert type(Record(width=width).width) is int
    for wrong in ({"width": 0}, {"side": "up"}, {"width": None}):
        given: dict[str, Any] = wrong
        with pytest.raises(SettingError, match=f"^{next(iter(wrong))} "):
            Record(**given)


def test_other_settings_alone_are_checked() -> None:
    record = Record(width=5)
    assert with_settings(record, side="left") == Record(width=5, side="left")
    assert with_settings(record, width=5) == record == Record(width=5)
    with pytest.raises(SettingError, match=r"^width "):
        with_settings(record, width=0)


@dataclass(frozen=True)
class Half:
    """A number, and its half."""

    whole: int
    half: int = 0

    def __post_init__(self) -> None:
        if self.whole != 2 * self.half:
            raise ValueError(f"{self.whole} and {self.half}")


def test_unchecked_it_is_the_record_that_its_fields_make() -> None:
    made = unchecked(Half, whole=6, half=3)
    assert (made, hash(made), repr(made)) == (Half(6, 3), hash(Half(6, 3)), repr(Half(6, 3)))
    with pytest.raises(FrozenInstanceError):
        made.half = 4  # type: ignore[misc]


def test_nothing_is_checked() -> None:
    assert unchecked(Half, whole=6, half=2).half == 2


# Checks of settings: what passes, what is refused, and how the refusal reads.


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
    np.timedelta64(3, "s"),
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
