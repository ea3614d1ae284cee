"""The plot of PR from match to match."""

import pytest

from gammon_study.library.stats import Trend
from gammon_study.view.trend import trend_svg


def test_a_plot() -> None:
    pytest.importorskip("matplotlib")
    trend = [
        Trend(1, None, 5.0, 5.0),
        Trend(2, "2026-11-22", None, 5.0),
        Trend(3, None, 3.0, 4.0),
    ]
    svg = trend_svg(trend)
    assert svg.startswith("<?xml")
    assert svg == trend_svg(trend)
    assert svg != trend_svg(trend[:2])
    assert "<svg" in trend_svg([])
