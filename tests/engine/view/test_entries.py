"""The entries of answers in JSON are attributes of theirs."""

import json
import math

import gammon
from gammon.core.estimate import Estimate
from gammon.engine.analysis import Kind
from gammon.engine.cube import CubeAction, CubeValue
from gammon.rules.terms import Terms
from gammon.view.entries import ENTRIES, encoded
from gammon_study.reviews.choice import ChoiceKind
from gammon_study.reviews.totals import totals_of


def test_parts_of_answers() -> None:
    engine = gammon.Engine(depth=1)
    best = engine.analyze(gammon.Position.opening(), (3, 1)).candidates[0]
    found = encoded(best)
    assert [*found] == [each.split("=")[0] for each in ENTRIES["Candidate"]]
    assert (found["play"], found["points"]) == ("8/5 6/5", [*best.play.points])
    assert found["probabilities"] == best.probabilities._asdict()
    assert encoded([best]) == [found] == json.loads(json.dumps([found]))
    assert encoded(CubeValue(0.5, None, Kind.STATIC)) == {
        "equity": 0.5, "mwc": None, "kind": "static", "error": None,
    }  # fmt: skip
    totals = totals_of([], [], 0)
    assert [*encoded(totals)["kinds"]] == [kind.value for kind in ChoiceKind]
    assert encoded(totals)["pr"] is totals.all.pr is None


def test_all_that_counts_of_the_stakes() -> None:
    found = encoded(Terms(7, (3, 5), cube=2, owner=-1))
    assert found == {
        "length": 7, "away": [3, 5], "crawford": False, "cube": 2, "owner": -1,
        "jacoby": False, "beavers": False,
    }  # fmt: skip
    assert set(found) == set(Terms._fields) - {"live", "payoffs"}


def test_numbers_without_a_value_are_null() -> None:
    assert encoded(Estimate(0.5, math.nan)) == {"mean": 0.5, "error": None}
    assert encoded([math.inf, -math.inf, 1.0]) == [None, None, 1.0]


def test_plain_values_stay() -> None:
    assert encoded({"a": (1, 2.5, None, True)}) == {"a": [1, 2.5, None, True]}
    assert encoded(CubeAction.DOUBLE) == "double"
