"""Position IDs: round trips, and what is refused."""

import pytest
from hypothesis import given

from gammon.base.errors import FormatError, GammonError
from gammon.formats.position import Position
from gammon.formats.position_id import (
    format_position_id,
    format_position_ids,
    parse_position_id,
)
from gammon.rules.board import OPENING, Points
from tests.conftest import positions
from tests.engine.formats.contexts import assert_refused


@given(positions())
def test_position_id_round_trip(points: Points) -> None:
    text = format_position_id(points)
    assert format_position_ids([OPENING, points]) == [format_position_id(OPENING), text]
    assert len(text) == 14
    assert parse_position_id(text) == points


REFUSED = [
    ("4HPwATDgc/ABM", FormatError, "14 characters, found 13"),
    ("4HPwATDgc/ABMAA", FormatError, "14 characters, found 15"),
    ("4HPwATDgc/AB!A", FormatError, "A-Z, a-z"),
    ("//////////////", GammonError, "//////////////"),
]


@pytest.mark.parametrize(("text", "error", "words"), REFUSED)
def test_refused(text: str, error: type[GammonError], words: str) -> None:
    assert_refused(Position.parse, text, error, words)
    assert_refused(parse_position_id, text, error, words)


def test_other_scripts_and_long_texts_are_refused() -> None:
    for text in ("４HPwATDgc/ABMA", "4HPwATDgc/ABMА", "٤HPwATDgc/ABMA", 100000 * "4"):
        with pytest.raises(FormatError, match="expected a Position ID") as caught:
            parse_position_id(text)
        assert len(str(caught.value)) < 200
