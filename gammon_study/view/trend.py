"""A plot of a player's PR from match to match."""

from collections.abc import Sequence

import numpy as np

from gammon.view.plot import COLOURS, Axes, svg_of
from gammon_study.library.stats import Trend


def trend_svg(trend: Sequence[Trend]) -> str:
    """Return a plot of PR from match to match, as the text of an SVG file.

    Raises:
        MissingExtraError: the extra `plots` is not installed.
    """

    def draw(axes: Axes) -> None:
        numbers = range(1, len(trend) + 1)
        single, mean = (
            np.array([getattr(each, name) for each in trend], np.float64)
            for name in ("pr", "mean")
        )
        axes.plot(numbers, single, "o", color=COLOURS[4], alpha=0.5, label="a match")
        axes.plot(numbers, mean, color=COLOURS[0], label="the last ten")
        axes.set_xlabel("match, in the order of their days")
        axes.set_ylabel("PR")
        axes.set_ylim(bottom=0.0)

    return svg_of(draw)
