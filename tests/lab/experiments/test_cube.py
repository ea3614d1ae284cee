"""The study of depth with the cube, in its small version."""

from dataclasses import replace

import pytest

import gammon
from gammon_lab.experiments.cube import _change_rows, reproduce
from gammon_lab.experiments.study import Study


def test_the_small_version(tmp_path):
    seen = []
    settings = Study(
        tmp_path / "one", 3, True, on_done=lambda done, total: seen.append((done, total))
    )
    report = reproduce(settings)
    worth, changes = report.tables
    assert [row[:3] for row in worth.rows] == [
        ["money, cubeless", 3, 1], ["money", 3, 1], ["7 points", 3, 1],
    ]  # fmt: skip
    assert [row[:2] for row in changes.rows] == [["all", 1], ["close", 1]]
    assert changes.rows[0][2] == 60
    assert seen[-1][0] == seen[-1][1]
    report.write(tmp_path)
    assert (tmp_path / "cube-worth.svg").stat().st_size > 1000


def test_actions_that_change_and_what_they_lose():
    engine = gammon.Engine(depth=1)
    right = engine.cube(
        gammon.Position.parse("XGID=--CDBbC-B-----a----bdA-cc-:0:0:1:00:0:0:0:0:10")
    )
    holds = replace(right, no_double=replace(right.no_double, equity=9.0))
    passes = replace(right, double_take=replace(right.double_take, equity=1.5))
    (row,) = _change_rows("all", [(holds, right), (passes, right), (right, right)])
    doubles, takes, lost, _ = row[3:]
    assert (doubles, takes) == pytest.approx((100 / 3, 100 / 3))
    assert lost == pytest.approx((right.gain + right.answer_gain) / 3)


def test_rounding_is_no_other_decision():
    """Where double and take is worth as much as rolling, either is right."""
    right = gammon.Engine(depth=1).cube(
        gammon.Position.parse("XGID=--CDBbC-B-----a----bdA-cc-:0:0:1:00:0:0:0:0:10")
    )

    def worth(double_take):
        return replace(
            right, no_double=replace(right.no_double, equity=0.5),
            double_take=replace(right.double_take, equity=double_take),
        )  # fmt: skip

    tie, above, clear = worth(0.5), worth(0.5 + 1e-16), worth(0.75)
    assert above.gain > 0.0
    (row,) = _change_rows("all", [(tie, above), (above, tie)] * 5)
    assert row[3:] == [0.0, 0.0, 0.0, 0.0]
    (row,) = _change_rows("all", [(worth(1.0), worth(1.0 - 1e-16))] * 10)
    assert row[3:] == [0.0, 0.0, 0.0, 0.0]
    (row,) = _change_rows("all", [(tie, clear)] * 10)
    assert row[3:] == [100.0, 0.0, 0.25, 0.0]
