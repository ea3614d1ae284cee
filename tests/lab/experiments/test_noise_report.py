"""The report of the noise study, of results that are made up."""

import math

import numpy as np
import pytest

from gammon.match.result import MatchResult, Mean
from gammon_lab.experiments.noise_errors import Spread
from gammon_lab.experiments.noise_matches import Meeting, Results, Source
from gammon_lab.experiments.noise_report import _recovered, noise_report
from tests.lab.experiments.figures import result


def cells(source: Source, cost: float, gain: float) -> dict[Meeting, MatchResult]:
    return {Meeting(source, 1, True): result(-cost), Meeting(source, 3): result(gain)}


RESULTS = {
    Meeting(Source("equity", 0.0), 3): result(0.02),
    **cells(Source("equity", 0.1), 0.6, 0.62),
    **cells(Source("outputs", 0.05), 0.6, 0.56),
    **cells(Source("alike-3", 0.1), 0.6, 0.22),
    **cells(Source("early"), 0.3, 0.12),
    **cells(Source("probe"), 0.9, 0.3),
    Meeting(Source("equity", 0.03), 5): result(0.1, 0.61),
    Meeting(Source("equity", 0.1), 3, True): result(-0.05),
}
SPREADS = {Source("equity", 0.1): [Spread(0.1, 0.1), Spread(0.05, 0.05)]}
REPORT = noise_report(1, Results(RESULTS), SPREADS, 1000)
TABLES = {table.name: table for table in REPORT.tables}


def test_points_by_size() -> None:
    table = TABLES["noise-points"]
    assert table.columns == (
        "sigma", "depth 3, same errors", "s.e.", "depth 5, same errors", "s.e.",
        "depth 1, none", "s.e.", "depth 3, none", "s.e.",
    )  # fmt: skip
    none = [None, None]
    assert table.rows == [
        [0.0, 0.02, 0.01, *none, *none, 0.02, 0.01],
        [0.03, *none, 0.1, 0.01, *none, *none],
        [0.1, 0.62, 0.01, *none, -0.6, 0.01, -0.05, 0.01],
    ]


def test_gains_where_errors_cost_as_much_are_read_between_the_sizes() -> None:
    rows = {row[0]: row[1:] for row in TABLES["noise-same-cost"].rows}
    # Half way from no errors, with which depth 3 gains .02.
    assert rows["early"] == pytest.approx([0.3, 0.12, 0.01, 0.32, 0.29, 0.12])
    assert rows["probe"][3:] == [None] * 3, "no noise costs as much"
    text = "\n".join(REPORT.notes)
    assert "+0.290 with outputs, +0.120 with alike-3. The closest is alike-3" in text
    assert "The network probe loses 0.900 points a game, more than any noise here." in text


def test_the_share_of_games_won_has_no_figure_of_others_beside_it() -> None:
    table = TABLES["noise-wins"]
    (row,) = (row for row in table.rows if row[:3] == ["equity", 0.03, 5])
    assert row[3:] == pytest.approx([200, 10.0, 1.0, 61.0, 1.0])
    assert "64" not in str(table.rows) + str(REPORT.notes)


def test_what_depth_makes_up() -> None:
    rows = {(row[0], row[1]): row[2:] for row in TABLES["noise-kinds"].rows}
    cost, gain, clean = 0.6, 0.22, 0.02  # each +- .01
    ratio = (gain - clean) / cost
    error = math.hypot(0.01, 0.01, ratio * 0.01) / cost
    none = [None, None]
    assert rows["alike-3", 0.1][:6] == [-0.6, 0.01, 0.22, 0.01, *none]
    assert rows["alike-3", 0.1][6:8] == pytest.approx([100 * ratio, 100 * error])
    assert rows["alike-3", 0.1][8:] == none
    assert rows["equity", None] == [*none, 0.02, 0.01, *none, *none, *none]


def test_what_depth_makes_up_is_as_far_off_as_it_says() -> None:
    """The spread of the same ratio of means that are drawn; a reviewer's figure is 81 +- 4."""
    drawn = np.random.default_rng(3).normal((-0.275, 0.247, 0.023), 0.007, (20_000, 3))
    shares = 100 * (drawn[:, 1] - drawn[:, 2]) / -drawn[:, 0]
    means = (Mean(m, 0.007, m - 0.014, m + 0.014) for m in (-0.275, 0.247, 0.023))
    share, error = _recovered(*means)
    assert share == pytest.approx(81.5, abs=0.1)
    assert shares.mean() == pytest.approx(share, abs=0.1)
    assert shares.std() == pytest.approx(error, rel=0.02)


def test_six_pairs_tell_no_standard_error() -> None:
    """Of twelve games one said -.008 +- .029 where .187 is right."""
    values = np.random.default_rng(1).normal(0.0, 0.1, 10)
    assert Mean.of(values[:9]).told_error is None
    assert Mean.of(values).told_error == Mean.of(values).error
    rough = Mean.of(values[:6])
    few = {meeting: found._replace(adjusted=rough) for meeting, found in RESULTS.items()}
    report = noise_report(1, Results(few), SPREADS, 1000)
    rows = {row[0]: row for table in report.tables[2:3] for row in table.rows}
    assert rows["alike-3"][3::2] == [None] * 5
    said = next(note for note in report.notes if note.startswith("Without errors"))
    assert f"wins {rough.mean:+.3f} ({rough.low:+.3f} to {rough.high:+.3f})" in said


def test_all_matches_are_there() -> None:
    table = TABLES["noise-matches"]
    assert len(table.rows) == len(RESULTS)
    row = dict(zip(table.columns, table.rows[-2], strict=True))
    assert (row["depth"], row["against"], row["won %"]) == (5, "the same errors", 61)
    assert row["won % as played"] == pytest.approx(10)
