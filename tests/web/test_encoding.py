"""Answers as JSON that every program reads."""

import json
import math

from gammon.web.encoding import encoded


def test_what_is_encoded_is_read_back():
    value = {"a": [1, 2.5, None, True], "é\n": {"3": "x"}}
    assert json.loads(encoded(value)) == value
    assert encoded(value).isascii()
    assert b"\n" not in encoded(value)


def test_infinite_numbers_are_null():
    value = {"a": [math.inf, -math.inf, 1.0], "b": (math.nan, {"c": math.inf})}
    assert json.loads(encoded(value)) == {"a": [None, None, 1.0], "b": [None, {"c": None}]}
