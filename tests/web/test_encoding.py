"""Answers as JSON that every program reads."""

import json
import math

from gammon_web.encoding import json_bytes


def test_what_is_encoded_is_read_back():
    value = {"a": [1, 2.5, None, True], "é\n": {"3": "x"}}
    assert json.loads(json_bytes(value)) == value
    assert json_bytes(value).isascii()
    assert b"\n" not in json_bytes(value)


def test_infinite_numbers_are_null():
    value = {"a": [math.inf, -math.inf, 1.0], "b": (math.nan, {"c": math.inf})}
    assert json.loads(json_bytes(value)) == {"a": [None, None, 1.0], "b": [None, {"c": None}]}
