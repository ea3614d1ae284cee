"""Answers and their looks, plain JSON values, means with their standard errors."""

import json
import math
from collections import OrderedDict
from collections.abc import Iterator
from math import inf, nan
from typing import NamedTuple

import numpy as np
import pytest

import gammon
import gammon_study
from gammon.base.checks import plain
from gammon.base.errors import SettingError
from gammon.base.mean import mean_and_error, t_quantile, told_margin
from gammon.base.showing import Rendered, view_module
from gammon_study.library.stats import LargestErrors, Statistics

# The one door from an answer to its looks: each type has those that it promises.

CHANCES = 0.5, 0.1, 0.0, 0.1, 0.0


def kinds(base: type) -> Iterator[type]:
    """All types of answers that are shown."""
    for each in base.__subclasses__():
        yield each
        yield from kinds(each)


def test_each_type_that_is_shown_has_a_text_and_html() -> None:
    """A view is asked for an answer that has nothing inside: it is found, and fails there."""
    names = [*gammon.__all__, *gammon_study.__all__]
    public = [getattr(gammon, name, getattr(gammon_study, name, None)) for name in names]
    shown = {kind for kind in kinds(Rendered) if kind in public}
    assert len(shown) == 7
    for kind in shown:
        empty = object.__new__(kind)
        for show in (view_module(empty).view_of, view_module(empty).html_of):
            with pytest.raises(AttributeError):
                show(empty)


def test_an_answer_is_shown_by_its_package() -> None:
    assert view_module(LargestErrors([], 0, 0.0)).__name__ == "gammon_study.view"
    empty = Statistics("player", [], [])
    assert "No decision" in str(view_module(empty).view_of(empty))


def test_an_answer_is_shown_by_its_type() -> None:
    position = gammon.Position.parse("4HPwATDgc/ABMA")
    decision = gammon.cube_from_chances(position, CHANCES)
    assert f"Verdict: {decision.verdict}" in str(decision)
    assert decision._repr_html_().startswith("<div")
    assert "verdict" not in repr(decision).lower()
    assert position._repr_svg_().startswith("<svg")


@pytest.mark.parametrize("answer", [gammon.Position.opening(), 3, "x", None])
def test_what_has_no_such_look_is_refused(answer: object) -> None:
    name = type(answer).__name__
    with pytest.raises(SettingError, match=f"type {name}: expected an answer of an engine"):
        view_module(answer).view_of(answer)


def test_what_has_no_json_is_refused() -> None:
    with pytest.raises(SettingError, match="type int: expected a type that the docstring"):
        gammon.to_json(3)
    with pytest.raises(SettingError, match="type GameTranscript: expected a Transcript"):
        gammon.to_json(gammon_study.read_transcript("tests/golden/matches/hand.mat").games[0])


# Plain JSON values.


class Pair(NamedTuple):
    a: float
    b: float


def test_infinite_numbers_are_null_at_any_depth() -> None:
    value = {"a": [inf, -inf, 1.5], "b": (nan, OrderedDict(c=inf)), "d": Pair(inf, 2.0)}
    assert plain(value) == {"a": [None, None, 1.5], "b": [None, {"c": None}], "d": [None, 2.0]}


def test_other_values_stay() -> None:
    value = {"a": [1, True, None, "inf"], "b": {}}
    assert plain(value) == value == json.loads(json.dumps(plain(value)))


# The mean and its standard error, against sums done by hand.


def test_mean_and_error() -> None:
    # The squares of the deviations from 3 sum up to 10: s^2 = 10/4, and s^2/5 = 1/2.
    assert mean_and_error([1, 2, 3, 4, 5]) == pytest.approx((3, math.sqrt(0.5)))
    narrow = np.array([0, 1], np.float32)
    assert mean_and_error(narrow) == pytest.approx((0.5, 0.5))


def test_one_value_has_no_error() -> None:
    mean, error = mean_and_error([7])
    assert mean == 7
    assert math.isnan(error)


@pytest.mark.parametrize(
    ("degrees", "expected"),
    # One and two degrees have closed forms; for many, Student's t is the normal distribution.
    [
        (1, math.tan(0.475 * math.pi)),
        (2, 0.95 / math.sqrt(2 * 0.025 * 0.975)),
        (10, 2.2281388520),
        (100, 1.9839715185),
        (10**9, 1.9599639845),
    ],
)
def test_quantiles_of_students_t(degrees: int, expected: float) -> None:
    assert t_quantile(degrees) == pytest.approx(expected, rel=1e-6)


def test_a_mean_of_few_has_no_margin() -> None:
    values = np.random.default_rng(1).normal(size=10)
    assert told_margin(values) == pytest.approx(2.262157 * mean_and_error(values)[1], rel=1e-6)
    assert told_margin(values[:9]) == 0.0
