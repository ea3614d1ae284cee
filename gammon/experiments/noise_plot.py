"""The plots of players that err: a line for each depth, by the size of the errors."""

from collections.abc import Callable, Sequence

from gammon.experiments.plot import Axes, draw_level, draw_series, look
from gammon.match.result import MatchResult, Mean

__all__ = ["Line", "draw_points_won", "draw_wins"]

#: A depth, sizes of errors, and the result of the match with each of them.
Line = tuple[int, list[float], list[MatchResult]]
_SIZES = "standard deviation of the errors"


def draw_points_won(axes: Axes, lines: Sequence[Line], against: str) -> None:
    """Draw the points a game of players of each depth.

    Args:
        axes: of the plot.
        lines: one for each depth.
        against: the errors of the player of depth 1 that they meet, in words.
    """
    _draw(axes, lines, lambda result: result.adjusted, 1.0)
    draw_level(axes, 0.0)
    axes.set_ylabel(f"points a game against depth 1, {against} (95 % intervals)")


def draw_wins(
    axes: Axes, lines: Sequence[Line], of: Callable[[MatchResult], Mean], against: str
) -> None:
    """Draw the share of games that players of each depth win; see `draw_points_won`.

    Args:
        axes: of the plot.
        lines: one for each depth.
        of: returns the share of games won, from 0 to 1.
        against: the errors of the player of depth 1 that they meet, in words.
    """
    _draw(axes, lines, of, 100.0)
    draw_level(axes, 50.0)
    axes.set_ylabel(f"games won against depth 1, {against}, % (95 % intervals)")


def _draw(
    axes: Axes, lines: Sequence[Line], of: Callable[[MatchResult], Mean], scale: float
) -> None:
    for depth, sizes, results in lines:
        found = [of(result) for result in results]
        means = [scale * each.mean for each in found]
        reach = [scale * (each.high - each.mean) for each in found]
        name = f"depth {depth}"
        draw_series(axes, name, sizes, means, reach, look(name))
    axes.set_xlabel(_SIZES)
