"""Frozen records made of fields that are known to be right."""

from dataclasses import FrozenInstanceError, dataclass

import pytest

from gammon.base.frozen import unchecked


@dataclass(frozen=True)
class Half:
    """A number, and its half."""

    whole: int
    half: int = 0

    def __post_init__(self) -> None:
        if self.whole != 2 * self.half:
            raise ValueError(f"{self.whole} and {self.half}")


def test_it_is_the_record_that_its_fields_make() -> None:
    made = unchecked(Half, whole=6, half=3)
    assert (made, hash(made), repr(made)) == (Half(6, 3), hash(Half(6, 3)), repr(Half(6, 3)))
    with pytest.raises(FrozenInstanceError):
        made.half = 4  # type: ignore[misc]


def test_nothing_is_checked() -> None:
    assert unchecked(Half, whole=6, half=2).half == 2
