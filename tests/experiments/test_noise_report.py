"""The report of the noise study, of results that are made up."""

import pytest

from gammon.experiments.noise_errors import Spread
from gammon.experiments.noise_matches import Meeting, Results, Source
from gammon.experiments.noise_report import noise_report
from gammon.match.result import MatchResult
from tests.experiments.figures import result


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
        "sigma", "depth 3, same errors", "depth 5, same errors", "depth 1, none",
        "depth 3, none",
    )  # fmt: skip
    assert table.rows == [
        [0.0, "+0.020 ± 0.010", None, None, "+0.020 ± 0.010"],
        [0.03, None, "+0.100 ± 0.010", None, None],
        [0.1, "+0.620 ± 0.010", None, "-0.600 ± 0.010", "-0.050 ± 0.010"],
    ]


def test_gains_where_errors_cost_as_much_are_read_between_the_sizes() -> None:
    rows = {row[0]: row[1:] for row in TABLES["noise-same-cost"].rows}
    # Half way from no errors, with which depth 3 gains .02.
    assert rows["early"] == [0.3, "+0.120 ± 0.010", "+0.320", "+0.290", "+0.120"]
    assert rows["probe"][2:] == [None] * 3, "no noise costs as much"
    text = "\n".join(REPORT.notes)
    assert "+0.290 with outputs (15 % of the way to the network)" in text
    assert (
        "+0.120 with alike-3 (100 % of the way to the network). The closest is alike-3" in text
    )
    assert "The network probe loses 0.900 points a game, more than any noise here." in text


def test_the_share_of_games_won_has_no_figure_of_others_beside_it() -> None:
    table = TABLES["noise-wins"]
    assert ["equity", 0.03, 5, 200, "10.0 ± 1.0", "61.0 ± 1.0"] in table.rows
    assert "64" not in str(table.rows) + str(REPORT.notes)


def test_what_depth_makes_up() -> None:
    rows = {(row[0], row[1]): row[2:] for row in TABLES["noise-kinds"].rows}
    assert rows["alike-3", 0.1] == ["-0.600 ± 0.010", "+0.220 ± 0.010", None, 37]
    assert rows["equity", None] == [None, "+0.020 ± 0.010", None, None]


def test_all_matches_are_there() -> None:
    table = TABLES["noise-matches"]
    assert len(table.rows) == len(RESULTS)
    row = dict(zip(table.columns, table.rows[-2], strict=True))
    assert (row["depth"], row["against"], row["won %"]) == (5, "the same errors", 61)
    assert row["won % as played"] == pytest.approx(10)
