"""Smile: a slow twin writes what is read, and damaged bytes are refused."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gammon.base.errors import FormatError
from gammon_study.match_files.smile import parse_smile
from tests.bgf import smile

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=70)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | TEXTS
    | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(TEXTS, inner, max_size=5),
    max_leaves=30,
)  # fmt: skip


@given(VALUES, st.booleans(), st.booleans())
def test_what_is_written_is_read(value: Any, names: bool, texts: bool) -> None:
    assert parse_smile(smile(value, names, texts)) == value


@pytest.mark.parametrize("texts", [False, True])
def test_tables_of_more_than_they_hold(texts: bool) -> None:
    chance = random.Random(1)
    value = [
        {f"name {chance.randrange(1500)}": f"text {chance.randrange(900)}"} for _ in range(5000)
    ]
    data = smile(value, texts=texts)
    assert parse_smile(data) == value
    assert len(data) < len(smile(value, names=False))


#: By the specification, token by token.
KNOWN = [
    (b"\x01\xfa\x80a\xc2\x81bb\xc1\xfb", {"a": 1, "bb": -1}),
    (b"\x01\xf8\xfa\x80a\x20\xfb\xfa\x40\x22\xfb\xf9", [{"a": ""}, {"a": False}]),
    (b"\x01\xf8\xfa\x80a\x20\xfb\xfa\x30\x00\x23\xfb\xf9", [{"a": ""}, {"a": True}]),
    (b"\x00\xfa\x80a\x20\xfb", {"a": ""}),
    (b"\x02\xf8\x40a\x01\x80\xc3\xa4\x02\xec\x01\xf9", ["a", "a", "ä", "ä", "ä"]),
    (b"\x00\x24\x01\x80", 32),
    (b"\x00\x24\xbf", -32),
    (b"\x00\x25\x01\x00\x80", 4096),
    (b"\x00\x28\x03\x7c\x00\x00\x00", 1.0),
    (b"\x00\x29\x00\x3f\x78\x00\x00\x00\x00\x00\x00\x00", 1.0),
    (b"\x00\xe0abc\xfc", "abc"),
    (b"\x00\xe4\xc3\xa4\xfc", "ä"),
    (b"\x00\xfa\x34abc\xfc\x21\xfb", {"abc": None}),
]
REFUSED = [
    (b"\x10\x21", "version 0"),
    (b"\x00", "version 0"),
    (b"\x01\xfa\x80a\xc2\x40\x21\xfb", "'a' twice"),
    (b"\x00\xf8\x21", "cut short"),
    (b"\x00\x41a", "cut short"),
    (b"\x00\xe0ab", "cut short"),
    (b"\x00\x40\xff", "damaged"),
    (b"\x00\x01", "damaged"),
    (b"\x01\xfa\x40\x21\xfb", "damaged"),
    (b"\x00\x24" + b"\x01" * 11 + b"\x80", "64 bits"),
    (b"\x00\x26\x81\x01", "0x26"),
    (b"\x00\xfd\x81\x01", "0xfd"),
    (b"\x00\xf9", "0xf9"),
    (b"\x00\xfa\x35\x21\xfb", "0x35"),
    (b"\x00" + b"\xf8" * 100_000, "deeper than 32"),
]


@pytest.mark.parametrize(("rest", "found"), KNOWN)
def test_tokens(rest: bytes, found: Any) -> None:
    assert parse_smile(b":)\n" + rest) == found


@pytest.mark.parametrize(("rest", "words"), REFUSED, ids=[words for _, words in REFUSED])
def test_refused(rest: bytes, words: str) -> None:
    with pytest.raises(FormatError, match=words):
        parse_smile(b":)\n" + rest)


def test_the_number_of_values_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gammon_study.match_files.smile.MOST", 1000)
    assert len(parse_smile(smile([None] * 999))) == 999
    with pytest.raises(FormatError, match="over 1,000 values"):
        parse_smile(smile([None] * 1000))
