"""Parameters and bodies, read and checked."""

import pytest

from gammon.base.settings import Flag, Whole
from gammon_web.asked import read_dice, read_flag, read_pair, read_position, read_whole
from gammon_web.parameters import Parameter
from gammon_web.refusal import Refusal
from tests.web.asking import OPENING, asked


def refused(call, *arguments):
    with pytest.raises(Refusal) as caught:
        call(*arguments)
    assert caught.value.status == 400
    return caught.value.field


def test_texts():
    found = asked("a=1&b=&a=2&c=x%20y")
    assert (found.text("a"), found.text("b"), found.text("z")) == ("2", None, None)
    assert (found.texts("a"), found.texts("b")) == (["1", "2"], [])
    assert found.text("c") == "x y"


def test_whole_numbers():
    def number(name):
        return Parameter(name, Whole(-9, 9), usual=5)

    found = asked("a=7&b=-3&c=08&d=")
    assert [found.value(number(name)) for name in "abcde"] == [7, -3, 8, 5, 5]
    for text in ("10", "-10", "1.5", "1e3", "٣", "9" * 5000, "--3", "-", " 3", "0x3"):
        assert refused(asked(f"a={text}").value, number("a")) == "a"


def test_flags():
    def flag(name):
        return Parameter(name, Flag(), usual=False)

    found = asked("a&b=1&c=TRUE&d=0&e=no")
    given = [found.value(flag(name)) for name in "abcdef"]
    assert given == [True, True, True, False, False, False]
    assert refused(asked("a=2").value, flag("a")) == "a"


def test_depths():
    assert asked("depth=3").depth == 3
    assert asked(depth=5).depth == 5
    assert asked(depth=5, most=3).depth == 3
    for text in ("0", "2", "7", "9", "-1", "x"):
        assert refused(asked, f"depth={text}") == "depth"


def test_one_parameter_says_how_well_to_play():
    assert asked("depth=&level=roller").level == "roller"
    for text in ("depth=3&level=roller", "depth=1&strength=10", "level=5&strength=10"):
        assert refused(asked, text) is None


def test_more_parameters_than_anybody_needs():
    assert refused(asked, "&".join(["a=1"] * 101)) is None


def test_dice():
    assert (read_dice(None), read_dice(""), read_dice("3-1")) == (None, None, (3, 1))
    for value in ("7", "70", 31, [3, 1], "3" * 5000):
        assert refused(read_dice, value) == "dice"


def test_positions():
    assert asked(f"id={OPENING}&dice=31").position().dice == (3, 1)
    assert asked(f"id={OPENING}").position().dice is None
    assert refused(asked("").position) == "id"
    for value in (None, 7, "x", "a" * 20_001, "XGID=" + ":" * 9):
        assert refused(read_position, value, "text") == "text"


def test_bodies():
    assert asked(body=b'{"a": 1}').json() == {"a": 1}
    assert asked(body='{"a": "é"}'.encode("utf-16")).json() == {"a": "é"}
    for body in (b"", b"[]", b"{", b"\xff\xfe\xff", b'{"a":' * 100_000, b"9" * 5000, b"null"):
        assert refused(asked(body=body).json) is None
    assert refused(asked(body=b'{"won": [1], "won": [2]}').json) == "won"


@pytest.mark.parametrize(("value", "shown"), [(None, "null"), (True, "true"), ([1], "[1]")])
def test_what_is_wrong_in_a_body_is_quoted_as_json_has_it(value: object, shown: str) -> None:
    with pytest.raises(Refusal) as caught:
        read_whole({"points": value}, "points", 1, 1, 3, "games[0].")
    wanted = "expected a whole number from 1 to 3"
    assert caught.value.message == f"games[0].points {shown}: {wanted}"
    assert caught.value.field == "games[0].points"


def test_a_flag_that_is_none_is_quoted_as_json_has_it() -> None:
    with pytest.raises(Refusal, match=r"^cubeful null: expected true or false$"):
        read_flag({"cubeful": None}, "cubeful")


@pytest.mark.parametrize("value", [None, "31", [3], [3, 1, 1], [3, 7], [True, 1], [3, 1.0]])
def test_a_pair_that_is_something_else(value: object) -> None:
    assert read_pair({}, "dice", [3, 1], 1, 6) == (3, 1)
    with pytest.raises(Refusal, match=r"^dice .*: expected two numbers from 1 to 6$"):
        read_pair({"dice": value}, "dice", [3, 1], 1, 6)
    with pytest.raises(Refusal, match=r"^score -1: expected two numbers$"):
        read_pair({"score": -1}, "score", [0, 0], 0)


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("cube=3", "cube"),
        ("cube=1&owner=roller", "owner"),
        ("match=5&cube=2", "cube"),
        ("match=5&jacoby=1", "jacoby"),
        ("match=5&crawford=1", "crawford"),
        ("score=1-2", "score"),
        ("match=5&score=9-9", "score"),
    ],
)
def test_the_setting_that_is_wrong_is_named(query: str, field: str) -> None:
    """The error says which one, whatever the words of its message."""
    assert refused(asked(f"id={OPENING}&{query}").question) == field
