"""Matches between players that err: who meets whom, the results, and their plots."""

from collections.abc import Callable
from typing import NamedTuple

from gammon.match.result import MatchResult, Mean
from gammon_lab.reports.report import Cell
from gammon_study.view.plot import Axes, draw_level, draw_series, look

#: Returns a share of the games of a match, or points.
Share = Callable[[MatchResult], Mean]
#: The kind of errors that most matches are about.
EQUITY = "equity"
#: Networks that are weak by themselves: two have learned too little, one is too small.
NETWORKS = ("early", "middle", "probe")


def with_error(mean: Mean | None, scale: float = 1.0) -> list[Cell]:
    """Return two cells: a mean, in a unit, and its standard error, as far as there are."""
    if mean is None:
        return [None, None]
    error = mean.told_error
    return [scale * mean.mean, None if error is None else scale * error]


class Source(NamedTuple):
    """The source of a player's errors: noise of a kind and size, or a network.

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

    def __str__(self) -> str:
        return self.name if self.is_network else f"{self.name} {self.size:g}"


#: What costs nothing.
NO_ERRORS = Source(EQUITY)


class Meeting(NamedTuple):
    """A match between a player and one of depth 1.

    Attributes:
        source: of the first player's errors.
        depth: of that player.
        clean: whether the other one has no errors; else it has the same.
    """

    source: Source
    depth: int
    clean: bool = False

    @property
    def against(self) -> str:
        """The errors of the other player, in words."""
        return "no errors" if self.clean else "same errors"


class Results(dict[Meeting, MatchResult]):
    """The results of matches, seen from the first player."""

    def points(self, source: Source, depth: int, clean: bool) -> Mean | None:
        """Return the points of a match, less luck, if there was one."""
        # Without errors, both opponents are one.
        found = self.get(Meeting(source, depth, clean and source != NO_ERRORS))
        return found and found.adjusted

    @property
    def sources(self) -> list[Source]:
        """All sources of errors, in the order of their first matches."""
        return list(dict.fromkeys(meeting.source for meeting in self))

    @property
    def kinds(self) -> list[str]:
        """The kinds of noise, in the order of their first matches."""
        return list(dict.fromkeys(each.name for each in self.sources if not each.is_network))

    def sizes(self, kind: str) -> list[float]:
        """Return the sizes of errors of a kind, the least first."""
        return sorted({each.size for each in self.sources if each.name == kind})

    def by_depth(self, kind: str, clean: bool) -> dict[int, dict[float, MatchResult]]:
        """Return by depth, and there by the size of errors of a kind, what was played so.

        Without errors, both opponents are one.
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
            kind: of the errors, whose sizes are the places.
            clean: whether depth 1 has no errors; else it has the same.
            axes: of the plot.
        """
        self._draw(kind, clean, lambda result: result.adjusted, 1.0, axes)
        draw_level(axes, 0.0)
        against = "no errors" if clean else "the same errors"
        axes.set_ylabel(f"points a game against depth 1, {against} (95 % intervals)")

    def draw_wins(self, kind: str, of: Share, axes: Axes) -> None:
        """Draw the share of games won against depth 1 with the same errors.

        Args:
            kind: of the errors.
            of: returns the share of games won, from 0 to 1.
            axes: of the plot.
        """
        self._draw(kind, False, of, 100.0, axes)
        draw_level(axes, 50.0)
        axes.set_ylabel("games won against depth 1, the same errors, % (95 % intervals)")

    def _draw(self, kind: str, clean: bool, of: Share, scale: float, axes: Axes) -> None:
        """Draw a line for each depth."""
        for depth, results in self.by_depth(kind, clean).items():
            found = [of(result) for result in results.values()]
            means = [scale * each.mean for each in found]
            reach = [scale * (each.high - each.mean) for each in found]
            name = f"depth {depth}"
            draw_series(axes, name, list(results), means, reach, look(name))
        axes.set_xlabel("standard deviation of the errors")
