"""The plots of players that err have a line for each depth, in points or in per cent."""

from types import SimpleNamespace

import pytest
from matplotlib.figure import Figure

from gammon.experiments.noise_plot import draw_points_won, draw_wins
from gammon.match.result import Mean

RESULT = SimpleNamespace(adjusted=Mean(0.2, 0.01, 0.18, 0.22), wins=Mean(0.6, 0.02, 0.56, 0.64))
LINES = [(1, [0.03], [RESULT]), (3, [0.0, 0.03], [RESULT, RESULT])]


def test_points_and_wins() -> None:
    points, wins = Figure().subplots(1, 2)
    draw_points_won(points, LINES, "no errors")
    draw_wins(wins, LINES, lambda result: result.wins, "the same errors")
    for axes, height, level in ((points, 0.2, 0.0), (wins, 60.0, 50.0)):
        of_depths = {line.get_label(): line for line in axes.get_lines()}
        assert {"depth 1", "depth 3"} < set(of_depths)
        assert list(of_depths["depth 3"].get_xdata()) == [0.0, 0.03]
        assert list(of_depths["depth 3"].get_ydata()) == pytest.approx([height, height])
        assert any(list(line.get_ydata()) == [level, level] for line in axes.get_lines())
    assert points.get_ylabel().startswith("points a game against depth 1, no errors")
    assert wins.get_ylabel().startswith("games won against depth 1, the same errors, %")
