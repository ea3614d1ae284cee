"""The report of the noise study: its tables, its plots, and sentences about the findings."""

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from gammon.match.result import Mean
from gammon_lab.experiments.noise_errors import COLUMNS, Spread, spread_row
from gammon_lab.experiments.noise_matches import (
    EQUITY,
    NO_ERRORS,
    Meeting,
    MeetingResults,
    Source,
    with_error,
)
from gammon_lab.reports.report import Cell, Figure, Report, Sheet
from gammon_study.view.plot import Axes, draw_points, label_point, look

#: Players of this depth search only a part of each tree.
FILTERED = 7
_MATCH_COLUMNS = (
    "errors", "size", "depth", "against", "games", "points", "s.e.", "points as played",
    "s.e. as played", "won %", "s.e. %", "won % as played", "s.e. % as played", "gammons %",
    "lost %", "turns",
)  # fmt: skip
_KIND_COLUMNS = (
    "errors", "size", "depth 1 against none", "s.e.", "depth 3 against the same", "s.e.",
    "depth 5 against the same", "s.e.", "recovered by depth 3, %", "s.e.",
    "recovered by depth 5, %", "s.e.",
)  # fmt: skip
_OUTPUTS = Meeting(Source("outputs", 0.03), 5)


def noise_report(
    seed: int, results: MeetingResults, spreads: Mapping[Source, Sequence[Spread]], decisions: int
) -> Report:
    """Return the report of the study.

    Args:
        seed: the seed of the study.
        results: the results of the matches.
        spreads: the spreads of the errors, at depths 1 and 3.
        decisions: how many decisions the spreads were measured in.
    """
    kinds = results.kinds
    curves = {kind: _curve(results, kind) for kind in kinds}
    networks = _networks(results)
    tables = [
        _points(results),
        _wins(results),
        Sheet("noise-kinds", "What errors cost, and what depth gains", _KIND_COLUMNS,
              [_kind_row(results, source) for source in results.sources]),
        Sheet("noise-same-cost", "What depth 3 gains where errors cost depth 1 as much",
              ("network", "it loses", "it gains", "s.e.", *kinds),
              [_network_row(name, *loss_and_gain, curves) for name, loss_and_gain in networks.items()]),
        Sheet("noise-errors", "How alike errors are, and what depth 3 leaves of them", COLUMNS,
              [spread_row(*source, *pair) for source, pair in spreads.items()]),
        Sheet("noise-matches", "All matches", _MATCH_COLUMNS,
              [_match_row(results, meeting) for meeting in results]),
    ]  # fmt: skip
    figures = [
        Figure("noise-points", partial(results.draw_points, EQUITY, False)),
        Figure("noise-clean", partial(results.draw_points, EQUITY, True)),
        Figure("noise-wins", lambda axes: _draw_wins(axes, results)),
        Figure("noise-kinds", lambda axes: _draw_kinds(axes, curves, networks)),
    ]
    notes = [
        f"Single games for money without the cube, in pairs with the same dice and swapped "
        f"seats, the same dice in all matches; seed {seed}. Points are the deeper "
        "player's, a game, with the luck of the dice taken out by the network without errors; "
        "± is one standard error, of a row by itself: rows have dice in common, and the error "
        "of a difference between two of them is not given. "
        "Shares of games won have this luck taken out, too.",
        "`recovered` is the gain of depth beyond its gain without errors, as a share of the "
        "cost of the errors to depth 1.",
        f"Errors are measured in the plays of {decisions:,} decisions with "
        "contact that lose less than 0.2 points: `between plays` is their standard deviation "
        "around the mean of a decision, `left` its share that depth 3 leaves, and `alike` the "
        "share of an error's variance that all plays of a decision have in common.",
        "Errors `equity` are independent errors of the equity, in points; `outputs` are errors "
        "of each of the five chances; with `alike-8`, `alike-3` and `alike-1` every window of "
        "that many neighbouring points has an error of its own, and the position's error is "
        "their sum. `early` and `middle` are networks that learned for some minutes, and "
        "`probe` is a very small network; they have only their own errors.",
        *_findings(results),
        *(_of_network(name, *loss_and_gain, curves) for name, loss_and_gain in networks.items()),
    ]
    return Report("Noise: does depth matter?", tables, figures, notes)


def _text(mean: Mean | None) -> str | None:
    """Return points with their standard error, or with the 95 % interval, as text."""
    if mean is None:
        return None
    if mean.told_error is None:
        return f"{mean.mean:+.3f} ({mean.low:+.3f} to {mean.high:+.3f})"
    return f"{mean.mean:+.3f} ± {mean.error:.3f}"


def _points(results: MeetingResults) -> Sheet:
    """Return the table of points by errors of the equity."""
    met = {(m.clean, m.depth) for m in results if m.source.name == EQUITY}
    rows: list[list[Cell]] = [
        [
            size,
            *(
                cell
                for clean, depth in sorted(met)
                for cell in with_error(results.points(Source(EQUITY, size), depth, clean))
            ),
        ]
        for size in results.sizes(EQUITY)
    ]
    names: list[str] = []
    for clean, depth in sorted(met):
        filtered = ", filtered" if depth == FILTERED else ""
        names += [f"depth {depth}{filtered}, {'none' if clean else 'same errors'}", "s.e."]
    title = "Points a game against depth 1, independent errors of the equity"
    return Sheet("noise-points", title, ("sigma", *names), rows)


def _wins(results: MeetingResults) -> Sheet:
    """Return the table of the games won."""
    rows: list[list[Cell]] = [
        [
            *meeting.source,
            meeting.depth,
            result.games,
            *with_error(result.wins, 100.0),
            *with_error(result.fair_wins, 100.0),
        ]
        for meeting, result in sorted(results.items(), key=lambda each: each[0].depth)
        if (meeting.source.name == EQUITY or meeting == _OUTPUTS) and not meeting.clean
    ]
    columns = ("errors", "size", "depth", "games", "won %", "s.e. %", "won %, luck taken out", "s.e. %")
    return Sheet("noise-wins", "Games won against depth 1 with the same errors", columns, rows)


def _kind_row(results: MeetingResults, source: Source) -> list[Cell]:
    """Return the row of a source: the cost of its errors to depth 1, and how much depth recovers."""
    cost = results.points(source, 1, True)
    gains = [results.points(source, depth, False) for depth in (3, 5)]
    cells = [cell for mean in (cost, *gains) for cell in with_error(mean)]
    for depth, gain in zip((3, 5), gains, strict=True):
        clean = results.points(NO_ERRORS, depth, False)
        if cost is None or gain is None or clean is None:
            cells += [None, None]
        else:
            cells += _recovered(cost, gain, clean)
    return [source.name, source.size or None, *cells]


def _recovered(cost: Mean, gain: Mean, clean: Mean) -> list[Cell]:
    """Return the share of the errors' cost that a search recovers, in per cent, with its error.

    The share is the gain of depth beyond the gain without errors, divided by the cost. The
    standard error comes from the delta method, for a ratio whose errors are small; the three
    matches count as independent.

    Args:
        cost: points of depth 1 with errors against depth 1 without.
        gain: points of the deeper player against depth 1, both with errors.
        clean: points of the deeper player against depth 1, both without errors.
    """
    share = (gain.mean - clean.mean) / -cost.mean
    if None in (cost.told_error, gain.told_error, clean.told_error):
        return [100 * share, None]
    squares = gain.error**2 + clean.error**2 + (share * cost.error) ** 2
    return [100 * share, 100 * math.sqrt(squares) / abs(cost.mean)]


class _Curve(NamedTuple):
    """The costs of errors of a kind to depth 1, in rising order, and the gains of depth 3."""

    costs: tuple[float, ...]
    gains: tuple[float, ...]

    def at(self, cost: float) -> float | None:
        """Return the gain at this cost by interpolation, or None beyond the measured costs."""
        inside = self.costs[0] <= cost <= self.costs[-1]
        return float(np.interp(cost, self.costs, self.gains)) if inside else None


def _curve(results: MeetingResults, kind: str) -> _Curve:
    """Return the curve of a kind. It begins without errors, which cost nothing."""
    points = []
    for source in [NO_ERRORS, *(Source(kind, size) for size in results.sizes(kind) if size)]:
        cost, gain = results.points(source, 1, True), results.points(source, 3, False)
        if gain is not None:
            points.append((0.0 if cost is None else -cost.mean, gain.mean))
    return _Curve(*zip(*sorted(points), strict=True))


def _networks(results: MeetingResults) -> dict[str, tuple[float, Mean]]:
    """Return the loss of each weak network at depth 1 and its gain at depth 3, by name."""
    losses_and_gains = {}
    for source in results.sources:
        cost, gain = results.points(source, 1, True), results.points(source, 3, False)
        if source.is_network and cost is not None and gain is not None:
            losses_and_gains[source.name] = -cost.mean, gain
    return losses_and_gains


def _network_row(name: str, cost: float, gain: Mean, curves: Mapping[str, _Curve]) -> list[Cell]:
    """Return a row: the gain of depth 3 for a weak network, and for noise with the same cost."""
    return [name, cost, *with_error(gain), *(curve.at(cost) for curve in curves.values())]


def _match_row(results: MeetingResults, meeting: Meeting) -> list[Cell]:
    """Return the row of a match."""
    result = results[meeting]
    against = "no errors" if meeting.clean else "the same errors"
    shares = [100 * share for share in result.gammons]
    return [
        *meeting.source,
        meeting.depth,
        against,
        result.games,
        *with_error(result.adjusted),
        *with_error(result.points),
        *with_error(result.fair_wins, 100.0),
        *with_error(result.wins, 100.0),
        *shares,
        result.turns,
    ]


def _findings(results: MeetingResults) -> list[str]:
    """Return sentences about the gains of depth in the matches."""
    sizes = results.sizes(EQUITY)
    sentences = [
        f"{'With errors of ' + format(size, 'g') if size else 'Without errors'} "
        f"{_by_depth(results, size, False)} points a game from depth 1, which has the same."
        for size in (sizes[0], sizes[-1])
    ]
    return sentences + [
        f"From depth 1 without errors, with errors of {size:g} "
        f"{_by_depth(results, size, True)} points a game."
        for size in sizes
        if size
    ]


def _by_depth(results: MeetingResults, size: float, clean: bool) -> str:
    """Return in words the points that players of each depth win with errors of a size."""
    won = [
        f"depth {depth} wins {_text(points)}"
        for depth in sorted({meeting.depth for meeting in results})
        if (points := results.points(Source(EQUITY, size), depth, clean)) is not None
    ]
    return ", ".join(won)


def _of_network(name: str, cost: float, gain: Mean, curves: Mapping[str, _Curve]) -> str:
    """Return a sentence that compares a weak network with noise of the same cost."""
    gains = {kind: curve.at(cost) for kind, curve in curves.items()}
    known = {kind: other for kind, other in gains.items() if other is not None}
    if not known:
        return f"The network {name} loses {cost:.3f} points a game, more than with any noise measured."
    parts = [f"{other:+.3f} with {kind}" for kind, other in known.items()]
    closest = min(known, key=lambda kind: abs(known[kind] - gain.mean))
    return (
        f"The network {name} loses {cost:.3f} points a game to the network without errors, and "
        f"depth 3 gains it {_text(gain)}. Where noise costs as much, depth 3 gains "
        f"{', '.join(parts)}. The closest is {closest}."
    )


def _draw_wins(axes: Axes, results: MeetingResults) -> None:
    """Draw the share of games won, and the share with errors of the outputs at depth 5."""
    results.draw_wins(EQUITY, lambda result: result.fair_wins, axes)
    if _OUTPUTS in results:
        size, wins = _OUTPUTS.source.size, results[_OUTPUTS].fair_wins
        name = f"depth 5, errors of the {_OUTPUTS.source.name}"
        reach = [100 * (wins.high - wins.mean)]
        draw_points(axes, name, [size], [100 * wins.mean], reach, look(name, 2))


def _draw_kinds(axes: Axes, curves: Mapping[str, _Curve], networks: Mapping[str, tuple[float, Mean]]) -> None:
    """Draw the gain of depth 3 by the cost of the errors, a line for each kind of noise."""
    for place, (kind, curve) in enumerate(curves.items()):
        axes.plot(*curve, label=kind, **look(kind, place))
    if networks:
        name, costs = "weak networks", [cost for cost, _ in networks.values()]
        means = [gain.mean for _, gain in networks.values()]
        reach = [gain.high - gain.mean for _, gain in networks.values()]
        draw_points(axes, name, costs, means, reach, look(name, 5))
    for network, (cost, gain) in networks.items():
        label_point(axes, network, cost, gain.mean)
    axes.set(xlim=(0, 0.7), ylim=(0, 0.7))
    axes.set_xlabel("points a game that depth 1 loses by the errors")
    axes.set_ylabel("points a game that depth 3 gains")
