"""MeetingResults of players that err, and their plots: a line for each depth."""

import pytest
from matplotlib.figure import Figure

from gammon_lab.experiments.noise_matches import NO_ERRORS, Meeting, MeetingResults, Source
from tests.lab.experiments.figures import result

RESULT = result(0.2, 0.6)
LARGE, OTHER, NETWORK = Source("equity", 0.03), Source("outputs", 0.02), Source("probe")
RESULTS = MeetingResults.fromkeys(
    [
        Meeting(LARGE, 3),
        Meeting(NO_ERRORS, 3),
        Meeting(LARGE, 1, True),
        Meeting(OTHER, 3),
        Meeting(NETWORK, 3),
    ],
    RESULT,
)


def test_points_and_wins() -> None:
    points, wins = Figure().subplots(1, 2)
    RESULTS.draw_points("equity", False, points)
    RESULTS.draw_wins("equity", wins)
    for axes, height, level in ((points, 0.2, 0.0), (wins, 60.0, 50.0)):
        of_depths = {line.get_label(): line for line in axes.get_lines()}
        assert "depth 1" not in of_depths, "it meets no equal"
        assert list(of_depths["depth 3"].get_xdata()) == [0.0, 0.03]
        assert list(of_depths["depth 3"].get_ydata()) == pytest.approx([height, height])
        assert any(list(line.get_ydata()) == [level, level] for line in axes.get_lines())
    assert points.get_ylabel().startswith("points a game against depth 1, the same errors")
    assert wins.get_ylabel().startswith("games won against depth 1, the same errors, %")
    RESULTS.draw_points("equity", True, clean := Figure().subplots())
    assert "depth 1" in {line.get_label() for line in clean.get_lines()}
    assert clean.get_ylabel().startswith("points a game against depth 1, no errors")


def test_results_by_kind_size_and_depth() -> None:
    assert RESULTS.kinds == ["equity", "outputs"]
    assert RESULTS.sources == [LARGE, NO_ERRORS, OTHER, NETWORK]
    assert RESULTS.sizes("equity") == [0.0, 0.03]
    assert RESULTS.by_depth("outputs", False) == {3: {0.02: RESULT}}
    assert RESULTS.by_depth("equity", True) == {1: {0.03: RESULT}}
    assert RESULTS.points(NO_ERRORS, 3, True) == RESULT.adjusted, "both opponents are one"
    assert RESULTS.points(LARGE, 3, True) is None


def test_names() -> None:
    assert (str(NETWORK), str(OTHER)) == ("probe", "outputs 0.02")
    assert (Meeting(LARGE, 3).against, Meeting(LARGE, 1, True).against) == ("same errors", "no errors")
