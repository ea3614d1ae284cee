"""Plain JSON values."""

import json
from collections import OrderedDict
from math import inf, nan
from typing import NamedTuple

from gammon.base.plain import plain


class Pair(NamedTuple):
    a: float
    b: float


def test_infinite_numbers_are_null_at_any_depth() -> None:
    value = {"a": [inf, -inf, 1.5], "b": (nan, OrderedDict(c=inf)), "d": Pair(inf, 2.0)}
    assert plain(value) == {"a": [None, None, 1.5], "b": [None, {"c": None}], "d": [None, 2.0]}


def test_other_values_stay() -> None:
    value = {"a": [1, True, None, "inf"], "b": {}}
    assert plain(value) == value == json.loads(json.dumps(plain(value)))
