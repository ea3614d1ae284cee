"""Match IDs: round trips, and what is refused."""

import base64

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gammon.base.errors import FormatError, GammonError
from gammon.formats.context import Context
from gammon.formats.match_id import Dice, format_match_id, parse_match_id
from gammon.formats.position import Position
from tests.engine.formats.contexts import DICE, assert_refused, gnu_contexts


@given(gnu_contexts(), DICE)
def test_match_id_round_trip(context: Context, dice: Dice) -> None:
    dice = None if context.offer else dice
    text = format_match_id(context, dice)
    assert len(text) == 12
    assert parse_match_id(text) == (context, dice)


@given(st.integers(0, 2**72 - 1))
def test_no_bit_of_a_match_id_is_lost(bits: int) -> None:
    text = base64.b64encode(bits.to_bytes(9, "little")).decode()
    try:
        context, dice = parse_match_id(text)
    except FormatError:
        return
    assert format_match_id(context, dice) == text


GOOD = ["cAkAAAAAAAAE", "cIkKAAAAAAAE", "wwkLAAAAAAAA", "cBFgAAAACAAE", "UQkqASAAGAAA"]


@given(st.sampled_from(GOOD), st.sets(st.integers(0, 71), max_size=5))
@settings(max_examples=1000)
def test_a_match_id_that_is_read_is_written_as_ids_that_are_read(
    good: str, flips: set[int]
) -> None:
    """A roll and a double at once gave an OGID that was refused."""
    bits = int.from_bytes(base64.b64decode(good), "little") ^ sum(1 << flip for flip in flips)
    match_id = base64.b64encode(bits.to_bytes(9, "little")).decode()
    try:
        position = Position.parse(f"4HPwATDgc/ABMA:{match_id}")
    except FormatError:
        return
    for text in (position.xgid, position.ogid, f"{position.position_id}:{position.match_id}"):
        again = Position.parse(text)
        kept = [
            (each.points, each.dice, each.context.offer, each.context.scores)
            for each in (again, position)
        ]
        assert kept[0] == kept[1], text


REFUSED = [
    ("4HPwATDgc/ABMA:cL/IAkAAAAAE", FormatError, "dice 12 before the roll, expected none"),
    ("4HPwATDgc/ABMA:cIkKAAAAAAA", FormatError, "12 characters, found 11"),
    ("4HPwATDgc/ABMA:cIk?AAAAAAAE", FormatError, "A-Z, a-z"),
]


@pytest.mark.parametrize(("text", "error", "words"), REFUSED)
def test_refused(text: str, error: type[GammonError], words: str) -> None:
    assert_refused(Position.parse, text, error, words)


def test_fields_out_of_range_are_refused() -> None:
    for bits, words in (
        (2 << 4, "cube owner 2"),
        (7 << 15 | 1 << 18, "die 7"),
        (3 << 15, "dice 30"),
    ):
        text = base64.b64encode(bits.to_bytes(9, "little")).decode()
        assert_refused(parse_match_id, text, FormatError, words)
