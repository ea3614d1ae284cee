"""Figures that a reproduction wrote, bars of plots, and results of matches that are made up."""

from collections.abc import Callable
from typing import Any

import pytest

from gammon.match.result import MatchResult, Mean


def differences(rows, column="difference"):
    """Return a column as numbers."""
    return [float(row[column]) for row in rows]


def drawn_bars(draw: Callable[[Any], None]) -> list[Any]:
    """Return the bars that a function draws on axes: lists of segments, float64 [2, 2] of x and y."""
    figure = pytest.importorskip("matplotlib.figure")
    lines = pytest.importorskip("matplotlib.collections").LineCollection
    axes = figure.Figure().subplots()
    draw(axes)
    return [each.get_segments() for each in axes.collections if isinstance(each, lines)]


def mean(value: float) -> Mean:
    return Mean(value, 0.01, value - 0.02, value + 0.02)


def result(points: float, won: float = 0.5) -> MatchResult:
    """Return what 200 games came to, by the points and the games won without the luck."""
    return MatchResult(
        length=0, live=False, matches=200, games=200, points=mean(0.9), adjusted=mean(points),
        wins=mean(0.1), fair_wins=mean(won), gammons=(0.2, 0.1), backgammons=(0.0, 0.0),
        doubles=(0.0, 0.0), takes=(0.0, 0.0), passes=(0.0, 0.0), cube=1.0, turns=50.0,
    )  # fmt: skip
