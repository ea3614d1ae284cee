"""The cost of a decision: times in milliseconds, and the work of the same searches."""

import pytest

from gammon import search
from gammon.eval.baseline import BASELINE
from gammon.games.backgammon import BACKGAMMON
from gammon_lab.bench.decisions import cost_of, summary
from gammon_lab.bench.positions import bench_positions


def test_times_are_in_milliseconds():
    found = summary("player", [0.001, 0.006, 0.002])
    assert found[:2] == ("player", 3)
    assert found[2:5] == pytest.approx((2.0, 3.0, 5.6))


def test_leaves_are_those_of_the_searches():
    some = bench_positions()[:3]
    found = cost_of("player", (BASELINE, BASELINE), some, 3)
    works = [
        search.Setup(BACKGAMMON, BASELINE).decide(each.points, each.outcome, 3).stats
        for each in some
    ]
    assert found.decisions == 3
    assert found.leaves == sum(work.leaves for work in works)
    assert found.share == found.leaves / sum(each.leaves[3] for each in some)
    probes = sum(work.probes for work in works)
    assert found.probes_cut == sum(work.probe_cuts for work in works) / probes


def test_a_filter_saves_leaves():
    some = bench_positions()[:3]
    whole, tiny = (
        cost_of("player", (BASELINE, BASELINE), some, 3, move_filter=name)
        for name in ("", "tiny")
    )
    assert 0 < tiny.leaves < whole.leaves


def test_no_share_where_the_full_tree_is_not_known():
    found = cost_of("player", (BASELINE, BASELINE), bench_positions()[:2], 1)
    assert found.leaves > 0
    assert found.share == found.probes_cut == 0
