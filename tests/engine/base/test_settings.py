"""Settings: what each kind takes of Python, of texts and of JSON, and records of them."""

from dataclasses import FrozenInstanceError, dataclass
from typing import Any

import numpy as np
import pytest

from gammon.base.errors import SettingError
from gammon.base.settings import (
    Flag,
    Kind,
    Number,
    OneOf,
    Text,
    Whole,
    check_settings,
    setting,
    settings_of,
    unchecked,
    with_settings,
)

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
def test_texts_are_read(kind: Kind, text: str, value: Any) -> None:
    found = kind.read("name", text)
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize(
    ("kind", "text", "wanted"),
    [
        *(
            (Whole(1, 9), text, "a whole number from 1 to 9")
            for text in ("10", "1.5", "1e3", "٣", "9" * 5000, "--3", "-", " 3", "0x3", "")
        ),
        *(
            (SHARE, text, "a share, 0 or more")
            for text in ("-1", "x", "nan", "inf", "9" * 5000, "")
        ),
        (SIDE, "up", "one of left, right"),
        (DEPTH, "2", "one of 1, 3"),
        (Flag(), "maybe", "1 or 0"),
    ],
)
def test_other_texts_are_refused(kind: Kind, text: str, wanted: str) -> None:
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
def test_values_of_another_type_are_refused(kind: Kind, value: Any) -> None:
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
