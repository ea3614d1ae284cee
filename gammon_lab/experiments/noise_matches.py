"""Matches between players with errors: the pairings, the results, and their plots."""

from collections.abc import Callable
from typing import NamedTuple

from gammon.match.result import MatchResult, Mean
from gammon_lab.report import Cell
from gammon_study.view.plot import Axes, draw_level, draw_series, look

#: A function that returns a share of the games of a match, or its points.
Share = Callable[[MatchResult], Mean]
#: The kind of errors in most matches.
EQUITY = "equity"
#: Networks that are weak without noise: two have learned too little, one is too small.
NETWORKS = ("early", "middle", "probe")


def with_error(mean: Mean | None, scale: float = 1.0) -> list[Cell]:
    """Return two cells: a mean times `scale`, and its standard error; None where unknown."""
    if mean is None:
        return [None, None]
    error = mean.told_error
    return [scale * mean.mean, None if error is None else scale * error]


class Source(NamedTuple):
    """The source of a player's errors: noise of a kind and size, or a weak network.

    Attributes:
        name: the kind of the noise, or the name of the network.
        size: the standard deviation of the noise, 0 for a network's own errors.
    """

    name: str
    size: float = 0.0

    @property
    def is_network(self) -> bool:
        """Whether these are a network's own errors."""
        return self.name in NETWORKS

    @property
    def errs(self) -> bool:
        """Whether there are errors at all."""
        return self.is_network or self.size > 0.0

    @property
    def cells(self) -> tuple[str, float | None]:
        """The name and the size, as tables show them: a network has no size."""
        return self.name, None if self.is_network else self.size

    def __str__(self) -> str:
        return self.name if self.is_network else f"{self.name} {self.size:g}"


#: The source of a player without errors.
NO_ERRORS = Source(EQUITY)


class Meeting(NamedTuple):
    """A match between a player and a player of depth 1.

    Attributes:
        source: the source of the first player's errors.
        depth: the depth of the first player.
        clean: whether the second player has no errors; else it has the same as the first.
    """

    source: Source
    depth: int
    clean: bool = False

    @property
    def against(self) -> str:
        """The errors of the second player, in words."""
        return "no errors" if self.clean else "same errors"


class MeetingResults(dict[Meeting, MatchResult]):
    """The results of matches, seen from the first player."""

    def points(self, source: Source, depth: int, clean: bool) -> Mean | None:
        """Return the points of a match with the luck taken out, or None if it was not played."""
        # Without errors, both opponents are the same player.
        result = self.get(Meeting(source, depth, clean and source.errs))
        return result and result.adjusted

    @property
    def without_errors(self) -> Source:
        """The source of the players without errors."""
        return next((source for source in self.sources if not source.errs), NO_ERRORS)

    @property
    def sources(self) -> list[Source]:
        """All sources of errors, in the order of their first matches."""
        return list(dict.fromkeys(meeting.source for meeting in self))

    @property
    def kinds(self) -> list[str]:
        """The kinds of noise, in the order of their first matches."""
        return list(dict.fromkeys(source.name for source in self.sources if not source.is_network))

    def sizes(self, kind: str) -> list[float]:
        """Return the sizes of errors of a kind, the smallest first."""
        return sorted({source.size for source in self.sources if source.name == kind})

    def by_depth(self, kind: str, clean: bool) -> dict[int, dict[float, MatchResult]]:
        """Return the results of matches with errors of a kind, by depth and then by their size.

        Without errors, both opponents are the same player.
        """
        depths = {m.depth for m in self if m.source.name == kind and m.clean == clean}
        return {
            depth: {
                meeting.source.size: result
                for meeting, result in sorted(self.items())
                if (meeting.source.name, meeting.depth) == (kind, depth)
                and (meeting.clean == clean or not meeting.source.size)
            }
            for depth in sorted(depths)
        }

    def draw_points(self, kind: str, clean: bool, axes: Axes) -> None:
        """Draw the points a game against depth 1, a line for each depth.

        Args:
            kind: the kind of errors; their sizes are on the horizontal axis.
            clean: whether depth 1 has no errors; else it has the same.
            axes: the axes of the plot.
        """
        self._draw(kind, clean, lambda result: result.adjusted, 1.0, axes)
        draw_level(axes, 0.0)
        against = "no errors" if clean else "the same errors"
        axes.set_ylabel(f"points a game against depth 1, {against} (95 % intervals)")

    def draw_wins(self, kind: str, axes: Axes) -> None:
        """Draw the share of games won against depth 1 with the same errors, with the luck taken out.

        Args:
            kind: the kind of errors.
            axes: the axes of the plot.
        """
        self._draw(kind, False, lambda result: result.fair_wins, 100.0, axes)
        draw_level(axes, 50.0)
        axes.set_ylabel("games won against depth 1, the same errors, % (95 % intervals)")

    def _draw(self, kind: str, clean: bool, of: Share, scale: float, axes: Axes) -> None:
        """Draw a line for each depth."""
        for depth, results in self.by_depth(kind, clean).items():
            shares = [of(result) for result in results.values()]
            means = [scale * mean.mean for mean in shares]
            reach = [scale * (mean.high - mean.mean) for mean in shares]
            name = f"depth {depth}"
            draw_series(axes, name, list(results), means, reach, look(name))
        axes.set_xlabel("standard deviation of the errors")
